/** Long work on the chain, for those who wait: who requested it, its progress, and its name. */

import { BusyError, type OperationError } from '../../errors/operation-error.js';

/** The requester of work, who may cancel it: a closed connection, an abort signal. */
export interface Requester {
  readonly isGone: () => boolean;
}

/** Description of work for others. */
export interface WorkOptions {
  /** `mine`, `reorg` */
  readonly name: string;
  /** Absent: a requester that waits in any case. */
  readonly requester?: Requester | undefined;
}

/** Progress: 3 of 10 blocks. */
export interface Progress {
  readonly done: number;
  readonly total: number;
  /** `blocks`, `epochs`, `ms` */
  readonly unit: string;
}

/** After this number of turns, waiting callers get an error: about ten seconds of work. */
const LONG_TURNS = 1_000;

export class Work {
  readonly name: string;
  readonly #requester: Requester | undefined;
  readonly #tell: ((error: OperationError) => void) | undefined;
  #breaths = 0;
  #isTold = false;
  /** Progress, computed on request. */
  progress: (() => Progress) | undefined;

  /** @param tell called when nobody waits any more */
  constructor({ name, requester }: WorkOptions, tell?: (error: OperationError) => void) {
    this.name = name;
    this.#requester = requester;
    this.#tell = tell;
  }

  /** Nobody waits for it any more. */
  get isAbandoned(): boolean {
    return this.#isTold || this.#requester?.isGone() === true;
  }

  /** Others have had their turn. */
  yielded(): void {
    this.#breaths++;
  }

  get isLong(): boolean {
    return this.#breaths >= LONG_TURNS;
  }

  /** `mine, 3 of 10 blocks` */
  get text(): string {
    const progress = this.progress?.();
    return progress === undefined
      ? this.name
      : `${this.name}, ${progress.done} of ${progress.total} ${progress.unit} done`;
  }

  /** Informs the requester that other work takes long; requesters that wait in any case are not informed. */
  waitsFor(other: Work): void {
    if (this.#requester === undefined || this.#isTold) return;
    this.#isTold = true;
    this.#tell?.(
      new BusyError(`${this.name}: the node is busy (${other.text}). Try again later, or cancel that request`),
    );
  }
}
