/**
 * One simulated world: a machine, the node on it, the people who use the node, and a record of all that anybody was told.
 * Users, faults and invariants act on it; it decides nothing. Everything in it follows from its seed.
 */

import type { Devnet } from '../../../../src/devnet/devnet.js';
import { blockIdAt } from '../../../../src/ledger/blocks/block-ids.js';
import type { Ledger } from '../../../../src/ledger/ledger.js';
import type { MiningMode } from '../../../../src/node/clock/mining-settings.js';
import type { Node } from '../../../../src/node/node.js';
import { NoRoomError } from '../../../../src/node/storage/commits.js';
import type { DevnetOptions } from '../../../../src/options/declarations.js';
import { OptionError } from '../../../../src/options/option-error.js';
import type { Address } from '../../../../src/primitives/ids.js';
import type { ContractMessage } from '../../../../src/protocol/contract-types.js';
import type { Transaction } from '../../../../src/protocol/generated/tron.js';
import { fullContext } from '../../../../src/wallet/context.js';
import { type BuildOptions, unsignedTransaction } from '../../../../src/wallet/transactions.js';
import { Choices } from '../../wild-messages.js';
import { SimulatedClock } from '../clock/simulated-clock.js';
import { Digest } from '../digest/digest.js';
import { type Rows, VirtualDisk } from '../disk/virtual-disk.js';
import type { ReportedEpochs } from '../invariants/epoch-reports.js';
import type { Remembered } from '../invariants/past.js';
import type { KeptRows } from '../invariants/past-rows.js';
import { SimulatedNetwork } from '../network/simulated-network.js';
import type { Dump } from '../users/dumps.js';
import type { LastingFork } from '../users/lasting-fork.js';
import type { CountedCoin, Head, Keys, Outcome, Target } from '../users/target.js';
import { Audience } from './audience.js';
import { SimulatedProcess } from './process.js';
import type { Shape } from './shape.js';
import { Told } from './told.js';
import { Violation } from './violation.js';

/** A request may take so much simulated time. */
const LONGEST_REQUEST_MS = 300_000;
/** Rounds of the event loop in which work without timers is done; only then time passes. */
const ROUNDS_AT_ONCE = 24;

export interface Counts {
  readonly steps: Map<string, number>;
  readonly faults: Map<string, number>;
  requests: number;
  refusals: number;
  blocks: number;
}

interface Snapshot {
  readonly rows: Rows;
  readonly height: number;
  readonly answers: string;
  /** The token of then, whose holders are in the answers. */
  readonly token: Address | undefined;
}

export class World implements Target {
  readonly clock: SimulatedClock;
  readonly digest = new Digest();
  readonly disk = new VirtualDisk();
  readonly told = new Told();
  readonly network: SimulatedNetwork;
  readonly counts: Counts = { steps: new Map(), faults: new Map(), requests: 0, refusals: 0, blocks: 0 };
  readonly audience: Audience = new Audience(this);
  /** Choices of the present step. */
  choices: Choices;
  /** Ids of snapshots that can be used, with the rows of the store then, and what the node answered. */
  readonly snapshots = new Map<string, Snapshot>();
  /** A dump of this chain. */
  dump: Dump | undefined;
  /** Answers about the newest block of then. */
  readonly remembered: Remembered[] = [];
  /** The highest block that there was. */
  tallest = 0;
  /** With the head of a dump that was loaded, the past begins. */
  loadedAt = 0;
  readonly rememberedEpochs: ReportedEpochs[] = [];
  /** Another node's, of this one. */
  lastingFork: LastingFork | undefined;
  /** Rows of a fork's network, as they were first stored. */
  readonly fetched = new Map<string, string>();
  /** Rows of then, for those who read past heights; and the heights that they read again and again. */
  readonly keptRows: KeptRows[] = [];
  readonly watchedHeights: number[] = [];
  /** Somebody has changed amounts by decree: the sum of all coin is another one. */
  amountsChanged = false;
  /** Somebody has changed stakes or fields by decree: records need not agree as on a network. */
  recordsChanged = false;
  /** All coin, when it was last counted. */
  coin: CountedCoin | undefined;
  /** The node runs without the history index. Started with it again, it indexes what it missed. */
  withoutHistory = false;
  /** Whether errors of the disk are expected. */
  diskFails = false;
  #process: SimulatedProcess | undefined;
  #unexpected: Violation | undefined;
  msARound = 0;
  /**
   * How balances of tokens came about: by transfers alone; also by dealing, which was taken back; or nobody knows, because
   * what took it back may have been lost with the power.
   */
  tokenBalances: 'transferred' | 'dealt' | 'unknown' = 'transferred';
  /** The last process ended with the power of its machine: blocks may be gone that somebody was told of. */
  hasLostPower = false;
  /** The disk lied before it lost power, and no node has started since. */
  #hasLied = false;
  readonly #random: Choices;

