/**
 * The need of a call, independent of its feeLimit and of the caller's balance: its Energy and the payers, the sufficient
 * feeLimit, the price of burning it, and the stake with which nothing is burned; at the present Energy factors and at
 * higher ones. Each figure comes from runs with the most Energy that the network allows.
 */

import { coinTotal } from '../../ledger/charging/charges.js';
import type { EnergyBudget } from '../../ledger/charging/energy.js';
import { contractEnergyState, dynamicEnergyTerms } from '../../ledger/smart-contracts/dynamic-energy.js';
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
import { type OfNetwork, ofNetwork } from '../rerun/network-rows.js';
import { resultName } from '../summary/summary.js';
import { applyChanges } from './changes.js';

/** A contract that the call runs, with its distance to a higher factor. */
export interface PreviewedContract extends ContractRef {
  /** 0 is the normal price, 3.4 adds 3.4 times the price of each step. */
  readonly factor: number;
  /** At the normal price, in the running epoch: more than {@link CallLimits.thresholdEnergy} raises the factor. */
  readonly epochEnergy: bigint;
}

/** The need of the call with one set of factors. */
export interface FactorCase {
  /** Epochs from now, in each of which all contracts of the call use more than the threshold. `cap`: the highest factor. */
  readonly epochs: number | 'cap';
  /** Of the contract that is called. */
  readonly factor: number;
  readonly energy: bigint;
  /** Of it. */
  readonly penalty: bigint;
  readonly result: string;
  /** Paid from the deployer's stake, and from the caller's; the rest is burned. */
  readonly deployerEnergy: bigint;
  readonly stakedEnergy: bigint;
  readonly burnedEnergy: bigint;
  /** For Energy, with the stakes that caller and deployer have. */
  readonly energyFeeSun: Sun;
  /** If the caller had nothing staked. */
  readonly burnAllSun: Sun;
  /** If the deployer paid nothing either. */
  readonly burnAloneSun: Sun;
  /** The additional stake with which the caller burns nothing for Energy; 0: it burns nothing now. */
  readonly stakeSun: Sun | 'more-than-there-is';
  /** The smallest with which it does not run out of Energy; `beyond-the-maximum`: no allowed one is enough. */
  readonly feeLimitSun: Sun | 'beyond-the-maximum';
  /** Missing in the caller's balance. */
  readonly missingSun: Sun;
}

export interface CallLimits {
  /** With all the Energy that it needs. */
  readonly outcome: Outcome;
  /** The most that can be burned for Energy: by its feeLimit, and the balance and stake of the caller. */
  readonly mostFeeSun: Sun;
  /** Sun for a unit of Energy. */
  readonly priceSun: Sun;
  /** For everything but Energy. */
  readonly otherFeesSun: Sun;
  /** More than this in an epoch raises a contract's factor; absent where the chain has no dynamic Energy. */
  readonly thresholdEnergy?: bigint;
  readonly contracts: readonly PreviewedContract[];
  /** The deployer that pays a part; absent where the caller pays alone. */
  readonly deployer?: { readonly address: string; readonly percent: number; readonly originEnergyLimit: bigint };
  /** With the factors of the state; absent for a call that ends in an exception: see `exception`. */
  readonly now?: FactorCase;
  /** With higher ones, where they are wanted and the chain has dynamic Energy. */
  readonly atHigherFactors?: readonly FactorCase[];
  /** Of a call that ends in an exception. */
  readonly exception?: ExceptionLimits;
}

/**
 * Charges of a call that ends in an exception. Most exceptions take all the Energy that the call may use, even if it has
 * used little by then. So no factor, stake or feeLimit makes it cheaper or lets it succeed.
 */
export interface ExceptionLimits {
  readonly takesAllEnergy: boolean;
  /** Of the transaction, with which the following holds; of a call by default the highest that the network allows. */
  readonly feeLimitSun: Sun;
  readonly energy: bigint;
  readonly deployerEnergy: bigint;
  readonly stakedEnergy: bigint;
  readonly burnedEnergy: bigint;
  readonly energyFeeSun: Sun;
}

/** Results of the runs; the reason of a failure is decoded later. */
export interface LimitsFound {
  readonly limits: CallLimits;
  readonly failure: FailureFacts | undefined;
  /** The rows of a fork that the call reads with all the Energy that it needs. */
  readonly ofNetwork: OfNetwork;
}

const HIGHER: readonly FactorCase['epochs'][] = [1, 2, 3, 'cap'];
const FACTOR_UNIT = 10_000;

/**
 * To be called in a dry run.
 *
 * Stakes and used Energy of caller and deployer stay as they are, also at the factors of later epochs.
 *
 * @returns undefined if no contract runs
 * @throws JavaException for the refusal of the transaction
 */
export function limitsOf(scene: Scene, wantsHigherFactors: boolean): LimitsFound | undefined {
  const { before } = scene;
  const most = Number(before.long('MAX_FEE_LIMIT') / energyPriceSun(before.long('ENERGY_FEE')));
  const recorder = new FrameRecorder();
  // Energy that a trial is given is not paid for, everything else is.
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
        ...contractRef(before, address),
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
    ofNetwork: ofNetwork(scene, most),
  };
}

/** Most exceptions take all Energy, so no factor changes their cost. */
function isException(contractRet: number): boolean {
  return contractRet !== ContractResult.SUCCESS && contractRet !== ContractResult.REVERT;
}

function billOf({ terms, origin }: EnergyBudget, total: bigint) {
  return splitEnergyBill({ total, callerLeft: terms.leftEnergy, origin, priceSun: terms.priceSun });
}

/** @param used when it ended, of `most` */
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

/** The factors of a later epoch, as changes. */
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
