/**
 * Reads everything in a database and reports faults: each row's checksum and format, the number of rows of each table,
 * the links between blocks, transactions and pre-images; on request, whether applying all blocks again gives the same
 * state. Changes nothing.
 */

import { OperationError } from '../../errors/operation-error.js';
import { blockIdAt } from '../../ledger/blocks/block-ids.js';
import { blockAt } from '../../ledger/blocks/blocks.js';
import { emptyBlockId, emptyRunEnd } from '../../ledger/blocks/empty-blocks.js';
import type { Beginning } from '../../ledger/genesis/genesis-text.js';
import { HISTORY_PREFIX } from '../../ledger/history/lists.js';
import type { BlockId } from '../../primitives/ids.js';
import { RecentMap } from '../../primitives/recent-map.js';
import { blockHash, blockIdOf } from '../../protocol/block.js';
import { merkleRoot } from '../../protocol/merkle.js';
import { FETCHED_PREFIXES, ForkedStore, isReadableFetched, NOBODY } from '../../state/fork/forked-store.js';
import { MemoryStore } from '../../state/memory-store.js';
import { decodePreImages } from '../../state/pre-images.js';
import { CHANGES_PREFIX, type ChangePlace, changePlace, placesOfPage } from '../../state/row-changes.js';
import { withoutChecksum } from '../../state/row-checksum.js';
import type { Store } from '../../state/store.js';
import type { TableSpec } from '../../state/table-spec.js';
import { TABLES, type Tally, tableOfKey } from '../../state/tables.js';
import { counted, EMPTY_TALLY } from '../../state/tallies.js';
import { STATE_FROM_KEY } from '../storage/commits.js';
import { indexedTo, storedHistory, UNTALLIED_KEY } from '../storage/history-index.js';
import type { LevelDatabase } from '../storage/level-store.js';
import {
  beginningOf,
  initialOptionsOf,
  openStored,
  type StoredChain,
  withFetchedRows,
} from '../storage/stored-chain.js';
import { WRITTEN_KEYS_PREFIX, WrittenKeys } from '../storage/written-keys.js';
import { differingRows, reapply } from './reapply.js';
import { StepError } from './steps.js';

/** A fault, as a sentence. */
export interface Finding {
  readonly table: string;
  readonly key: string;
  readonly what: string;
}

export interface CheckReport {
  readonly rows: number;
  readonly blocks: number;
  readonly transactions: number;
  readonly headId: string | undefined;
  /** Whether all blocks were applied again. */
  readonly replayed: boolean;
  /** In the order of detection; at most the first 100. */
  readonly findings: readonly Finding[];
  readonly findingCount: number;
}

export type CheckPhase = 'rows' | 'blocks' | 'changes' | 'replay';
/** Awaited: a long check yields to other work here. */
export type CheckProgress = (phase: CheckPhase, done: number, total: number) => void | Promise<void>;

export interface CheckOptions {
  readonly replay: boolean;
  readonly progress?: CheckProgress;
}

/**
 * Rows outside of tables: pre-images, the index of changes, the start of both, the filters of written keys, and the rows
 * that a fork has fetched.
 */
const OTHER_ROWS: ReadonlySet<string> = new Set([
  'pre:',
  CHANGES_PREFIX,
  'kept:',
  WRITTEN_KEYS_PREFIX,
  ...FETCHED_PREFIXES,
]);
const KEPT_FINDINGS = 100;
const ROWS_A_PART = 5_000;
const BLOCKS_A_PART = 500;
const SPEC_OF_PREFIX = new Map((Object.values(TABLES) as TableSpec<unknown>[]).map((spec) => [spec.prefix, spec]));

/** @param own the same database, for reading single rows */
export async function checkDatabase(
  database: LevelDatabase,
  own: Store,
  { replay, progress = () => {} }: CheckOptions,
): Promise<CheckReport> {
  const findings = new Findings();
  const store = withFetchedRows(own);
  const { rows, historyEndpoints, changes, tallies } = await checkRows(database, findings, progress);
  compareTallies(tallies.stored, tallies.counted, store.elsewhere, findings);
  let blocks = 0;
  let transactions = 0;
  let headId: string | undefined;
  // Damaged rows are not readable, and further findings would only follow from them.
  if (findings.count === 0) {
    const chain = await openStored(store);
    headId = chain.ledger.headId;
    ({ blocks, transactions } = await checkLinks(chain, beginningOf(store), findings, progress));
    if (findings.count === 0) await checkChanges(chain, changes, findings, progress);
    if (findings.count === 0) checkHistory(chain, store, historyEndpoints, findings);
    if (replay && findings.count === 0) await checkReplay(chain, store, findings, progress);
  }
  const replayed = replay && headId !== undefined;
  return { rows, blocks, transactions, headId, replayed, findings: findings.kept, findingCount: findings.count };
}

