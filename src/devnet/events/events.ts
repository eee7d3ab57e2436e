/**
 * The event listeners of a devnet. An event is emitted after the store has accepted the change, in the order of the
 * changes.
 */

import { EventEmitter } from 'node:events';
import { OperationError } from '../../errors/operation-error.js';
import type { CallTree, TracedCall } from '../../explanation/calls/call-tree.js';
import type { FailureDetails } from '../../explanation/outcome/failure.js';
import { failedCall } from '../../explanation/summary/summary.js';
import type { AppliedBlock, DroppedTransaction } from '../../ledger/apply-block.js';
import { blockProducer } from '../../ledger/blocks/blocks.js';
import type { Chain } from '../../node/chain/chain.js';
import type { ChainObserver } from '../../node/chain/observer.js';
import type { ControlObserver } from '../../node/control.js';
import { NoRoomError } from '../../node/storage/commits.js';
import { withRows } from '../../node/with-rows.js';
import type { Log } from '../../platform/log.js';
import type { TxId } from '../../primitives/ids.js';
import { toBase58 } from '../../protocol/address.js';
import type { TriggerSmartContract } from '../../protocol/generated/smart-contract.js';
import type { Sent } from '../../protocol/message-type.js';
import { DamagedStoreError } from '../../state/row-checksum.js';
import type { ExecutionResult } from '../../tvm/run.js';
import {
  type BlockReport,
  type BranchedReport,
  blockReport,
  type ChangedReport,
  changedReport,
  type DroppedReport,
  droppedReport,
  type FailedCallReport,
  type MinedReport,
  type RefusedReport,
  refusedReport,
  type SnapshotReport,
  withTraces,
} from './reports.js';

export interface DevnetEvents {
  /** Of empty blocks that were made together, only the last is reported. */
  block: [block: BlockReport];
  dropped: [dropped: DroppedReport];
  refused: [refused: RefusedReport];
  mined: [mined: MinedReport];
  snapshot: [snapshot: SnapshotReport];
  reverted: [to: SnapshotReport];
  /** An operation changed the chain without a transaction, for example set a balance. */
  changed: [change: ChangedReport];
  /** Blocks were rolled back or replaced, or another chain was loaded. */
  branched: [branched: BranchedReport];
  /** Lines of `console.log` from a call without a transaction. */
  console: [lines: readonly string[]];
  /** A call without a transaction reverted, or failed for another reason. */
  callFailed: [call: FailedCallReport];
  /** Log lines were turned on or off (`tron_setLogging`). */
  logging: [on: boolean];
  /**
   * The devnet has stopped, for example because its database is damaged. Requests are answered with errors; close it.
   */
  failed: [failure: Error];
}

export type Listener<Name extends keyof DevnetEvents> = (...values: DevnetEvents[Name]) => void;

type EventValue<Name extends keyof DevnetEvents> = DevnetEvents[Name][0];

interface PendingEvent {
  readonly name: keyof DevnetEvents;
  value: unknown;
  ready: boolean;
}

/** Finds stack traces in sources. */
export interface FailureStacks {
  /** For a transaction of a recent block. @param index its position in the block */
  inBlock(block: number, index: number): FailureDetails | undefined;
  /** For a call without a transaction. With the id of its run, created contracts have the same addresses. */
  ofCall(call: Sent<TriggerSmartContract>, txId: TxId): FailureDetails | undefined;
}

/** Makes call trees. */
export interface Traces {
  /** For the transactions of a block. */
  ofBlock(chain: Chain, block: number): Promise<readonly CallTree[]>;
  /** For a call without a transaction; undefined if no code ran. */
  ofCall(call: Sent<TriggerSmartContract>, txId: TxId): Promise<TracedCall> | undefined;
}

export class Events {
  readonly #listeners = new EventEmitter();
  readonly #pending: PendingEvent[] = [];
  /** Wallets repeat calls, and their results are cached: each result is reported once. */
  readonly #reportedCalls = new WeakSet<ExecutionResult>();
  /** Resolves when all events so far are emitted. */
  #allEmitted: Promise<unknown> = Promise.resolve();

