/**
 * One real node and all that anybody was told of it: the command in a process of its own, on a data directory, asked over
 * sockets. What it does follows from its seed, and from how fast the machine is.
 */

import { rmSync } from 'node:fs';
import { blockIdAt } from '../../../../src/ledger/blocks/block-ids.js';
import type { Ledger } from '../../../../src/ledger/ledger.js';
import type { MiningMode } from '../../../../src/node/clock/mining-settings.js';
import type { DevAccount } from '../../../../src/options/dev-accounts.js';
import type { BlockId } from '../../../../src/primitives/ids.js';
import { refBlockBytesOf, refBlockHashOf } from '../../../../src/protocol/block.js';
import { type ContractMessage, contractCodec, packAny } from '../../../../src/protocol/contract-types.js';
import { Transaction, Transaction_Contract, Transaction_raw } from '../../../../src/protocol/generated/tron.js';
import type { BuildOptions } from '../../../../src/wallet/transactions.js';
import { Choices } from '../../wild-messages.js';
import { Digest } from '../digest/digest.js';
import type { Cold } from '../disk/stored-rows.js';
import { Told } from '../run/told.js';
import { Violation } from '../run/violation.js';
import type { Counts } from '../run/world.js';
import type { CountedCoin, Head, Keys, Outcome, Target } from '../users/target.js';
import { CommandProcess, type EndingSignal, type ReadyEvent, runCommand } from './command-process.js';
import { commandWords, realShapeOf } from './command-words.js';
import { coldOf, MachineFolder } from './machine-folder.js';
import { Connections, type RealAsker } from './real-asker.js';
import { RealAudience } from './real-audience.js';
import { RealMachine } from './real-machine.js';

const LIFETIME_MS = 60_000n;
/** A start may take so long, on a busy machine. */
const LONGEST_START_MS = 120_000;
const LONGEST_CLOSE_MS = 120_000;
/** Time that users let pass is simulated minutes; here it is a fraction of a second. */
const MOST_PASSED_MS = 300;
/** Deliberate words of a node on standard error. All others are a failure. */
const KNOWN_LINES = [
  /was not closed properly, for example after a crash/,
  /^the disk of .* is full: the chain stays at block/,
  /cannot be written to \(.*\): the chain stays at block/,
  /(there is room in|there can be written to) .* again: the chain goes on/,
  /^the clock of the machine was set back by .*\. The time of the chain does not go back/,
  /^the node did not run for .*: the machine slept or was busy, or its clock was set forward/,
  /^transaction [0-9a-f]{64} was accepted and then dropped: /,
];

export interface Snapshot {
  readonly height: number;
  /** What the node answered then. */
  readonly answers: readonly string[];
}