class Findings {
  readonly kept: Finding[] = [];
  count = 0;

  add(key: string, what: string): void {
    if (++this.count <= KEPT_FINDINGS) {
      this.kept.push({ table: tableOfKey(key), key: key.slice(key.indexOf(':') + 1), what });
    }
  }
}

interface Tallies {
  readonly stored: ReadonlyMap<string, Tally>;
  readonly counted: ReadonlyMap<string, Tally>;
}

async function checkRows(
  database: LevelDatabase,
  findings: Findings,
  progress: CheckProgress,
): Promise<{ rows: number; historyEndpoints: number; changes: number; tallies: Tallies }> {
  const stored = new Map<string, Tally>();
  const found = new Map<string, Tally>();
  let expected = 0;
  for await (const [key, bytes] of database.iterator({ gte: TABLES.tallies.prefix, lt: 'n;' })) {
    const value = withoutChecksum(key, bytes);
    if (value !== undefined) expected += TABLES.tallies.decode(value).rows;
  }
  const from = database.getSync(STATE_FROM_KEY);
  const kept = changePlace(from === undefined ? 0 : Number(Buffer.from(from).toString('latin1', 0, from.length - 4)));
  const written = writtenKeysOf(database, findings);
  let rows = 0;
  let historyEndpoints = 0;
  let changes = 0;
  for await (const [key, bytes] of database.iterator({})) {
    if (++rows % ROWS_A_PART === 0) await progress('rows', rows, Math.max(rows, expected));
    const colon = key.indexOf(':') + 1;
    const prefix = key.slice(0, colon);
    const spec = SPEC_OF_PREFIX.get(prefix);
    if (prefix === HISTORY_PREFIX) historyEndpoints++;
    else if (spec === undefined && !OTHER_ROWS.has(prefix)) findings.add(key, 'belongs to no table');
    if (!written.mayHave(key)) findings.add(key, 'is not in the filters of written keys');
    const value = withoutChecksum(key, bytes);
    if (value === undefined) findings.add(key, 'is corrupt: its checksum is wrong');
    else if (prefix === CHANGES_PREFIX) changes += placesIn(value).filter((place) => place > kept).length;
    else if (FETCHED_PREFIXES.includes(prefix)) {
      if (!isReadableFetched(key, value)) findings.add(key, 'cannot be read');
    } else if (
      prefix !== HISTORY_PREFIX &&
      prefix !== WRITTEN_KEYS_PREFIX &&
      key !== STATE_FROM_KEY &&
      !isReadable(spec, value)
    )
      findings.add(key, 'cannot be read');
    else if (spec === TABLES.tallies) stored.set(key.slice(colon), TABLES.tallies.decode(value));
    // A damaged row still counts.
    if (spec !== undefined && spec !== TABLES.tallies && key !== UNTALLIED_KEY)
      found.set(prefix, counted(found.get(prefix) ?? EMPTY_TALLY, key.slice(colon), 1));
  }
  await progress('rows', rows, rows);
  return { rows, historyEndpoints, changes, tallies: { stored, counted: found } };
}

/** A row with a wrong checksum counts as missing. */
function writtenKeysOf(database: LevelDatabase, findings: Findings): WrittenKeys {
  const written = new WrittenKeys({
    get(key) {
      const stored = database.getSync(key);
      return stored && withoutChecksum(key, stored);
    },
    missing(key) {
      findings.add(key, 'is missing');
      return new UnreadableFiltersError();
    },
  });
  try {
    written.readAll();
  } catch (error) {
    if (!(error instanceof UnreadableFiltersError)) throw error;
  }
  return written;
}

class UnreadableFiltersError extends Error {}

