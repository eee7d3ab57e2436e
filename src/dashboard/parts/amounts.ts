/** Amounts and moments as text. */

import type { Amount } from '../chain/answers.js';

const TRX_DECIMALS = 6;
const grouped = new Intl.NumberFormat('en-US');

/** @example formatUnits('9007199254740993') // '9,007,199,254,740,993' */
export const formatUnits = (amount: Amount | bigint): string => grouped.format(BigInt(amount));

/** Whole TRX grouped, without zeros at the end. @example formatTrx(1_234_500_000n) // '1,234.5' */
export const formatTrx = (sun: Amount | bigint): string => formatDecimals(sun, TRX_DECIMALS);

/** @example formatDecimals('1500', 3) // '1.5' */
export function formatDecimals(amount: Amount | bigint, decimals: number): string {
  const units = BigInt(amount);
  const size = units < 0n ? -units : units;
  const one = 10n ** BigInt(decimals);
  const rest = decimals === 0 ? '' : (size % one).toString().padStart(decimals, '0').replace(/0+$/, '');
  return `${units < 0n ? '−' : ''}${grouped.format(size / one)}${rest === '' ? '' : `.${rest}`}`;
}

const compact = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 2 });

/** For axes and tiles. @example formatCompact(180_000_000_000) // '180B' */
export const formatCompact = (amount: Amount | bigint): string => compact.format(BigInt(amount));

const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
] as const;

/** The two largest units. @example formatSpan(93_780_000) // '1 d 2 h' */
export function formatSpan(spanMs: number): string {
  const parts: string[] = [];
  let rest = Math.max(0, Math.round(spanMs / 1_000) * 1_000);
  for (const [name, size] of UNITS) {
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count > 0) parts.push(`${count} ${name}`);
    if (parts.length === 2) break;
  }
  return parts.length === 0 ? '0 s' : parts.join(' ');
}

/** @example formatMoment(1_767_225_600_000) // '2026-01-01 00:00:00 UTC' */
export const formatMoment = (timestampMs: number): string =>
  `${new Date(timestampMs).toISOString().slice(0, 19).replace('T', ' ')} UTC`;

/** @example shortened('TWer2Ygk5TEheHp3TPuYeqxmB6SsGZmaL6') // 'TWer2Y…ZmaL6' */
export const shortened = (text: string, start = 6, end = 5): string =>
  text.length <= start + end + 1 ? text : `${text.slice(0, start)}…${text.slice(-end)}`;

/** @param trx as a person writes it @throws Error if the text is no amount of TRX @example sunOf('1_000.5') // 1_000_500_000n */
export function sunOf(trx: string): bigint {
  const [, whole, rest = ''] = /^(\d+)(?:\.(\d{1,6}))?$/.exec(trx.trim().replace(/[_,]/g, '')) ?? [];
  if (whole === undefined) throw new Error('Expected an amount of TRX with at most six decimals.');
  return BigInt(`${whole}${rest.padEnd(6, '0')}`);
}
