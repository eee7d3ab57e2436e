/**
 * ABI encoding of human-readable values: numbers as numbers or digits, addresses of any form, bytes as hex. The
 * encoder is viem's; import this module lazily.
 */

import { encodeAbiParameters } from 'viem/utils';
import type { Hex } from '../primitives/hex.js';
import type { Address } from '../primitives/ids.js';
import { memberOf } from '../primitives/outside-names.js';
import { addressFault } from '../protocol/address-fault.js';
import type { JsonAbiParameter } from './json-abi.js';

interface ViemParameter {
  readonly type: string;
  readonly components?: readonly ViemParameter[];
}

/** Contracts use `trcToken` for the id of a TRC-10 token; it is encoded as a uint256. */
function viemParameter({ type, components }: JsonAbiParameter): ViemParameter {
  return {
    type: type.replace(/^trcToken/, 'uint256'),
    ...(components !== undefined && { components: components.map(viemParameter) }),
  };
}

/**
 * Hex without a prefix.
 *
 * @param addressOf converts other values to an address; undefined: not possible
 * @throws TypeError with the argument's name
 * @example encodeValues([{ type: 'address' }, { type: 'uint256' }], [holder, '5_000_000'], fromBase58)
 */
export function encodeValues(
  parameters: readonly JsonAbiParameter[],
  values: readonly unknown[],
  addressOf: (text: string) => Address | undefined,
): Hex {
  if (parameters.length === 0) return '';
  const read = parameters.map((parameter, at) =>
    inputOf(parameter, values[at], parameter.name || `argument ${at}`, addressOf),
  );
  try {
    return encodeAbiParameters(parameters.map(viemParameter), read).slice(2);
  } catch (error) {
    throw new TypeError((error as Error).message.split('\n')[0], { cause: error });
  }
}

type AddressOf = (text: string) => Address | undefined;

function inputOf(parameter: JsonAbiParameter, value: unknown, where: string, addressOf: AddressOf): unknown {
  const { type, components = [] } = parameter;
  const element = /^(.*)\[\d*\]$/.exec(type)?.[1];
  if (element !== undefined) {
    if (!Array.isArray(value)) throw wrong(where, type, value);
    return value.map((one, at) => inputOf({ ...parameter, type: element }, one, `${where}[${at}]`, addressOf));
  }
  if (type === 'tuple') {
    if (typeof value !== 'object' || value === null) throw wrong(where, type, value);
    return components.map((component, at) => {
      const member = Array.isArray(value) ? value[at] : memberOf(value, component.name ?? '');
      return inputOf(component, member, `${where}.${component.name || at}`, addressOf);
    });
  }
  if (type === 'address') {
    const address = typeof value === 'string' ? addressOf(value) : undefined;
    if (address === undefined) throw wrong(where, type, value, typeof value === 'string' ? addressFault(value) : '');
    return `0x${address.slice(2)}`;
  }
  if (/^(u?int|trcToken)/.test(type)) {
    const digits = String(value).replaceAll('_', '');
    if (!/^(-?\d+|0x[\da-f]+)$/i.test(digits)) throw wrong(where, type, value);
    return BigInt(digits);
  }
  if (type === 'bool') {
    if (typeof value !== 'boolean') throw wrong(where, type, value);
    return value;
  }
  if (typeof value !== 'string') throw wrong(where, type, value);
  return type.startsWith('bytes') && !value.startsWith('0x') ? `0x${value}` : value;
}

function wrong(where: string, type: string, value: unknown, fault = ''): TypeError {
  return new TypeError(`${where}: expected ${type}, got ${JSON.stringify(value) ?? 'nothing'}${fault}`);
}
