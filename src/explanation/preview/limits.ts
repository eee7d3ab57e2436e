/**
 * The need of a call, independent of its feeLimit and of the caller's balance: Energy and payers, sufficient feeLimit,
 * the price of burning all of it, and the stake with which nothing is burned; at the current Energy factors and at
 * higher ones. Each figure comes from a run with the maximum Energy that the network allows.
 */

import { coinTotal } from '../../ledger/charging/charges.js';
import type { EnergyBudget } from '../../ledger/charging/energy.js';
import { contractEnergyState, dynamicEnergyTerms } from '../../ledger/smart-contracts/dynamic-energy.js';
import { namesOn } from '../../ledger/smart-contracts/names.js';
import { hexToUtf8 } from '../../primitives/hex.js';
import type { Address, Sun } from '../../primitives/ids.js';
import { toBase58 } from '../../protocol/address.js';
import { Transaction_Result_contractResult as ContractResult } from '../../protocol/generated/tron.js';
import { splitEnergyBill } from '../../resources/bill.js';
import { callerNeed } from '../../resources/budget.js';
import { factorAfterBusyCycles } from '../../resources/dynamic-energy.js';
import { energyPriceSun } from '../../resources/energy-price.js';
import { ENERGY } from '../../resources/metered-account.js';
import { FrameRecorder } from '../../tracing/frame-recorder.js';
import { allFrames } from '../../tracing/frames.js';
import { neededEnergy } from '../costs/energy-need.js';
import { stakeThatPays } from '../costs/free-of-charge.js';
import type { ContractRef, Outcome } from '../model/explanation.js';
import { contractRef } from '../outcome/action.js';
import { type FailureFacts, failureOf } from '../outcome/failure.js';
import { run, type Scene, treeOf } from '../rerun/in-place.js';
import { type NetworkDependence, networkDependence } from '../rerun/network-rows.js';
import { resultName } from '../summary/summary.js';
import { applyChanges } from './changes.js';

/** A contract that the call runs, with its distance to a higher factor. */
export interface PreviewedContract extends ContractRef {
  /** 0 is the base price, 3.4 adds 3.4 times the price of each step. */
  readonly factor: number;
  /** Base Energy in the current epoch: more than {@link CallLimits.thresholdEnergy} raises the factor. */
  readonly epochEnergy: bigint;
}

/** The need of the call with one set of factors. */
export interface FactorCase {
  /** Epochs from now, if all contracts of the call exceed the threshold in each. `cap`: the highest factor. */
  readonly epochs: number | 'cap';
  /** The factor of the called contract. */
  readonly factor: number;
  readonly energy: bigint;
  /** The part of `energy` that factors add. */
  readonly penalty: bigint;
  readonly result: string;
  /** Paid by the deployer's and by the caller's stake; the rest is burned. */
  readonly deployerEnergy: bigint;
  readonly stakedEnergy: bigint;
  readonly burnedEnergy: bigint;
  /** Burned for Energy with the present stakes of caller and deployer. */
  readonly energyFeeSun: Sun;
  /** Burned for Energy if the caller had no stake. */
  readonly burnAllSun: Sun;
  /** Burned for Energy if the deployer paid nothing either. */
  readonly burnAloneSun: Sun;
  /** The additional stake with which the caller burns nothing for Energy; 0: nothing is burned now. */
  readonly stakeSun: Sun | 'more-than-there-is';
  /** The smallest feeLimit without an out-of-energy failure; `beyond-the-maximum`: no valid one is enough. */
  readonly feeLimitSun: Sun | 'beyond-the-maximum';
  /** The missing part of the caller's balance. */
  readonly missingSun: Sun;
}

