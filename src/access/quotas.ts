/**
 * How much a caller may ask for: the API keys and request limits of a managed node, for all interfaces of a devnet
 * together (protocol/v1.md#authentication-and-rate-limits-of-the-real-service). One object a devnet, made only where an
 * option asks for it. A caller is the key that it sends, or without one its address. Time is handed in; nothing here
 * knows a socket or a wire.
 */

import { RecentMap } from '../primitives/recent-map.js';
import { QuotaRefusal, unknownKey } from './quota-refusal.js';

/** The headers, or metadata, that a key comes in; both are read, because clients are written for either. */
const KEY_HEADERS = ['chain-pro-api-key', 'tron-pro-api-key'] as const;

/** Of one key; what is not given is that of all keys. */
export interface KeyLimits {
  readonly requestsPerSecond?: number | undefined;
  readonly requestsPerDay?: number | undefined;
}

export interface QuotaSettings {
  /** By key. Empty: any key is taken, and counted by itself. */
  readonly keys: ReadonlyMap<string, KeyLimits>;
  /** Requests a second without a key, each address by itself. Infinity: not limited. */
  readonly anonymousPerSecond: number;
  /** Requests a second with a key. Infinity: not limited. */
  readonly keyPerSecond: number;
  /** Requests with a key on a day of UTC before it has `beyondPerSecond` only. Infinity: not limited. */
  readonly keyPerDay: number;
  /** Requests a second of a key whose day is used up; 0: none until the next day. */
  readonly beyondPerSecond: number;
  /** How long a caller that asked for too much gets nothing. 0: until its second is over. */
  readonly suspendSeconds: number;
  readonly status: 403 | 429;
}

/** Where an option says nothing; days and suspensions as the service has them. */
export const UNLIMITED: Omit<QuotaSettings, 'keys'> = {
  anonymousPerSecond: Number.POSITIVE_INFINITY,
  keyPerSecond: Number.POSITIVE_INFINITY,
  keyPerDay: Number.POSITIVE_INFINITY,
  beyondPerSecond: 5,
  suspendSeconds: 30,
  status: 429,
};

/** More text than this is no key: what is kept of a caller is bounded. */
const MAX_KEY_LENGTH = 256;
/** Callers that are remembered, beside the keys of the settings; the one that asked longest ago is forgotten first. */
export const MAX_CALLERS = 10_000;
const SECOND_MS = 1_000;
const DAY_MS = 86_400_000;

/** Headers of a request by lower-case name, or gRPC's metadata. */
export type Headers = Readonly<Record<string, string | number | readonly string[] | undefined>>;

/** Who asks: `key …` or `address …`. */
export type Caller = string;

/** What a caller has asked for in the span that runs: a second, or while `suspended` the suspension. */
interface Account {
  startMs: number;
  endMs: number;
  requests: number;
  suspended: boolean;
  day: number;
  requestsOfDay: number;
}

export class Quotas {
  readonly #settings: QuotaSettings;
  readonly #nowMs: () => number;
  /** Of the settings' keys, as they are met. */
  readonly #known = new Map<Caller, Account>();
  /** The others, in the order in which they last asked. */
  readonly #others = new RecentMap<Caller, Account>(MAX_CALLERS);

  /** @param nowMs milliseconds since 1970 */
  constructor(settings: QuotaSettings, nowMs: () => number) {
    this.#settings = settings;
    this.#nowMs = nowMs;
  }

  /** Status of HTTP for who asked for too much. */
  get refusedWith(): 403 | 429 {
    return this.#settings.status;
  }

  /**
   * Who asks. Empty keys count for none; a client that sends two different ones has no key that exists.
   *
   * @throws QuotaRefusal for a key that is none
   */
  caller(headers: Headers, address: string): Caller {
    let key: string | undefined;
    for (const value of KEY_HEADERS.flatMap((name) => headers[name] ?? [])) {
      // As HTTP joins several of a name.
      for (const part of String(value).split(',')) {
        const one = part.trim();
        if (one === '' || one === key) continue;
        if (key !== undefined || one.length > MAX_KEY_LENGTH) throw unknownKey();
        key = one;
      }
    }
    // An address of version 4 as a socket of version 6 has it.
    if (key === undefined) return `address ${address.replace(/^::ffff:/, '')}`;
    const { keys } = this.#settings;
    if (keys.size > 0 && !keys.has(key)) throw unknownKey();
    return `key ${key}`;
  }

