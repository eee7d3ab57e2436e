/**
 * A past transaction in its place: on the state before it, on which it can run again. The chain is not changed.
 */

import { PastStateError } from '../../errors/past-state-error.js';
import { txIdOfEthereum } from '../../ledger/accounts/ethereum.js';
import { type AppliedTransaction, applyTransaction } from '../../ledger/apply-transaction.js';
import type { BlockPlace } from '../../ledger/blocks/block-place.js';
import { blockOutline } from '../../ledger/blocks/blocks.js';
import type { Trial } from '../../ledger/charging/execution.js';
import type { Ledger } from '../../ledger/ledger.js';
import type { Chain } from '../../node/chain/chain.js';
import type { Node } from '../../node/node.js';
import type { RecentRefusal } from '../../node/operations/recent-refusals.js';
import type { Requester } from '../../node/operations/work.js';
import type { Address, TxId } from '../../primitives/ids.js';
import { Transaction_Contract_ContractType as ContractType } from '../../protocol/generated/tron.js';
import { SignedTransaction } from '../../protocol/transaction.js';
import type { FrameRecorder } from '../../tracing/frame-recorder.js';
import type { FrameRecord } from '../../tracing/frames.js';
import { NotExplainableError, OfNetworkError } from '../model/not-explainable.js';
import { dropped, heldText } from '../outcome/refusal.js';

export interface Scene {
  /** The state before the transaction. Runs are reverted. */
  readonly before: Ledger;
  readonly place: BlockPlace;
  readonly transaction: SignedTransaction;
  readonly index: number;
  /** The number of transactions in its block. */
  readonly count: number;
}

/** The position of a transaction on the chain, and its charges. @throws NotExplainableError */
export function placeOf(
  { chain, refusals }: Pick<Node, 'chain' | 'refusals'>,
  txid: string,
): { readonly block: number; readonly index: number; readonly charges: string } {
  const named = readTxId(txid);
  // Ethereum's tools use another hash as its id.
  const txId = txIdOfEthereum(chain.ledger, named) ?? named;
  if (chain.pool.get(txId) !== undefined) {
    throw new NotExplainableError(
      `transaction ${txId} is pending and has cost nothing yet. Use sunup explain ${txId} --wait, or make a block with sunup mine`,
      { httpStatus: 404 },
    );
  }
  const stored = chain.ledger.state.tables.transactions.get(txId);
  if (stored === undefined) {
    const earlier = chain.networkBlocks?.transaction(txId);
    if (earlier !== undefined) throw new OfNetworkError(txId, earlier.blockNumber);
    const refused = refusals.get(txId);
    throw new NotExplainableError(
      refused === undefined
        ? `transaction ${txId} is not on this chain, nor among the last refused or dropped ones. See the answer to its broadcast and the log`
        : refusedText(txId, refused),
      { httpStatus: 404 },
    );
  }
  if (stored.blockNumber === 0) {
    throw new NotExplainableError(`transaction ${txId} is in the genesis block and has no cost`);
  }
  return { block: stored.blockNumber, index: stored.index, charges: stored.charges };
}

/** The text for a transaction that is in no block. */
function refusedText(txId: TxId, { reason, wasPending, headNumber, held }: RecentRefusal): string {
  const { code, message } = dropped(reason);
  const what = wasPending ? 'was accepted and dropped later' : 'was refused';
  const lock = heldText(held);
  const more = lock === '' ? '' : ` ${lock} (sunup mine --until advances the time).`;
  return `transaction ${txId} ${what}, above block ${headNumber}: ${code}, ${message.replace(/\.$/, '')}. It is not in a block and cost nothing.${more}`;
}

function readTxId(text: string): TxId {
  const hex = text.trim().replace(/^0x/i, '').toLowerCase();
  if (/^[0-9a-f]{64}$/.test(hex)) return hex as TxId;
  throw new NotExplainableError(
    `${text === '' ? 'nothing' : text} is not a transaction id: a transaction id has 64 hex digits (txid in the answer to a broadcast)`,
  );
}

/** A running chain, with the check for waiting requests. */
export type Stage = Pick<Node, 'chain' | 'yieldTurn' | 'refusals'>;

/** The stage for a request that its client may cancel: then the work ends. */
export function stageFor({ chain, yieldTurn, refusals }: Stage, requester: Requester): Stage {
  const yieldForRequester = () =>
    yieldTurn()?.then(() => {
      if (requester.isGone()) throw new NotExplainableError('the request was cancelled');
    });
  return { chain, refusals, yieldTurn: yieldForRequester };
}

