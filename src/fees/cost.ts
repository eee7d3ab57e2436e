/**
 * What a transaction costs and who pays: the limits and parts of docs/reference/fees.md, with bandwidth and the fixed fees
 * around them, in the order in which the network takes them.
 */

import { bandwidthSource } from '../resources/bandwidth.js';
import { splitEnergyBill } from '../resources/bill.js';
import { type AccountEnergy, callBudget, type OriginTerms } from '../resources/budget.js';
import type { FeeAccount } from './account.js';
import { amount, counted, type Whole } from './amounts.js';
import type { FeeContract } from './contract.js';
import type { FeeNetwork } from './network.js';

export interface TransactionTerms {
  /** {@link import('./transaction-bytes.js').transactionBytes} */
  readonly bytes: number;
  /** More than one costs the multi-signature fee. Default 1. */
  readonly signatures?: number | undefined;
  /** Whether it has a memo (`raw_data.data`). */
  readonly memo?: boolean | undefined;
  /** A transfer of TRX or TRC-10 to an account that does not exist, or an AccountCreateContract. */
  readonly createsAccount?: boolean | undefined;
  /** Of a TRC-10 transfer: {@link import('./token-grant.js').grantedBytes}. Default 0: the issuer pays for none. */
  readonly grantedBytes?: number | undefined;
}

export interface CallTerms extends TransactionTerms {
  /** `fee_limit`, sun. */
  readonly feeLimitSun: Whole;
  /** `call_value`, sun. */
  readonly callValueSun?: Whole | undefined;
  /** Undefined: a deployment, or the deployer calls itself; the caller pays everything. */
  readonly contract?: Pick<FeeContract, 'callerPercent' | 'originEnergyLimit'> | undefined;
  /** Staked Energy that the deployer has left: `energy` of its {@link FeeAccount}. Default 0. */
  readonly originEnergy?: number | undefined;
}

export interface BandwidthCost {
  /** `issuer`: the token's issuer pays. `burned`: by the byte; `account-creation`: by the flat fee of a transaction that creates an account. */
  readonly source: 'issuer' | 'staked' | 'free' | 'burned' | 'account-creation';
  /** Bytes taken from a stake or from the day's free ones; 0 where coin is burned. */
  readonly bytes: number;
  readonly burnedSun: bigint;
}

/** Fees apart from Energy. The sum of the four is what is burned. */
export interface TransactionCost {
  readonly bandwidth: BandwidthCost;
  readonly memoSun: bigint;
  readonly multiSignSun: bigint;
  /** For an account that comes into being, apart from its bandwidth. */
  readonly activationSun: bigint;
  readonly burnedSun: bigint;
  /** Sun that the balance lacks for them, 0 if nothing; amounts that are sent along are not in it. */
  readonly missingSun: bigint;
}

/**
 * What a transaction costs apart from Energy. Bandwidth comes from one source only: stake, else the free bytes, else
 * coin; nothing is split.
 *
 * The pool behind everybody's free bandwidth, of which no answer tells, is taken to have enough unless
 * `network.publicFreeBandwidth` says otherwise.
 *
 * @example transactionCost({ bytes: 267 }, account, network).burnedSun // 0n while 267 free bytes are left, then 267000n
 */
export function transactionCost(
  { bytes, signatures = 1, memo = false, createsAccount = false, grantedBytes }: TransactionTerms,
  account: Pick<FeeAccount, 'balanceSun' | 'bandwidth' | 'freeBandwidth'>,
  network: FeeNetwork,
): TransactionCost {
  const need = amount(bytes, 'bytes');
  const { balanceSun } = account;
  const free = amount(account.freeBandwidth, 'freeBandwidth');
  const granted = !createsAccount && need <= amount(grantedBytes, 'grantedBytes');
  const pool = network.publicFreeBandwidth ?? need;
  const chosen = granted
    ? ({ source: 'issuer', bytes: need } as const)
    : bandwidthSource(
        { bytes: need, createsAccount, balanceSun },
        { staked: () => amount(account.bandwidth, 'bandwidth'), free: () => free, public: () => pool },
        network,
      );
  const feeSun = 'feeSun' in chosen ? chosen.feeSun : 0n;
  const source = 'bytes' in chosen ? chosen.source : createsAccount ? 'account-creation' : 'burned';
  const memoSun = memo ? network.memoFeeSun : 0n;
  const multiSignSun = signatures > 1 ? network.multiSignFeeSun : 0n;
  const activationSun = createsAccount ? network.activationFeeSun : 0n;
  const burnedSun = feeSun + memoSun + multiSignSun + activationSun;
  return {
    bandwidth: { source, bytes: 'bytes' in chosen ? counted(chosen.bytes) : 0, burnedSun: feeSun },
    memoSun,
    multiSignSun,
    activationSun,
    burnedSun,
    missingSun: burnedSun > balanceSun ? burnedSun - balanceSun : 0n,
  };
}

