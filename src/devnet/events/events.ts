/**
 * Who listens to a devnet, and when they are told: after the store has accepted what it is about, in the order in which
 * it happened.
 */

import { EventEmitter } from 'node:events';
import { OperationError } from '../../errors/operation-error.js';
import type { CallTree, TracedCall } from '../../explanation/calls/call-tree.js';
import type { FailureDetails } from '../../explanation/outcome/failure.js';
import { failedCall } from '../../explanation/summary/summary.js';
import type { AppliedBlock, DroppedTransaction } from '../../ledger/apply-block.js';
import { blockOutline } from '../../ledger/blocks/blocks.js';
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
  /** Of empty blocks that are mined many at once only the last is told of. */
  block: [block: BlockReport];
  dropped: [dropped: DroppedReport];
  refused: [refused: RefusedReport];
  mined: [mined: MinedReport];
  snapshot: [snapshot: SnapshotReport];
  reverted: [to: SnapshotReport];
  /** The chain was changed without a transaction: a balance was set, say. */
  changed: [change: ChangedReport];
  /** Blocks were taken back or replaced, or another chain took this one's place. */
  branched: [branched: BranchedReport];
  /** Lines that a contract printed with `console.log` in a call without a transaction. */
  console: [lines: readonly string[]];
  /** A call without a transaction reverted, or failed in another way. */
  callFailed: [call: FailedCallReport];
  /** Somebody wants lines about what happens, or wants them no more (`tron_setLogging`). */
  logging: [on: boolean];
  /** The devnet cannot go on: its database is damaged, say. Requests are answered with errors; close it. */
  failed: [failure: Error];
}

export type Listener<Name extends keyof DevnetEvents> = (...values: DevnetEvents[Name]) => void;

type EventValue<Name extends keyof DevnetEvents> = DevnetEvents[Name][0];

interface PendingEvent {
  readonly name: keyof DevnetEvents;
  value: unknown;
  ready: boolean;
}

/** Finds where in the sources something failed. */
export interface FailureStacks {
  /** A transaction of a block that is the head, or not far below. @param index its place in the block */
  inBlock(block: number, index: number): FailureDetails | undefined;
  /** A call without a transaction, under the id that it was run with: what it creates has the same addresses then. */
  ofCall(call: Sent<TriggerSmartContract>, txId: TxId): FailureDetails | undefined;
}

/** Makes call trees. */
export interface Traces {
  /** Of a block's transactions. */
  ofBlock(chain: Chain, block: number): Promise<readonly CallTree[]>;
  /** Of a call without a transaction; undefined where no program ran. */
  ofCall(call: Sent<TriggerSmartContract>, txId: TxId): Promise<TracedCall> | undefined;
}

export class Events {
  readonly #listeners = new EventEmitter();
  readonly #pending: PendingEvent[] = [];
  /** Wallets ask the same again and again; what is remembered for them is told once. */
  readonly #reportedCalls = new WeakSet<ExecutionResult>();
  /** Settles when everybody has been told of what has happened so far. */
  #allEmitted: Promise<unknown> = Promise.resolve();

  /**
   * @param chain whose events these are; asked for when something happens, which is after it was opened
   * @param mining whether blocks are being made because somebody asked for them
   */
  constructor(
    private readonly chain: () => Chain,
    private readonly mining: () => boolean,
    private readonly log: Log | undefined,
    private readonly storeRefused: (refusal: Error) => void,
    /** Absent: nobody wants them. */
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
    wentBack: (id) => this.#emit('reverted', this.#snapshot(id)),
    loggingSet: (on) => this.#listeners.emit('logging', on),
    branched: (how) => {
      // The chain of a dump is loaded before there is anybody to listen, and before there is a node.
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
    // The block stands: a name that a fork still has to ask for must not make anybody do it again.
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

  /** Where failures arose: they are run again at once, on the state before them. */
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
      // Begun at once: the state is another one later.
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
    const witness = toBase58(blockOutline(ledger, number)?.header.raw_data?.witness_address ?? '');
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

  /** Settles when everybody has been told of what has happened so far. */
  async flushed(): Promise<void> {
    await this.#allEmitted;
  }

  /** When the store has accepted it and its values are known; in the order in which things happened. */
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
      // Of a full disk everybody is told elsewhere, and nothing has happened.
      if (!(error instanceof NoRoomError)) this.#reportLost(name, error);
      this.#flush();
    };
    const durable = this.chain().durable();
    const emitted =
      value instanceof Promise
        ? Promise.all([value, durable]).then(([known]) => ready(known), failed)
        : durable.then(() => ready(value), failed);
    // What happened before may have values that come later than this one's.
    this.#allEmitted = Promise.all([this.#allEmitted, emitted]);
  }

  #reportLost(name: keyof DevnetEvents, error: unknown): void {
    if (error instanceof OperationError) this.log?.warn(`the event ${name} is lost: ${error.message}`);
    else this.log?.error(`the store did not accept the event ${name}`, error);
  }

  /** A listener that throws is its owner's, and in nobody else's way. */
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
