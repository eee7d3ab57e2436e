/**
 * Fair scheduling of requests on the event loop. Requests that arrive in the same round are answered in order of
 * arrival until {@link HOLD_MS} have passed; then the loop runs, so that timers fire and sockets are read, before the
 * next request. Work in steps asks for a turn between the steps. Answering requests together, and not each where it is
 * read, keeps the virtual machine's code in the processor's caches, and lets threads recover the signers of their
 * transactions meanwhile (`signers/threads.ts`). A longer turn strains the loop. While the loop is strained, slow
 * requests, and requests of callers with high recent use, wait until all others are answered and no new request
 * arrives. Among those, the caller with the least use goes first; callers within their fair share go in order of arrival.
 * Nothing is refused.
 */

/** The longest wait for other requests, in addition to one step of theirs. */
const HOLD_MS = 10;

/**
 * A caller that sends the next request soon after an answer is likely to send more. For this time the loop polls
 * without sleeping: if caller and server sleep in turns, waking takes longer than most answers
 * (docs/decisions/2026-11-23-calls-and-broadcasts.md). The cost is one idle period after the caller stops.
 */
const AGAIN_MS = 0.2;

/** After a long turn the loop counts as strained for this time. */
const STRAINED_MS = 1_000;
/** Half-life of a caller's counted use. */
const HALF_LIFE_MS = 1_000;
/** A caller with more recent use than this waits behind others while the loop is strained. */
const FAIR_SHARE_MS = 50;

/**
 * libuv accepts one connection per round of the loop, and reads a request one or two rounds later. After this number
 * of rounds without an arrival, all waiting requests have been read.
 */
const QUIET_ROUNDS = 4;
/**
 * In addition, this fraction of the long turn is left for clients that need an answer before they send a request
 * (HTTP/2, WebSocket).
 */
const QUIET_PART = 1 / 50;
const MAX_QUIET_MS = 10;
/** A request that has waited this number of rounds and this time goes on although others still arrive. */
const PATIENT_ROUNDS = 64;
const PATIENT_MS = 100;
/** Arriving connections do not prolong the wait beyond Node's default backlog of a port. */
const MAX_ROUNDS = 512;

/** A caller: one for each connection. Its use of the loop is counted here. */
export class Caller {
  #usedMs = 0;
  #atMs = 0;

  /** Its recent use of the loop. */
  usedMs(nowMs: number): number {
    return this.#usedMs * 0.5 ** ((nowMs - this.#atMs) / HALF_LIFE_MS);
  }

  /** Adds to its use. */
  charge(ms: number, nowMs: number): void {
    this.#usedMs = this.usedMs(nowMs) + ms;
    this.#atMs = nowMs;
  }
}

const callers = new WeakMap<object, Caller>();

/** @param connection identity of the caller: its socket */
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
  /** Whether the work starts with `go`, and continues in promises. */
  readonly goesOnLater: boolean;
  readonly caller: Caller | undefined;
  /** Whether it may take long, for example because it executes a contract. */
  readonly isCostly: boolean;
}

class Turns {
  #waiting: Waiting[] = [];
  /** The first request without a turn. */
  #next = 0;
  /** Requests that wait behind the others. */
  #behind: Waiting[] = [];
  #isGoing = false;
  #sinceMs = Number.NEGATIVE_INFINITY;
  /** When the last request was answered. */
  #doneMs = Number.NEGATIVE_INFINITY;
  /** Whether the last request arrived soon after the previous ones. */
  #isAwaited = false;

  /** The request whose turn it is, and since when. */
  #caller: Caller | undefined;
  #turnMs: number | undefined;
  #strainedUntilMs = Number.NEGATIVE_INFINITY;

  /** The request that continues without waiting. */
  #goesOn: Caller | undefined;

