/** Transactions that are in no block, and blocks that were other ones: what would have happened, and what it would cost. */

import type { Ledger } from '../../ledger/ledger.js';
import { acceptUnsigned } from '../../ledger/operations/impersonation.js';
import { loadPreset } from '../../ledger/operations/load-preset.js';
import { nextBlockTimeMs } from '../../ledger/schedule/schedule.js';
import type { TransactionInfo } from '../../protocol/generated/tron.js';
import type { SignedTransaction } from '../../protocol/transaction.js';
import type { WalletContext } from '../../wallet/context.js';
import type { CallTree } from '../calls/call-tree.js';
import { type TraceOptions, traceScene } from '../calls/trace.js';
import { type Facts, look, worded } from '../explain.js';
import type { Explanation } from '../model/explanation.js';
import { inPlace, placeOf, type Scene, type Stage } from '../rerun/in-place.js';

export interface Simulated {
  readonly explanation: Explanation;
  readonly info: TransactionInfo;
  readonly trace: CallTree | undefined;
}

interface Wishes {
  /** Absent: none is wanted. */
  readonly trace?: TraceOptions | undefined;
  /** Chain parameters and stakes of others as on that network. */
  readonly preset?: string | undefined;
}

/**
 * Runs a transaction as the first of the next block, whoever has signed it, and takes it back. What is found at once is
 * of this moment; the rest follows.
 *
 * @throws JavaException what it would be refused with; OperationError for a preset that there is not
 */
export function simulate(
  context: WalletContext,
  transaction: SignedTransaction,
  { trace: wantedTrace, preset }: Wishes = {},
): () => Promise<Simulated> {
  const before = context.ledger;
  const { facts, trace } = before.state.dryRun(() => {
    const scene = nextBlockScene(context, transaction);
    suppose(before, preset);
    return seen(scene, wantedTrace);
  });
  return async () => ({ explanation: await worded(facts), info: facts.info, trace: await trace?.() });
}

/** The first place of the next block, where the transaction counts without a signature: to be set within a dry run. */
export function nextBlockScene({ ledger: before, node }: WalletContext, transaction: SignedTransaction): Scene {
  before.setLong('BLOCK_ENERGY_USAGE', 0n);
  acceptUnsigned(before, { txId: transaction.txId });
  const place = {
    inBlock: true,
    number: before.headNumber + 1,
    timestampMs: before === node.chain.ledger ? node.producer.expectedTimeMs() : nextBlockTimeMs(before),
    producer: undefined,
  };
  return { before, place, transaction, index: 0, count: 1 };
}

function seen(
  scene: Scene,
  wanted: TraceOptions | undefined,
): { facts: Facts; trace: (() => Promise<CallTree>) | undefined } {
  const facts = look(scene, undefined);
  return { facts, trace: wanted && traceScene(scene, wanted) };
}

function suppose(before: Ledger, preset: string | undefined): void {
  if (preset !== undefined) loadPreset(before, { name: preset, stakeTotals: preset !== 'genesis' });
}

/**
 * Explains a transaction of the chain as it would have gone with other chain parameters.
 *
 * @throws as `explain`; JavaException what it would have been refused with
 */
export async function explainWithPreset(stage: Stage, txid: string, preset: string): Promise<Explanation> {
  const { block, index } = placeOf(stage, txid);
  const facts = await inPlace(stage, block, index, (scene) => {
    suppose(scene.before, preset);
    return look(scene, undefined);
  });
  return worded(facts);
}