/** A node that did not start, with its words. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
}

export class RealWorld implements Target {
  readonly shape: Target['shape'];
  readonly digest = new Digest();
  readonly folder = new MachineFolder();
  readonly counts: Counts = { steps: new Map(), faults: new Map(), requests: 0, refusals: 0, blocks: 0 };
  readonly machine = new RealMachine(this.folder.beside('machine.json'));
  readonly audience = new RealAudience(
    () => this.counts.blocks++,
    () => this.heard++,
  );
  readonly told: Told;
  readonly snapshots = new Map<string, Snapshot>();
  /** A dump of this chain in base64, and the head of then. */
  dump: { readonly text: string; readonly head: string } | undefined;
  choices: Choices;
  amountsChanged = false;
  recordsChanged = false;
  /** Its time passes anyway. */
  msARound = 0;
  coin: CountedCoin | undefined;
  diskFails = false;
  /** Answers, and news of listeners. */
  heard = 0;
  /** The system refuses new connections and files; how many there may be otherwise. */
  openFilesBefore: number | undefined;
  /** Files were damaged: a node that has found it answers nothing. */
  isDamaged = false;
  miningMode: MiningMode;
  headNumber = 0;
  #process: CommandProcess | undefined;
  #connections: Connections | undefined;
  #ledger: Ledger | undefined;
  #newest: Head | undefined;
  /** The last process has ended in order, and nobody has touched its directory. */
  #isNoted = false;

  constructor(
    seed: number,
    readonly command: string,
  ) {
    this.choices = new Choices(seed);
    this.shape = realShapeOf(seed);
    this.miningMode = this.shape.options.mining ?? 'instant';
    const { audience } = this;
    this.told = new (class extends Told {
      override forgetAbove(height: number): void {
        super.forgetAbove(height);
        audience.mayGoBack();
      }
    })();
  }

  get process(): CommandProcess {
    if (this.#process === undefined) throw new Error('there is no process');
    return this.#process;
  }

  get connections(): Connections {
    if (this.#connections === undefined) throw new Error('there are no connections');
    return this.#connections;
  }

  /** It has ended, and nobody has ended it. */
  get hasFailed(): boolean {
    return this.#process?.hasFailed === true;
  }

  get isRunning(): boolean {
    return this.#process?.isAlive === true && this.#connections !== undefined;
  }

  get keys(): Keys {
    return this.#ready as unknown as Keys & { readonly accounts: readonly DevAccount[] };
  }

  get chainId(): string {
    return this.#ready.chainId;
  }

  get #ready(): ReadyEvent {
    return this.connections.ready;
  }

  get ledger(): Ledger {
    if (this.#ledger === undefined) throw new Error('nobody has looked at the disk');
    return this.#ledger;
  }

  /** @param mining instead of the shape's */
  words(mining = this.shape.options.mining): readonly string[] {
    return commandWords({ ...this.shape.options, mining }, this.folder.data, (name) => this.folder.beside(name));
  }

  /** A process that is starting. */
  launch(words = this.words()): CommandProcess {
    this.#isNoted = false;
    const process = new CommandProcess(this.command, words, this.machine);
    this.#process = process;
    return process;
  }

  /** @returns the refusal, if it does not start */
  async start(mining = this.shape.options.mining): Promise<Refusal | undefined> {
    const process = this.launch(this.words(mining));
    const ready = await within(LONGEST_START_MS, process.ready, () => {
      throw new Violation('a node starts on what it has stored', `it was not ready after ${LONGEST_START_MS} ms`);
    });
    if (ready === undefined) {
      await process.ended;
      return new Refusal(process.errors);
    }
    this.#connections = new Connections(process, ready);
    this.miningMode = mining ?? 'instant';
    this.#newest = undefined;
    return undefined;
  }

  /** Somebody sets the machine's clock. */
  jumpClock(byMs: number): void {
    this.machine.jump(byMs);
    if (this.isRunning) this.process.lookAtMachine();
  }

  /** From now on each write of the disk takes so much longer. */
  slowDisk(ms: number): void {
    this.machine.slowDown(ms);
    if (this.isRunning) this.process.lookAtMachine();
  }

  /** @throws Violation a node that does not start on what its disk has */
  async mustStart(): Promise<void> {
    this.told.startedAgain();
    const isNoted = this.#isNoted;
    const refusal = await this.start();
    if (refusal !== undefined) throw new Violation('a node starts on what it has stored', refusal.message);
    if (isNoted && this.process.errors.includes('was not closed properly'))
      throw new Violation('a node can be closed', `it ended in order, and the next one says: ${this.process.errors}`);
    await this.settleDown(async () =>
      this.audience.attend(this.process, this.#ready, (await this.head())?.number ?? 0),
    );
  }

  /** Work during which no block comes. */
  async settleDown<Value>(work: () => Promise<Value>): Promise<Value> {
    const rpc = (method: string) =>
      this.connections.http('POST', '/tre', JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: [] }));
    const isInterval = this.miningMode === 'interval';
    if (isInterval) await rpc('tron_pauseMining');
    try {
      return await work();
    } finally {
      if (isInterval && this.isRunning) await rpc('tron_resumeMining');
    }
  }

  async head(): Promise<Head | undefined> {
    const outcome = await this.settle(this.connections.http('POST', '/wallet/getnowblock', '{}'));
    if (!('value' in outcome)) return undefined;
    const text = outcome.value;
    const of = (pattern: RegExp) => pattern.exec(text)?.[1];
    const id = of(/"blockID": ?"([0-9a-f]{64})"/);
    if (id === undefined) return undefined;
    this.#newest = {
      id,
      number: Number(of(/"number": ?(\d+)/) ?? 0),
      timeMs: BigInt(of(/"timestamp": ?(\d+)/) ?? 0),
    };
    this.headNumber = this.#newest.number;
    return this.#newest;
  }

  unsigned(type: number, contract: ContractMessage, options: BuildOptions): Transaction {
    const codec = contractCodec(type);
    if (codec === undefined || this.#newest === undefined) throw new Error(`no transaction of type ${type}`);
    const { id, timeMs } = this.#newest;
    return Transaction.create({
      raw_data: Transaction_raw.create({
        ref_block_bytes: refBlockBytesOf(id as BlockId),
        ref_block_hash: refBlockHashOf(id as BlockId),
        expiration: timeMs + LIFETIME_MS,
        timestamp: timeMs,
        data: options.extraData ?? '',
        fee_limit: options.feeLimitSun ?? 0n,
        contract: [
          Transaction_Contract.create({
            type,
            parameter: packAny(codec, contract),
            Permission_id: options.permissionId ?? 0,
          }),
        ],
      }),
    });
  }

  async settle<Value>(work: Promise<Value>): Promise<Outcome<Value>> {
    const { process } = this;
    const outcome = work.then(
      (value): Outcome<Value> => ({ value }),
      (refusal: Error): Outcome<Value> => ({ refusal }),
    );
    const settled = await Promise.race([outcome, process.ended.then((): Outcome<Value> => ({ ended: true }))]);
    return process.isAlive ? settled : { ended: true };
  }

  async pass(ms: number): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, Math.min(ms, MOST_PASSED_MS)));
  }

  /** A real node cannot be waited for: what it tells comes when it comes. */
  async quiet(): Promise<void> {}

  async crash(_how: 'kill'): Promise<void> {
    await this.process.kill();
    this.afterEnd();
  }

  /** The process has ended; what belonged to it is gone. */
  afterEnd(): void {
    this.#process = undefined;
    this.#connections?.close();
    this.#connections = undefined;
    this.audience.leave();
    this.snapshots.clear();
    this.diskFails = false;
    this.openFilesBefore = undefined;
    this.folder.makeRoom();
  }

  async restart(): Promise<void> {
    await this.close();
    await this.mustStart();
  }

  /** Stops it in order. @throws Violation a node that does not end, or not in order */
  async close(): Promise<void> {
    this.process.terminate(this.endingSignal());
    await this.closed();
  }

  endingSignal(): EndingSignal {
    return this.choices.of(['SIGTERM', 'SIGTERM', 'SIGINT', 'SIGHUP']);
  }

  /** Waits for the end of a process that was asked to end. @param meanwhile when it has ended, and listeners are there */
  async closed(meanwhile: () => Promise<void> = async () => {}): Promise<void> {
    const { process } = this;
    const failed = this.diskFails;
    const { code, signal } = await within(LONGEST_CLOSE_MS, process.ended, () => {
      throw new Violation('a node can be closed', `it had not ended ${LONGEST_CLOSE_MS} ms after it was asked to`);
    });
    if (code !== 0 && !failed)
      throw new Violation('a node can be closed', `it ended with ${code ?? signal}: ${process.errors}`);
    await meanwhile();
    this.afterEnd();
    this.#isNoted = !failed;
  }

  /** A copy of the disk as a crash would leave it at this moment. */
  async image(): Promise<string> {
    const { process, folder } = this;
    await process.freeze();
    try {
      return folder.copy();
    } finally {
      process.thaw();
    }
  }

  /** Reads what is stored at this moment, and keeps it as what people know of the chain. */
  async look(): Promise<Cold> {
    const copy = await this.image();
    const cold = await coldOf(copy);
    rmSync(copy, { recursive: true });
    this.#ledger = cold.ledger;
    return cold;
  }

  /** What users see before they act: the newest block, and how blocks are made. */
  async learn(asker: RealAsker): Promise<void> {
    await this.head();
    const answer = await asker.post('/tre', { jsonrpc: '2.0', id: 1, method: 'tron_getMining', params: [] });
    const mode = /"mode": ?"(instant|interval|manual)"/.exec(answer ?? '')?.[1];
    if (mode !== undefined) this.miningMode = mode as MiningMode;
  }

  blockIdAt(number: number): string | undefined {
    return blockIdAt(this.ledger, number);
  }

  /** Another command on a directory, which ends by itself. */
  run(...words: string[]): ReturnType<typeof runCommand> {
    return runCommand(this.command, words);
  }

  fault(name: string, detail = ''): void {
    this.counts.faults.set(name, (this.counts.faults.get(name) ?? 0) + 1);
    this.digest.add('fault', `${name} ${detail}`);
  }

  /** @throws Violation words of the node that no user could understand, or its end without a reason */
  checkProcess(): void {
    const { process } = this;
    const strange = process.errors
      .split('\n')
      .find((line) => line !== '' && !KNOWN_LINES.some((one) => one.test(line)));
    if (strange !== undefined && !this.isDamaged) throw new Violation('no error without a name', process.errors);
    if (process.hasFailed && !this.isDamaged)
      throw new Violation('a node works until it says why not', `it ended with ${JSON.stringify(process.exit)}`);
  }

  async remove(): Promise<void> {
    if (this.#process !== undefined && this.#process.exit === undefined) await this.#process.kill();
    this.#connections?.close();
    this.audience.leave();
    this.folder.remove();
  }
}

/** @param late called instead, if the work does not end in time; it throws */
export async function within<Value>(ms: number, work: Promise<Value>, late: () => never): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<'over'>((resolve) => {
    timer = setTimeout(() => resolve('over'), ms);
  });
  const first = await Promise.race([work, over]);
  clearTimeout(timer);
  return first === 'over' ? late() : first;
}
