/**
 * A chain as a list of steps: blocks, runs of empty blocks, operations. The genesis and the steps define the chain.
 * Checking, upgrading, loading a chain file and replaying a recording all apply them with `applyStep`, which compares
 * the id of every block.
 */

import { JavaException } from '../../errors/java-exception.js';
import { OperationError } from '../../errors/operation-error.js';
import { witnessSigner } from '../../ledger/accounts/permissions.js';
import { type BlockPlan, nextHeader } from '../../ledger/apply-block.js';
import { blockIdAt } from '../../ledger/blocks/block-ids.js';
import { blockAt } from '../../ledger/blocks/blocks.js';
import { emptyBlockId, emptyRunEnd } from '../../ledger/blocks/empty-blocks.js';
import { emptyRunLength } from '../../ledger/mine-empty-run.js';
import { operationAt, operationsAfter } from '../../ledger/operations/operation.js';
import type { Operation } from '../../ledger/operations/registry.js';
import type { Address, BlockId } from '../../primitives/ids.js';
import { blockHash } from '../../protocol/block.js';
import type { Account, BlockHeader } from '../../protocol/generated/tron.js';
import { merkleRoot } from '../../protocol/merkle.js';
import type { SignedTransaction } from '../../protocol/transaction.js';
import { MissingRow } from '../../state/missing-row.js';
import { changePlace } from '../../state/row-changes.js';
import { DamagedStoreError } from '../../state/row-checksum.js';
import { FORMAT_VERSION, TABLES } from '../../state/tables.js';
import type { Chain } from '../chain/chain.js';
import { NoRoomError } from '../storage/commits.js';
import type { StoredChain } from '../storage/stored-chain.js';

/** Time and producer of a block. */
export interface BlockProduction {
  readonly timestampMs: bigint;
  readonly producer: Address;
  /** Absent: the chain signs with its own keys. The id of a block does not depend on its signature. */
  readonly sign?: BlockPlan['sign'] | undefined;
}

/** A block, a run of empty blocks or an operation of a stored chain. */
export type StoredWork =
  | { readonly header: BlockHeader; readonly transactions: readonly SignedTransaction[] }
  | { readonly emptyBlocks: number }
  | { readonly operation: Operation };

export type StepWork =
  | StoredWork
  /** A block with exactly these transactions. */
  | { readonly block: BlockProduction; readonly transactions: readonly SignedTransaction[] }
  /** A block made from these candidates, included or not; absent: from the pending transactions. */
  | { readonly made: BlockProduction; readonly candidates?: readonly SignedTransaction[] | undefined }
  /** A rollback to a block and a number of operations after it. */
  | { readonly backTo: { readonly block: number; readonly operations: number } };

export interface Step {
  /** Height of the head after it. */
  readonly to: number;
  /** Id of the head after it; undefined: not compared. */
  readonly id: BlockId | undefined;
  /** From here on the chain deviates from the network's rules of time and signature. */
  readonly relaxes: boolean;
  readonly work: StepWork;
}

export interface StoredStep extends Step {
  readonly id: BlockId;
  readonly work: StoredWork;
}

/** In order; each step is read when it is needed. */
export interface Steps extends Iterable<Step> {
  readonly length: number;
}

/** A step has another result than before. */
export class StepError extends Error {
  override readonly name = 'StepError';
  constructor(
    readonly block: number,
    reason: string,
    options?: ErrorOptions,
  ) {
    super(`block ${block} cannot be applied again: ${reason}`, options);
  }
}

/** The position of a step. */
interface Place {
  readonly from: number;
  readonly to: number;
  readonly operation: number;
  readonly relaxes: boolean;
}

/** Called between two steps; undefined if no other work waits. */
type YieldTurn = () => Promise<void> | undefined;

/**
 * The steps of a chain from its beginning to its present head, each read from the store when it is needed. Later
 * changes of the chain are not included; it must not be rolled back below this head meanwhile.
 */
export class StoredSteps implements Steps {
  readonly #head: number;
  readonly #operations: number;
  #length: number | undefined;

  constructor(private readonly chain: Stored) {
    this.#head = chain.ledger.headNumber;
    this.#operations = operationsAfter(chain.ledger, this.#head);
  }

  get length(): number {
    this.#length ??= [...this.#places()].length;
    return this.#length;
  }

  /** Determines the length, which takes time on a long chain. */
  async count(yieldTurn: YieldTurn): Promise<void> {
    let length = 0;
    for (const _ of this.#places()) {
      length++;
      await yieldTurn();
    }
    this.#length = length;
  }

  *[Symbol.iterator](): Iterator<StoredStep> {
    const { ledger } = this.chain;
    for (const { from, to, operation, relaxes } of this.#places()) {
      const id = blockIdAt(ledger, to);
      if (id === undefined) throw new StepError(to, 'it is not in the database');
      yield { to, id, relaxes, work: this.#work(from, to, operation) };
      // Frees rows that were read for this step.
      ledger.state.trim();
    }
  }

  #places(): Iterable<Place> {
    return isOfToday(this.chain) ? this.#placesOfToday() : placesOfOlder(this.chain);
  }

