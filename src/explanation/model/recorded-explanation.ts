/**
 * A transaction of a network and its cost, from what nodes keep of it: the transaction, its receipt, the prices of its
 * block. It has the same head and charges as an explanation of a transaction of one's own chain; a receipt has no
 * frames, limits or stakes, so those sections are listed in `notRecorded`.
 */

import type { Sun } from '../../primitives/ids.js';
import type { ContractRef, ExplanationHead } from './explanation.js';
import type { NamedValue } from './named-value.js';

/** An amount of the receipt that the prices of its block do not explain. */
export type Mismatch =
  /** Units times price are not the paid amount. */
  | {
      readonly what: 'bandwidth' | 'energy';
      readonly amountSun: Sun;
      readonly units: bigint;
      readonly unitPriceSun: Sun;
    }
  /** What no fee of that moment explains; negative: the fees are more than the receipt's. */
  | { readonly what: 'fee'; readonly amountSun: Sun };

export interface RecordedBandwidth {
  readonly bytes: bigint;
  readonly createsAccount: boolean;
  /** Of the transaction's block. */
  readonly bytePriceSun: Sun;
}

export interface RecordedEnergy {
  /** `energy_usage_total`. */
  readonly total: bigint;
  /** `energy_penalty_total`: the part that energy factors added. */
  readonly penalty: bigint;
  /** Of the transaction's block. */
  readonly priceSun: Sun;
  readonly caller: {
    readonly address: string;
    readonly owed: bigint;
    /** Own and delegated stake: one figure. */
    readonly staked: bigint;
    readonly bought: bigint;
    readonly feeSun: Sun;
  };
  /** The deployer's part, if it paid. */
  readonly origin?: { readonly address?: string; readonly paid: bigint };
  readonly feeLimitSun: Sun;
  /** Energy that the feeLimit allowed the caller, staked Energy included. */
  readonly feeLimitEnergy: bigint;
  /**
   * Set if it ran out of Energy: `feeLimit`: the caller had used all that the feeLimit allows; `stake-and-balance`: it
   * had less than that.
   */
  readonly ranOutBy?: 'feeLimit' | 'stake-and-balance';
}

/** A log of the receipt. */
export interface RecordedEvent {
  readonly contract: ContractRef;
  /** Absent if no known ABI has it. */
  readonly event?: string;
  readonly arguments?: readonly NamedValue[];
  readonly topics: readonly string[];
  readonly data: string;
}

export interface RecordedTokenTransfer {
  readonly standard: 'trc20' | 'trc721';
  readonly token: ContractRef;
  readonly from: string;
  readonly to: string;
  /** Raw units; for TRC-721 the id. */
  readonly value: bigint;
}

/** A transfer or an operation of a contract. */
export interface RecordedInternalTransaction {
  /** `call`, `create`, `suicide`, `freezeBalanceV2ForEnergy`, … */
  readonly note: string;
  readonly from: string;
  readonly to: string;
  readonly valueSun: Sun;
  readonly tokens: readonly { readonly id: string; readonly amount: bigint }[];
  readonly rejected: boolean;
}

/** What an account gained or lost in TRX and tokens, fees included. */
export interface RecordedBalanceChange {
  readonly address: string;
  /** Absent: TRX, in sun. Else a TRC-10 id or a contract. */
  readonly token?: string;
  readonly change: bigint;
}

/** A section of an explanation that a receipt cannot fill. */
export interface NotRecorded {
  readonly section: 'bandwidthSource' | 'energyByContract' | 'limits' | 'balanceChanges';
  readonly why: string;
}

/** Values of today. They may have been others then. */
export interface Today {
  readonly blockNumber: number;
  readonly timestampMs: number;
  /** Of the called contract. */
  readonly contract?: {
    /** Dynamic Energy factor: 0 is the base price. */
    readonly factor: number;
    readonly userPercent: number;
    readonly originEnergyLimit: bigint;
    readonly deployer: string;
    readonly deployerEnergyLeft: bigint;
    readonly deployerEnergyLimit: bigint;
  };
  readonly callerEnergyLimit: bigint;
  readonly callerEnergyLeft: bigint;
  /** Energy that one staked TRX yields a day. */
  readonly energyPerTrx: number;
  /** TRX to stake for the caller's part of the Energy, beside all other stakes; absent: it paid no Energy. */
  readonly stakeForEnergySun?: Sun;
  /** In which direction a value may have been different then. */
  readonly mayDiffer: readonly string[];
}

export interface RecordedExplanation extends ExplanationHead {
  readonly source: 'receipt';
  /** The decoded arguments of a call. */
  readonly arguments?: readonly NamedValue[];
  /** The contract whose ABI has the method, if the called one is a proxy of it. */
  readonly implementation?: ContractRef;
  readonly memo?: string;
  readonly bandwidth: RecordedBandwidth;
  readonly energy?: RecordedEnergy;
  readonly events: readonly RecordedEvent[];
  readonly tokenTransfers: readonly RecordedTokenTransfer[];
  readonly internalTransactions: readonly RecordedInternalTransaction[];
  readonly balanceChanges: readonly RecordedBalanceChange[];
  readonly mismatches: readonly Mismatch[];
  /**
   * Keys of `getchainparameters` whose value before the first vote is assumed: a new chain's default. A private chain may
   * be configured otherwise.
   */
  readonly assumedParameters: readonly string[];
  readonly notRecorded: readonly NotRecorded[];
  readonly today?: Today;
}