function isReadable(spec: TableSpec<unknown> | undefined, value: Uint8Array): boolean {
  try {
    if (spec === undefined) decodePreImages(value.subarray(6));
    else spec.decode(value);
    return true;
  } catch {
    // The error of a codec for foreign bytes does not help.
    return false;
  }
}

/** Empty for a damaged page: then the index has fewer places than expected. */
function placesIn(page: Uint8Array): readonly ChangePlace[] {
  try {
    return placesOfPage(page);
  } catch {
    return [];
  }
}

function compareTallies(
  stored: ReadonlyMap<string, Tally>,
  found: ReadonlyMap<string, Tally>,
  uncounted: ReadonlySet<string> | undefined,
  findings: Findings,
): void {
  for (const prefix of new Set([...stored.keys(), ...found.keys()])) {
    if (uncounted?.has(prefix)) continue;
    const [should, does] = [stored.get(prefix) ?? EMPTY_TALLY, found.get(prefix) ?? EMPTY_TALLY];
    const table = tableOfKey(prefix);
    if (should.rows !== does.rows) {
      findings.add(prefix, `table ${table} has ${does.rows} rows, and should have ${should.rows}`);
    } else if (should.keySum !== does.keySum) {
      findings.add(prefix, `table ${table} has other rows than were written, as many as there should be`);
    }
  }
}

/** From the first block up: each block links to the previous one, has its transactions, and has pre-images. */
async function checkLinks(
  chain: StoredChain,
  beginning: Beginning,
  findings: Findings,
  progress: CheckProgress,
): Promise<{ blocks: number; transactions: number }> {
  const { ledger } = chain;
  const { headNumber } = ledger;
  const { fork } = beginning.genesis;
  // The block below the first one of a fork is the network's; only its header is here.
  const first = fork === undefined ? 0 : fork.number + 1;
  let transactions = 0;
  let before: BlockId | undefined = fork?.id;
  for (let number = first, at = 0; number <= headNumber; at++) {
    if (at % BLOCKS_A_PART === 0) await progress('blocks', number, headNumber);
    const end = emptyRunEnd(ledger, number);
    const isRun = emptyBlockId(ledger, number) !== undefined;
    transactions += isRun ? 0 : checkBlock(chain, number, before, findings);
    before = blockIdAt(ledger, end);
    number = end + 1;
  }
  if (before !== ledger.headId) findings.add('b:', `the last block is ${before}, the head should be ${ledger.headId}`);
  if (
    fork !== undefined ? blockIdAt(ledger, fork.number) !== fork.id : blockIdAt(ledger, 0) !== ledger.config.genesisId
  )
    findings.add('b:', 'the genesis block is another one');
  try {
    for (const { from, to, step } of chain.commits.down())
      if (step > 0 ? from !== to : from >= to) findings.add(`pre:${to}`, 'leads nowhere');
  } catch (error) {
    findings.add('pre:', (error as Error).message);
  }
  await progress('blocks', headNumber, headNumber);
  return { blocks: headNumber + 1 - first, transactions };
}

/** @returns the number of its transactions */
function checkBlock({ ledger }: StoredChain, number: number, parent: BlockId | undefined, findings: Findings): number {
  const key = `b:${number}`;
  const block = readBlock(ledger, number);
  if (typeof block === 'string') {
    findings.add(key, block);
    return 0;
  }
  const raw = block.block_header?.raw_data;
  const id = blockIdAt(ledger, number);
  if (raw === undefined || blockIdOf(number, blockHash(raw)) !== id) findings.add(key, `is not the block of id ${id}`);
  if (parent !== undefined && raw?.parentHash !== parent) findings.add(key, `does not follow block ${parent}`);
  if (merkleRoot(block.transactions.map((transaction) => transaction.leafHash())) !== raw?.txTrieRoot)
    findings.add(key, 'has other transactions than its header says');
  block.transactions.forEach(({ txId }, index) => {
    const stored = ledger.state.tables.transactions.get(txId);
    if (stored?.blockNumber !== number || stored.index !== index)
      findings.add(`x1:${txId}`, `does not say that it is transaction ${index} of block ${number}`);
  });
  return block.transactions.length;
}

function readBlock(ledger: StoredChain['ledger'], number: number): NonNullable<ReturnType<typeof blockAt>> | string {
  try {
    return blockAt(ledger, number) ?? 'is missing';
  } catch (error) {
    return (error as Error).message;
  }
}