  /** From permanent rows: pre-images may have been deleted. */
  *#placesOfToday(): Iterable<Place> {
    const { ledger, commits } = this.chain;
    const relaxed = new Set(commits.changes.downFrom(`${TABLES.meta.prefix}relaxed`, Number.POSITIVE_INFINITY));
    const { beginsAt } = ledger.config;
    for (let from = beginsAt, to = beginsAt; to <= this.#head; from = to, to = emptyRunEnd(ledger, from + 1)) {
      if (to > beginsAt) yield { from, to, operation: 0, relaxes: relaxed.has(changePlace(to)) };
      const operations = to === this.#head ? this.#operations : operationsAfter(ledger, to);
      for (let step = 1; step <= operations; step++)
        yield { from: to, to, operation: step, relaxes: relaxed.has(changePlace(to, step)) };
    }
  }

  #work(from: number, to: number, operation: number): StoredWork {
    const { ledger } = this.chain;
    if (operation > 0) return { operation: operationAt(ledger, to, operation) };
    // Headers of runs of empty blocks would be signed on reading; no signature is needed here.
    if (emptyBlockId(ledger, to) !== undefined) return { emptyBlocks: to - from };
    const block = blockAt(ledger, to);
    if (block?.block_header === undefined) throw new StepError(to, 'it is not in the database');
    return { header: block.block_header, transactions: block.transactions };
  }
}

type Stored = Pick<StoredChain, 'ledger' | 'commits'>;

function isOfToday({ ledger }: Stored): boolean {
  return ledger.state.tables.meta.get('format') === String(FORMAT_VERSION);
}

/** Formats before 4 have no index of changes. */
function placesOfOlder({ commits }: Stored): Place[] {
  const places: Place[] = [];
  for (const { from, to, step: operation, images } of commits.down()) {
    const relaxes = images.some(({ table, key }) => table === 'meta' && key === 'relaxed');
    places.push({ from, to, operation, relaxes });
  }
  return places.reverse();
}

/** @throws StepError for another block id; MissingRow, with the chain unchanged; an error of the disk */
export function applyStep(chain: Chain, step: Step): void {
  const { to, relaxes, work } = step;
  if (relaxes) chain.relaxConsensus();
  try {
    apply(chain, work);
  } catch (error) {
    // The step is not the reason of a full or damaged disk.
    if (error instanceof MissingRow || error instanceof NoRoomError || error instanceof DamagedStoreError) throw error;
    throw new StepError(to, reasonOf(error, work), { cause: error });
  }
  requireId(chain, step);
}

/** @throws StepError if the head has another id */
export function requireId({ headId }: Chain, { to, id }: Pick<Step, 'to' | 'id'>): void {
  if (id !== undefined && headId !== id) throw new StepError(to, `its id is now ${headId}, it was ${id}`);
}

function apply(chain: Chain, work: StepWork): void {
  if ('operation' in work) chain.operate(work.operation);
  else if ('emptyBlocks' in work) produceRun(chain, work.emptyBlocks);
  else if ('header' in work) chain.import(work.header, work.transactions);
  else if ('block' in work) chain.import(headerOf(chain, work.block, work.transactions), work.transactions);
  else if ('backTo' in work) rollBackTo(chain, work.backTo);
  else if (work.candidates === undefined) chain.produce(planOf(chain, work.made));
  else chain.remake(planOf(chain, work.made), work.candidates);
}

/** The header of a block with these transactions above the head. */
function headerOf(chain: Chain, production: BlockProduction, transactions: readonly SignedTransaction[]): BlockHeader {
  const txTrieRoot = merkleRoot(transactions.map((transaction) => transaction.leafHash()));
  const raw_data = { ...nextHeader(chain.ledger, production), txTrieRoot };
  return { raw_data, witness_signature: planOf(chain, production).sign(blockHash(raw_data)) };
}

function planOf({ ledger, config }: Chain, { timestampMs, producer, sign }: BlockProduction): BlockPlan {
  if (sign !== undefined) return { timestampMs, producer, sign };
  const account = ledger.state.readSealed<Account>('accounts', producer);
  const signer = account === undefined ? producer : witnessSigner(account);
  return { timestampMs, producer, sign: (hash) => config.signFor(signer, hash) };
}

function rollBackTo(
  chain: Chain,
  { block, operations }: { readonly block: number; readonly operations: number },
): void {
  const { headNumber } = chain;
  if (block > headNumber) throw new OperationError(`there is no block ${block}: the head is ${headNumber}`);
  chain.back.to(block, operations);
}

function reasonOf(error: unknown, work: StepWork): string {
  if (error instanceof JavaException) return error.wireText;
  if ('operation' in work && !(error instanceof OperationError))
    return `the arguments of ${work.operation.name} are not understood`;
  return (error as Error).message;
}

/** For foreign lists: rejects a run that is longer than possible before applying it. */
function produceRun(chain: Chain, count: number): void {
  if (emptyRunLength(chain.ledger, count) !== count)
    throw new OperationError(`${count} empty blocks cannot be made at once from block ${chain.headNumber} on`);
  chain.produceEmptyRun(count);
}