/**
 * Sets up the scene of one transaction. Other work gets turns while the earlier transactions of its block run.
 *
 * @throws NotExplainableError also if the block was rolled back meanwhile
 */
export async function inPlace<Result>(
  stage: Stage,
  blockNumber: number,
  index: number,
  work: (scene: Scene) => Result,
): Promise<Result> {
  for await (const scene of inSlices(stage, blockNumber))
    if (scene.index === index) return scene.before.state.gathering(() => work(scene));
  throw new Error(`block ${blockNumber} has no transaction ${index}`);
}

/** Sets up the scenes of all transactions of a block, one after the other; as {@link inPlace}. */
export async function throughBlock<Result>(
  stage: Stage,
  blockNumber: number,
  work: (scene: Scene) => Result,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  for await (const scene of inSlices(stage, blockNumber)) results.push(work(scene));
  return results;
}

async function* inSlices({ chain, yieldTurn }: Stage, number: number): AsyncIterable<Scene> {
  const { revision } = chain.back;
  // The state is not shared: it may stay changed while other work has its turn.
  const before = stateBefore(() => chain.ownLedgerAt(number - 1));
  for (const scene of scenesOf(chain, before, number)) {
    yield scene;
    const others = yieldTurn();
    if (others === undefined) continue;
    await others;
    if (chain.back.revision !== revision)
      throw new NotExplainableError('the chain was rolled back meanwhile. Try again if the transaction still exists', {
        httpStatus: 409,
      });
    stateBefore(() => chain.commits.requireState(number - 1));
  }
}

/** {@link inPlace} without turns for other work, for listeners of a block. */
export function inPlaceAtOnce<Result>(
  chain: Chain,
  blockNumber: number,
  index: number,
  work: (scene: Scene) => Result,
): Result {
  return atOnce(chain, blockNumber, (scenes) => {
    for (const scene of scenes) if (scene.index === index) return work(scene);
    throw new Error(`block ${blockNumber} has no transaction ${index}`);
  });
}

/** {@link throughBlock} without turns for other work. */
export function throughBlockAtOnce<Result>(
  chain: Chain,
  blockNumber: number,
  work: (scene: Scene) => Result,
): readonly Result[] {
  return atOnce(chain, blockNumber, (scenes) => {
    const results: Result[] = [];
    for (const scene of scenes) results.push(work(scene));
    return results;
  });
}

function atOnce<Result>(chain: Chain, number: number, work: (scenes: Iterable<Scene>) => Result): Result {
  const before = stateBefore(() => chain.ledgerAt(number - 1));
  return before.state.dryRun(() => work(scenesOf(chain, before, number)));
}

function stateBefore<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (error instanceof PastStateError) throw new NotExplainableError(error.message, { cause: error });
    throw error;
  }
}

function* scenesOf(chain: Chain, before: Ledger, number: number): Iterable<Scene> {
  const outline = blockOutline(chain.ledger, number);
  const raw = outline?.header.raw_data;
  if (outline === undefined || raw === undefined) throw new Error(`block ${number} is not in the store`);
  const { transactionIds: ids } = outline;
  const place = { inBlock: true, number, timestampMs: raw.timestamp, producer: raw.witness_address as Address };
  before.setLong('BLOCK_ENERGY_USAGE', 0n);
  for (const [index, txId] of ids.entries()) {
    const stored = chain.ledger.state.tables.transactions.get(txId);
    if (stored === undefined) throw new Error(`transaction ${txId} of a block is not in the store`);
    const transaction = SignedTransaction.decode(stored.transaction);
    yield { before, place, transaction, index, count: ids.length };
    if (index + 1 < ids.length) applyTransaction(before, place, transaction, index);
  }
}

/** Runs the transaction of a scene, and reverts it. */
export function run(scene: Scene, trial: Trial): AppliedTransaction;
/** @param read reads the state after the transaction */
export function run<Result>(scene: Scene, trial: Trial, read: (applied: AppliedTransaction) => Result): Result;
export function run<Result>(
  { before, place, transaction, index }: Scene,
  trial: Trial,
  read?: (applied: AppliedTransaction) => Result,
): AppliedTransaction | Result {
  return before.state.dryRun(() => {
    const applied = applyTransaction(before, place, transaction, index, trial);
    return read === undefined ? applied : read(applied);
  });
}

/** The recorded frames of a run; undefined if no code ran. */
export function treeOf(recorder: FrameRecorder, { info, transaction }: AppliedTransaction): FrameRecord | undefined {
  const isDeployment = transaction.contractType === ContractType.CreateSmartContract;
  return recorder.tree(Number(info.receipt?.energy_usage_total ?? 0n), isDeployment);
}
