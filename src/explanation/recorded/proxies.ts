/**
 * Where a proxy keeps the address of the contract that it delegates to: EIP-1967, EIP-1822, OpenZeppelin before EIP-1967,
 * and minimal proxies (EIP-1167), which have it in their code.
 */

import { type Hex, utf8ToHex } from '../../primitives/hex.js';
import type { Address } from '../../primitives/ids.js';
import { keccak256OfHex } from '../../protocol/hashes.js';

const MINIMAL_PROXY = /^363d3d373d3d3d363d73([0-9a-f]{40})5af43d82803e903d91602b57fd5bf3/;

/** 64 hex digits each. */
export const proxySlots = (): readonly Hex[] => [
  minusOne(keccak256OfHex(utf8ToHex('eip1967.proxy.implementation'))),
  keccak256OfHex(utf8ToHex('PROXIABLE')),
  keccak256OfHex(utf8ToHex('org.zeppelinos.proxy.implementation')),
];

/** @param code runtime code in hex @example minimalProxyTarget(code) // '41a614…' */
export function minimalProxyTarget(code: string): Address | undefined {
  const target = MINIMAL_PROXY.exec(code)?.[1];
  return target === undefined ? undefined : (`41${target}` as Address);
}

/** @param words of {@link proxySlots}, 64 hex digits each; the first that is an address */
export function storedProxyTarget(words: readonly (string | undefined)[]): Address | undefined {
  for (const word of words) {
    const [, target] = /^0{24}([0-9a-f]{40})$/.exec(word ?? '') ?? [];
    if (target !== undefined && !/^0+$/.test(target)) return `41${target}` as Address;
  }
  return undefined;
}

function minusOne(word: Hex): Hex {
  return (BigInt(`0x${word}`) - 1n).toString(16).padStart(64, '0') as Hex;
}
