/** ABI entries: their signatures, and overload resolution. */

import { closest } from '../primitives/closest-name.js';
import { utf8ToHex } from '../primitives/hex.js';
import { keccak256OfHex } from '../protocol/hashes.js';
import type { Abi, AbiEntry, AbiParameter } from './abi.js';

/** `transfer(address,uint256)`; `trcToken` is unchanged, because selectors hash it. */
export function signatureOf({ name = '', inputs = [] }: AbiEntry): string {
  return `${name}(${inputs.map(typeOf).join(',')})`;
}

function typeOf({ type, components = [] }: AbiParameter): string {
  if (type.startsWith('tuple')) return `(${components.map(typeOf).join(',')})${type.slice('tuple'.length)}`;
  return type.replace(/^(u?int)(?=\[|$)/, '$1256');
}

/** 64 hex digits: the topic of an event; its first eight are the selector of a function or an error. */
export function hashOf(entry: AbiEntry): string {
  return keccak256OfHex(utf8ToHex(signatureOf(entry)));
}

/** Eight hex digits. */
export function selectorOf(entry: AbiEntry): string {
  return hashOf(entry).slice(0, 8);
}

export function isRead({ stateMutability }: AbiEntry): boolean {
  return stateMutability === 'view' || stateMutability === 'pure';
}

export function functionsOf(abi: Abi): readonly AbiEntry[] {
  return abi.filter(({ type, name }) => type === 'function' && name !== undefined);
}

/**
 * Resolves a name with arguments, or a full signature, to a function.
 *
 * @throws TypeError with the possible functions
 */
export function functionFor(candidates: readonly AbiEntry[], name: string, args: readonly unknown[]): AbiEntry {
  const exact = name.includes('(') ? candidates.filter((entry) => signatureOf(entry) === name) : [];
  const named = exact.length > 0 ? exact : candidates.filter((entry) => entry.name === name);
  const fitting = named.filter(({ inputs = [] }) => inputs.length === args.length);
  const [first, ...others] = fitting;
  if (first === undefined) {
    const signatures = named.map(signatureOf).join(' or ');
    throw new TypeError(`${signatures} got ${args.length} argument${args.length === 1 ? '' : 's'}`);
  }
  if (others.length === 0) return first;
  const typed = fitting.filter(({ inputs = [] }) => inputs.every(({ type }, i) => looksLike(type, args[i])));
  if (typed.length === 1) return typed[0]!;
  const signatures = fitting.map((entry) => `["${signatureOf(entry)}"]`).join(' or ');
  throw new TypeError(`${name} has several overloads for these arguments: use a signature, ${signatures}`);
}

/** Precise enough to distinguish overloads. */
function looksLike(type: string, value: unknown): boolean {
  if (type.endsWith(']')) return Array.isArray(value);
  if (type === 'bool') return typeof value === 'boolean';
  if (/^(u?int|trcToken)/.test(type)) return typeof value === 'bigint' || typeof value === 'number';
  if (type === 'address' || type === 'string') return typeof value === 'string';
  if (type.startsWith('bytes')) return typeof value === 'string' || value instanceof Uint8Array;
  return typeof value === 'object';
}

/** @example nearestName('balancOf', candidates) // 'balanceOf' */
export function nearestName(name: string, candidates: readonly AbiEntry[]): string | undefined {
  return closest(name, [...new Set(candidates.map((entry) => entry.name ?? ''))]);
}
