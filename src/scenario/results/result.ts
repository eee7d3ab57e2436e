/**
 * The results of a scenario: one for each transaction, operation and lapse of time, in order. Plain data. Tables,
 * reports, expectations and snapshots are views of the results.
 */

import type { FailureReason } from '../../explanation/model/explanation.js';
import type { ChargeReason, ChargeSource } from '../../ledger/charging/charges.js';
import type { Sun } from '../../primitives/ids.js';

export type Result = TransactionResult | OperationResult | TimeResult | GroupResult | DigestResult;

interface Place {
  /** Index in all results of the run, from 0. */
  readonly n: number;
  /** Path of the step in the file: `steps[3]`, `steps[4].repeat.steps[0]`; in a recording its line number. */
  readonly step: string;
  /** The label of the step in the file. */
  readonly label?: string;
}

/** A charge of the ledger, with names. */
export interface Paid {
  /** A name of the scenario, or an address in base58check. */
  readonly payer: string;
  /** Bytes, Energy, or one of the fixed fees. */
  readonly resource: 'bandwidth' | 'energy' | 'fee';
  /** Which fee, and whether the price of a new account paid for the bytes. */
  readonly reason: ChargeReason;
  /**
   * The source. `staked`: the payer's own stake and the delegations to it, which share one counter; `origin`: the
   * deployer's stake; `issuer`: what a TRC-10 issuer grants. TRX are `burned`, or go to `blackhole` or `fee-pool`.
   */
  readonly source: ChargeSource;
  /** Bytes or Energy; 0 for a fixed fee. */
  readonly units: bigint;
  /** TRX in sun; 0 if none were charged. */
  readonly sun: bigint;
}

export interface EnergyUse {
  /** All Energy used, penalty included. */
  readonly used: bigint;
  /** The penalty of the dynamic energy model. */
  readonly penalty: bigint;
  /**
   * Energy factor of the called contract, in 1/10,000 on top of the base price: 34,000 means 4.4 times the base price.
   */
  readonly factor: number;
}

/**
 * `SUCCESS` or a failure as java-tron's receipt names it (`REVERT`, `OUT_OF_ENERGY`, …): a block contains the
 * transaction. `REFUSED`: a rule forbids the transaction, no block contains it. `DROPPED`: a block had no room for it.
 */
export type Outcome = string;

/** What a transaction of a live network was. */
export interface Was {
  /** `SUCCESS`, `REVERT`, … */
  readonly result?: string;
  /** All Energy used, penalty included. */
  readonly energy?: bigint;
  readonly feeSun?: Sun;
}

export interface TransactionResult extends Place {
  readonly kind: 'transaction';
  readonly txid: string;
  /** Number of its block; absent if no block contains it. */
  readonly block?: number;
  /** Of its block, or of the block that it did not get into. */
  readonly timestampMs: number;
  /** The contract's type as the protocol names it: `TransferContract`. */
  readonly type: string;
  /** A name of the scenario, or an address in base58check. */
  readonly from: string;
  /** The receiver, or the called contract. */
  readonly to?: string;
  /** `transfer(address,uint256)` */
  readonly method?: string;
  readonly outcome: Outcome;
  /** Why no block contains it: the code of the broadcast's answer, and java-tron's message. */
  readonly refusal?: { readonly code: string; readonly message: string };
  /** Why a contract failed. */
  readonly failure?: FailureReason & { readonly message?: string };
  /** All TRX charged: `fee` of the receipt. */
  readonly feeSun: Sun;
  /** Bytes charged. */
  readonly bandwidth: bigint;
  /** Of calls and deployments. */
  readonly energy?: EnergyUse;
  readonly paid: readonly Paid[];
  /** What it was on the live network: `was` of the step. */
  readonly was?: Was;
  /**
   * On a fork: assumptions that may affect the transaction (docs/background/fork-assumptions.md), and their owners.
   * Absent: none.
   */
  readonly assumptions?: readonly Assumed[];
  /** Parts of the step's `expect` that do not hold. */
  readonly differences?: readonly Difference[];
}

/** An assumption of a fork. */
export interface Assumed {
  /** `usages`, `publicBandwidth`, … */
  readonly name: string;
  /** How the network's result may differ. */
  readonly effect: string;
  /** Names of the scenario, or addresses in base58check; for a number of the network, its name. */
  readonly of: readonly string[];
}

/** An operation: `tron_setBalance` and the like. */
export interface OperationResult extends Place {
  readonly kind: 'operation';
  /** Name of the developer method without `tron_`. */
  readonly operation: string;
  /** The block after which the operation ran. */
  readonly block: number;
  readonly timestampMs: number;
}

/** A lapse of time, or empty blocks. */
export interface TimeResult extends Place {
  readonly kind: 'time';
  /** Head block after it. */
  readonly block: number;
  readonly timestampMs: number;
  readonly blocks: number;
  /** Number of maintenances. */
  readonly epochs: number;
}

/** Totals of the transactions inside a step: one for each step with `expect`, and one for the whole file. */
export interface GroupResult extends Place {
  readonly kind: 'group';
  readonly transactions: number;
  readonly failed: number;
  readonly refused: number;
  readonly feeSun: Sun;
  readonly bandwidth: bigint;
  readonly energy: bigint;
  readonly differences?: readonly Difference[];
}

/** The digest so far, where a recording says what it must be. */
export interface DigestResult extends Place {
  readonly kind: 'digest';
  /** As in {@link RunEnd}. */
  readonly digest: string;
  readonly differences?: readonly Difference[];
}

/** An expectation that does not hold. */
export interface Difference {
  /** The field of `expect`: `fee`, `paid`, `balanceChanges.shop`. */
  readonly what: string;
  /** For people: `1.1 TRX (1,100,000 sun)`. */
  readonly expected: string;
  readonly actual: string;
  /** Position in the file. */
  readonly line: number;
  readonly column: number;
}

/** The end of a scenario's run. */
export interface RunEnd {
  /** sha256 over the version of the rules, every block, receipt, refusal and operation, as hex. */
  readonly digest: string;
  readonly rulesVersion: number;
  readonly genesisId: string;
  /** Of a fork: its network, and the block before its first one. */
  readonly fork?: { readonly url: string; readonly blockNumber: number; readonly blockId: string };
  readonly head: { readonly number: number; readonly id: string; readonly timestampMs: number };
  /** Number of transactions in blocks that were rolled back (`revert`, `goBack`); totals include them. */
  readonly rolledBack: number;
  /** Number of results, and of results with a failed expectation. */
  readonly results: number;
  readonly failedExpectations: number;
}