  /** Whether delayed requests wait until no new request arrives. */
  #isLooking = false;
  #quietMs = 0;
  /** Rounds and time since the last turn of a delayed request. */
  #rounds = 0;
  #passedOverMs = Number.NEGATIVE_INFINITY;
  /** Rounds without an arrival, and time of the last arrival. */
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
   * Whether a working request may continue at once. If several ask in one round before any has worked, only the first
   * may.
   */
  isFreeFor(caller: Caller | undefined): boolean {
    if (this.isWaitedFor || performance.now() - this.#sinceMs >= HOLD_MS) return false;
    if (this.#goesOn === undefined) {
      this.#goesOn = caller ?? new Caller();
      // After all present promise callbacks.
      process.nextTick(this.#wentOn);
      return true;
    }
    return this.#goesOn === caller;
  }

  readonly #wentOn = (): void => {
    this.#goesOn = undefined;
  };

  /** Whether a recent turn was long. */
  get isStrained(): boolean {
    return this.#behind.length > 0 || performance.now() < this.#strainedUntilMs;
  }

  /** Whether a request waits for a turn. */
  get isWaitedFor(): boolean {
    return this.#next < this.#waiting.length || this.#behind.length > 0;
  }

  readonly #round = (): void => {
    const nowMs = performance.now();
    this.#sinceMs = nowMs;
    if (this.#behind.length > 0) this.#lookAround(nowMs);
    this.#step();
  };

  /** Due timers run one after another without reading sockets. */
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
      // After all present promise callbacks: only then its duration is known.
      queueMicrotask(() => process.nextTick(this.#step));
      return;
    }
  };

  #goRound(): void {
    this.#waiting = this.#waiting.slice(this.#next);
    this.#next = 0;
    // Without arrivals the loop may sleep, so that clients on the same processor can run.
    if (this.#isLooking && this.#quietRounds >= QUIET_ROUNDS && this.#waiting.length === 0) setTimeout(this.#rest, 1);
    else setImmediate(this.#round);
  }

  /** Accounts for the turn that has ended, if any. */
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

  /** The next request; undefined if waiting requests need more rounds. */
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

  /**
   * The request of the caller with the least use; for one caller, the first. Uses within the fair share count as equal:
   * a client that sends transactions on several connections expects them in its order.
   */
  #takeBehind(nowMs: number): Waiting | undefined {
    let least = 0;
    let leastMs = Number.POSITIVE_INFINITY;
    for (const [at, { caller }] of this.#behind.entries()) {
      const usedMs = Math.max(caller?.usedMs(nowMs) ?? 0, FAIR_SHARE_MS);
      if (usedMs >= leastMs) continue;
      least = at;
      leastMs = usedMs;
    }
    const [turn] = this.#behind.splice(least, 1);
    // Its promise callbacks belong to its turn; otherwise several requests would continue at once.
    return turn && { ...turn, goesOnLater: true };
  }

  /** At the start of a round: whether delayed requests may run in it. */
  #lookAround(nowMs: number): void {
    const isNewcomer = this.#isNewcomer;
    this.#rounds++;
    this.#quietRounds = this.#hasHeard ? 0 : this.#quietRounds + 1;
    if (this.#hasHeard) this.#heardMs = nowMs;
    this.#hasHeard = this.#isNewcomer = false;
    if (this.#quietRounds >= QUIET_ROUNDS && nowMs - this.#heardMs >= this.#quietMs) this.#isLooking = false;
    const isPatient = this.#rounds < PATIENT_ROUNDS || nowMs - this.#passedOverMs < PATIENT_MS || isNewcomer;
    this.#goesBehind = !isPatient || this.#rounds >= MAX_ROUNDS;
  }
}

/** Shared by all chains, because they share the event loop. It holds only waiting requests. */
const turns = new Turns();

/** Call it for each accepted connection. */
export function connected(): void {
  turns.connected();
}

/** Calls `go` when it has its turn, in a later round of the event loop. */
export function takeTurn(go: () => void, caller?: Caller, isCostly = false): void {
  turns.join(go, false, caller, isCostly);
}

/** Resolves when the caller has its turn, in a later round of the event loop. */
export function nextTurn(caller?: Caller, isCostly = false): Promise<void> {
  return new Promise((resolve) => turns.join(resolve, true, caller, isCostly));
}

/** For the next step of some work: undefined if it may run at once, otherwise {@link nextTurn}. */
export function turn(caller?: Caller, isCostly = false): Promise<void> | undefined {
  return turns.isFreeFor(caller) ? undefined : nextTurn(caller, isCostly);
}

/** For work that turns out to be slow after it has got its turn: undefined if nothing has to go before it. */
export function costlyTurn(caller?: Caller): Promise<void> | undefined {
  return turns.isStrained ? nextTurn(caller, true) : undefined;
}
