/**
 * Runs of blocks without transactions, stored as one row with an id every 1,024 blocks. Headers and signatures are
 * made when they are read. BlockProduction a run is in `ledger/mine-empty-run.ts`.
 */

import type { Address, BlockId, TxId } from '../../primitives/ids.js';
import { headerVersionOf } from '../../primitives/release.js';
import { varint } from '../../primitives/varint.js';
import { blockHash, blockIdOf } from '../../protocol/block.js';
import { type BlockHeader, BlockHeader_raw } from '../../protocol/generated/tron.js';
import { sha256 } from '../../protocol/hashes.js';
import { EMPTY_MERKLE_ROOT } from '../../protocol/merkle.js';
import { type EmptyRunRow, numberKey } from '../../state/tables.js';
import type { ChainConfig } from '../config.js';
import type { Ledger } from '../ledger.js';

export const CHECKPOINT_BLOCKS = 1024;

/**
 * A run in consecutive slots with all data of its blocks: the active witnesses with their signing addresses, the turns
 * of the first and the second block (later turns follow), and the ids of the blocks first − 1 + 1024, first − 1 +
 * 2048, …
 */
export type EmptyRun = EmptyRunRow;

/** What all blocks of a chain have in common. */
type BlockTerms = Pick<ChainConfig, 'release' | 'slotMs'>;

export function timeInRun({ slotMs }: BlockTerms, run: Pick<EmptyRun, 'firstTimestampMs'>, index: number): bigint {
  return run.firstTimestampMs + slotMs * BigInt(index);
}

export function turnOf(run: Pick<EmptyRun, 'firstTurn' | 'secondTurn' | 'witnesses'>, index: number): number {
  return index === 0 ? run.firstTurn : (run.secondTurn + index - 1) % run.witnesses.length;
}

function witnessIn(run: Omit<EmptyRun, 'checkpoints'>, index: number): Address {
  return run.witnesses[turnOf(run, index)] as Address;
}

function headerOf(
  terms: BlockTerms,
  run: Omit<EmptyRun, 'checkpoints'>,
  index: number,
  parentId: BlockId,
): BlockHeader_raw {
  return {
    ...BlockHeader_raw.empty,
    timestamp: timeInRun(terms, run, index),
    txTrieRoot: EMPTY_MERKLE_ROOT,
    parentHash: parentId,
    number: BigInt(run.first + index),
    witness_address: witnessIn(run, index),
    version: headerVersionOf(terms.release),
  };
}

/**
 * Walks the hash chain from `from` to before `to`, starting at `parentId`. The header's bytes are patched in place
 * while their lengths stay the same: encoding each header would cost ten times the hash.
 */
export function walk(
  terms: BlockTerms,
  run: Omit<EmptyRun, 'checkpoints'>,
  parentId: BlockId,
  from: number,
  to: number,
  visit: (id: BlockId, index: number) => void,
): BlockId {
  let id = parentId;
  let template: HeaderTemplate | undefined;
  for (let index = from; index < to; index++) {
    const timestampMs = timeInRun(terms, run, index);
    const number = run.first + index;
    const witness = witnessIn(run, index);
    if (!template?.fits(timestampMs, number)) template = new HeaderTemplate(headerOf(terms, run, index, id));
    id = blockIdOf(number, template.hash(timestampMs, number, id, witness));
    visit(id, index);
  }
  return id;
}

/** An encoded header whose time, parent, number and witness can be replaced by values of the same length. */
class HeaderTemplate {
  readonly #bytes: Buffer;
  readonly #timestampBytes: number;
  readonly #numberBytes: number;
  readonly #parentAt: number;
  readonly #numberAt: number;
  readonly #witnessAt: number;

  constructor(raw: BlockHeader_raw) {
    this.#bytes = Buffer.from(BlockHeader_raw.encode(raw));
    this.#timestampBytes = varint(Number(raw.timestamp)).length;
    this.#numberBytes = varint(Number(raw.number)).length;
    // A tag byte precedes each field, and a length byte each bytes field.
    this.#parentAt = 1 + this.#timestampBytes + 2 + 32 + 2;
    this.#numberAt = this.#parentAt + 32 + 1;
    this.#witnessAt = this.#numberAt + this.#numberBytes + 2;
  }

  fits(timestampMs: bigint, number: number): boolean {
    return varint(Number(timestampMs)).length === this.#timestampBytes && varint(number).length === this.#numberBytes;
  }