  constructor(
    seed: number,
    readonly shape: Shape,
  ) {
    this.choices = new Choices(seed);
    this.#random = new Choices(seed ^ 0x5eed);
    this.clock = new SimulatedClock(shape.startMs);
    this.network = new SimulatedNetwork(this.clock, shape.startMs - 600_000);
  }

  get devnet(): Devnet {
    return this.process.devnet;
  }

  get node(): Node {
    return this.process.node;
  }

  get process(): SimulatedProcess {
    if (this.#process === undefined) throw new Error('there is no process');
    return this.#process;
  }

  get isRunning(): boolean {
    return this.#process?.isAlive === true;
  }

  get keys(): Keys {
    return this.devnet;
  }

  get chainId(): string {
    return this.devnet.chainId;
  }

  /** Nothing is wrong with disk and network. */
  get isWell(): boolean {
    return this.isRunning && !this.diskFails && this.network.faults.length === 0;
  }

  /** Nothing but users makes blocks, and nothing is wrong. */
  get isQuiet(): boolean {
    return this.isWell && this.miningMode !== 'interval';
  }

  get miningMode(): MiningMode {
    return this.node.producer.mode;
  }

  get headNumber(): number {
    return this.node.chain.headNumber;
  }

  get ledger(): Ledger {
    return this.node.chain.ledger;
  }

  async head(): Promise<Head | undefined> {
    if (!this.isRunning) return undefined;
    const { headNumber: number, headId: id, headTimeMs: timeMs } = this.node.chain;
    return { number, id, timeMs };
  }

  unsigned(type: number, contract: ContractMessage, options: BuildOptions): Transaction {
    return unsignedTransaction(fullContext(this.node), type, contract, options);
  }

  options(): DevnetOptions {
    return { ...this.shape.options, history: !this.withoutHistory };
  }

  /** Before the first start: the network of a fork. */
  async openNetwork(): Promise<void> {
    if (this.shape.isFork) await this.network.open(this.choices);
  }

  /** Starts a process on what the disk has. @returns the refusal, if it does not start */
  async start(): Promise<Error | undefined> {
    this.told.startedAgain();
    this.disk.begun();
    const process = new SimulatedProcess({
      disk: this.disk,
      clock: this.clock,
      random: { bytes: (length) => Uint8Array.from({ length }, () => this.#random.below(256)) },
      fetch: (url, init) => this.network.fetch(url, init),
      options: this.options(),
      byClock: this.shape.byClock,
      onError: (message, cause) => {
        this.#unexpected ??= new Violation(
          'no error without a name',
          `${message}: ${cause instanceof Error ? cause.stack : String(cause)}`,
        );
      },
      onWarning: (message) => this.digest.add('warning', message),
    });
    this.#process = process;
    const outcome = await this.settle(process.start());
    if ('ended' in outcome) return undefined;
    if ('refusal' in outcome) {
      process.end();
      return outcome.refusal;
    }
    await this.audience.attend(process);
    return undefined;
  }

  /** Stops the node in order and starts it again: nothing that was stored is lost. */
  async restart({ history = true }: { readonly history?: boolean } = {}): Promise<void> {
    if (!(await this.close())) return;
    // The rows of then have another index.
    if (this.withoutHistory === history) this.dump = undefined;
    this.withoutHistory = !history;
    await this.startOrRepair();
  }

  /** Stops the node in order. @returns whether it came to its end before its process did */
  async close(): Promise<boolean> {
    const { process } = this;
    process.isClosing = true;
    const closed = await this.settle(process.devnet.close());
    process.end();
    this.snapshots.clear();
    if ('refusal' in closed)
      throw new Violation('a node can be closed', closed.refusal.message, { cause: closed.refusal });
    return !('ended' in closed);
  }

  /** On a failing disk a start may be refused, in so many words. Then it is put right. */
  async startOrRepair(): Promise<void> {
    const refusal = await this.#startAfterLies();
    if (refusal === undefined) return;
    const isSaid = refusal instanceof OptionError || refusal instanceof NoRoomError;
    if (!this.diskFails || !isSaid) throw notStarted(refusal);
    this.repairDisk();
    await this.mustStart();
  }

  /** Its faults end. */
  repairDisk(): void {
    this.disk.faults.length = 0;
    this.disk.onRefusal = undefined;
    this.disk.slowMs = 0;
    this.diskFails = false;
  }

  /** @throws Violation a node that does not start on what its disk has */
  async mustStart(): Promise<void> {
    const refusal = await this.#startAfterLies();
    if (refusal !== undefined) throw notStarted(refusal);
  }

  /** A disk that lied about its syncs may have lost the chain and kept the note of its end: a node that says so is right. */
  async #startAfterLies(): Promise<Error | undefined> {
    const refusal = await this.start();
    if (this.isRunning) this.#hasLied = false;
    if (!this.#hasLied || refusal === undefined || !/, but it was closed with block /.test(refusal.message))
      return refusal;
    this.disk.closedMark = undefined;
    return this.#startAfterLies();
  }

  /** The process ends now; whatever it was doing has no result. */
  crash(how: 'kill' | 'power'): void {
    this.digest.add('fault', how);
    this.hasLostPower = how === 'power';
    this.process.end();
    this.disk.onCall = undefined;
    this.repairDisk();
    if (how === 'power') {
      this.losePower();
      // Nobody was promised that unsynced blocks survive the power: what is there must be whole, that is all.
      this.told.forgetAbove(0);
      // A fork reads again what it has lost, and its network may have gone on.
      this.fetched.clear();
      if (this.shape.isFork) this.remembered.length = this.keptRows.length = 0;
      this.amountsChanged = true;
    }
    this.snapshots.clear();
  }

  /** What was not synced may be gone. What was refused before the node went on must be. */
  losePower(): void {
    const { lies } = this.disk;
    this.#hasLied ||= lies;
    if (this.tokenBalances === 'dealt') this.tokenBalances = 'unknown';
    this.disk.losePower(this.choices);
    const row = lies ? undefined : this.disk.refusedRow();
    if (row !== undefined)
      this.#unexpected ??= new Violation(
        'what was refused has not happened',
        `after a loss of power row ${row} is that of a batch that was refused, although others were accepted since`,
      );
  }

  /** Lets work come to its end. Time passes only where nothing else goes on, or `msARound` while it does. */
  async settle<Value>(
    work: Promise<Value>,
    { usesThreads = false, what = 'the store' }: { readonly usesThreads?: boolean; readonly what?: string } = {},
  ): Promise<Outcome<Value>> {
    const process = this.process;
    let outcome: Outcome<Value> | undefined;
    work.then(
      (value) => {
        // What a process says after its end nobody hears.
        if (process.isAlive) outcome = { value };
      },
      (error: Error) => {
        if (process.isAlive) outcome = { refusal: error };
      },
    );
    const untilMs = this.clock.passedMs + LONGEST_REQUEST_MS;
    let calls = this.disk.calls;
    for (let round = 1; outcome === undefined; round++) {
      if (!process.isAlive) return { ended: true };
      await new Promise(setImmediate);
      if (this.msARound > 0 && !usesThreads) this.clock.passToNext(this.clock.passedMs + this.msARound);
      if (outcome !== undefined || round % ROUNDS_AT_ONCE !== 0) continue;
      // Long work without a timer, such as thousands of batches.
      if (this.disk.calls !== calls) {
        calls = this.disk.calls;
        continue;
      }
      // How many rounds a thread takes is the machine's affair: simulated time must not depend on it. One that never
      // ends makes a world that does not end.
      if (usesThreads || this.clock.passToNext(untilMs)) continue;
      if (this.clock.nextDueMs === undefined || this.clock.passedMs >= untilMs)
        throw new Violation(
          'every request is answered in bounded time',
          `no answer to ${what.slice(0, 300)} after ${this.clock.passedMs - untilMs + LONGEST_REQUEST_MS} ms of simulated time`,
        );
    }
    return outcome;
  }

  /** Time passes, with everything that is due in it. */
  async pass(ms: number): Promise<void> {
    const untilMs = this.clock.passedMs + ms;
    while (this.clock.passToNext(untilMs)) await this.quiet();
    await this.quiet();
  }

  /** All that goes on without timers has come to its end. */
  async quiet(): Promise<void> {
    for (let round = 0; round < ROUNDS_AT_ONCE; round++) await new Promise(setImmediate);
  }

  blockIdAt(number: number): string | undefined {
    return blockIdAt(this.node.chain.ledger, number);
  }

  fault(name: string, detail = ''): void {
    this.counts.faults.set(name, (this.counts.faults.get(name) ?? 0) + 1);
    this.digest.add('fault', `${name} ${detail}`);
  }

  /** @throws Violation what was reported meanwhile */
  checkUnexpected(): void {
    const found = this.#unexpected;
    this.#unexpected = undefined;
    if (found !== undefined) throw found;
  }
}

function notStarted(refusal: Error): Violation {
  return new Violation('a node starts on what it has stored', `${refusal.stack}`, { cause: refusal });
}
