/** Loose equality of expected and decoded values: 5 equals 5n, and addresses are equal in any form. */

import { addressHexOf } from '../contracts/codec.js';
import { memberOf } from '../primitives/outside-names.js';

interface Asymmetric {
  asymmetricMatch(value: unknown): boolean;
}

/** `expected` may be a matcher of the test runner (`expect.any(…)`) or a predicate. */
export function isSame(expected: unknown, actual: unknown): boolean {
  if (typeof expected === 'function') return expected(actual) === true;
  if (isAsymmetric(expected)) return expected.asymmetricMatch(actual);
  if (Array.isArray(expected)) {
    return (
      Array.isArray(actual) && actual.length === expected.length && expected.every((one, i) => isSame(one, actual[i]))
    );
  }
  if (typeof actual === 'bigint') {
    return (typeof expected === 'bigint' || typeof expected === 'number') && actual === toBigInt(expected);
  }
  if (typeof actual === 'string' && expected !== actual) {
    // Bytes may have capitals, addresses have three forms.
    const hex = addressHexOf(actual);
    if (hex !== undefined && /^T/.test(actual)) return addressHexOf(expected) === hex;
    return /^0x/.test(actual) && typeof expected === 'string' && expected.toLowerCase() === actual;
  }
  if (isRecord(expected) && isRecord(actual)) return includes(actual, expected);
  return Object.is(expected, actual);
}

/** Whether `actual` has all members of `expected`. */
export function includes(
  actual: Readonly<Record<string, unknown>>,
  expected: Readonly<Record<string, unknown>>,
): boolean {
  return Object.entries(expected).every(([name, value]) => name in actual && isSame(value, memberOf(actual, name)));
}

/** A value in a message. */
export function shown(value: unknown): string {
  if (typeof value === 'bigint') return String(value);
  if (typeof value === 'function') return value.name === '' ? 'a value that satisfies the predicate' : value.name;
  if (isAsymmetric(value)) return String(value);
  if (typeof value === 'string') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(shown).join(', ')}]`;
  if (isRecord(value)) {
    if ('address' in value) return shown(value.address);
    return `{ ${Object.entries(value)
      .map(([name, one]) => `${name}: ${shown(one)}`)
      .join(', ')} }`;
  }
  return String(value);
}

function isAsymmetric(value: unknown): value is Asymmetric {
  return typeof value === 'object' && value !== null && 'asymmetricMatch' in value;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function toBigInt(value: bigint | number): bigint | undefined {
  return typeof value === 'bigint' ? value : Number.isInteger(value) ? BigInt(value) : undefined;
}