export interface CallLimits {
  /** The outcome with sufficient Energy. */
  readonly outcome: Outcome;
  /** The most that can be burned for Energy: by the feeLimit, and by the caller's balance and stake. */
  readonly mostFeeSun: Sun;
  /** Sun per unit of Energy. */
  readonly priceSun: Sun;
  /** All fees except for Energy. */
  readonly otherFeesSun: Sun;
  /** More base Energy than this in an epoch raises a contract's factor; absent on a chain without dynamic Energy. */
  readonly thresholdEnergy?: bigint;
  readonly contracts: readonly PreviewedContract[];
  /** The deployer if it pays a part; absent if the caller pays alone. */
  readonly deployer?: { readonly address: string; readonly percent: number; readonly originEnergyLimit: bigint };
  /** At the current factors; absent for a call that ends in an exception: see `exception`. */
  readonly now?: FactorCase;
  /** At higher factors, on request and on a chain with dynamic Energy. */
  readonly atHigherFactors?: readonly FactorCase[];
  /** For a call that ends in an exception. */
  readonly exception?: ExceptionLimits;
}

/**
 * The charges of a call that ends in an exception. Most exceptions consume all Energy of the call, even if it has used
 * little. No factor, stake or feeLimit makes it cheaper or lets it succeed.
 */
export interface ExceptionLimits {
  readonly takesAllEnergy: boolean;
  /** The feeLimit for which the following holds: the transaction's; for a call by default the network's maximum. */
  readonly feeLimitSun: Sun;
  readonly energy: bigint;
  readonly deployerEnergy: bigint;
  readonly stakedEnergy: bigint;
  readonly burnedEnergy: bigint;
  readonly energyFeeSun: Sun;
}

/** The results of the runs; the reason of a failure is decoded later. */
export interface LimitsFound {
  readonly limits: CallLimits;
  readonly failure: FailureFacts | undefined;
  /** The network rows that the call reads with sufficient Energy, on a fork. */
  readonly networkDependence: NetworkDependence;
}

const HIGHER: readonly FactorCase['epochs'][] = [1, 2, 3, 'cap'];
const FACTOR_UNIT = 10_000;

/**
 * Call it in a dry run.
 *
 * Stakes and used resources of caller and deployer stay the same at the factors of later epochs.
 *
 * @returns undefined if no contract runs
 * @throws JavaException if the transaction is refused
 */
export function limitsOf(scene: Scene, wantsHigherFactors: boolean): LimitsFound | undefined {
  const { before } = scene;
  const most = Number(before.long('MAX_FEE_LIMIT') / energyPriceSun(before.long('ENERGY_FEE')));
  const recorder = new FrameRecorder();
  // The Energy of a trial run is not charged; everything else is.
  const now = run(scene, { energyLimit: most, tracer: recorder });
  const { budget } = now;
  if (budget === undefined) return undefined;
  const frames = treeOf(recorder, now);
  const isDynamic = before.on('ALLOW_DYNAMIC_ENERGY');
  const ran = frames === undefined ? [] : [...new Set([...allFrames(frames)].map(({ context }) => context))];
  const contracts = ran.filter((address) => before.state.tables.contracts.has(address));
  const { origin } = budget;
  const called = frames && contracts.find((address) => address === frames.context);
  const succeeded = now.contractRet === ContractResult.SUCCESS;
  const ends = isException(now.contractRet);
  const caseAt = (epochs: FactorCase['epochs']) =>
    before.state.dryRun(() => caseOf(raised(scene, contracts, epochs), budget, most, epochs, isDynamic, called));
  const limits: CallLimits = {
    outcome: {
      succeeded,
      result: resultName(now.contractRet),
      ...(now.info.resMessage !== '' && { message: hexToUtf8(now.info.resMessage) }),
    },
    mostFeeSun: billOf(budget, budget.total).feeSun,
    priceSun: budget.terms.priceSun,
    otherFeesSun: coinTotal(now.charges),
    ...(isDynamic && { thresholdEnergy: dynamicEnergyTerms(before).threshold }),
    contracts: contracts.map((address) => {
      const { energy_factor, energy_usage } = contractEnergyState(before, address);
      return {
        ...contractRef(namesOn(before), address),
        factor: isDynamic ? Number(energy_factor) / FACTOR_UNIT : 0,
        epochEnergy: energy_usage,
      };
    }),
    ...(origin !== undefined &&
      origin.callerPercent < 100n && {
        deployer: {
          address: toBase58(origin.address),
          percent: 100 - Number(origin.callerPercent),
          originEnergyLimit: origin.energyLimit,
        },
      }),
    ...(ends
      ? { exception: exceptionOf(budget, now.info.receipt?.energy_usage_total ?? 0n, most) }
      : { now: caseAt(0) }),
    ...(!ends && isDynamic && wantsHigherFactors && { atHigherFactors: HIGHER.map(caseAt) }),
  };
  return {
    limits,
    failure: succeeded ? undefined : failureOf(before, now, frames),
    networkDependence: networkDependence(scene, most),
  };
}