/** Formulas 2 to 4. */
export interface EnergyLimit {
  /** The most Energy that the call may use; one more and it is OUT_OF_ENERGY. */
  readonly energy: number;
  /** What the caller can pay for: the lesser of stake and balance, and of the fee limit. */
  readonly caller: number;
  /** What the deployer adds: in proportion, at most what it has left, at most `origin_energy_limit`. */
  readonly origin: number;
}

/** Formulas 5 and 6. */
export interface EnergyShares {
  /** From the deployer's stake. */
  readonly origin: number;
  /** From the caller's stake. */
  readonly caller: number;
  /** For which the caller burns coin. */
  readonly bought: number;
  readonly burnedSun: bigint;
}

export interface CallCost extends TransactionCost {
  readonly limit: EnergyLimit;
  readonly energy: EnergyShares;
}

/**
 * What a call or deployment costs that uses so much Energy. Above `limit.energy` it fails OUT_OF_ENERGY, and costs what
 * using all of the limit costs.
 *
 * @param energy what it uses, penalty included: `energy_used` of `triggerconstantcontract`
 * @param account the caller's
 */
export function callCost(energy: number, terms: CallTerms, account: FeeAccount, network: FeeNetwork): CallCost {
  const around = transactionCost(terms, account, network);
  const { caller, origin } = energyTerms(terms, account, around, network);
  const budget = callBudget(caller, origin);
  const used = amount(energy, 'energy');
  const bill = splitEnergyBill({
    total: used < budget.total ? used : budget.total,
    callerLeft: caller.leftEnergy,
    origin,
    priceSun: network.energyPriceSun,
  });
  return {
    ...around,
    burnedSun: around.burnedSun + bill.feeSun,
    limit: {
      energy: counted(budget.total),
      caller: counted(budget.callerLimit),
      origin: counted(budget.originShare),
    },
    energy: {
      origin: counted(bill.originUsage),
      caller: counted(bill.callerUsage),
      bought: counted(bill.boughtEnergy),
      burnedSun: bill.feeSun,
    },
  };
}

/**
 * The most that a call can burn with this fee limit, whatever its code does: what it costs when all of the limit is used.
 * The value that is sent along is not in it.
 *
 * @example mostBurned({ bytes: 345, feeLimitSun: 100_000_000n }, account, network).burnedSun
 */
export function mostBurned(terms: CallTerms, account: FeeAccount, network: FeeNetwork): CallCost {
  return callCost(Number.MAX_SAFE_INTEGER, terms, account, network);
}

/** The fees around a call are taken before its limit is computed, so they are not in the balance that counts for it. */
export function energyTerms(
  { feeLimitSun, callValueSun, contract, originEnergy }: Omit<CallTerms, keyof TransactionTerms>,
  account: FeeAccount,
  around: TransactionCost,
  network: FeeNetwork,
): { readonly caller: AccountEnergy; readonly origin: OriginTerms | undefined } {
  const balanceSun = account.balanceSun - around.burnedSun;
  return {
    caller: {
      leftEnergy: amount(account.energy, 'energy'),
      balanceSun: balanceSun > 0n ? balanceSun : 0n,
      callValueSun: amount(callValueSun, 'callValueSun'),
      feeLimitSun: amount(feeLimitSun, 'feeLimitSun'),
      priceSun: network.energyPriceSun,
    },
    origin: contract && {
      callerPercent: amount(contract.callerPercent, 'callerPercent'),
      leftEnergy: amount(originEnergy, 'originEnergy'),
      energyLimit: amount(contract.originEnergyLimit, 'originEnergyLimit'),
    },
  };
}
