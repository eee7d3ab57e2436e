/**
 * What a call that is not sent takes, now and when the contracts that it runs have become dearer: Energy, who would pay
 * it, the fee limit that is enough, what it costs to burn, and the stake with which it costs nothing. Each figure is a
 * run on the state of now, with the factors of the Dynamic Energy Model set.
 */

import { coinTotal } from '../../ledger/charging/charges.js';
import type { EnergyBudget } from '../../ledger/charging/energy.js';
import type { Ledger } from '../../ledger/ledger.js';
import { setContractEnergy } from '../../ledger/operations/set-contract-energy.js';
import { contractEnergyState, dynamicEnergyTerms } from '../../ledger/smart-contracts/dynamic-energy.js';
import { type Amount, toJson } from '../../primitives/amount-json.js';
import { hexToUtf8 } from '../../primitives/hex.js';
import type { Address } from '../../primitives/ids.js';
import { toBase58 } from '../../protocol/address.js';
import { Transaction_Result_contractResult as ContractResult } from '../../protocol/generated/tron.js';
import type { SignedTransaction } from '../../protocol/transaction.js';
import { splitEnergyBill } from '../../resources/bill.js';
import { callerNeed } from '../../resources/budget.js';
import { factorAfterBusyCycles } from '../../resources/dynamic-energy.js';
import { energyPriceSun } from '../../resources/energy-price.js';
import { ENERGY } from '../../resources/metered-account.js';
import { FrameRecorder } from '../../tracing/frame-recorder.js';
import { allFrames } from '../../tracing/frames.js';
import type { WalletContext } from '../../wallet/context.js';
import { neededEnergy } from '../costs/energy-need.js';
import { stakeThatPays } from '../costs/free-of-charge.js';
import type { Action, ContractRef, Outcome } from '../model/explanation.js';
import { NotExplainableError } from '../model/not-explainable.js';
import { contractRef } from '../outcome/action.js';
import { type FailureFacts, failureOf, reasonOf } from '../outcome/failure.js';
import { run, type Scene, treeOf } from '../rerun/in-place.js';
import { type OfNetwork, ofNetwork } from '../rerun/network-rows.js';
import { resultName, transactionHead } from '../summary/summary.js';
import { nextBlockScene } from './simulation.js';

/** A contract that the call runs, and how far it is from being dearer. */
export interface EstimatedContract extends ContractRef {
  /** 0 is the normal price, 3.4 adds 3.4 times the price of each step. */
  readonly factor: number;
  /** At the normal price, in the running epoch: more than {@link CallEstimate.thresholdEnergy} raises the factor. */
  readonly epochEnergy: Amount;
}

/** What the call takes with one set of factors. Amounts of coin are in sun. */
export interface EstimateCase {
  /** Epochs from now, in each of which all contracts of the call use more than the threshold. `cap`: for good. */
  readonly epochs: number | 'cap';
  /** Of the contract that is called. */
  readonly factor: number;
  readonly energy: Amount;
  /** Of it. */
  readonly penalty: Amount;
  readonly result: string;
  /** What the deployer's stake pays, and what the caller's; the rest is burned. */
  readonly deployerEnergy: Amount;
  readonly stakedEnergy: Amount;
  readonly burnedEnergy: Amount;
  /** For Energy, as caller and deployer stand now. */
  readonly energyFeeSun: Amount;
  /** If the caller had nothing staked. */
  readonly burnAllSun: Amount;
  /** If the deployer paid nothing either. */
  readonly burnAloneSun: Amount;
  /** What the caller would have to stake besides to burn nothing for Energy; 0: it does not now. */
  readonly stakeSun: Amount | 'more-than-there-is';
  /** With which it does not run out of Energy; `beyond-the-maximum`: no allowed one is enough. */
  readonly feeLimitSun: Amount | 'beyond-the-maximum';
  /** What the caller's balance lacks for it. */
  readonly missingSun: Amount;
}

