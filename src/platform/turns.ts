/**
 * Whose turn it is on the event loop. Requests that have arrived in one round of it are answered one after the other, in
 * the order in which they came, until {@link HOLD_MS} are over; then the loop goes round, so that timers fire and sockets
 * are read, before the next one. Whatever works in steps asks for a turn between them.
 *
 * That they are answered together, and not each where it was read, keeps what the processor holds of the virtual machine,
 * and lets signers of their transactions be recovered side by side (`signers/threads.ts`).
 *
 * A turn that takes longer than that strains the loop. From then on, until no turn was long for a while, what may take
 * long, and whatever is asked by a caller who has used much of the loop lately, waits until everybody else is answered
 * and nobody new comes in. Of those that wait so, the caller who has used least goes first. Nobody is refused.
 */

/** So long a request may have to wait for others, besides one step of theirs. */
const HOLD_MS = 10;

/**
 * Who asks again so soon after an answer is likely to do so once more, and for so long the loop goes round without
 * sleeping: two processors that sleep in turns, the caller's and ours, take longer to wake than most answers take to make
 * (docs/decisions/2026-11-23-calls-and-broadcasts.md). One wait in vain is the cost of a caller who stops.
 */
const AGAIN_MS = 0.2;

/** So long after a long turn the loop counts as strained. */
const STRAINED_MS = 1_000;
/** In this time half of what a caller has used is forgotten. */
const HALF_LIFE_MS = 1_000;
/** A caller who has used more than this lately waits behind others while the loop is strained. */
const FAIR_SHARE_MS = 50;

/**
 * The operating system's queue of new connections is emptied by one in a round of the loop (libuv accepts one at a time),
 * and a request is read one or two rounds after its connection was accepted. So many rounds in which nothing came say that
 * everybody is in.
 */
const QUIET_ROUNDS = 4;
/** Besides, this part of the long turn is left to clients who have to be answered before they ask (HTTP/2, WebSocket). */
const QUIET_PART = 1 / 50;
const MAX_QUIET_MS = 10;
/** What has waited for so many rounds, and so long, goes on although others still come. */
const PATIENT_ROUNDS = 64;
const PATIENT_MS = 100;
/** Connections that come do not prolong that beyond what Node lets wait for a port. */
const MOST_ROUNDS = 512;

/** Who asks: one for each connection. What it has used of the loop is counted here. */
export class Caller {
  #usedMs = 0;
  #atMs = 0;

  /** How long it has held the loop of late. */
  usedMs(nowMs: number): number {
    return this.#usedMs * 0.5 ** ((nowMs - this.#atMs) / HALF_LIFE_MS);
  }

  /** It has held the loop for so long. */
  charge(ms: number, nowMs: number): void {
    this.#usedMs = this.usedMs(nowMs) + ms;
    this.#atMs = nowMs;
  }
}

const callers = new WeakMap<object, Caller>();

/** @param connection what a caller is known by: its socket */
export function callerOf(connection: object): Caller {
  let caller = callers.get(connection);
  if (caller === undefined) {
    caller = new Caller();
    callers.set(connection, caller);
  }
  return caller;
}

interface Waiting {
  readonly go: () => void;
  /** Whether the work begins with `go`, and is done in the promises that it settles. */
  readonly goesOnLater: boolean;
  readonly caller: Caller | undefined;
  /** Whether it may take long: it executes a contract, for one. */
  readonly isCostly: boolean;
}

class Turns {
  #waiting: Waiting[] = [];
  /** The first of them that has not had its turn. */
  #next = 0;
  /** Those that others go before. */
  #behind: Waiting[] = [];
  #isGoing = false;
  #sinceMs = Number.NEGATIVE_INFINITY;
  /** When nobody was left to be answered. */
  #doneMs = Number.NEGATIVE_INFINITY;
  /** Whether the last of them had come soon after the ones before. */
  #isAwaited = false;

  /** Whose turn it is, and since when. */
  #caller: Caller | undefined;
  #turnMs: number | undefined;
  #strainedUntilMs = Number.NEGATIVE_INFINITY;

