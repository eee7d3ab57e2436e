/**
 * A process that lives worlds, seen from its parent. The process says before each step which one it takes: a world that
 * does not end, or that takes its process with it, is a failure at a step like any other, and can be shrunk.
 */

import { type ChildProcess, fork } from 'node:child_process';
import type { Readable } from 'node:stream';
import type { InvariantName } from '../invariants/invariants.js';
import { PULSE_FD, StepMeasure } from './pulse.js';
import type { Life } from './steps.js';

export interface Order {
  readonly seed: number;
  readonly steps: readonly number[];
}

export interface WorkerLife extends Life {
  /** Processor time of the process, also of its other threads. */
  readonly processorMs: number;
}

interface Begun {
  readonly step: number;
  readonly action: string;
}

export type Told = Begun | { readonly life: WorkerLife };

/** When a step has no end. A simulated world only works; real nodes are waited for. */
export type StepLimit = { readonly processorMs: number } | { readonly realMs: number };

/** Of what a process wrote before it ended. */
const LAST_WORDS_CHARACTERS = 4_000;

export class Worker {
  #process: ChildProcess | undefined;
  #lastWords = '';

  /**
   * @param file the bundled simulator
   * @param limit a step that takes more has no end
   * @param words arguments of the process
   */
  constructor(
    private readonly file: string,
    private readonly limit: StepLimit,
    private readonly words: readonly string[] = [],
  ) {}

  /** Lives a world, in a process of its own if the last one has ended. */
  live(order: Order): Promise<WorkerLife> {
    this.#process ??= this.#begin();
    const child = this.#process;
    let at: Begun = { step: -1, action: 'start' };
    return new Promise((resolve, reject) => {
      const lost = (why: string) => {
        this.end();
        done(lostLife(order.seed, at, 'work comes to an end', why));
      };
      const watch = this.#watch(child, lost);
      const onMessage = (told: Told) => {
        if ('life' in told) return done(told.life);
        at = told;
        watch.next();
      };
      const onClose = (code: number | null, signal: string | null) => {
        this.#process = undefined;
        const what = `the step ended the process of the world (${signal ?? code}): ${this.#lastWords}`;
        done(lostLife(order.seed, at, 'no error without a name', what));
      };
      const done = (life: WorkerLife) => {
        watch.end();
        child.off('message', onMessage).off('close', onClose).off('error', reject);
        resolve(life);
      };
      child.on('message', onMessage).on('close', onClose).on('error', reject);
      child.send(order);
    });
  }

  /** Watches the steps of a life. @param lost called with the reason once a step has no end */
  #watch(child: ChildProcess, lost: (why: string) => void): { readonly next: () => void; readonly end: () => void } {
    const { limit } = this;
    if ('realMs' in limit) {
      const why = `the step did not end in ${limit.realMs / 1_000} s of real time`;
      const timer = setTimeout(() => lost(why), limit.realMs);
      return { next: () => timer.refresh(), end: () => clearTimeout(timer) };
    }
    const measure = new StepMeasure(limit.processorMs);
    const pulse = child.stdio[PULSE_FD] as Readable;
    const hear = (text: string) => {
      const why = measure.hear(text);
      if (why !== undefined) lost(why);
    };
    pulse.on('data', hear);
    return { next: () => measure.begin(), end: () => pulse.off('data', hear) };
  }

  #begin(): ChildProcess {
    const child = fork(this.file, this.words, {
      execArgv: ['--enable-source-maps'],
      serialization: 'advanced',
      // The last one is `PULSE_FD`.
      stdio: ['ignore', 'inherit', 'pipe', 'ipc', 'pipe'],
    });
    this.#lastWords = '';
    (child.stdio[PULSE_FD] as Readable).setEncoding('utf8').resume();
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#lastWords = (this.#lastWords + text).slice(-LAST_WORDS_CHARACTERS);
    });
    return child;
  }

  end(): void {
    // A process that works without an end hears no other signal.
    this.#process?.kill('SIGKILL');
    this.#process = undefined;
  }
}

/** Of a world whose process is gone only the step is known. */
function lostLife(seed: number, { step, action }: Begun, invariant: InvariantName, what: string): WorkerLife {
  return {
    digest: '',
    failure: { seed, step, action, invariant, what },
    counts: { steps: new Map(), faults: new Map(), requests: 0, refusals: 0, blocks: 0 },
    chainMs: 0,
    machineMs: 0,
    processorMs: 0,
  };
}
