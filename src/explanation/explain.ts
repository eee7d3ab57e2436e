/**
 * From a transaction's id to its explanation.
 *
 * The payments are the charges that were stored when it ran. The reasons (limits, stakes, factors, Energy by contract)
 * are not stored: the transaction runs again in its place, on the state of that moment, with a recorder. So
 * explanations cost nothing at execution time, work for old transactions, and a run with other values is the same run
 * (energy-need.ts).
 */

import type { AppliedTransaction } from '../ledger/apply-transaction.js';
import { coinTotal, encodeCharges } from '../ledger/charging/charges.js';
import { hexToUtf8 } from '../primitives/hex.js';
import {
  Transaction_Result_contractResult as ContractResult,
  type TransactionInfo,
} from '../protocol/generated/tron.js';
import { callerNeed } from '../resources/budget.js';
import { FrameRecorder } from '../tracing/frame-recorder.js';
import { allFrames, type FrameRecord } from '../tracing/frames.js';
import { stackOf } from './calls/failure-stack.js';
import { bandwidthCostOf } from './costs/bandwidth-cost.js';
import { chargeReport } from './costs/charges.js';
import { energyByContract, energyByFrame } from './costs/energy-by-contract.js';
import { energyCostOf } from './costs/energy-cost.js';
import { type NeededEnergy, neededEnergy } from './costs/energy-need.js';
import { freeOfChargeOf } from './costs/free-of-charge.js';
import { contractsCreatedIn } from './model/created-contracts.js';
import type { EnergyNeed, Explanation, Outcome } from './model/explanation.js';
import { type FailureFacts, failureOf, reasonOf } from './outcome/failure.js';
import { inPlace, placeOf, run, type Scene, type Stage, treeOf } from './rerun/in-place.js';
import { networkDependence } from './rerun/network-rows.js';
import { resultName, transactionHead } from './summary/summary.js';

/**
 * Explains a transaction of the chain.
 *
 * @param txid 64 hex digits, with or without 0x
 * @throws NotExplainableError for an invalid id, and for a transaction that is not on the chain, is pending, or is in
 *   the genesis
 */
export async function explain(stage: Stage, txid: string): Promise<Explanation> {
  const { block, index, charges } = placeOf(stage, txid);
  return withReasons(await inPlace(stage, block, index, (scene) => factsOf(scene, charges)));
}

/** With decoded reasons of failures; the decoder is loaded on demand. */
export async function withReasons({ explanation, failure, needed }: Facts): Promise<Explanation> {
  if (failure === undefined) return explanation;
  const outcome: Outcome = { ...explanation.outcome, reason: await reasonOf(failure) };
  if (needed === undefined || explanation.energy === undefined) return { ...explanation, outcome };
  const { failure: laterFailure, ...need } = needed;
  const whole = { ...need, ...(laterFailure !== undefined && { reason: await reasonOf(laterFailure) }) };
  return { ...explanation, outcome, energy: { ...explanation.energy, needed: whole } };
}

/** The facts about a transaction that need its state. */
export interface Facts {
  readonly explanation: Explanation;
  readonly info: TransactionInfo;
  readonly failure: FailureFacts | undefined;
  readonly needed: (EnergyNeed & { readonly failure: FailureFacts | undefined }) | undefined;
}

/** @param storedCharges the charges in its block; undefined if it is in no block, or ran differently there */
export function factsOf(scene: Scene, storedCharges: string | undefined): Facts {
  const { before, place, transaction, index, count } = scene;
  const block = { number: place.number, index, transactions: count, timestampMs: Number(place.timestampMs) };
  const recorder = new FrameRecorder();
  const applied = run(scene, { tracer: recorder });
  const { contractRet, info, budget } = applied;
  if (storedCharges !== undefined && encodeCharges(applied.charges) !== storedCharges) {
    throw new Error(
      `transaction ${transaction.txId} was charged ${storedCharges} in block ${block.number}, and looked at again ${encodeCharges(applied.charges)}`,
    );
  }
  const { charges } = applied;
  const succeeded = contractRet === ContractResult.SUCCESS || budget === undefined;
  const frames = treeOf(recorder, applied);
  const bandwidth = bandwidthCostOf(before, transaction, charges);
  const energy = budget && energyCostOf(before, applied, budget, energyOf(scene, frames));
  const needed = succeeded ? undefined : needOf(scene, applied, frames);
  const callerEnergy = needed?.callerEnergy ?? energy?.caller.owed ?? 0n;
  const freeOfCharge = freeOfChargeOf(before, transaction, charges, callerEnergy);
  const explanation: Explanation = {
    ...transactionHead(before, transaction),
    block,
    outcome: {
      succeeded,
      result: resultName(contractRet),
      ...(info.resMessage !== '' && { message: hexToUtf8(info.resMessage) }),
    },
    feeSun: coinTotal(charges),
    charges: charges.map(chargeReport),
    ...(bandwidth !== undefined && { bandwidth }),
    ...(energy !== undefined && { energy }),
    ...(freeOfCharge !== undefined && { freeOfCharge }),
    ...networkDependence(scene),
  };
  if (succeeded) return { explanation, info, failure: undefined, needed: undefined };
  return {
    explanation,
    info,
    failure: { ...failureOf(before, applied, frames), stack: stackOf(scene)?.stack },
    needed,
  };
}

function energyOf({ before, transaction }: Scene, frames: FrameRecord | undefined) {
  if (frames === undefined) return { contracts: [], frames: [] };
  const created = contractsCreatedIn(before, frames, transaction);
  return { contracts: energyByContract(before, frames, created), frames: energyByFrame(before, frames, created) };
}

function failureWith(scene: Scene, energyLimit: number): FailureFacts {
  const recorder = new FrameRecorder();
  const applied = run(scene, { tracer: recorder, energyLimit });
  return failureOf(scene.before, applied, treeOf(recorder, applied));
}

/** Only if a frame ran out of Energy. */
function needOf(scene: Scene, { budget }: AppliedTransaction, frames: FrameRecord | undefined): Facts['needed'] {
  if (budget === undefined || frames === undefined) return undefined;
  if (![...allFrames(frames)].some(({ exception }) => exception?.contractResult === ContractResult.OUT_OF_ENERGY)) {
    return undefined;
  }
  const { before } = scene;
  const most = Number(before.long('MAX_FEE_LIMIT') / budget.terms.priceSun);
  const found: NeededEnergy = neededEnergy(most, (energyLimit) => run(scene, { energyLimit }));
  const failure = found.run.contractRet === ContractResult.SUCCESS ? undefined : failureWith(scene, most);
  const result = resultName(found.run.contractRet);
  if (found.energy === undefined) return { result, failure };
  const { callerEnergy, feeLimitSun, missingBalanceSun } = callerNeed(found.energy, budget.terms, budget.origin);
  return {
    result,
    failure,
    energy: found.energy,
    callerEnergy,
    feeLimitSun,
    missingBalanceSun,
  };
}
