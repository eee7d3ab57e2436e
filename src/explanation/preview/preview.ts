/**
 * Runs a transaction on a state, and reverts it: an unsent transaction as the first of the next block, or a transaction
 * of the chain, again in its place. Changes are applied to the state first. All cost estimates that follow the rules of
 * the chain are views of this file; `eth_estimateGas` and `estimateenergy` follow java-tron's own algorithm
 * (docs/decisions/2026-11-23-preview.md).
 */

import { acceptUnsigned } from '../../ledger/operations/impersonation.js';
import { nextBlockTimeMs, scheduledWitness } from '../../ledger/schedule/schedule.js';
import { overrideStates, type StateOverrides } from '../../ledger/smart-contracts/state-override.js';
import type { TransactionInfo } from '../../protocol/generated/tron.js';
import type { SignedTransaction } from '../../protocol/transaction.js';
import type { WalletContext } from '../../wallet/context.js';
import type { CallTree } from '../calls/call-tree.js';
import { type TraceOptions, traceScene } from '../calls/trace.js';
import { type FeeBreakdown, feeBreakdown } from '../costs/fee-breakdown.js';
import { type Facts, factsOf, withReasons } from '../explain.js';
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
  /** Absent if no contract runs. */
  readonly limits?: CallLimits;
  readonly trace?: CallTree;
}

export interface PreviewRequest {
  /** Applied to the state in order. */
  readonly changes?: readonly Change[];
  /** Other balances, code and storage, as in `eth_call`. */
  readonly overrides?: StateOverrides | null;
  /** Whether to run a call also at higher Energy factors. */
  readonly higherFactors?: boolean;
  /** Absent: no call tree. */
  readonly trace?: TraceOptions | undefined;
}

/** The results of the runs, with undecoded failures. */
interface Found {
  readonly facts: Facts;
  readonly limits: LimitsFound | undefined;
  readonly trace: (() => Promise<CallTree>) | undefined;
}

/**
 * Runs a transaction as the first of the next block. Its signature is not checked. All runs happen at once; only the
 * decoding of values is deferred.
 *
 * @param context the current state, or that of an earlier height
 * @throws JavaException for a refused transaction; OperationError for a refused change
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

/** The first position of the next block, for a transaction without a signature. Set it in a dry run. */
function nextBlockScene({ ledger: before, node }: WalletContext, transaction: SignedTransaction): Scene {
  before.setLong('BLOCK_ENERGY_USAGE', 0n);
  acceptUnsigned(before, { txId: transaction.txId });
  const { producer } = node;
  const isNewest = before === node.chain.ledger;
  const place = {
    inBlock: true,
    number: before.headNumber + 1,
    timestampMs: isNewest ? producer.expectedTimeMs() : nextBlockTimeMs(before),
    // A contract may read it (COINBASE), and storing it costs more than storing 0.
    producer: isNewest ? producer.expectedProducer() : scheduledWitness(before, 1n),
  };
  return { before, place, transaction, index: 0, count: 1 };
}

function foundOf(given: Scene, { changes = [], overrides, higherFactors = false, trace }: PreviewRequest): Found {
  if (overrides != null) overrideStates(given.before, overrides);
  const scene = applyChanges(given, changes);
  return {
    facts: factsOf(scene, undefined),
    limits: limitsOf(scene, higherFactors),
    trace: trace && traceScene(scene, trace),
  };
}

/** With decoded reasons of failures; the decoder is loaded on demand. */
async function finished({ facts, limits: found, trace }: Found, isOfChain: boolean): Promise<Preview> {
  const explanation = await withReasons(facts);
  return {
    ...explanation,
    isOfChain,
    info: facts.info,
    fees: feeBreakdown(explanation),
    ...(found !== undefined && { ...found.networkDependence, limits: await limitsWithReasons(found) }),
    ...(trace !== undefined && { trace: await trace() }),
  };
}

async function limitsWithReasons({ limits, failure }: LimitsFound): Promise<CallLimits> {
  if (failure === undefined) return limits;
  return { ...limits, outcome: { ...limits.outcome, reason: await reasonOf(failure) } };
}