export interface CallEstimate extends OfNetwork {
  readonly owner: string;
  readonly action: Action;
  /** With the factors of now, and all the Energy that it needs. */
  readonly outcome: Outcome;
  /** Sun for a unit of Energy. */
  readonly priceSun: Amount;
  /** For bandwidth and the rest: everything but Energy. */
  readonly otherFeesSun: Amount;
  /** More than this in an epoch raises a contract's factor; absent where the chain has no dynamic Energy. */
  readonly thresholdEnergy?: Amount;
  readonly contracts: readonly EstimatedContract[];
  /** Whom the contract shares its bill with; absent where the caller pays alone. */
  readonly deployer?: { readonly address: string; readonly percent: number; readonly originEnergyLimit: Amount };
  /** The first is of now. Empty for a call that ends in an exception: see `exception`. */
  readonly cases: readonly EstimateCase[];
  /** Of a call that ends in an exception. */
  readonly exception?: EstimatedException;
}

/**
 * What a call is charged that ends in an exception. Most exceptions take all the Energy that the call may use, however
 * little it has used by then: so no factor, stake or fee limit makes it cheaper or lets it succeed.
 */
export interface EstimatedException {
  readonly takesAllEnergy: boolean;
  /** Of the transaction, with which the following holds; by default the highest that the network allows. */
  readonly feeLimitSun: Amount;
  readonly energy: Amount;
  readonly deployerEnergy: Amount;
  readonly stakedEnergy: Amount;
  readonly burnedEnergy: Amount;
  readonly energyFeeSun: Amount;
}

const EPOCHS: readonly EstimateCase['epochs'][] = [0, 1, 2, 3, 'cap'];
const FACTOR_UNIT = 10_000;

/**
 * Estimates a call or a deployment as the next block would run it; nothing of it stays.
 *
 * What caller and deployer have staked and used stays as it is now, however many epochs are looked ahead.
 *
 * @param transaction need not be signed; its feeLimit does not matter
 * @throws JavaException what it would be refused with; NotExplainableError for what runs no contract
 */
export async function estimateCall(context: WalletContext, transaction: SignedTransaction): Promise<CallEstimate> {
  const { state } = context.ledger;
  const { estimate, failure } = state.dryRun(() =>
    state.gathering(() => estimated(nextBlockScene(context, transaction))),
  );
  if (failure === undefined) return estimate;
  return { ...estimate, outcome: { ...estimate.outcome, reason: await reasonOf(failure) } };
}

function estimated(scene: Scene): { readonly estimate: CallEstimate; readonly failure: FailureFacts | undefined } {
  const { before, transaction } = scene;
  const most = Number(before.long('MAX_FEE_LIMIT') / energyPriceSun(before.long('ENERGY_FEE')));
  const recorder = new FrameRecorder();
  // Energy that a trial is given is not paid for, everything else is.
  const now = run(scene, { energyLimit: most, tracer: recorder });
  const { budget } = now;
  if (budget === undefined) throw new NotExplainableError('the transaction does not run a contract and uses no Energy');
  const frames = treeOf(recorder, now);
  const isDynamic = before.on('ALLOW_DYNAMIC_ENERGY');
  const ran = frames === undefined ? [] : [...new Set([...allFrames(frames)].map(({ context }) => context))];
  const contracts = ran.filter((address) => before.state.tables.contracts.has(address));
  const states = contracts.map((address) => ({ address, ...contractEnergyState(before, address) }));
  const { origin } = budget;
  const { owner, action } = transactionHead(before, transaction);
  const called = frames && contracts.find((address) => address === frames.context);
  const succeeded = now.contractRet === ContractResult.SUCCESS;
  const estimate: CallEstimate = {
    owner,
    action,
    outcome: {
      succeeded,
      result: resultName(now.contractRet),
      ...(now.info.resMessage !== '' && { message: hexToUtf8(now.info.resMessage) }),
    },
    priceSun: toJson(budget.terms.priceSun),
    otherFeesSun: toJson(coinTotal(now.charges)),
    ...(isDynamic && { thresholdEnergy: toJson(dynamicEnergyTerms(before).threshold) }),
    contracts: states.map(({ address, energy_factor, energy_usage }) => ({
      ...contractRef(before, address),
      factor: isDynamic ? Number(energy_factor) / FACTOR_UNIT : 0,
      epochEnergy: toJson(energy_usage),
    })),
    ...(origin !== undefined &&
      origin.callerPercent < 100n && {
        deployer: {
          address: toBase58(origin.address),
          percent: 100 - Number(origin.callerPercent),
          originEnergyLimit: toJson(origin.energyLimit),
        },
      }),
    cases: epochsOf(now.contractRet, isDynamic).map((epochs) =>
      before.state.dryRun(() => {
        raise(before, contracts, epochs);
        return caseOf(scene, budget, most, epochs, isDynamic ? called : undefined);
      }),
    ),
    ...(isException(now.contractRet) && {
      exception: exceptionOf(budget, now.info.receipt?.energy_usage_total ?? 0n, most),
    }),
  };
  return {
    estimate: { ...estimate, ...ofNetwork(scene, most) },
    failure: succeeded ? undefined : failureOf(before, now, frames),
  };
}

