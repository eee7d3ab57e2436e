/**
 * Runs a transaction on a state, and takes it back: a transaction that is not sent, as the first of the next block, or a
 * transaction of the chain, again in its place. Changes apply to the state first. All prices in advance that follow the
 * rules of the chain are views of this file; `eth_estimateGas` and `estimateenergy` follow java-tron's own algorithm
 * (docs/decisions/2026-11-23-preview.md).
 */

import { acceptUnsigned } from '../../ledger/operations/impersonation.js';
import { nextBlockTimeMs } from '../../ledger/schedule/schedule.js';
import { overrideStates, type StateOverrides } from '../../ledger/smart-contracts/state-override.js';
import type { TransactionInfo } from '../../protocol/generated/tron.js';
import type { SignedTransaction } from '../../protocol/transaction.js';
import type { WalletContext } from '../../wallet/context.js';
import type { CallTree } from '../calls/call-tree.js';
import { type TraceOptions, traceScene } from '../calls/trace.js';
import { type FeeBreakdown, feeBreakdown } from '../costs/fee-breakdown.js';
import { type Facts, look, worded } from '../explain.js';
import type { Explanation } from '../model/explanation.js';
import { reasonOf } from '../outcome/failure.js';
import { inPlace, placeOf, type Scene, type Stage } from '../rerun/in-place.js';
import { applyChanges, type Change } from './changes.js';
import { type CallLimits, type LimitsFound, limitsOf } from './limits.js';

/** The explanation that the transaction would have, its receipt, and the limits of its call. */
export interface Preview extends Explanation {
  /** Whether it is a transaction of the chain, which ran again in its place. */
  readonly isOfChain: boolean;
  /** The receipt that it would get. */
  readonly info: TransactionInfo;
  /** By cause. */
  readonly fees: FeeBreakdown;
  /** Absent for what runs no contract. */
  readonly limits?: CallLimits;
  readonly trace?: CallTree;
}

export interface PreviewRequest {
  /** Applied to the state in their order. */
  readonly changes?: readonly Change[];
  /** Other balances, code and storage, as in `eth_call`. */
  readonly overrides?: StateOverrides | null;
  /** Whether to run a call at higher Energy factors, too. */
  readonly higherFactors?: boolean;
  /** Absent: no call tree is wanted. */
  readonly trace?: TraceOptions | undefined;
}

/** Results of the runs, before values of failures are decoded. */
interface Found {
  readonly facts: Facts;
  readonly limits: LimitsFound | undefined;
  readonly trace: (() => Promise<CallTree>) | undefined;
}

/**
 * Runs a transaction as the first of the next block. Its signature does not matter. The runs happen at once; only the
 * decoding of values waits.
 *
 * @param context of now, or of an earlier height
 * @throws JavaException for the refusal of the transaction; OperationError for the refusal of a change
 */
export function preview(
  context: WalletContext,
  transaction: SignedTransaction,
  request: PreviewRequest = {},
): () => Promise<Preview> {
  const { state } = context.ledger;
  const found = state.dryRun(() => state.gathering(() => foundOf(nextBlockScene(context, transaction), request)));
  return () => finished(found, false);
}

/**
 * Runs a transaction of the chain again, on the state before it.
 *
 * @throws as `explain` and {@link preview}
 */
export async function previewInPlace(stage: Stage, txid: string, request: PreviewRequest = {}): Promise<Preview> {
  const { block, index } = placeOf(stage, txid);
  const found = await inPlace(stage, block, index, (scene) => foundOf(scene, request));
  return finished(found, true);
}

/** The first place of the next block, where the transaction counts without a signature: to be set within a dry run. */
function nextBlockScene({ ledger: before, node }: WalletContext, transaction: SignedTransaction): Scene {
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

function foundOf(given: Scene, { changes = [], overrides, higherFactors = false, trace }: PreviewRequest): Found {
  if (overrides != null) overrideStates(given.before, overrides);
  const scene = applyChanges(given, changes);
  return {
    facts: look(scene, undefined),
    limits: limitsOf(scene, higherFactors),
    trace: trace && traceScene(scene, trace),
  };
}

/** With the reasons of failures, whose decoder is loaded when there are some. */
async function finished({ facts, limits: found, trace }: Found, isOfChain: boolean): Promise<Preview> {
  const explanation = await worded(facts);
  return {
    ...explanation,
    isOfChain,
    info: facts.info,
    fees: feeBreakdown(explanation),
    ...(found !== undefined && { ...found.ofNetwork, limits: await wordedLimits(found) }),
    ...(trace !== undefined && { trace: await trace() }),
  };
}

async function wordedLimits({ limits, failure }: LimitsFound): Promise<CallLimits> {
  if (failure === undefined) return limits;
  return { ...limits, outcome: { ...limits.outcome, reason: await reasonOf(failure) } };
}