  /**
   * @param chain the chain of the events; read only after it was opened
   * @param mining whether blocks are being made on demand
   */
  constructor(
    private readonly chain: () => Chain,
    private readonly mining: () => boolean,
    private readonly log: Log | undefined,
    private readonly storeRefused: (refusal: Error) => void,
    /** Absent: no traces. */
    private readonly traces?: Traces,
    /** Absent: there are no artifacts. */
    private readonly stacks?: FailureStacks,
  ) {}

  readonly observer: ChainObserver = {
    blockApplied: (block) => {
      if (this.#hasListeners('block')) this.#emit('block', this.#blockReport(block));
    },
    emptyBlocksApplied: (_, last) => {
      if (this.#hasListeners('block')) this.#emit('block', this.#emptyBlock(last));
    },
    transactionsDropped: (dropped) => this.#dropped(dropped),
    storeRefused: (refusal) => this.storeRefused(refusal),
    operated: (operation) => {
      if (this.#hasListeners('changed')) this.#emit('changed', changedReport(operation, this.chain().headNumber));
    },
    consoleLogged: (lines) => this.#listeners.emit('console', lines),
    callFailed: (call, txId, run) => {
      if (!this.#hasListeners('callFailed') || call.contract_address === '' || this.#reportedCalls.has(run)) return;
      this.#reportedCalls.add(run);
      this.#emit('callFailed', this.#failedCall(call, txId, run));
    },
  };

  readonly controls: ControlObserver = {
    mined: (asked, mined) => this.#emit('mined', { asked, ...mined }),
    snapshotTaken: (id) => this.#emit('snapshot', this.#snapshot(id)),
    snapshotReverted: (id) => this.#emit('reverted', this.#snapshot(id)),
    loggingSet: (on) => this.#listeners.emit('logging', on),
    warned: (message) => this.log?.warn(message),
    branched: (how) => {
      // A dump is loaded before there are listeners and a node.
      if (!this.#hasListeners('branched')) return;
      const { headNumber: number, headTimeMs } = this.chain();
      this.#emit('branched', { ...how, number, timestampMs: Number(headTimeMs) });
    },
    refused: (transaction, reason) => {
      const report = () => refusedReport(this.chain().ledger, transaction, reason);
      if (this.#hasListeners('refused')) this.#emit('refused', withRows(report));
    },
  };

  on<Name extends keyof DevnetEvents>(name: Name, listener: Listener<Name>): void {
    this.#listeners.on(name, listener as (...values: unknown[]) => void);
  }

  off<Name extends keyof DevnetEvents>(name: Name, listener: Listener<Name>): void {
    this.#listeners.off(name, listener as (...values: unknown[]) => void);
  }

  /** Emitted at once: nothing more will be stored. */
  failed(failure: Error): void {
    this.#listeners.emit('failed', failure);
  }

  #hasListeners(name: keyof DevnetEvents): boolean {
    return this.#listeners.listenerCount(name) > 0;
  }

  #blockReport(block: AppliedBlock): BlockReport | Promise<BlockReport> {
    const chain = this.chain();
    const [asked, stacks] = [this.mining(), this.#stacksOf(block)];
    // The block is final: a missing row on a fork must not repeat it.
    const report = withRows(() => blockReport(chain.ledger, block, asked, stacks));
    if (this.traces === undefined || block.transactions.length === 0) return report;
    const untraced = (error: unknown): readonly CallTree[] => {
      this.log?.error(`cannot trace block ${block.number}`, error);
      return [];
    };
    try {
      const trees = this.traces.ofBlock(chain, block.number).catch(untraced);
      return Promise.all([report, trees]).then(([known, traces]) => withTraces(known, traces));
    } catch (error) {
      untraced(error);
      return report;
    }
  }

  /** Stack traces of failures: the transactions run again at once, on the state before them. */
  #stacksOf({ number, transactions }: AppliedBlock): ReadonlyMap<number, FailureDetails> {
    const stacks = new Map<number, FailureDetails>();
    if (this.stacks === undefined) return stacks;
    try {
      for (const [index, { info }] of transactions.entries()) {
        const stack = info.resMessage === '' ? undefined : this.stacks.inBlock(number, index);
        if (stack !== undefined) stacks.set(index, stack);
      }
    } catch (error) {
      this.log?.error(`cannot explain the failures of block ${number}`, error);
    }
    return stacks;
  }

  #stackOfCall(call: Sent<TriggerSmartContract>, txId: TxId): FailureDetails | undefined {
    try {
      return this.stacks?.ofCall(call, txId);
    } catch (error) {
      this.log?.error('cannot explain a failed call', error);
      return undefined;
    }
  }

  async #failedCall(call: Sent<TriggerSmartContract>, txId: TxId, run: ExecutionResult): Promise<FailedCallReport> {
    const stack = this.#stackOfCall(call, txId);
    const report = withRows(() => failedCall(this.chain().ledger, call, run, stack));
    try {
      // Started at once, because the state will change.
      const trace = this.traces?.ofCall(call, txId);
      const [known, tree] = await Promise.all([report, trace]);
      return tree === undefined ? known : { ...known, trace: tree };
    } catch (error) {
      this.log?.error('cannot trace a failed call', error);
      return report;
    }
  }

  #emptyBlock(number: number): BlockReport {
    const { ledger, headId: id, headTimeMs } = this.chain();
    const witness = toBase58(blockProducer(ledger, number) ?? '');
    return { number, id, timestampMs: Number(headTimeMs), witness, transactions: [], epochs: 0, asked: true };
  }

  #snapshot(snapshot: string): SnapshotReport {
    const { headNumber: number, headTimeMs } = this.chain();
    return { snapshot, number, timestampMs: Number(headTimeMs) };
  }