  /** Who goes on without having waited. */
  #goesOn: Caller | undefined;

  /** Whether those behind wait until nobody new comes. */
  #isLooking = false;
  #quietMs = 0;
  /** Rounds since one of those behind had its turn, and since when that is. */
  #rounds = 0;
  #passedOverMs = Number.NEGATIVE_INFINITY;
  /** Rounds in which nothing came, and when something came last. */
  #quietRounds = 0;
  #heardMs = Number.NEGATIVE_INFINITY;
  #hasHeard = false;
  #isNewcomer = false;
  #goesBehind = false;

  join(go: () => void, goesOnLater: boolean, caller: Caller | undefined, isCostly: boolean): void {
    this.#waiting.push({ go, goesOnLater, caller, isCostly });
    if (this.#isGoing) return;
    this.#isGoing = true;
    this.#isAwaited = performance.now() - this.#doneMs < AGAIN_MS;
    setImmediate(this.#round);
  }

  /** A connection was accepted. */
  connected(): void {
    this.#hasHeard = true;
    this.#isNewcomer = true;
  }

  /**
   * Whether somebody who works may go on at once. Of several who ask in the same round, before any of them has worked, it
   * is only the first.
   */
  isFreeFor(caller: Caller | undefined): boolean {
    if (this.isWaitedFor || performance.now() - this.#sinceMs >= HOLD_MS) return false;
    if (this.#goesOn === undefined) {
      this.#goesOn = caller ?? new Caller();
      // Behind all that is done in promises now.
      process.nextTick(this.#wentOn);
      return true;
    }
    return this.#goesOn === caller;
  }

  readonly #wentOn = (): void => {
    this.#goesOn = undefined;
  };

  /** Whether a turn was long lately. */
  get isStrained(): boolean {
    return this.#behind.length > 0 || performance.now() < this.#strainedUntilMs;
  }

  /** Whether somebody waits for a turn. */
  get isWaitedFor(): boolean {
    return this.#next < this.#waiting.length || this.#behind.length > 0;
  }

  readonly #round = (): void => {
    const nowMs = performance.now();
    this.#sinceMs = nowMs;
    if (this.#behind.length > 0) this.#lookAround(nowMs);
    this.#step();
  };

  /** Timers that are due follow each other without a look at sockets. */
  readonly #rest = (): void => {
    setImmediate(this.#round);
  };

  readonly #lookAgain = (): void => {
    if (!this.#isGoing && performance.now() - this.#doneMs < AGAIN_MS) setImmediate(this.#lookAgain);
  };

  readonly #step = (): void => {
    for (;;) {
      const nowMs = performance.now();
      this.#end(nowMs);
      if (!this.isWaitedFor) {
        this.#waiting = [];
        this.#next = 0;
        this.#isGoing = false;
        this.#doneMs = nowMs;
        if (this.#isAwaited) setImmediate(this.#lookAgain);
        return;
      }
      const turn = nowMs - this.#sinceMs < HOLD_MS ? this.#take(nowMs) : undefined;
      if (turn === undefined) {
        this.#goRound();
        return;
      }
      this.#caller = turn.caller;
      this.#turnMs = nowMs;
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

  #goRound(): void {
    this.#waiting = this.#waiting.slice(this.#next);
    this.#next = 0;
    // While nothing comes the loop may sleep: clients who share the processor with it get on.
    if (this.#isLooking && this.#quietRounds >= QUIET_ROUNDS && this.#waiting.length === 0) setTimeout(this.#rest, 1);
    else setImmediate(this.#round);
  }

  /** Counts the turn that has ended, if one has. */
  #end(nowMs: number): void {
    if (this.#turnMs === undefined) return;
    const tookMs = nowMs - this.#turnMs;
    this.#turnMs = undefined;
    this.#caller?.charge(tookMs, nowMs);
    if (tookMs < HOLD_MS) return;
    this.#strainedUntilMs = nowMs + STRAINED_MS;
    this.#isLooking = true;
    this.#goesBehind = false;
    this.#quietMs = Math.min(MAX_QUIET_MS, tookMs * QUIET_PART);
    this.#quietRounds = 0;
    this.#rounds = 0;
    this.#heardMs = this.#passedOverMs = nowMs;
  }

  /** Whose turn it is now; undefined where those who wait have to wait for more rounds. */
  #take(nowMs: number): Waiting | undefined {
    if (this.#goesBehind) {
      this.#rounds = 0;
      this.#passedOverMs = nowMs;
      if (this.#behind.length > 0) return this.#takeBehind(nowMs);
    }
    const isStrained = this.#behind.length > 0 || nowMs < this.#strainedUntilMs;
    while (this.#next < this.#waiting.length) {
      const turn = this.#waiting[this.#next++] as Waiting;
      if (!isStrained || !this.#isBehind(turn, nowMs)) {
        this.#hasHeard = true;
        return turn;
      }
      if (this.#behind.length === 0) {
        this.#rounds = 0;
        this.#passedOverMs = nowMs;
      }
      this.#behind.push(turn);
    }
    return this.#isLooking ? undefined : this.#takeBehind(nowMs);
  }

  #isBehind({ isCostly, caller }: Waiting, nowMs: number): boolean {
    return isCostly || (caller !== undefined && caller.usedMs(nowMs) > FAIR_SHARE_MS);
  }

  /** The one whose caller has used least; of one caller the one that came first. */
  #takeBehind(nowMs: number): Waiting | undefined {
    let least = 0;
    let leastMs = Number.POSITIVE_INFINITY;
    for (const [at, { caller }] of this.#behind.entries()) {
      const usedMs = caller?.usedMs(nowMs) ?? 0;
      if (usedMs >= leastMs) continue;
      least = at;
      leastMs = usedMs;
    }
    const [turn] = this.#behind.splice(least, 1);
    // What it does in promises is its, too: else several of them would go on at once.
    return turn && { ...turn, goesOnLater: true };
  }

  /** At the beginning of a round: whether those behind may have their turn in it. */
  #lookAround(nowMs: number): void {
    const isNewcomer = this.#isNewcomer;
    this.#rounds++;
    this.#quietRounds = this.#hasHeard ? 0 : this.#quietRounds + 1;
    if (this.#hasHeard) this.#heardMs = nowMs;
    this.#hasHeard = this.#isNewcomer = false;
    if (this.#quietRounds >= QUIET_ROUNDS && nowMs - this.#heardMs >= this.#quietMs) this.#isLooking = false;
    const isPatient = this.#rounds < PATIENT_ROUNDS || nowMs - this.#passedOverMs < PATIENT_MS || isNewcomer;
    this.#goesBehind = !isPatient || this.#rounds >= MOST_ROUNDS;
  }
}

/** Shared by all chains: they share the event loop. Holds nothing of any of them but what waits for its turn. */
const turns = new Turns();

/** To be called for each connection that is accepted. */
export function connected(): void {
  turns.connected();
}

/** Calls `go` when it is its turn, in a later round of the event loop. */
export function takeTurn(go: () => void, caller?: Caller, isCostly = false): void {
  turns.join(go, false, caller, isCostly);
}

/** Resolves when it is the caller's turn, in a later round of the event loop. */
export function nextTurn(caller?: Caller, isCostly = false): Promise<void> {
  return new Promise((resolve) => turns.join(resolve, true, caller, isCostly));
}

/** Whether others wait for their turn now. */
export function othersWait(): boolean {
  return turns.isWaitedFor;
}

/** For the next step of some work: undefined where it may be done at once, otherwise {@link nextTurn}. */
export function turn(caller?: Caller, isCostly = false): Promise<void> | undefined {
  return turns.isFreeFor(caller) ? undefined : nextTurn(caller, isCostly);
}

/** For what may take long, and has had a turn before it was known to: undefined where nobody has to go before it. */
export function costlyTurn(caller?: Caller): Promise<void> | undefined {
  return turns.isStrained ? nextTurn(caller, true) : undefined;
}
