/**
 * What a scenario tells: a result for each transaction, each change from outside and each time that was let pass, in the
 * order in which they happened. Plain data. Tables,
 * reports, expectations and snapshots are views of it.
 */

import type { FailureReason } from '../../explanation/model/explanation.js';
import type { ChargeReason, ChargeSource } from '../../ledger/charging/charges.js';
import type { Sun } from '../../primitives/ids.js';

export type Result = TransactionResult | OperationResult | TimeResult | GroupResult | DigestResult;

interface Place {
  /** From 0, of all results of the run. */
  readonly n: number;
  /** Where the step stands in the file: `steps[3]`, `steps[4].repeat.steps[0]`; of a recording the number of its line. */
  readonly step: string;
  /** What the file calls the step. */
  readonly label?: string;
}

/** One thing that was taken from somebody: a charge of the ledger, with names. */
export interface Paid {
  /** A name of the scenario, or an address in base58check. */
  readonly payer: string;
  /** What it was for: bytes, Energy, or one of the fixed fees. */
  readonly resource: 'bandwidth' | 'energy' | 'fee';
  /** Which fee, and whether bytes were paid by the price of a new account. */
  readonly reason: ChargeReason;
  /**
   * Where it came from. `staked` is the payer's own stake and what it was lent, which are one counter; `origin` the
   * deployer's stake; `issuer` what a TRC-10 issuer grants. Coin is `burned`, or went to `blackhole` or `fee-pool`.
   */
  readonly source: ChargeSource;
  /** Bytes or Energy; 0 for a fixed fee. */
  readonly units: bigint;
  /** Coin; 0 where none was taken. */
  readonly sun: bigint;
}

export interface EnergyUse {
  /** All that was used, the penalty included. */
  readonly used: bigint;
  /** What of it the dynamic energy model put on top. */
  readonly penalty: bigint;
  /** Of the contract that was called, in 1/10,000 on top of the price: 34,000 makes it 4.4 times as much. */
  readonly factor: number;
}

/**
 * `SUCCESS` and what java-tron's receipt calls failures (`REVERT`, `OUT_OF_ENERGY`, …): the transaction is in a block.
 * `REFUSED`: it is in none, because a rule forbids it. `DROPPED`: a block had no place for it.
 */
export type Outcome = string;

export interface TransactionResult extends Place {
  readonly kind: 'transaction';
  readonly txid: string;
  /** Number of its block; absent where it is in none. */
  readonly block?: number;
  /** Of its block, or of the block that it is not in. */
  readonly timestampMs: number;
  /** The contract's type as the protocol names it: `TransferContract`. */
  readonly type: string;
  /** A name of the scenario, or an address in base58check. */
  readonly from: string;
  /** Who receives, or which contract is called. */
  readonly to?: string;
  /** `transfer(address,uint256)` */
  readonly method?: string;
  readonly outcome: Outcome;
  /** Why it is in no block: a code as a broadcast answers it, and java-tron's words. */
  readonly refusal?: { readonly code: string; readonly message: string };
  /** Why a contract failed. */
  readonly failure?: FailureReason & { readonly message?: string };
  /** All coin that was taken: `fee` of the receipt. */
  readonly feeSun: Sun;
  /** Bytes that were charged for. */
  readonly bandwidth: bigint;
  /** Of calls and deployments. */
  readonly energy?: EnergyUse;
  readonly paid: readonly Paid[];
  /** On a fork, what no node tells and may have mattered to it (docs/background/fork-assumptions.md), and whose. Absent: nothing. */
  readonly assumptions?: readonly Assumed[];
  /** What of the step's `expect` does not hold. */
  readonly differences?: readonly Difference[];
}

/** Something that a fork had to assume. */
export interface Assumed {
  /** `usages`, `publicBandwidth`, … */
  readonly name: string;
  /** What may come out differently on the network. */
  readonly effect: string;
  /** Names of the scenario, or addresses in base58check; of a number of the network its name. */
  readonly of: readonly string[];
}

/** A change of the chain from outside: `tron_setBalance` and the like. */
export interface OperationResult extends Place {
  readonly kind: 'operation';
  /** As the developer method is named, without `tron_`. */
  readonly operation: string;
  /** The block after which it was done. */
  readonly block: number;
  readonly timestampMs: number;
}

/** Time that passed, or blocks that were made without transactions. */
export interface TimeResult extends Place {
  readonly kind: 'time';
  /** Head after it. */
  readonly block: number;
  readonly timestampMs: number;
  readonly blocks: number;
  /** How many maintenances there were. */
  readonly epochs: number;
}

/** What the transactions within a step came to together: told where the step has an `expect`, and of the whole file. */
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

/** What all that had happened by then comes to, where a recording says what it has to be. */
export interface DigestResult extends Place {
  readonly kind: 'digest';
  /** As of {@link RunEnd}. */
  readonly digest: string;
  readonly differences?: readonly Difference[];
}

/** An expectation that does not hold. */
export interface Difference {
  /** The field of `expect`: `fee`, `paid`, `balanceChanges.shop`. */
  readonly what: string;
  /** As a person reads it: `1.1 TRX (1,100,000 sun)`. */
  readonly expected: string;
  readonly actual: string;
  /** Where it stands in the file. */
  readonly line: number;
  readonly column: number;
}

/** What is known when a scenario has come to its end. */
export interface RunEnd {
  /** sha256 over the rules' version, every block and receipt, every refusal and operation: hex. */
  readonly digest: string;
  readonly rulesVersion: number;
  readonly genesisId: string;
  /** Of a fork: whose, and the block that its first one follows. */
  readonly fork?: { readonly url: string; readonly blockNumber: number; readonly blockId: string };
  readonly head: { readonly number: number; readonly id: string; readonly timestampMs: number };
  /** How many transactions were in blocks that were taken back (`revert`, `goBack`); totals count them all the same. */
  readonly takenBack: number;
  /** How many results there were, and of how many an expectation does not hold. */
  readonly results: number;
  readonly failedExpectations: number;
}