/** An exception takes all the Energy that there is: no factor changes it. */
function epochsOf(contractRet: number, isDynamic: boolean): readonly EstimateCase['epochs'][] {
  if (isException(contractRet)) return [];
  return isDynamic ? EPOCHS : [0];
}

function isException(contractRet: number): boolean {
  return contractRet !== ContractResult.SUCCESS && contractRet !== ContractResult.REVERT;
}

/** @param used when it ended, of `most` */
function exceptionOf({ terms, origin, total }: EnergyBudget, used: bigint, most: number): EstimatedException {
  const takesAllEnergy = used >= BigInt(most);
  const energy = takesAllEnergy ? total : used;
  const bill = splitEnergyBill({ total: energy, callerLeft: terms.leftEnergy, origin, priceSun: terms.priceSun });
  return {
    takesAllEnergy,
    feeLimitSun: toJson(terms.feeLimitSun),
    energy: toJson(energy),
    deployerEnergy: toJson(bill.originUsage),
    stakedEnergy: toJson(bill.callerUsage),
    burnedEnergy: toJson(bill.boughtEnergy),
    energyFeeSun: toJson(bill.feeSun),
  };
}

function raise(ledger: Ledger, contracts: readonly Address[], epochs: EstimateCase['epochs']): void {
  if (epochs === 0) return;
  const terms = dynamicEnergyTerms(ledger);
  const cycles = epochs === 'cap' ? Number.POSITIVE_INFINITY : epochs;
  for (const address of contracts) {
    const { energy_factor } = contractEnergyState(ledger, address);
    const energyFactor = factorAfterBusyCycles(energy_factor, cycles, terms);
    setContractEnergy(ledger, { address, state: { energyFactor } });
  }
}

function caseOf(
  scene: Scene,
  { terms, caller, origin }: EnergyBudget,
  most: number,
  epochs: EstimateCase['epochs'],
  called: Address | undefined,
): EstimateCase {
  const { before } = scene;
  const { priceSun, leftEnergy: callerLeft } = terms;
  const { run: ran, energy: needed } = neededEnergy(most, (energyLimit) => run(scene, { energyLimit }));
  const total = ran.info.receipt?.energy_usage_total ?? 0n;
  const bill = splitEnergyBill({ total, callerLeft, origin, priceSun });
  const alone = splitEnergyBill({ total, callerLeft: 0n, priceSun });
  const unstaked = splitEnergyBill({ total, callerLeft: 0n, origin, priceSun });
  const need = needed === undefined ? undefined : callerNeed(needed, terms, origin);
  const account = before.state.tables.accounts.get(caller);
  if (account === undefined) throw new Error(`the caller ${caller} of a call that ran has no account`);
  return {
    epochs,
    factor: called === undefined ? 0 : Number(contractEnergyState(before, called).energy_factor) / FACTOR_UNIT,
    energy: toJson(total),
    penalty: toJson(ran.info.receipt?.energy_penalty_total ?? 0n),
    result: resultName(ran.contractRet),
    deployerEnergy: toJson(bill.originUsage),
    stakedEnergy: toJson(bill.callerUsage),
    burnedEnergy: toJson(bill.boughtEnergy),
    energyFeeSun: toJson(bill.feeSun),
    burnAllSun: toJson(unstaked.feeSun),
    burnAloneSun: toJson(alone.feeSun),
    stakeSun: toJson(stakeThatPays(before, account, ENERGY, total - bill.originUsage)),
    feeLimitSun:
      need === undefined || need.feeLimitSun > before.long('MAX_FEE_LIMIT')
        ? 'beyond-the-maximum'
        : toJson(need.feeLimitSun),
    missingSun: toJson(need?.missingBalanceSun ?? 0n),
  };
}
