/**
 * Whose turn it is on the event loop. Requests that have arrived in one round of it are answered one after the other, in
 * the order in which they came, until {@link HOLD_MS} are over; then the loop goes round, so that timers fire and sockets
 * are read, before the next one. Whatever works in steps asks for a turn between them.
 *
 * That they are answered together, and not each where it was read, keeps what the processor holds of the virtual machine,
 * and lets signers of their transactions be recovered side by side (`signers/threads.ts`).
 */

/** So long a request may have to wait for others, besides one step of theirs. */
const HOLD_MS = 10;

/**
 * Who asks again so soon after an answer is likely to do so once more, and for so long the loop goes round without
 * sleeping: two processors that sleep in turns, the caller's and ours, take longer to wake than most answers take to make
 * (ARCHITECTURE, "Measurements"). One wait in vain is the cost of a caller who stops.
 */
const AGAIN_MS = 0.2;

interface Waiting {
  readonly go: () => void;
  /** Whether the work begins with `go`, and is done in the promises that it settles. */
  readonly goesOnLater: boolean;
}

class Turns {
  #waiting: Waiting[] = [];
  /** The first of them that has not had its turn. */
  #next = 0;
  #isGoing = false;
  #sinceMs = Number.NEGATIVE_INFINITY;
  /** When nobody was left to be answered. */
  #doneMs = Number.NEGATIVE_INFINITY;
  /** Whether the last of them had come soon after the ones before. */
  #isAwaited = false;

  join(go: () => void, goesOnLater: boolean): void {
    this.#waiting.push({ go, goesOnLater });
    if (this.#isGoing) return;
    this.#isGoing = true;
    this.#isAwaited = performance.now() - this.#doneMs < AGAIN_MS;
    setImmediate(this.#round);
  }

  /** Whether somebody who works may go on at once. */
  get isFree(): boolean {
    return this.#next >= this.#waiting.length && !this.#isOver;
  }

  get #isOver(): boolean {
    return performance.now() - this.#sinceMs >= HOLD_MS;
  }

  readonly #round = (): void => {
    this.#sinceMs = performance.now();
    this.#step();
  };

  readonly #lookAgain = (): void => {
    if (!this.#isGoing && performance.now() - this.#doneMs < AGAIN_MS) setImmediate(this.#lookAgain);
  };

  readonly #step = (): void => {
    for (;;) {
      const turn = this.#waiting[this.#next];
      if (turn === undefined) {
        this.#waiting = [];
        this.#next = 0;
        this.#isGoing = false;
        this.#doneMs = performance.now();
        if (this.#isAwaited) setImmediate(this.#lookAgain);
        return;
      }
      if (this.#isOver) {
        this.#waiting = this.#waiting.slice(this.#next);
        this.#next = 0;
        setImmediate(this.#round);
        return;
      }
      this.#next++;
      try {
        turn.go();
      } catch (error) {
        setImmediate(this.#round);
        throw error;
      }
      if (!turn.goesOnLater) continue;
      // Behind all that is done in promises now: only then it is known how long it took.
      queueMicrotask(() => process.nextTick(this.#step));
      return;
    }
  };
}

/** Shared by all chains: they share the event loop. Holds nothing of any of them but what waits for its turn. */
const turns = new Turns();

/** Calls `go` when it is its turn, in a later round of the event loop. */
export function takeTurn(go: () => void): void {
  turns.join(go, false);
}

/** Resolves when it is the caller's turn, in a later round of the event loop. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => turns.join(resolve, true));
}

/** For the next step of some work: undefined where it may be done at once, otherwise {@link nextTurn}. */
export function turn(): Promise<void> | undefined {
  return turns.isFree ? undefined : nextTurn();
}
