/**
 * How much of a processor the process of a world has used, told every second by a thread of its own: the world's thread
 * says nothing while a step works without an end. On a loaded machine real time passes without work, so a step is measured
 * by this and not by real time. Nothing of it enters the world.
 */

import { Worker as Thread } from 'node:worker_threads';

/** The file descriptor over which the process tells it. */
export const PULSE_FD = 4;
const PULSE_MS = 1_000;

/** Of one real second: what the pulse itself costs is far below, what a world gets on the most loaded machine above. */
const IDLE_MS_A_PULSE = 5;

/** In the process of the world: begins to tell. Without a parent to hear it, a step without an end would work for ever. */
export function beginPulse(): void {
  const source = `
    const { writeSync } = require('node:fs');
    setInterval(() => {
      const { user, system } = process.cpuUsage();
      try {
        writeSync(${PULSE_FD}, (user + system) + '\\n');
      } catch {
        process.kill(process.pid, 'SIGKILL');
      }
    }, ${PULSE_MS});`;
  new Thread(source, { eval: true }).unref();
}

/** In its parent: measures one step after the other. */
export class StepMeasure {
  /** Of the process in all its worlds; undefined until the first pulse of this one. */
  #usedUs: number | undefined;
  #beganUs = 0;
  #pulses = 0;
  #rest = '';

  /** @param longestMs processor time of a step that has no end; so many seconds without any are no end either */
  constructor(private readonly longestMs: number) {}

  /** A new step. It is charged with what the one before used since the last pulse, at most a second of each thread. */
  begin(): void {
    this.#beganUs = this.#usedUs ?? 0;
    this.#pulses = 0;
  }

  /** @param text what the process has told @returns why the step has no end, if it has none */
  hear(text: string): string | undefined {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() as string;
    for (const line of lines) {
      const usedUs = Number(line);
      if (this.#usedUs === undefined) this.#beganUs = usedUs;
      this.#usedUs = usedUs;
      this.#pulses++;
    }
    if (this.#usedUs === undefined) return undefined;
    const stepMs = (this.#usedUs - this.#beganUs) / 1_000;
    if (stepMs >= this.longestMs) return `the step did not end in ${this.longestMs / 1_000} s of a processor`;
    const isIdle = stepMs < this.#pulses * IDLE_MS_A_PULSE;
    if (isIdle && this.#pulses * PULSE_MS >= this.longestMs)
      return `the step waits for something that does not come: in ${this.#pulses} s it used ${stepMs} ms of a processor`;
    return undefined;
  }
}
