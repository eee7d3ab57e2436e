import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { QuotaRefusal } from '../../../src/access/quota-refusal.js';
import { MAX_CALLERS, type QuotaSettings, Quotas, UNLIMITED } from '../../../src/access/quotas.js';

const START_MS = 20_000 * 86_400_000;

function quotas(settings: Partial<QuotaSettings>): {
  now: { ms: number };
  ask: (key: string, address?: string) => number;
  all: Quotas;
} {
  const now = { ms: START_MS };
  const all = new Quotas({ ...UNLIMITED, keys: new Map(), ...settings }, () => now.ms);
  const ask = (key: string, address = '127.0.0.1') => {
    try {
      all.admit({ 'tron-pro-api-key': key }, address);
      return 0;
    } catch (error) {
      if (!(error instanceof QuotaRefusal)) throw error;
      return error.retryAfterSeconds ?? -1;
    }
  };
  return { now, ask, all };
}

describe('quotas', () => {
  it('hold at any pace: no second has more than two windows of the limit, no suspension is broken or prolonged', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 5 }),
        fc.integer({ min: 0, max: 4 }),
        fc.array(fc.oneof(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 0, max: 3_000 })), { maxLength: 200 }),
        (limit, suspendSeconds, pauses) => {
          const { now, ask } = quotas({ keyPerSecond: limit, suspendSeconds });
          const answered: number[] = [];
          let suspendedUntil = 0;
          for (const pause of pauses) {
            now.ms += pause;
            const wait = ask('a');
            if (now.ms < suspendedUntil) {
              expect(wait).toBe(Math.ceil((suspendedUntil - now.ms) / 1_000));
            } else if (wait === 0) {
              answered.push(now.ms);
              const within = answered.filter((at) => at > now.ms - 1_000);
              expect(within.length).toBeLessThanOrEqual(2 * limit);
            } else {
              // So many were answered in the second that runs.
              expect(answered.filter((at) => at > now.ms - 1_000).length).toBeGreaterThanOrEqual(limit);
              expect(wait).toBe(Math.max(suspendSeconds, 1));
              if (suspendSeconds > 0) suspendedUntil = now.ms + suspendSeconds * 1_000;
              else suspendedUntil = (answered.at(-limit) as number) + 1_000;
            }
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  it('keep a bounded number of callers, and those of the settings always', () => {
    const { ask, all } = quotas({ keys: new Map([['known', {}]]), keyPerSecond: 1, anonymousPerSecond: 1 });
    expect([ask('known'), ask('known')]).toEqual([0, 30]);
    expect([ask('', 'first'), ask('', 'first')]).toEqual([0, 30]);
    for (let i = 0; i < MAX_CALLERS - 1; i++) ask('', `10.0.${i}`);
    expect(all.size).toBe(MAX_CALLERS + 1);
    // Asked again, so that it is not the one to be forgotten.
    expect(ask('', 'first')).toBe(30);
    for (let i = 0; i < MAX_CALLERS - 1; i++) ask('', `10.1.${i}`);
    expect(all.size).toBe(MAX_CALLERS + 1);
    expect(ask('', 'first')).toBe(30);
    for (let i = 0; i < MAX_CALLERS; i++) ask('', `10.2.${i}`);
    expect(ask('', 'first')).toBe(0);
    expect(ask('known')).toBe(30);
  });

  it('are not stuck when the clock is set back or far forward', () => {
    const { now, ask } = quotas({ keyPerSecond: 1, suspendSeconds: 10 });
    expect([ask('a'), ask('a')]).toEqual([0, 10]);
    now.ms -= 7 * 86_400_000;
    expect([ask('a'), ask('a')]).toEqual([0, 10]);
    now.ms += 365 * 86_400_000;
    expect(ask('a')).toBe(0);
  });

  it('know an address of version 4 in the form of version 6', () => {
    const { ask } = quotas({ anonymousPerSecond: 1 });
    expect([ask('', '10.0.0.1'), ask('', '::ffff:10.0.0.1'), ask('', '::1')]).toEqual([0, 30, 0]);
  });

  it('do not count what was refused for the day', () => {
    const { now, ask } = quotas({ keyPerSecond: 2, keyPerDay: 3, beyondPerSecond: 0, suspendSeconds: 1 });
    expect([ask('a'), ask('a'), ask('a'), ask('a')]).toEqual([0, 0, 1, 1]);
    now.ms += 1_000;
    expect([ask('a'), ask('a')]).toEqual([0, 86_399]);
  });
});