  /** Requests that the caller has this second. */
  limit(caller: Caller): number {
    const { keys, anonymousPerSecond, keyPerSecond, keyPerDay, beyondPerSecond } = this.#settings;
    const key = keyOf(caller);
    if (key === undefined) return anonymousPerSecond;
    const own = keys.get(key);
    const perSecond = own?.requestsPerSecond ?? keyPerSecond;
    const perDay = own?.requestsPerDay ?? keyPerDay;
    if (perDay === Number.POSITIVE_INFINITY) return perSecond;
    const account = this.#account(caller);
    const isUsedUp = account.day === dayOf(this.#nowMs()) && account.requestsOfDay >= perDay;
    return isUsedUp ? Math.min(perSecond, beyondPerSecond) : perSecond;
  }

  /**
   * Counts a request. It is one too many where `requests` is above the limit; then nothing is to be had for `waitMs`.
   * Those that come meanwhile do not make that longer, and are not counted for the day.
   */
  count(caller: Caller, limit: number): { readonly requests: number; readonly waitMs: number } {
    if (limit === Number.POSITIVE_INFINITY && this.#isWithoutDay(caller)) return { requests: 0, waitMs: 0 };
    const nowMs = this.#nowMs();
    const account = this.#account(caller);
    // A clock that was set back must not make a suspension longer than it was meant to be.
    if (nowMs >= account.endMs || nowMs < account.startMs) {
      account.startMs = nowMs;
      account.endMs = nowMs + SECOND_MS;
      account.requests = 0;
      account.suspended = false;
    }
    if (!account.suspended) {
      account.requests++;
      if (account.requests <= limit) {
        const day = dayOf(nowMs);
        account.requestsOfDay = account.day === day ? account.requestsOfDay + 1 : 1;
        account.day = day;
      } else {
        account.suspended = true;
        account.startMs = nowMs;
        account.endMs =
          limit === 0
            ? (dayOf(nowMs) + 1) * DAY_MS
            : Math.max(account.endMs, nowMs + this.#settings.suspendSeconds * SECOND_MS);
      }
    }
    const requests = account.suspended ? Math.max(account.requests, limit + 1) : account.requests;
    return { requests, waitMs: account.endMs - nowMs };
  }

  /** What a caller is told that asked for too much. */
  refusal(caller: Caller, limit: number, waitMs: number): QuotaRefusal {
    const { status } = this.#settings;
    const seconds = Math.ceil(waitMs / SECOND_MS);
    if (keyOf(caller) === undefined) {
      const text = `request rate exceeded the allowed_rps(${limit}), and the query server is suspended for ${seconds}s`;
      return new QuotaRefusal(status, text, text, seconds);
    }
    const text = `The key exceeds the frequency limit(${limit}), and the query server is suspended for ${seconds}`;
    return new QuotaRefusal(status, `${text} s`, `${text}s`, seconds);
  }

  /** All of it at once. @throws QuotaRefusal for who is not to be answered */
  admit(headers: Headers, address: string): void {
    const caller = this.caller(headers, address);
    const limit = this.limit(caller);
    const { requests, waitMs } = this.count(caller, limit);
    if (requests > limit) throw this.refusal(caller, limit, waitMs);
  }

  /** Callers that are remembered. */
  get size(): number {
    return this.#known.size + this.#others.size;
  }

  #isWithoutDay(caller: Caller): boolean {
    const key = keyOf(caller);
    const { keys, keyPerDay } = this.#settings;
    return key === undefined || (keys.get(key)?.requestsPerDay ?? keyPerDay) === Number.POSITIVE_INFINITY;
  }

  #account(caller: Caller): Account {
    const key = keyOf(caller);
    const isKnown = key !== undefined && this.#settings.keys.has(key);
    const accounts = isKnown ? this.#known : this.#others;
    const account = accounts.get(caller) ?? {
      startMs: 0,
      endMs: 0,
      requests: 0,
      suspended: false,
      day: 0,
      requestsOfDay: 0,
    };
    accounts.set(caller, account);
    return account;
  }
}

function keyOf(caller: Caller): string | undefined {
  return caller.startsWith('key ') ? caller.slice(4) : undefined;
}

/** Days of UTC since 1970. */
function dayOf(timestampMs: number): number {
  return Math.floor(timestampMs / DAY_MS);
}
