/** API keys and request limits as options: their syntax, and their conversion for `access/quotas.ts`. */

import type { KeyLimits, QuotaSettings } from '../access/quotas.js';
import { readTextUpTo, TooLargeError } from '../platform/bounded-text.js';
import { BadValue, type Kind } from './kinds.js';

const KEY = /^([\w.+/~-]{1,254}={0,2})(?:=(\d{1,7})(?:\/(\d{1,10}))?)?$/;
const KEY_HINT = 'Write KEY, KEY=15 (requests per second) or KEY=15/1000 (per second and per day)';

/**
 * API keys, optionally with their own limits. On a command line also `@FILE`, with one key a line. No message contains
 * a key.
 */
export const apiKeys: Kind<readonly string[], ReadonlyMap<string, KeyLimits>> = {
  placeholder: '<key|@file>',
  type: 'string[]',
  fromText: (text, before = []) => [
    ...before,
    ...text.split(',').flatMap((one) => (one.startsWith('@') ? linesOf(one.slice(1)) : one.trim())),
  ],
  check: (values) => {
    if (!Array.isArray(values)) throw new BadValue('is not a list of strings', KEY_HINT);
    const keys = new Map<string, KeyLimits>();
    for (const [index, value] of values.entries()) {
      const match = typeof value === 'string' ? KEY.exec(value) : null;
      if (match === null) throw new BadValue(`has an invalid key at position ${index + 1}`, KEY_HINT);
      const [, key, perSecond, perDay] = match;
      if (keys.has(key!)) throw new BadValue(`has the key of position ${index + 1} twice`);
      if (Number(perSecond) === 0) throw new BadValue(`allows the key of position ${index + 1} 0 requests a second`);
      keys.set(key!, {
        requestsPerSecond: perSecond === undefined ? undefined : Number(perSecond),
        requestsPerDay: perDay === undefined ? undefined : Number(perDay),
      });
    }
    return keys;
  },
};

const MAX_KEY_BYTES = 16 * 1024 * 1024;

function linesOf(file: string): string[] {
  try {
    const lines = readTextUpTo(file, MAX_KEY_BYTES).split('\n');
    return lines.map((line) => line.trim()).filter((line) => line !== '' && !line.startsWith('#'));
  } catch (error) {
    throw new BadValue(
      `names the file "${file}", which cannot be read (${error instanceof TooLargeError ? error.message : (error as NodeJS.ErrnoException).code})`,
    );
  }
}

/** Limits of callers; an omitted one does not apply. */
export interface RateLimit {
  /** Requests a second without a key, by address. */
  readonly anonymous?: number | undefined;
  /** Requests a second with a key that has no limit of its own. */
  readonly key?: number | undefined;
  /** Requests a day with a key. */
  readonly daily?: number | undefined;
  /** Requests a second of a key after its daily limit; default 5, as TronGrid has it. */
  readonly beyond?: number | undefined;
  /** Seconds for which a caller is refused after it exceeded its limit; default 30. */
  readonly suspend?: number | undefined;
  /** HTTP status of the refusal: 429, or TronGrid's 403. */
  readonly status?: number | undefined;
}

interface Part {
  readonly setting: Exclude<keyof QuotaSettings, 'keys'>;
  readonly min: number;
  readonly max: number;
}

const PARTS: Readonly<Record<keyof RateLimit, Part>> = {
  anonymous: { setting: 'anonymousPerSecond', min: 1, max: 1_000_000 },
  key: { setting: 'keyPerSecond', min: 1, max: 1_000_000 },
  daily: { setting: 'keyPerDay', min: 1, max: 1_000_000_000 },
  beyond: { setting: 'beyondPerSecond', min: 0, max: 1_000_000 },
  suspend: { setting: 'suspendSeconds', min: 0, max: 86_400 },
  status: { setting: 'status', min: 403, max: 429 },
};
const NAMES = Object.keys(PARTS).join(', ');
const EXAMPLE = 'For example anonymous=3,key=15,daily=100000,beyond=5,suspend=30,status=403';

export const rateLimit: Kind<RateLimit, Partial<QuotaSettings>> = {
  placeholder: '<name=number,…>',
  type: `{ ${Object.keys(PARTS).join(', ')}: number }`,
  fromText: (text, before) => ({
    ...before,
    ...Object.fromEntries(
      text.split(',').map((part) => {
        const match = /^\s*(\w+)=(\d+)\s*$/.exec(part);
        if (match === null) throw new BadValue(`has "${part}", but each part is name=number`, EXAMPLE);
        return [match[1]!, Number(match[2])];
      }),
    ),
  }),
  check: (value) => {
    if (typeof value !== 'object' || value === null) throw new BadValue('is not an object', EXAMPLE);
    const limits: Partial<Record<Part['setting'], number>> = {};
    for (const [name, amount] of Object.entries(value) as [string, unknown][]) {
      if (amount === undefined) continue;
      const part = Object.hasOwn(PARTS, name) ? PARTS[name as keyof RateLimit] : undefined;
      if (part === undefined) throw new BadValue(`has "${name}", but may have ${NAMES}`, EXAMPLE);
      const { setting, min, max } = part;
      if (name === 'status' && amount !== 403 && amount !== 429) {
        throw new BadValue(`has status = ${String(amount)}, but status must be 429 or 403`);
      }
      if (!Number.isInteger(amount) || (amount as number) < min || (amount as number) > max) {
        throw new BadValue(`has ${name} = ${String(amount)}, but it must be a whole number from ${min} to ${max}`);
      }
      limits[setting] = amount as number;
    }
    return limits as Partial<QuotaSettings>;
  },
};
