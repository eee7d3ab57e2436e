/**
 * Charges the Energy of a contract call: the budget, the charge in advance, and the bill
 * (protocol/energy.md#the-budget-of-a-call, #the-bill-and-the-receipt). Mirrors the energy halves of VMActuator,
 * TransactionTrace and ReceiptCapsule; the arithmetic is in `resources/budget.ts` and `resources/bill.ts`.
 */

import { contractExeException, contractValidateException } from '../../errors/refusals.js';
import type { Address, Sun } from '../../primitives/ids.js';
import { minLong } from '../../primitives/java-math.js';
import type { SmartContract } from '../../protocol/generated/smart-contract.js';
import { type Account, Transaction_Result_contractResult } from '../../protocol/generated/tron.js';
import { splitEnergyBill, undoPreMerge } from '../../resources/bill.js';
import {
  type AccountEnergy,
  accountEnergyLimit,
  callBudget,
  callerPercent,
  originEnergyLimit,
  type PreMergeMemo,
  preMerge,
} from '../../resources/budget.js';
import { energyPriceSun } from '../../resources/energy-price.js';
import { leftEnergy } from '../../resources/limits.js';
import { ENERGY, type UsageWindow, usageWindow } from '../../resources/metered-account.js';
import { consume } from '../../resources/recovery.js';
import { type ResourceRules, resourceTotals } from '../../resources/rules.js';
import { withUsage } from '../accounts/changed-account.js';
import { existingAccount, putAccount } from '../accounts/coin.js';
import type { Ledger } from '../ledger.js';
import { rulesOf } from '../stake/staking.js';
import type { Charge } from './charges.js';
import { disposeOfFee } from './fees.js';

/** The deployer, if it is not the caller. Its account may be missing, and may be created while the code runs. */
interface Origin {
  readonly address: Address;
  readonly callerPercent: bigint;
  readonly energyLimit: bigint;
  /** Staked Energy left at the time of the budget; 0 if the caller pays everything. */
  readonly leftEnergy: bigint;
  readonly memo: PreMergeMemo | undefined;
}

/** Values before the run, for the bill and for explanations. */
export interface EnergyBudget {
  readonly caller: Address;
  readonly total: bigint;
  /** Sources of the caller's part. */
  readonly terms: AccountEnergy;
  /** The deployer's part. */
  readonly originShare: bigint;
  readonly callerMemo: PreMergeMemo | undefined;
  readonly origin: Origin | undefined;
}

export interface CallTerms {
  readonly caller: Address;
  readonly callValueSun: Sun;
  readonly feeLimitSun: Sun;
}

function priceSun(ledger: Ledger): Sun {
  return energyPriceSun(ledger.long('ENERGY_FEE'));
}

function leftOf(ledger: Ledger, address: Address): bigint {
  const totals = resourceTotals((name) => ledger.long(name));
  return leftEnergy(existingAccount(ledger, address), totals, ledger.headSlot, rulesOf(ledger));
}

/**
 * The budget of a deployment (protocol/energy.md#contract-creation). Writes the charge in advance: the caller holds a
 * mark.
 */
export function budgetForCreation(ledger: Ledger, terms: CallTerms): EnergyBudget {
  const { caller } = terms;
  const energy = energyOfCaller(ledger, terms);
  const total = accountEnergyLimit(energy);
  const callerMemo = chargeInAdvance(ledger, caller, stakedAtMost(energy));
  return { caller, total, terms: energy, originShare: 0n, callerMemo, origin: undefined };
}

function energyOfCaller(ledger: Ledger, { caller, callValueSun, feeLimitSun }: CallTerms): AccountEnergy {
  return {
    leftEnergy: leftOf(ledger, caller),
    balanceSun: existingAccount(ledger, caller).balance,
    callValueSun,
    feeLimitSun,
    priceSun: priceSun(ledger),
  };
}

/** Staked Energy that the caller may be charged. */
function stakedAtMost({ leftEnergy, feeLimitSun, priceSun }: AccountEnergy): bigint {
  return minLong(leftEnergy, feeLimitSun / priceSun);
}

/**
 * The budget of a call (protocol/energy.md#contract-call), with the deployer's share. Writes the charges in advance:
 * the caller holds a mark.
 */