  #dropped(transactions: readonly DroppedTransaction[]): void {
    for (const transaction of transactions) {
      const dropped = droppedReport(transaction);
      this.log?.warn(`transaction ${dropped.txid} was accepted and then dropped: ${dropped.reason}`);
      this.#emit('dropped', dropped);
    }
  }

  /** Resolves when all events so far are emitted. */
  async flushed(): Promise<void> {
    await this.#allEmitted;
  }

  /** Emits an event when the store has accepted the change and its values are decoded, in the order of the changes. */
  #emit<Name extends keyof DevnetEvents>(name: Name, value: EventValue<Name> | Promise<EventValue<Name>>): void {
    if (!this.#hasListeners(name)) return;
    const event: PendingEvent = { name, value: undefined, ready: false };
    this.#pending.push(event);
    const ready = (known: unknown) => {
      event.value = known;
      event.ready = true;
      this.#flush();
    };
    const failed = (error: unknown) => {
      this.#pending.splice(this.#pending.indexOf(event), 1);
      // A full disk and a damaged store are reported elsewhere, and the change has not happened.
      if (!(error instanceof NoRoomError || error instanceof DamagedStoreError)) this.#reportLost(name, error);
      this.#flush();
    };
    const durable = this.chain().durable();
    const emitted =
      value instanceof Promise
        ? Promise.all([value, durable]).then(([known]) => ready(known), failed)
        : durable.then(() => ready(value), failed);
    // Values of earlier events may take longer.
    this.#allEmitted = Promise.all([this.#allEmitted, emitted]);
  }

  #reportLost(name: keyof DevnetEvents, error: unknown): void {
    if (error instanceof OperationError) this.log?.warn(`the event ${name} is lost: ${error.message}`);
    else this.log?.error(`the store did not accept the event ${name}`, error);
  }

  /** An error of a listener becomes an unhandled rejection; other listeners are not affected. */
  #flush(): void {
    for (let next = this.#pending[0]; next?.ready; next = this.#pending[0]) {
      this.#pending.shift();
      try {
        this.#listeners.emit(next.name, next.value);
      } catch (error) {
        void Promise.reject(error);
      }
    }
  }
}
