/** Calls of a contract by its ABI on the chain: values as a person writes them, addresses as base58check. */

import {
  type AbiFunction,
  type AbiParameter,
  decodeFunctionResult,
  encodeFunctionData,
  toFunctionSelector,
  toFunctionSignature,
} from 'viem';
import type { AbiEntry } from '../../chain/answers.js';
import { toBase58, toEthereum } from '../../parts/address-forms.js';

export interface Method {
  readonly item: AbiFunction;
  /** `transfer(address,uint256)` */
  readonly signature: string;
  readonly selector: string;
  readonly isRead: boolean;
  readonly isPayable: boolean;
}

/** @returns the methods that this ABI describes in a valid way; an ABI is data of strangers */
export function methodsOf(entries: readonly AbiEntry[]): readonly Method[] {
  return entries.flatMap((entry) => {
    if (String(entry.type).toLowerCase() !== 'function' || typeof entry.name !== 'string') return [];
    try {
      const mutability = String(entry.stateMutability ?? 'nonpayable').toLowerCase();
      const item = {
        type: 'function',
        name: entry.name,
        inputs: parameters(entry.inputs),
        outputs: parameters(entry.outputs),
        stateMutability: mutability as AbiFunction['stateMutability'],
      } as const satisfies AbiFunction;
      const isRead = mutability === 'view' || mutability === 'pure';
      const selector = toFunctionSelector(item);
      return [{ item, signature: toFunctionSignature(item), selector, isRead, isPayable: mutability === 'payable' }];
    } catch {
      return [];
    }
  });
}

function parameters(list: AbiEntry['inputs']): readonly AbiParameter[] {
  if (!Array.isArray(list)) return [];
  // A TRC-10 token id is a number on the wire.
  return list.map(({ name = '', type }) => ({ name, type: String(type).replace(/^trcToken/, 'uint256') }));
}

/** @param texts one for each input @returns hex without 0x @throws Error that names the input */
export function callData({ item }: Method, texts: readonly string[]): string {
  const args = item.inputs.map((input, at) => inputValue(input, texts[at] ?? '', at));
  return encodeFunctionData({ abi: [item], functionName: item.name, args }).slice(2);
}

/** @param text JSON for arrays and tuples @throws Error that names the input */
export function inputValue(input: AbiParameter, text: string, at: number): unknown {
  try {
    return read(input, text);
  } catch (error) {
    throw new Error(`${input.name || `argument ${at}`} (${input.type}): ${(error as Error).message}`);
  }
}

function read({ type }: AbiParameter, text: string): unknown {
  const value = text.trim();
  if (type.endsWith(']') || type.startsWith('tuple')) return JSON.parse(value, (_, part) => inner(part));
  if (type === 'address') return addressOf(value);
  if (type === 'bool') {
    if (value !== 'true' && value !== 'false') throw new Error('expected true or false');
    return value === 'true';
  }
  if (/^u?int/.test(type)) {
    if (!/^-?\d[\d_,]*$|^0x[0-9a-f]+$/i.test(value)) throw new Error('expected a whole number');
    return BigInt(value.replace(/[_,]/g, ''));
  }
  if (type.startsWith('bytes')) return value.startsWith('0x') ? value : `0x${value}`;
  return text;
}

function inner(part: unknown): unknown {
  return typeof part === 'string' && /^T[1-9A-HJ-NP-Za-km-z]{33}$/.test(part) ? addressOf(part) : part;
}

function addressOf(text: string): string {
  const address = toBase58(text);
  if (address === undefined) throw new Error('expected an address (T…, 41… or 0x…)');
  return toEthereum(address);
}

/** @param hex without 0x @returns one line for each output */
export function resultOf({ item }: Method, hex: string): readonly string[] {
  if (item.outputs.length === 0) return [];
  const decoded = decodeFunctionResult({ abi: [item], functionName: item.name, data: `0x${hex}` }) as unknown;
  const values = item.outputs.length === 1 ? [decoded] : (decoded as readonly unknown[]);
  return item.outputs.map(({ name, type }, at) => `${name ? `${name}: ` : ''}${shown(type, values[at])}`);
}

function shown(type: string, value: unknown): string {
  if (type === 'address' && typeof value === 'string') return toBase58(value) ?? value;
  if (typeof value === 'object')
    return JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? part.toString() : part));
  return String(value);
}