/** The index of changes lists exactly the rows that each commit changed. */
async function checkChanges(
  { ledger, commits }: StoredChain,
  places: number,
  findings: Findings,
  progress: CheckProgress,
): Promise<void> {
  const named = new Walks(commits.changes);
  let expected = 0;
  let at = 0;
  for (const { to, step, images } of commits.down()) {
    if (at++ % BLOCKS_A_PART === 0) await progress('changes', ledger.headNumber - to, ledger.headNumber);
    const place = changePlace(to, step);
    for (const { table, key } of images) {
      const { prefix, bornAt } = TABLES[table] as TableSpec<unknown>;
      if (bornAt !== undefined) continue;
      expected++;
      if (named.before(prefix + key, place) !== place)
        findings.add(CHANGES_PREFIX + prefix + key, `does not say that block ${to} changed the row`);
    }
  }
  if (places !== expected) findings.add(CHANGES_PREFIX, `the index has ${places} changes, and should have ${expected}`);
}

const KEPT_WALKS = 10_000;

/**
 * Iterates over the index downwards, one iterator for each row. A search for each place took most of the time of a
 * check, because every block changes the same rows.
 */
class Walks {
  /** The most recently used iterator is the last. */
  readonly #walks = new RecentMap<string, Iterator<ChangePlace>>(KEPT_WALKS);

  constructor(private readonly changes: StoredChain['commits']['changes']) {}

  /** The next lower place of the row, at most `place`; calls must be in descending order. */
  before(row: string, place: ChangePlace): ChangePlace | undefined {
    const walk = this.#walks.get(row) ?? this.changes.downFrom(row, place)[Symbol.iterator]();
    this.#walks.delete(row);
    const { value, done } = walk.next();
    // After a missing place, later places of the iterator do not match either.
    if (done || value !== place) return undefined;
    this.#walks.set(row, walk);
    return place;
  }
}

/** The retained history and the index depend on options, not on the blocks. */
function isOfKeeping(key: string, { commits, ledger }: StoredChain): boolean {
  return (
    /^(h:|kept:|meta:historyTo$)/.test(key) || (commits.stateFrom > ledger.config.beginsAt && /^(pre|ch):/.test(key))
  );
}

/** The index matches the blocks exactly. */
function checkHistory({ ledger }: StoredChain, store: Store, rows: number, findings: Findings): void {
  let expected = 0;
  for (const { key, value } of storedHistory(ledger, ledger.config.beginsAt, indexedTo(ledger) ?? ledger.headNumber)) {
    expected++;
    const stored = store.get(key);
    if (stored === undefined || Buffer.compare(stored, value) !== 0)
      findings.add(key, stored === undefined ? 'is missing from the index' : 'is not what its block says');
  }
  if (rows !== expected) findings.add(HISTORY_PREFIX, `the index has ${rows} rows, and should have ${expected}`);
}

async function checkReplay(
  chain: StoredChain,
  store: Store,
  findings: Findings,
  progress: CheckProgress,
): Promise<void> {
  const again = await emptyStore(store);
  try {
    await reapply(chain, beginningOf(store), again, {
      stated: initialOptionsOf(chain),
      progress: (done, total) => progress('replay', done, total),
    });
  } catch (error) {
    // A fork reads the same rows again, which are in the database.
    if (error instanceof OperationError) findings.add(FETCHED_PREFIXES[0] as string, error.message);
    else if (error instanceof StepError) findings.add(`b:${error.block}`, error.message);
    else throw error;
    return;
  }
  // The index was compared with the blocks above, as far as it is complete.
  for await (const key of differingRows(rowsOf(store), rowsOf(again), (key) => !isOfKeeping(key, chain)))
    findings.add(key, 'differs from the result of applying the blocks again');
}

/** The initial rows of a new chain: none, or the rows that a fork has fetched. */
async function emptyStore(of: Store): Promise<Store> {
  if (!(of instanceof ForkedStore)) return new MemoryStore();
  const forked = new ForkedStore(new MemoryStore(), NOBODY);
  for await (const row of of.fetchedRows()) await forked.keepFetched([row]);
  return forked;
}

function rowsOf(store: Store): Pick<Store, 'rows'> {
  return store instanceof ForkedStore ? { rows: () => store.changedRows() } : store;
}
