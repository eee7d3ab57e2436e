/** Time, blocks, whose transactions count, and what waits for a block: a part of `DevnetControl`. */

import type { AnyAddress, WholeNumber } from './state-control.js';

/** How blocks are made. */
export interface MiningReport {
  readonly mode: 'instant' | 'interval' | 'manual';
  /** Interval mode: how often. */
  readonly blockTimeMs: number;
  /** What lies between two blocks exactly, if it was set. */
  readonly timestampIntervalMs?: number;
  /** Exact time of the next block, if it was set. */
  readonly nextBlockTimestampMs?: number;
}

/** The clock, and how far it was moved. */
export interface ClockReport {
  readonly nowMs: number;
  readonly offsetMs: number;
  /** 1: as the machine's; 0: it stands still between blocks. */
  readonly rate: number;
}

/** Base58 addresses whose transactions count without a signature. */
export interface ImpersonationReport {
  readonly accounts: readonly string[];
  readonly everybody: boolean;
}

/** A block that ended an epoch. */
export interface MaintenanceReport {
  readonly blockNumber: number;
  readonly timestamp: number;
  readonly cycle: number;
  /** As it was after that block, in milliseconds. */
  readonly nextMaintenanceTime: number;
}

/** Codes of `Return.response_code`, as a broadcast answers them. */
export interface BroadcastRefusal {
  /** `SERVER_BUSY`, `TRANSACTION_EXPIRATION_ERROR`, `DUP_TRANSACTION_ERROR`, … */
  readonly code: string;
  /** Default: the network's own text for the code. */
  readonly message?: string;
  /** How many broadcasts; default 1, and 0 for none any more. */
  readonly count?: WholeNumber;
}

export interface TimeControl {
  /**
   * Lets time pass without a block; the next one shows it. That block ends all epochs on the way with one maintenance, as
   * a network does after an outage; `mine({ advanceMs })` and `advanceCycles` end each on its own.
   *
   * @example await devnet.increaseTime(3_600)
   */
  increaseTime(seconds: WholeNumber): Promise<ClockReport>;

  /**
   * Gives the next block exactly this time. Blocks after it go on from there.
   *
   * @throws ParametersError for a time that is not after the head
   * @example await devnet.setNextBlockTimestamp(Date.UTC(2030, 0, 1))
   */
  setNextBlockTimestamp(timestampMs: WholeNumber): Promise<{ readonly nextBlockTimestampMs: number }>;

  /** Makes every block exactly so many seconds later than the one before it. */
  setBlockTimestampInterval(seconds: WholeNumber): Promise<{ readonly blockTimestampIntervalMs: number }>;
  /** Lets blocks have the time of the clock again. @returns whether there was an interval */
  removeBlockTimestampInterval(): Promise<boolean>;

  /**
   * Halts the clock (`freeze`: it stands still, and blocks take it along), lets it `run`, sets it to `time` in
   * milliseconds, or makes it go faster.
   *
   * @throws OperationError for `run` or a rate on a virtual clock, which has nothing to follow
   * @example await devnet.setClock({ mode: 'run', rate: 60 }) // an hour a minute
   */
  setClock(clock: {
    readonly mode?: 'run' | 'freeze';
    readonly time?: WholeNumber;
    readonly rate?: number;
  }): Promise<{ readonly mode: string; readonly now: number; readonly offset: number; readonly rate: number }>;

  /**
   * Says when blocks are made: for each transaction, every so many milliseconds of a clock that runs, or on demand.
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
  /** Lets so many epochs pass, each with its maintenance. @example await devnet.advanceCycles(3) */
  advanceCycles(count: WholeNumber): Promise<readonly MaintenanceReport[]>;

  /** Says who makes the next block. @throws OperationError for an account that is no witness */
  setNextWitness(address: AnyAddress): Promise<{ readonly nextWitness: string }>;
  /** Says how many blocks the solidified state is behind the head; `network`: as java-tron has it. */
  setSolidityLag(
    blocks: WholeNumber | 'network',
  ): Promise<{ readonly solidityLag: number | string; readonly solidifiedBlock: number }>;

  /**
   * Lets transactions of an account count without a signature, or with anybody's. It need not exist, and may be a contract.
   * Its permissions and their weights are not asked for; balance, resources and all other rules stay.
   *
   * @example
   * await devnet.impersonate(whale)
   * const transaction = await tronWeb.transactionBuilder.sendTrx(me, 5, whale)
   * await tronWeb.trx.broadcast({ ...transaction, signature: [] })
   */
  impersonate(address: AnyAddress): Promise<ImpersonationReport>;
  /** Takes it back; what was sent meanwhile stays pending. */
  stopImpersonating(address: AnyAddress): Promise<ImpersonationReport>;
  /** The same for all accounts there are. */
  setAutoImpersonate(on: boolean): Promise<ImpersonationReport>;

  /** Takes a transaction out of those that wait for a block. @param txid 64 hex digits */
  dropTransaction(txid: string): Promise<{ readonly dropped: boolean }>;
  /** Takes all of them out. */
  dropAllTransactions(): Promise<{ readonly dropped: number }>;

  /**
   * Refuses the next broadcasts, for tests of clients that try again.
   *
   * @example await devnet.failNextBroadcast({ code: 'SERVER_BUSY', count: 2 })
   */
  failNextBroadcast(refusal: BroadcastRefusal): Promise<{ readonly code: string; readonly count: number }>;
}