/** Most exceptions consume all Energy, so factors do not change their cost. */
function isException(contractRet: number): boolean {
  return contractRet !== ContractResult.SUCCESS && contractRet !== ContractResult.REVERT;
}

function billOf({ terms, origin }: EnergyBudget, total: bigint) {
  return splitEnergyBill({ total, callerLeft: terms.leftEnergy, origin, priceSun: terms.priceSun });
}

/** @param used the Energy at its end, of `most` */
function exceptionOf(budget: EnergyBudget, used: bigint, most: number): ExceptionLimits {
  const takesAllEnergy = used >= BigInt(most);
  const energy = takesAllEnergy ? budget.total : used;
  const bill = billOf(budget, energy);
  return {
    takesAllEnergy,
    feeLimitSun: budget.terms.feeLimitSun,
    energy,
    deployerEnergy: bill.originUsage,
    stakedEnergy: bill.callerUsage,
    burnedEnergy: bill.boughtEnergy,
    energyFeeSun: bill.feeSun,
  };
}

/** The factors of a later epoch, as changes of the state. */
function raised(scene: Scene, contracts: readonly Address[], epochs: FactorCase['epochs']): Scene {
  if (epochs === 0) return scene;
  const terms = dynamicEnergyTerms(scene.before);
  const cycles = epochs === 'cap' ? Number.POSITIVE_INFINITY : epochs;
  return applyChanges(
    scene,
    contracts.map((address) => ({
      name: `contracts.${address}.energyFactor`,
      value: factorAfterBusyCycles(contractEnergyState(scene.before, address).energy_factor, cycles, terms),
    })),
  );
}

function caseOf(
  scene: Scene,
  budget: EnergyBudget,
  most: number,
  epochs: FactorCase['epochs'],
  isDynamic: boolean,
  called: Address | undefined,
): FactorCase {
  const { before } = scene;
  const { terms, caller, origin } = budget;
  const { priceSun } = terms;
  const { run: ran, energy: needed } = neededEnergy(most, (energyLimit) => run(scene, { energyLimit }));
  const total = ran.info.receipt?.energy_usage_total ?? 0n;
  const bill = billOf(budget, total);
  const need = needed === undefined ? undefined : callerNeed(needed, terms, origin);
  const account = before.state.tables.accounts.get(caller);
  if (account === undefined) throw new Error(`the caller ${caller} of a call that ran has no account`);
  const stakeSun = stakeThatPays(before, account, ENERGY, total - bill.originUsage);
  const factor = isDynamic && called !== undefined ? contractEnergyState(before, called).energy_factor : 0n;
  return {
    epochs,
    factor: Number(factor) / FACTOR_UNIT,
    energy: total,
    penalty: ran.info.receipt?.energy_penalty_total ?? 0n,
    result: resultName(ran.contractRet),
    deployerEnergy: bill.originUsage,
    stakedEnergy: bill.callerUsage,
    burnedEnergy: bill.boughtEnergy,
    energyFeeSun: bill.feeSun,
    burnAllSun: splitEnergyBill({ total, callerLeft: 0n, origin, priceSun }).feeSun,
    burnAloneSun: splitEnergyBill({ total, callerLeft: 0n, priceSun }).feeSun,
    stakeSun,
    feeLimitSun:
      need === undefined || need.feeLimitSun > before.long('MAX_FEE_LIMIT') ? 'beyond-the-maximum' : need.feeLimitSun,
    missingSun: need?.missingBalanceSun ?? 0n,
  };
}
