/** Amounts, times and values in readable form. */

import type { AbiValue } from '../abi/values.js';
import type { Sun } from '../primitives/ids.js';
import { printableLine } from '../primitives/printable.js';

/** `266000` → `0.266 TRX`. */
export function formatTrx(sun: Sun): string {
  const digits = (sun < 0n ? -sun : sun).toString().padStart(7, '0');
  const fraction = digits.slice(-6).replace(/0+$/, '');
  return `${sun < 0n ? '-' : ''}${grouped(digits.slice(0, -6))}${fraction === '' ? '' : `.${fraction}`} TRX`;
}

/** An average, to 1/10,000 TRX: `275262665` → `275.2627 TRX`. */
export function formatAverageTrx(sun: Sun): string {
  const rounded = ((sun < 0n ? sun - 50n : sun + 50n) / 100n) * 100n;
  return formatTrx(rounded);
}

/** `1234567` → `1,234,567`. */
export function formatUnits(amount: bigint | number): string {
  return grouped(amount.toString());
}

/**
 * Three significant digits: `12345.6` → `12,300`, `0.043217` → `0.0432`. Not `toLocaleString`: its first call loads the
 * tables of all languages, 11 ms of a start.
 */
export function formatRounded(value: number): string {
  const [whole = '', fraction] = String(Number(value.toPrecision(3))).split('.');
  return fraction === undefined ? grouped(whole) : `${grouped(whole)}.${fraction}`;
}

function grouped(digits: string): string {
  return digits.replace(/\B(?=(\d{3})+$)/g, ',');
}

/** `2025-01-01 00:00:12 UTC` */
export function formatMoment(timestampMs: number): string {
  return `${new Date(timestampMs).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

/**
 * Foreign text in quotes on one line: it cannot contain terminal control sequences.
 *
 * @example quoted('only the "owner"') // '"only the \\"owner\\""'
 */
export function quoted(text: string): string {
  return printableLine(JSON.stringify(text));
}

const NAME = /^[\w$ .,:()[\]-]{1,64}$/;

/** Names of contracts, functions and parameters are foreign text. */
export function safeName(name: string): string {
  return NAME.test(name) ? name : quoted(name.length > 64 ? `${name.slice(0, 64)}…` : name);
}

const SHOWN_CHARACTERS = 300;

export function formatValue(value: AbiValue, type: string): string {
  const text = valueText(value, type);
  return text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text;
}

/** Numbers, bytes and addresses. Components of tuples have no types here; their form distinguishes them from text. */
const NO_TEXT = /^(-?\d+|0x[\da-f]*|T[1-9A-HJ-NP-Za-km-z]{33})$/;

function valueText(value: AbiValue, type: string): string {
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'string') {
    const isText = type.startsWith('string') || (type.startsWith('tuple') && !NO_TEXT.test(value));
    return isText ? quoted(value) : value;
  }
  return `[${value.map((one) => valueText(one, type)).join(', ')}]`;
}