  hash(timestampMs: bigint, number: number, parentId: BlockId, witness: Address): string {
    const bytes = this.#bytes;
    bytes.set(varint(Number(timestampMs)), 1);
    bytes.write(parentId, this.#parentAt, 'hex');
    bytes.set(varint(number), this.#numberAt);
    bytes.write(witness, this.#witnessAt, 'hex');
    return sha256(bytes);
  }
}

function runWith(ledger: Ledger, number: number): EmptyRun | undefined {
  const run = ledger.state.tables.emptyRuns.atOrBefore(numberKey(number))?.[1];
  return run !== undefined && number < run.first + run.count ? run : undefined;
}

/** Cache of recently read ids in runs, and of ids on the way to them: a contract may read the last 256 repeatedly. */
class RecentIds {
  readonly #runs = new Map<EmptyRun, Map<number, BlockId>>();
  #size = 0;

  get(run: EmptyRun, number: number): BlockId | undefined {
    return this.#runs.get(run)?.get(number);
  }

  add(run: EmptyRun, number: number, id: BlockId): void {
    if (this.#size >= KEPT_IDS) this.#clear();
    let ids = this.#runs.get(run);
    if (ids === undefined) {
      ids = new Map();
      this.#runs.set(run, ids);
    }
    ids.set(number, id);
    this.#size++;
  }

  #clear(): void {
    this.#runs.clear();
    this.#size = 0;
  }
}

/** Keyed by the common data of the chain's blocks. */
const recentIds = new WeakMap<BlockTerms, RecentIds>();
const KEPT_IDS = 4 * CHECKPOINT_BLOCKS;

function recentIdsOf(terms: BlockTerms): RecentIds {
  let recent = recentIds.get(terms);
  if (recent === undefined) {
    recent = new RecentIds();
    recentIds.set(terms, recent);
  }
  return recent;
}

function idInRun(terms: BlockTerms, run: EmptyRun, number: number): BlockId {
  const ids = recentIdsOf(terms);
  const known = ids.get(run, number);
  if (known !== undefined) return known;
  const index = number - run.first;
  // Of blocks that are read upwards, each follows from the one before.
  const before = ids.get(run, number - 1);
  if (before !== undefined) return walk(terms, run, before, index, index + 1, (id) => ids.add(run, number, id));
  const checkpoint = Math.floor((index + 1) / CHECKPOINT_BLOCKS);
  const from = checkpoint * CHECKPOINT_BLOCKS;
  const start = checkpoint === 0 ? run.parentId : (run.checkpoints[checkpoint - 1] as BlockId);
  return walk(terms, run, start, from, index + 1, (passed, at) => ids.add(run, run.first + at, passed));
}

/** The last block of the run that contains `number`; `number` itself outside of runs. */
export function emptyRunEnd(ledger: Ledger, number: number): number {
  const run = runWith(ledger, number);
  return run === undefined ? number : run.first + run.count - 1;
}

/** The first block of the run that contains `number` before its end; undefined for other blocks. */
export function emptyRunStart(ledger: Ledger, number: number): number | undefined {
  const run = runWith(ledger, number);
  return run === undefined || number === run.first + run.count - 1 ? undefined : run.first;
}

/** Time of a block in a run, computed without its hashes and signature; undefined outside of runs. */
export function emptyBlockTimeMs(ledger: Ledger, number: number): bigint | undefined {
  const run = runWith(ledger, number);
  return run && timeInRun(ledger.config, run, number - run.first);
}

/** The witness of a block in a run, without its signature; undefined outside of runs. */
export function emptyBlockProducer(ledger: Ledger, number: number): Address | undefined {
  const run = runWith(ledger, number);
  return run && witnessIn(run, number - run.first);
}

export function emptyBlockId(ledger: Ledger, number: number): BlockId | undefined {
  const run = runWith(ledger, number);
  return run && idInRun(ledger.config, run, number);
}

/**
 * Ids of the blocks from `number` to the end of its run, at most to `last`; none outside of runs. One walk: a single
 * id takes on average 500 hashes.
 */
export function emptyBlockIds(ledger: Ledger, number: number, last: number): BlockId[] {
  const run = runWith(ledger, number);
  if (run === undefined) return [];
  const first = number - run.first;
  const checkpoint = Math.floor(first / CHECKPOINT_BLOCKS);
  const start = checkpoint === 0 ? run.parentId : (run.checkpoints[checkpoint - 1] as BlockId);
  const ids: BlockId[] = [];
  walk(
    ledger.config,
    run,
    start,
    checkpoint * CHECKPOINT_BLOCKS,
    Math.min(run.count, last - run.first + 1),
    (id, index) => {
      if (index >= first) ids.push(id);
    },
  );
  return ids;
}

interface EmptyBlock {
  readonly number: number;
  readonly id: BlockId;
  readonly header: BlockHeader_raw;
  readonly transactionIds: readonly TxId[];
}

/**
 * The blocks from `number` to the end of its run, at most to `last`, without signatures; undefined outside of runs.
 * Each is made lazily from the run's data, even if the chain was rolled back meanwhile.
 */
export function emptyBlocks(
  ledger: Ledger,
  number: number,
  last: number,
): { readonly count: number; readonly outlines: Iterable<EmptyBlock> } | undefined {
  const run = runWith(ledger, number);
  if (run === undefined) return undefined;
  const from = number - run.first;
  const to = Math.min(run.count, last - run.first + 1);
  return { count: to - from, outlines: { [Symbol.iterator]: () => blocksOfRun(ledger.config, run, from, to) } };
}

function* blocksOfRun(terms: BlockTerms, run: EmptyRun, from: number, to: number): Generator<EmptyBlock, void> {
  let parentId = from === 0 ? run.parentId : idInRun(terms, run, run.first + from - 1);
  for (let index = from; index < to; ) {
    const ids: BlockId[] = [];
    walk(terms, run, parentId, index, Math.min(to, index + CHECKPOINT_BLOCKS), (id) => ids.push(id));
    for (const id of ids) {
      yield { number: run.first + index, id, header: headerOf(terms, run, index, parentId), transactionIds: [] };
      parentId = id;
      index++;
    }
  }
}

/** The signed header of a block in a run, made on read; the same one that was hashed. */
export function emptyBlockHeader(ledger: Ledger, number: number): BlockHeader | undefined {
  const run = runWith(ledger, number);
  if (run === undefined) return undefined;
  const index = number - run.first;
  const parentId = index === 0 ? run.parentId : idInRun(ledger.config, run, number - 1);
  const raw_data = headerOf(ledger.config, run, index, parentId);
  const signer = run.signers[turnOf(run, index)] as Address;
  return { raw_data, witness_signature: ledger.config.signFor(signer, blockHash(raw_data)) };
}
