/**
 * Who listens to a devnet, and when they are told: after the store has accepted what it is about, in the order in which
 * it happened.
 */

import { EventEmitter } from 'node:events';
import type { DroppedTransaction } from '../ledger/apply-block.js';
import { blockOutline } from '../ledger/blocks/blocks.js';
import type { Chain } from '../node/chain.js';
import { NoRoomError } from '../node/commits.js';
import type { ControlObserver } from '../node/control.js';
import type { ChainObserver } from '../node/observer.js';
import type { Log } from '../platform/log.js';
import { toBase58 } from '../protocol/address.js';
import {
  type BlockReport,
  blockReport,
  type DroppedReport,
  droppedReport,
  type MinedReport,
  type RefusedReport,
  refusedReport,
  type SnapshotReport,
} from './reports.js';

export interface DevnetEvents {
  /** Of empty blocks that are mined many at once only the last is told of. */
  block: [block: BlockReport];
  dropped: [dropped: DroppedReport];
  refused: [refused: RefusedReport];
  mined: [mined: MinedReport];
  snapshot: [snapshot: SnapshotReport];
  reverted: [to: SnapshotReport];
  /** Lines that a contract printed with `console.log` in a call without a transaction. */
  console: [lines: readonly string[]];
  /** The devnet cannot go on: its database is damaged, say. Requests are answered with errors; close it. */
  failed: [failure: Error];
}

export type Listener<Name extends keyof DevnetEvents> = (...values: DevnetEvents[Name]) => void;

export class Events {
  readonly #listeners = new EventEmitter();

  /** @param chain Whose events these are; asked for when something happens, which is after it was opened. */
  constructor(
    private readonly chain: () => Chain,
    private readonly log: Log | undefined,
    private readonly storeRefused: () => void,
  ) {}

  readonly observer: ChainObserver = {
    blockApplied: (block) => {
      if (this.#heard('block')) this.#tell('block', blockReport(block));
    },
    emptyBlocksApplied: (_, last) => {
      if (this.#heard('block')) this.#tell('block', this.#emptyBlock(last));
    },
    transactionsDropped: (dropped) => this.#dropped(dropped),
    storeRefused: () => this.storeRefused(),
    consoleLogged: (lines) => this.#listeners.emit('console', lines),
  };

  readonly controls: ControlObserver = {
    mined: (asked, mined) => this.#tell('mined', { asked, ...mined }),
    snapshotTaken: (id) => this.#tell('snapshot', this.#snapshot(id)),
    wentBack: (id) => this.#tell('reverted', this.#snapshot(id)),
    refused: (transaction, reason) => {
      if (this.#heard('refused')) this.#tell('refused', refusedReport(transaction, reason));
    },
  };

  on<Name extends keyof DevnetEvents>(name: Name, listener: Listener<Name>): void {
    this.#listeners.on(name, listener as (...values: unknown[]) => void);
  }

  off<Name extends keyof DevnetEvents>(name: Name, listener: Listener<Name>): void {
    this.#listeners.off(name, listener as (...values: unknown[]) => void);
  }

  /** Told at once: there is nothing to wait for any more. */
  failed(failure: Error): void {
    this.#listeners.emit('failed', failure);
  }

  #heard(name: keyof DevnetEvents): boolean {
    return this.#listeners.listenerCount(name) > 0;
  }

  #emptyBlock(number: number): BlockReport {
    const { ledger, headId: id, headTimeMs } = this.chain();
    const witness = toBase58(blockOutline(ledger, number)?.header.raw_data?.witness_address ?? '');
    return { number, id, timestampMs: Number(headTimeMs), witness, transactions: [] };
  }

  #snapshot(snapshot: string): SnapshotReport {
    const { headNumber: number, headTimeMs } = this.chain();
    return { snapshot, number, timestampMs: Number(headTimeMs) };
  }

  #dropped(transactions: readonly DroppedTransaction[]): void {
    for (const transaction of transactions) {
      const dropped = droppedReport(transaction);
      this.log?.warn(`transaction ${dropped.txid} was accepted and is dropped: ${dropped.reason}`);
      this.#tell('dropped', dropped);
    }
  }

  /** A listener that throws is its owner's, and not in the chain's way. */
  #tell<Name extends keyof DevnetEvents>(name: Name, ...values: DevnetEvents[Name]): void {
    if (!this.#heard(name)) return;
    this.chain()
      .durable()
      .then(
        () => this.#listeners.emit(name, ...values),
        (error: unknown) => {
          // Of a full disk everybody is told elsewhere, and nothing has happened.
          if (!(error instanceof NoRoomError)) this.log?.error(`the store has not accepted a ${name}`, error);
        },
      );
  }
}
