/**
 * Types of an ABI and values of them, chosen at random: as a program gives them to a contract handle, as ethers takes them,
 * and as a handle shows them.
 */

import type { AbiParameter } from '../../../../src/contracts/abi.js';
import { toBase58 } from '../../../../src/protocol/address.js';
import { strangerAddress } from '../../simulated-chain.js';
import type { Choices } from '../../wild-messages.js';

export interface Sample {
  /** In one of the forms that a handle takes. */
  readonly given: unknown;
  readonly forEthers: unknown;
  readonly shown: unknown;
}

const same = (value: unknown): Sample => ({ given: value, forEthers: value, shown: value });

const WORDS = ['uint256', 'uint8', 'uint64', 'int256', 'int8', 'bool', 'address', 'bytes4', 'bytes32'];
const LONG = ['string', 'bytes'];
const TEXTS = ['', 'a', 'Grüße ✓', 'a text of more than thirty-two bytes, in two words'];

/** Distinct, as the names of parameters are; an empty one is unnamed. */
export function namesOf(choices: Choices, count: number): readonly string[] {
  const left = ['from', 'to', 'value', 'who', 'id', 'data', 'amount'];
  return Array.from({ length: count }, () =>
    choices.chance(0.15) ? '' : (left.splice(choices.below(left.length), 1)[0] as string),
  );
}

export function parametersOf(choices: Choices, count: number, types: readonly string[] = []): readonly AbiParameter[] {
  return namesOf(choices, count).map((name, i) => {
    const type = types[i];
    return { name, ...(type === undefined ? typeOf(choices, 2) : { type }) };
  });
}

function typeOf(choices: Choices, depth: number): AbiParameter {
  const kind = choices.below(depth === 0 ? 5 : 8);
  if (kind < 4) return { type: choices.of(WORDS) };
  if (kind === 4) return { type: choices.of(LONG) };
  if (kind < 7) {
    const element = typeOf(choices, depth - 1);
    return { ...element, type: `${element.type}${choices.of(['[]', '[2]'])}` };
  }
  const names = ['first', 'second', 'third'].slice(0, 1 + choices.below(3));
  return { type: 'tuple', components: names.map((name) => ({ name, ...typeOf(choices, depth - 1) })) };
}

/** @param parameter of any type that `parametersOf` gives */
export function sampleOf(choices: Choices, parameter: AbiParameter): Sample {
  const { type, components = [] } = parameter;
  const [, element, length] = /^(.*)\[(\d*)\]$/.exec(type) ?? [];
  if (element !== undefined) {
    const count = length === '' ? choices.below(4) : Number(length);
    const samples = Array.from({ length: count }, () => sampleOf(choices, { ...parameter, type: element }));
    return allOf(samples, (one) => one);
  }
  if (type === 'tuple') {
    const samples = components.map((component) => sampleOf(choices, component));
    const named = (values: readonly unknown[]) =>
      Object.fromEntries(components.map(({ name = '' }, i) => [name, values[i]]));
    const { given, forEthers, shown } = allOf(samples, (one) => one);
    return {
      given: choices.chance(0.5) ? given : named(given as readonly unknown[]),
      forEthers,
      shown: named(shown as readonly unknown[]),
    };
  }
  return simpleOf(choices, type);
}

export function allOf(samples: readonly Sample[], of: (values: readonly unknown[]) => unknown): Sample {
  return {
    given: of(samples.map(({ given }) => given)),
    forEthers: of(samples.map(({ forEthers }) => forEthers)),
    shown: of(samples.map(({ shown }) => shown)),
  };
}

function simpleOf(choices: Choices, type: string): Sample {
  if (type === 'bool') return same(choices.chance(0.5));
  if (type === 'string') return same(choices.of(TEXTS));
  if (type === 'address') {
    const hex = choices.of([strangerAddress(choices.below(40)), `41${'00'.repeat(20)}`, `41${choices.hex(20)}`]);
    const text = toBase58(hex);
    const given = choices.of([text, hex, `0x${hex.slice(2)}`, { address: text }]);
    return { given, forEthers: `0x${hex.slice(2)}`, shown: text };
  }
  if (type.startsWith('bytes')) {
    const bytes = type === 'bytes' ? choices.of([0, 1, 32, 33, 100]) : Number(type.slice(5));
    const value = choices.hex(bytes);
    return { given: choices.of([value, `0x${value}`]), forEthers: `0x${value}`, shown: `0x${value}` };
  }
  const bits = BigInt(/\d+/.exec(type)?.[0] ?? 256);
  const [least, most] = type.startsWith('int')
    ? [-(1n << (bits - 1n)), (1n << (bits - 1n)) - 1n]
    : [0n, (1n << bits) - 1n];
  const value = choices.of([least, most, 0n, 1n, BigInt(choices.below(100)), most >> 3n]);
  const isSmall = BigInt.asIntN(53, value) === value;
  return { given: isSmall && choices.chance(0.5) ? Number(value) : value, forEthers: value, shown: value };
}

/** Of values with numbers of any size. */
export function textOf(value: unknown): string {
  return String(JSON.stringify(value, (_, one) => (typeof one === 'bigint' ? `${one}n` : one)));
}
