/** Durations as text: `90s`, `6h`, `14d`. */

import { BadValue } from './kinds.js';

const UNIT_MS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

type Unit = keyof typeof UNIT_MS;

/**
 * The milliseconds of a duration; `1h30m` is valid too. @throws BadValue for a missing or unknown unit
 *
 * @example readTimeSpan('14d') // 1209600000
 */
export function readTimeSpan(text: string): number {
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d)/g)];
  const ms = parts.reduce((sum, [, amount, unit]) => sum + Number(amount) * UNIT_MS[unit as Unit], 0);
  if (text !== '' && parts.map(([part]) => part).join('') === text && Number.isSafeInteger(ms)) return ms;
  const hint = /^\d+$/.test(text) ? `Add a unit: ${text}s, ${text}h` : 'Write 500ms, 90s, 6h, 14d or 1h30m';
  throw new BadValue(`is "${text}", which is not a time span`, hint);
}

/** The two largest units of a duration: `14 d`, `2 h 5 min`, `1.5 s`, `20 ms`. */
export function timeSpanText(ms: number): string {
  if (ms < 1_000) return `${ms} ms`;
  if (ms < 60_000) return `${ms / 1_000} s`;
  const units = [
    ['d', UNIT_MS.d],
    ['h', UNIT_MS.h],
    ['min', UNIT_MS.m],
    ['s', UNIT_MS.s],
  ] as const;
  const first = units.findIndex(([, size]) => ms >= size);
  let rest = ms;
  const texts: string[] = [];
  for (const [name, size] of units.slice(first, first + 2)) {
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count > 0) texts.push(`${count} ${name}`);
  }
  return texts.join(' ');
}
