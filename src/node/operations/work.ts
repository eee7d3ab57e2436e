/** Long work on the chain, as those see it who wait: who wants it, how far it is, and what it is called. */

import { BusyError, type OperationError } from '../../errors/operation-error.js';

/** Whoever has asked for work, and may be gone before it is done: a connection that is closed, a signal that is given. */
export interface Asker {
  readonly isGone: () => boolean;
}

/** What others are told of work. */
export interface WorkAsked {
  /** `mine`, `reorg` */
  readonly name: string;
  /** Absent: somebody who waits in any case. */
  readonly asker?: Asker | undefined;
}

/** How far work is: 3 of 10 blocks. */
export interface Progress {
  readonly done: number;
  readonly total: number;
  /** `blocks`, `epochs`, `ms` */
  readonly unit: string;
}

/**
 * So often work has to have given way before whoever waits for it is told instead: ten seconds, where it holds the loop
 * for as long as it may.
 */
const LONG_BREATHS = 1_000;

export class Work {
  readonly name: string;
  readonly #asker: Asker | undefined;
  readonly #tell: ((error: OperationError) => void) | undefined;
  #breaths = 0;
  #isTold = false;
  /** How far it is; asked for when somebody wants to know. */
  progress: (() => Progress) | undefined;

  /** @param tell called when it need not be waited for any more */
  constructor({ name, asker }: WorkAsked, tell?: (error: OperationError) => void) {
    this.name = name;
    this.#asker = asker;
    this.#tell = tell;
  }

  /** Nobody waits for it any more. */
  get isAbandoned(): boolean {
    return this.#isTold || this.#asker?.isGone() === true;
  }

  /** Others have had their turn. */
  yielded(): void {
    this.#breaths++;
  }

  get isLong(): boolean {
    return this.#breaths >= LONG_BREATHS;
  }

  /** `mine, 3 of 10 blocks` */
  get text(): string {
    const progress = this.progress?.();
    return progress === undefined
      ? this.name
      : `${this.name}, ${progress.done} of ${progress.total} ${progress.unit} done`;
  }

  /** Tells whoever has asked for this work that another one takes long. Who waits in any case is not told. */
  waitsFor(other: Work): void {
    if (this.#asker === undefined || this.#isTold) return;
    this.#isTold = true;
    this.#tell?.(
      new BusyError(`${this.name}: the node is busy (${other.text}). Try again later, or cancel that request`),
    );
  }
}
