/** Time, blocks, impersonation, and pending transactions: a part of `DevnetControl`. */

import type { WholeNumber } from '../../primitives/whole-number.js';
import type { AnyAddress } from './state-control.js';

/** How blocks are produced. */
export interface MiningReport {
  readonly mode: 'instant' | 'interval' | 'manual';
  /** Interval mode: time between two blocks. */
  readonly blockTimeMs: number;
  /** Exact time between two blocks, if set. */
  readonly timestampIntervalMs?: number;
  /** Exact time of the next block, if set. */
  readonly nextBlockTimestampMs?: number;
}

/** The clock and its offset. */
export interface ClockReport {
  readonly nowMs: number;
  readonly offsetMs: number;
  /** 1: real time; 0: it stands still between blocks. */
  readonly rate: number;
}

/** Base58 addresses whose transactions need no signature. */
export interface ImpersonationReport {
  readonly accounts: readonly string[];
  readonly everybody: boolean;
}

/** A block that ended an epoch. */
export interface MaintenanceReport {
  readonly blockNumber: number;
  readonly timestamp: number;
  readonly cycle: number;
  /** Time of the next maintenance after that block, in milliseconds. */
  readonly nextMaintenanceTime: number;
}

/** Codes of `Return.response_code`, as in a broadcast's answer. */
export interface BroadcastRefusal {
  /** `SERVER_BUSY`, `TRANSACTION_EXPIRATION_ERROR`, `DUP_TRANSACTION_ERROR`, … */
  readonly code: string;
  /** Default: the network's text of the code. */
  readonly message?: string;
  /** Number of broadcasts; default 1, and 0 for none. */
  readonly count?: WholeNumber;
}

export interface TimeControl {
  /**
   * Advances time without a block; the next block shows it. That block ends all epochs on the way with one
   * maintenance, as after an outage of a network; `mine({ advanceMs })` and `advanceCycles` end each separately.
   *
   * @example await devnet.increaseTime(3_600)
   */
  increaseTime(seconds: WholeNumber): Promise<ClockReport>;

  /**
   * Sets the exact time of the next block. Later blocks continue from there.
   *
   * @throws ParametersError for a time that is not after the head
   * @example await devnet.setNextBlockTimestamp(Date.UTC(2030, 0, 1))
   */
  setNextBlockTimestamp(timestampMs: WholeNumber): Promise<{ readonly nextBlockTimestampMs: number }>;

  /** Sets the exact time between two blocks, in seconds. */
  setBlockTimestampInterval(seconds: WholeNumber): Promise<{ readonly blockTimestampIntervalMs: number }>;
  /** Ends setBlockTimestampInterval: blocks have the time of the clock again. @returns whether there was an interval */
  removeBlockTimestampInterval(): Promise<boolean>;

  /**
   * Stops the clock (`freeze`: only blocks advance it), starts it (`run`), sets it to `time` in milliseconds, or
   * changes its rate.
   *
   * @throws OperationError for `run` or a rate on a virtual clock, which follows no other clock
   * @example await devnet.setClock({ mode: 'run', rate: 60 }) // an hour a minute
   */
  setClock(clock: {
    readonly mode?: 'run' | 'freeze';
    readonly time?: WholeNumber;
    readonly rate?: number;
  }): Promise<{ readonly mode: string; readonly now: number; readonly offset: number; readonly rate: number }>;

  /**
   * Sets when blocks are produced: for each transaction, at an interval in milliseconds, or on demand.
   *
   * @example await devnet.setMining('interval', 6_000)
   */
  setMining(mode: MiningReport['mode'], blockTimeMs?: WholeNumber): Promise<MiningReport>;

  /**
   * Ends epochs at once, each with a block, before their time; with `moveClock` at their time, which passes.
   *
   * @example await devnet.runMaintenance() // counts the votes
   */
  runMaintenance(options?: {
    readonly count?: WholeNumber;
    readonly moveClock?: boolean;
  }): Promise<readonly MaintenanceReport[]>;
  /** Advances time by a number of epochs, each with its maintenance. @example await devnet.advanceCycles(3) */
  advanceCycles(count: WholeNumber): Promise<readonly MaintenanceReport[]>;

  /** Sets the witness of the next block. @throws OperationError for an account that is not a witness */
  setNextWitness(address: AnyAddress): Promise<{ readonly nextWitness: string }>;
  /** Sets how many blocks the solidified state is behind the head; `network`: as in java-tron. */
  setSolidityLag(
    blocks: WholeNumber | 'network',
  ): Promise<{ readonly solidityLag: number | string; readonly solidifiedBlock: number }>;

  /**
   * Accepts transactions of an account without a signature, or with any. The account need not exist, and may be a
   * contract. Its permissions are not checked; balance, resources and all other rules apply.
   *
   * @example
   * await devnet.impersonate(whale)
   * const transaction = await tronWeb.transactionBuilder.sendTrx(me, 5, whale)
   * await tronWeb.trx.broadcast({ ...transaction, signature: [] })
   */
  impersonate(address: AnyAddress): Promise<ImpersonationReport>;
  /** Ends impersonate; pending transactions stay pending. */
  stopImpersonating(address: AnyAddress): Promise<ImpersonationReport>;
  /** The same for all accounts. */
  setAutoImpersonate(on: boolean): Promise<ImpersonationReport>;

  /** Removes a pending transaction. @param txid 64 hex digits */
  dropTransaction(txid: string): Promise<{ readonly dropped: boolean }>;
  /** Removes all pending transactions. */
  dropAllTransactions(): Promise<{ readonly dropped: number }>;

  /**
   * Refuses the next broadcasts, for tests of retries.
   *
   * @example await devnet.failNextBroadcast({ code: 'SERVER_BUSY', count: 2 })
   */
  failNextBroadcast(refusal: BroadcastRefusal): Promise<{ readonly code: string; readonly count: number }>;
}
