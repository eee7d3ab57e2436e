/**
 * One process of the command: started on a data directory and free ports, read line by line, frozen, killed, closed.
 * What it writes to standard error is kept whole, because no invariant may overlook it.
 */

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { ReadyEvent as Ready } from '../../../e2e/command.js';
import type { RealMachine } from './real-machine.js';

type Machine = Pick<RealMachine, 'nodeOptions' | 'environment'> & Partial<Pick<RealMachine, 'tracer'>>;

/** A line of `--json`. */
export type OutputLine = { readonly event: string } & Readonly<Record<string, unknown>>;

export interface ReadyEvent extends Ready {
  readonly eventQueue: string;
  readonly witnesses: readonly { readonly addressHex: string; readonly privateKey?: string }[];
}

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** Those that ask a node to end. */
export type EndingSignal = 'SIGINT' | 'SIGTERM' | 'SIGHUP';

export class CommandProcess {
  readonly #child: ChildProcess;
  #exit: Exit | undefined;
  #errors = '';
  #isExpectedToEnd = false;
  /** A call of the system may kill it at any time. */
  mayBeKilled = false;
  /** Called for each line after the first one. */
  onLine: (line: OutputLine) => void = () => {};
  /** Undefined: it ended before it was ready. */
  readonly ready: Promise<ReadyEvent | undefined>;
  /** Resolves when it has ended and all of its output is read. */
  readonly ended: Promise<Exit>;

  /** @param command the bundled command @param machine absent: this one, as it is */
  constructor(command: string, words: readonly string[], machine?: Machine) {
    const [file = '', ...before] = [...(machine?.tracer ?? []), process.execPath];
    this.#child = spawn(file, [...before, ...(machine?.nodeOptions ?? []), command, ...words], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...machine?.environment },
    });
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#errors += text;
    });
    const live = endingWithUs(this.#child);
    this.ended = once(this.#child, 'close').then(([code, signal]) => {
      live.ended();
      this.#exit = { code, signal };
      return this.#exit;
    });
    const reader = createInterface({ input: this.#child.stdout! });
    this.ready = new Promise((resolve) => {
      let isReady = false;
      reader.on('line', (text) => {
        const line = JSON.parse(text) as OutputLine;
        if (isReady) return this.onLine(line);
        isReady = true;
        resolve(line as unknown as ReadyEvent);
      });
      void this.ended.then(() => resolve(undefined));
    });
  }

  get pid(): number {
    return this.#child.pid as number;
  }

  get exit(): Exit | undefined {
    return this.#exit;
  }

  get errors(): string {
    return this.#errors;
  }

  /** It runs, and nobody has ended it: requests are answered. */
  get isAlive(): boolean {
    return this.#exit === undefined && !this.#isExpectedToEnd;
  }

  /** Nobody has ended it. */
  get hasFailed(): boolean {
    const wasKilled = this.mayBeKilled && this.#exit?.signal === 'SIGKILL';
    return this.#exit !== undefined && !this.#isExpectedToEnd && !wasKilled;
  }

  /** Its machine is another one now. It has to be ready, so that it knows the signal. */
  lookAtMachine(): void {
    this.#child.kill('SIGUSR2');
  }

  async kill(): Promise<void> {
    this.#isExpectedToEnd = true;
    this.#child.kill('SIGKILL');
    await this.ended;
  }

  /** Asks it to end in order. */
  terminate(signal: EndingSignal): void {
    this.#isExpectedToEnd = true;
    this.#child.kill(signal);
  }

  /** Nobody reads its standard output any more: then it ends in order. */
  stopReading(): void {
    this.#isExpectedToEnd = true;
    this.#child.stdout?.destroy();
  }

  /** Stops it wherever it is, with all of its threads. */
  async freeze(): Promise<void> {
    this.#child.kill('SIGSTOP');
    while (this.#exit === undefined && !this.#isStopped()) await new Promise(setImmediate);
  }

  thaw(): void {
    this.#child.kill('SIGCONT');
  }

  #isStopped(): boolean {
    try {
      return readdirSync(`/proc/${this.pid}/task`).every((task) =>
        /^State:\s+[TZ]/m.test(readFileSync(`/proc/${this.pid}/task/${task}/status`, 'utf8')),
      );
    } catch {
      // It has ended, or a thread has.
      return false;
    }
  }

  get residentBytes(): number {
    const [, kilobytes] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${this.pid}/status`, 'utf8')) ?? [];
    return Number(kilobytes) * 1_024;
  }

  get openFiles(): number {
    return readdirSync(`/proc/${this.pid}/fd`).length;
  }

  /** How many files it may have open. */
  get openFilesLimit(): number {
    return Number(/^Max open files\s+(\d+)/m.exec(readFileSync(`/proc/${this.pid}/limits`, 'utf8'))?.[1]);
  }

  /** @returns whether this machine can limit it */
  limitOpenFiles(count: number): boolean {
    return spawnSync('prlimit', [`--pid=${this.pid}`, `--nofile=${count}:`]).status === 0;
  }
}

/** A process that must not outlive this one. */
function endingWithUs(child: ChildProcess): { ended(): void } {
  const end = () => child.kill('SIGKILL');
  process.once('exit', end);
  return { ended: () => process.off('exit', end) };
}

/** Runs a command that ends by itself. */
export async function runCommand(
  command: string,
  words: readonly string[],
): Promise<Exit & { readonly output: string; readonly errors: string }> {
  const child = spawn(process.execPath, [command, ...words], { stdio: ['ignore', 'pipe', 'pipe'] });
  let [output, errors] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  const live = endingWithUs(child);
  const [code, signal] = await once(child, 'close');
  live.ended();
  return { code, signal, output, errors };
}
