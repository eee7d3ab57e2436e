/**
 * Cost and payers of a transaction: the limits and parts of docs/reference/fees.md, with Bandwidth and fixed fees, in the
 * network's order.
 */

import type { WholeNumber } from '../primitives/whole-number.js';
import { bandwidthSource } from '../resources/bandwidth.js';
import { splitEnergyBill } from '../resources/bill.js';
import { type AccountEnergy, callBudget, type OriginTerms } from '../resources/budget.js';
import type { FeeAccount } from './account.js';
import { amount, counted } from './amounts.js';
import type { FeeContract } from './contract.js';
import type { FeeNetwork } from './network.js';

export interface TransactionTerms {
  /** {@link import('./transaction-bytes.js').transactionBytes} */
  readonly bytes: WholeNumber;
  /** Two or more cost the multi-signature fee. Default 1. */
  readonly signatures?: number | undefined;
  /** Whether it has a memo (`raw_data.data`). */
  readonly memo?: boolean | undefined;
  /** A transfer of TRX or TRC-10 to an account that does not exist, or an AccountCreateContract. */
  readonly createsAccount?: boolean | undefined;
  /** Of a TRC-10 transfer: {@link import('./token-grant.js').grantedBytes}. Default 0: the issuer pays for none. */
  readonly grantedBytes?: WholeNumber | undefined;
}

export interface CallTerms extends TransactionTerms {
  /** `fee_limit`, sun. */
  readonly feeLimitSun: WholeNumber;
  /** `call_value`, sun. */
  readonly callValueSun?: WholeNumber | undefined;
  /** Undefined: a deployment, or a call by the deployer; the caller pays everything. */
  readonly contract?: Pick<FeeContract, 'callerPercent' | 'originEnergyLimit'> | undefined;
  /** Remaining staked Energy of the deployer: `energy` of its {@link FeeAccount}. Default 0. */
  readonly originEnergy?: WholeNumber | undefined;
}

export interface BandwidthCost {
  /** `issuer`: the token's issuer pays. `burned`: by the byte; `account-creation`: by the flat fee of a transaction that creates an account. */
  readonly source: 'issuer' | 'staked' | 'free' | 'burned' | 'account-creation';
  /** Bytes from stake or from the daily free bandwidth; 0 if TRX are burned. */
  readonly bytes: number;
  readonly burnedSun: bigint;
}

/** Fees except Energy. The sum of the four is burned. */
export interface TransactionCost {
  readonly bandwidth: BandwidthCost;
  readonly memoSun: bigint;
  readonly multiSignSun: bigint;
  /** For creating an account, without its bandwidth. */
  readonly activationSun: bigint;
  readonly burnedSun: bigint;
  /** Sun missing in the balance for these fees, or 0; transferred amounts are not included. */
  readonly missingSun: bigint;
}

/**
 * Cost of a transaction except Energy. Bandwidth comes from one source only: stake, else free bytes, else burned TRX;
 * it is never split. The network's pool of free bandwidth is not in any answer. It is assumed to suffice unless
 * `network.publicFreeBandwidth` is set.
 *
 * @example transactionCost({ bytes: 267 }, account, network).burnedSun // 0n while 267 free bytes are left, then
 * 267000n
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
  /** The most Energy that the call may use before OUT_OF_ENERGY. */
  readonly energy: number;
  /** The caller's part: the smaller of its resources (stake and balance) and the fee limit. */
  readonly caller: number;
  /** The deployer's part: in proportion, limited by its remaining stake and by `origin_energy_limit`. */
  readonly origin: number;
}

/** Formulas 5 and 6. */
export interface EnergyShares {
  /** From the deployer's stake. */
  readonly origin: number;
  /** From the caller's stake. */
  readonly caller: number;
  /** Energy for which the caller burns TRX. */
  readonly bought: number;
  readonly burnedSun: bigint;
}

export interface CallCost extends TransactionCost {
  readonly limit: EnergyLimit;
  readonly energy: EnergyShares;
}

/**
 * Cost of a call or deployment with this Energy. Above `limit.energy` it fails with OUT_OF_ENERGY and costs the whole
 * limit.
 *
 * @param energy used, penalty included: `energy_used` of `triggerconstantcontract`
 * @param account the caller's
 */
export function callCost(energy: WholeNumber, terms: CallTerms, account: FeeAccount, network: FeeNetwork): CallCost {
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
 * The most that a call can burn with this fee limit, whatever its code does: the cost of the whole limit. The call
 * value is not included.
 *
 * @example mostBurned({ bytes: 345, feeLimitSun: 100_000_000n }, account, network).burnedSun
 */
export function mostBurned(terms: CallTerms, account: FeeAccount, network: FeeNetwork): CallCost {
  return callCost(Number.MAX_SAFE_INTEGER, terms, account, network);
}

/** Fees around a call are charged before its limit is computed, so the balance for the limit is lower. */
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