export function budgetForCall(ledger: Ledger, terms: CallTerms, contract: SmartContract): EnergyBudget {
  const { caller } = terms;
  const deployer = contract.origin_address;
  if (deployer === caller) return budgetForCreation(ledger, terms);
  const percent = callerPercent(contract.consume_user_resource_percent);
  const sharing = {
    address: deployer,
    callerPercent: percent,
    energyLimit: originEnergyLimit(contract.origin_energy_limit),
  };
  if (!ledger.state.tables.accounts.has(deployer)) {
    return { ...budgetForCreation(ledger, terms), origin: { ...sharing, leftEnergy: 0n, memo: undefined } };
  }
  if (contract.origin_energy_limit < 0n) throw contractValidateException("originEnergyLimit can't be < 0");
  const origin = { ...sharing, leftEnergy: percent < 100n ? leftOf(ledger, deployer) : 0n };
  const energy = energyOfCaller(ledger, terms);
  const { total, originShare } = callBudget(energy, origin);
  const callerMemo = chargeInAdvance(ledger, caller, stakedAtMost(energy));
  const memo = chargeInAdvance(ledger, deployer, originShare);
  return { caller, total, terms: energy, originShare, callerMemo, origin: { ...origin, memo } };
}

/** Only with Stake 2.0 (protocol/energy.md#usage-written-before-the-code-runs). */
function chargeInAdvance(ledger: Ledger, address: Address, most: bigint): PreMergeMemo | undefined {
  const rules = rulesOf(ledger);
  if (!rules.unfreezeDelay) return undefined;
  const account = existingAccount(ledger, address);
  const { window, memo } = preMerge(usageWindow(account, ENERGY), most, ledger.headSlot, rules);
  putAccount(ledger, withUsage(account, ENERGY, window));
  return memo;
}

export interface EnergyUsed {
  readonly total: bigint;
  /** Whether the effects of the code were kept; if not, the charges in advance are already reverted. */
  readonly kept: boolean;
  readonly contractResult: number;
}

/**
 * Pays the bill (protocol/energy.md#undoing-that-usage, #the-split, #one-step-or-two-steps). Appends the charges.
 *
 * @throws JavaException ContractExeException if the balance is too low; then the whole transaction is reverted
 */
export function payEnergyBill(ledger: Ledger, budget: EnergyBudget, used: EnergyUsed, charges: Charge[]): void {
  // A bill of 0 writes nothing, not even the reversal of the charge in advance
  // (protocol/energy.md#a-success-without-energy).
  if (used.total <= 0n) return;
  const { caller } = budget;
  const deployer = budget.origin && ledger.state.tables.accounts.get(budget.origin.address);
  const origin = deployer && budget.origin;
  const rules = rulesOf(ledger);
  const price = priceSun(ledger);
  const fromMemo = rules.unfreezeDelay || rules.tvmFreeze;
  const bill = splitEnergyBill({
    total: used.total,
    callerLeft: fromMemo ? budget.terms.leftEnergy : leftOf(ledger, caller),
    origin: origin && { ...origin, leftEnergy: fromMemo ? origin.leftEnergy : leftOf(ledger, origin.address) },
    priceSun: price,
  });
  const latest_opration_time = ledger.headTimeMs;
  if (origin !== undefined && deployer !== undefined) {
    const window = usedWindow(ledger, rules, deployer, used.kept ? origin.memo : undefined, bill.originUsage);
    putAccount(ledger, withUsage(deployer, ENERGY, window, { latest_opration_time }));
    pushUnits(charges, origin.address, 'origin', bill.originUsage);
  }
  const account = existingAccount(ledger, caller);
  const window = usedWindow(ledger, rules, account, used.kept ? budget.callerMemo : undefined, bill.callerUsage);
  if (account.balance < bill.feeSun) throw contractExeException(`${caller} insufficient balance`);
  const balance = account.balance - bill.feeSun;
  putAccount(ledger, withUsage(account, ENERGY, window, { balance, latest_opration_time }));
  pushUnits(charges, caller, 'staked', bill.callerUsage);
  if (rules.adaptiveEnergy) ledger.addToLong('BLOCK_ENERGY_USAGE', used.total);
  if (bill.boughtEnergy === 0n) return;
  const outOfTime = used.contractResult === Transaction_Result_contractResult.OUT_OF_TIME;
  charges.push({
    payer: caller,
    resource: 'coin',
    source: disposeOfFee(ledger, bill.feeSun, outOfTime ? 'not-poolable' : 'poolable'),
    amount: bill.feeSun,
    reason: 'energy',
    units: bill.boughtEnergy,
    unitPriceSun: price,
    left: { 'staked Energy': budget.terms.leftEnergy },
  });
}

function pushUnits(charges: Charge[], payer: Address, source: 'staked' | 'origin', amount: bigint): void {
  if (amount > 0n) charges.push({ payer, resource: 'energy', source, amount, reason: 'energy' });
}

/**
 * The charge in advance is reverted, then the real use is added: two steps, and each rounds
 * (protocol/energy.md#one-step-or-two-steps).
 */
function usedWindow(
  ledger: Ledger,
  rules: ResourceRules,
  account: Account,
  memo: PreMergeMemo | undefined,
  energy: bigint,
): UsageWindow {
  const stored = usageWindow(account, ENERGY);
  const before = memo === undefined ? stored : undoPreMerge(stored, memo, rules);
  return consume(before, energy, ledger.headSlot, rules);
}
