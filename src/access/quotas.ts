/**
 * Quotas of callers: API keys and rate limits of a managed node, for all interfaces of a devnet together
 * (protocol/v1.md#authentication-and-rate-limits-of-the-real-service). One object for each devnet, made only if an
 * option asks for it. A caller is its API key, or without one its address. Time is injected; sockets are unknown here.
 */

import { RecentMap } from '../primitives/recent-map.js';
import { QuotaRefusal, unknownKey } from './quota-refusal.js';

/** The headers, or metadata, that can contain a key; clients use either. */
const KEY_HEADERS = ['chain-pro-api-key', 'tron-pro-api-key'] as const;

/** Limits of one key; omitted ones are those of all keys. */
export interface KeyLimits {
  readonly requestsPerSecond?: number | undefined;
  readonly requestsPerDay?: number | undefined;
}

export interface QuotaSettings {
  /** By key. Empty: any key is accepted, and counted separately. */
  readonly keys: ReadonlyMap<string, KeyLimits>;
  /** Requests per second without a key, for each address. Infinity: unlimited. */
  readonly anonymousPerSecond: number;
  /** Requests per second with a key. Infinity: unlimited. */
  readonly keyPerSecond: number;
  /** Requests with a key on a UTC day; above it, only `beyondPerSecond`. Infinity: unlimited. */
  readonly keyPerDay: number;
  /** Requests per second of a key above its daily limit; 0: none until the next day. */
  readonly beyondPerSecond: number;
  /** Suspension of a caller above its limit. 0: until the second is over. */
  readonly suspendSeconds: number;
  readonly status: 403 | 429;
}

/** Defaults; days and suspensions are those of the service. */
export const UNLIMITED: Omit<QuotaSettings, 'keys'> = {
  anonymousPerSecond: Number.POSITIVE_INFINITY,
  keyPerSecond: Number.POSITIVE_INFINITY,
  keyPerDay: Number.POSITIVE_INFINITY,
  beyondPerSecond: 5,
  suspendSeconds: 30,
  status: 429,
};

/** Longer text is not a key: memory for a caller is bounded. */
const MAX_KEY_LENGTH = 256;
/** Number of remembered callers, besides the keys of the settings; the least recent one is forgotten first. */
export const MAX_CALLERS = 10_000;
const SECOND_MS = 1_000;
const DAY_MS = 86_400_000;

/** Headers of a request by lower-case name, or gRPC's metadata. */
export type Headers = Readonly<Record<string, string | number | readonly string[] | undefined>>;

/** Identity of a caller: `key …` or `address …`. */
export type Caller = string;

/** A caller's count in the current span: a second, or while `suspended` the suspension. */
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
  /** Keys of the settings, added on first use. */
  readonly #known = new Map<Caller, Account>();
  /** Others, least recent first. */
  readonly #others = new RecentMap<Caller, Account>(MAX_CALLERS);

  /** @param nowMs milliseconds since 1970 */
  constructor(settings: QuotaSettings, nowMs: () => number) {
    this.#settings = settings;
    this.#nowMs = nowMs;
  }

  /** HTTP status for callers above a limit. */
  get refusedWith(): 403 | 429 {
    return this.#settings.status;
  }

  /**
   * Identifies the caller. Empty keys count as none; a client that sends two different keys has an unknown key.
   *
   * @throws QuotaRefusal for an unknown key
   */
  caller(headers: Headers, address: string): Caller {
    let key: string | undefined;
    for (const value of KEY_HEADERS.flatMap((name) => headers[name] ?? [])) {
      // HTTP joins repeated headers like this.
      for (const part of String(value).split(',')) {
        const one = part.trim();
        if (one === '' || one === key) continue;
        if (key !== undefined || one.length > MAX_KEY_LENGTH) throw unknownKey();
        key = one;
      }
    }
    // An IPv4 address on an IPv6 socket.
    if (key === undefined) return `address ${address.replace(/^::ffff:/, '')}`;
    const { keys } = this.#settings;
    if (keys.size > 0 && !keys.has(key)) throw unknownKey();
    return `key ${key}`;
  }

  /** The caller's requests of this second. */
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
   * Counts a request. Above `requests` it is refused, and the caller is suspended for `waitMs`. Requests during a
   * suspension neither prolong it nor count for the day.
   */
  count(caller: Caller, limit: number): { readonly requests: number; readonly waitMs: number } {
    if (limit === Number.POSITIVE_INFINITY && this.#isWithoutDay(caller)) return { requests: 0, waitMs: 0 };
    const nowMs = this.#nowMs();
    const account = this.#account(caller);
    // A clock that was set back must not prolong a suspension.
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

  /** The refusal for a caller above a limit. */
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

  /** Checks all limits. @throws QuotaRefusal for a refused caller */
  admit(headers: Headers, address: string): void {
    const caller = this.caller(headers, address);
    const limit = this.limit(caller);
    const { requests, waitMs } = this.count(caller, limit);
    if (requests > limit) throw this.refusal(caller, limit, waitMs);
  }

  /** Number of remembered callers. */
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
