/**
 * The machine of a real node, where it can be another one than this: its clock can be set, and its disk can be slow. Both
 * stay so when the process ends. `machine-preload.cjs` makes the process see it.
 */

import { closeSync, constants, openSync, writeSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const PRELOAD = fileURLToPath(new URL('./machine-preload.cjs', import.meta.url));

/** Always as long, so that a shorter text leaves nothing behind itself. */
const FILE_BYTES = 64;

export class RealMachine {
  #jumpedMs = 0;
  #furthestMs = 0;
  #slowMs = 0;

  /** @param file that tells processes of it */
  constructor(private readonly file: string) {
    this.#write();
  }

  /** Options of Node for a process on this machine. */
  readonly nodeOptions: readonly string[] = ['--require', PRELOAD];

  /** The words of a tracer before the command of a process that starts. */
  tracer: readonly string[] = [];

  get environment(): NodeJS.ProcessEnv {
    return { SUNUP_SIMULATED_MACHINE: this.file };
  }

  /** It was later before: a chain by the clock waits. */
  get isSetBack(): boolean {
    return this.#jumpedMs < this.#furthestMs;
  }

  get isSlow(): boolean {
    return this.#slowMs > 0;
  }

  /** Somebody sets the clock. A running process has to look again. */
  jump(byMs: number): void {
    this.#jumpedMs += byMs;
    this.#furthestMs = Math.max(this.#furthestMs, this.#jumpedMs);
    this.#write();
  }

  /** From now on each write takes so much longer. A running process has to look again. */
  slowDown(ms: number): void {
    this.#slowMs = ms;
    this.#write();
  }

  #write(): void {
    const text = JSON.stringify({ jumpedMs: this.#jumpedMs, slowMs: this.#slowMs });
    // In its place: processes have it open.
    const file = openSync(this.file, constants.O_RDWR | constants.O_CREAT);
    writeSync(file, text.padEnd(FILE_BYTES), 0);
    closeSync(file);
  }
}
