/**
 * ABI encoding and decoding with TronWeb's coder. TRON's additions: addresses of any form, which are encoded without
 * their prefix, and `trcToken`, which is encoded as a uint256.
 */

import { hexToBytes, isHex } from '../primitives/hex.js';
import { isAddress } from '../primitives/ids.js';
import { memberOf } from '../primitives/outside-names.js';
import { fromBase58, toBase58 } from '../protocol/address.js';
import { addressFault } from '../protocol/address-fault.js';
import type { AbiEntry, AbiParameter } from './abi.js';
import { type EncodedType, readsOnce } from './encoded-extent.js';
import { signatureOf } from './fragments.js';
import { readWords, type WordType, wordTypesOf, writeWords } from './words.js';

declare const parsedType: unique symbol;
/** A type as parsed by the coder. */
type ParsedType = { readonly [parsedType]: never };

/** The used part of TronWeb's `utils.ethersUtils`. */
export interface Coders {
  readonly AbiCoder: new () => {
    encode(types: readonly ParsedType[], values: readonly unknown[]): string;
    decode(types: readonly ParsedType[], data: string): Iterable<unknown>;
  };
  readonly Interface: new (
    abi: readonly object[],
  ) => { readonly fragments: readonly { readonly inputs: readonly ParsedType[] }[] };
}

export class Codec {
  readonly #coder: InstanceType<Coders['AbiCoder']>;
  /**
   * Parsed types are cached: the coder would parse a type given as text each time, which costs more than the coding.
   */
  readonly #types = new WeakMap<readonly AbiParameter[], readonly ParsedType[]>();
  readonly #words = new WeakMap<readonly AbiParameter[], { readonly types: readonly WordType[] | undefined }>();

  constructor(private readonly coders: Coders) {
    this.#coder = new coders.AbiCoder();
  }

  /**
   * Hex without a prefix.
   *
   * @throws TypeError that names the argument
   */
  encode(entry: AbiEntry, args: readonly unknown[]): string {
    const { inputs = [] } = entry;
    if (inputs.length === 0) return '';
    const words = this.#wordsOf(inputs);
    const written = words && writeWords(words, args);
    if (written !== undefined) return written;
    const values = inputs.map((input, i) =>
      given(input, args[i], `${input.name || `argument ${i}`} of ${signatureOf(entry)}`),
    );
    try {
      return this.#coder.encode(this.#typesOf(inputs), values).slice(2);
    } catch (error) {
      throw this.#refusal(entry, values, error);
    }
  }

  /** The coder's message without its codes; it names neither the argument nor, if several are wrong, which one. */
  #refusal(entry: AbiEntry, values: readonly unknown[], error: unknown): TypeError {
    const { inputs = [] } = entry;
    const types = this.#typesOf(inputs);
    const wrong = inputs.flatMap(({ name, type }, i) => {
      try {
        this.#coder.encode([types[i] as ParsedType], [values[i]]);
        return [];
      } catch (cause) {
        const { shortMessage, message } = cause as { readonly shortMessage?: string; readonly message: string };
        return [
          `${name || `argument ${i}`} of ${signatureOf(entry)} is not a valid ${type}: ${shortMessage ?? message}`,
        ];
      }
    });
    return new TypeError(wrong[0] ?? `${signatureOf(entry)}: ${(error as Error).message}`, { cause: error });
  }

  /** @throws Error for an invalid encoding */
  decode(parameters: readonly AbiParameter[], data: string): readonly unknown[] {
    if (parameters.length === 0) return [];
    const words = this.#wordsOf(parameters);
    const plain = words && readWords(words, data);
    if (plain !== undefined) return plain;
    if (!readsOnce(parameters.map(encodedType), hexToBytes(data)))
      throw new Error('the data refer to the same bytes too often');
    const values = [...this.#coder.decode(this.#typesOf(parameters), `0x${data}`)];
    return parameters.map((parameter, i) => read(parameter, values[i]));
  }

  #wordsOf(parameters: readonly AbiParameter[]): readonly WordType[] | undefined {
    let words = this.#words.get(parameters);
    if (words === undefined) {
      words = { types: wordTypesOf(parameters, addressHexOf) };
      this.#words.set(parameters, words);
    }
    return words.types;
  }

  #typesOf(parameters: readonly AbiParameter[]): readonly ParsedType[] {
    let types = this.#types.get(parameters);
    if (types === undefined) {
      const inputs = parameters.map(coderParameter);
      const [fragment] = new this.coders.Interface([{ type: 'function', name: 'f', inputs, outputs: [] }]).fragments;
      types = fragment?.inputs ?? [];
      this.#types.set(parameters, types);
    }
    return types;
  }
}

/** Without names: values by position. */
function coderParameter({ type, components }: AbiParameter): object {
  return {
    name: '',
    type: type.replace(/^trcToken/, 'uint256'),
    ...(components !== undefined && { components: components.map(coderParameter) }),
  };
}

function encodedType({ type, components }: AbiParameter): EncodedType {
  return { type, ...(components !== undefined && { components: components.map(encodedType) }) };
}

/** The parameter of an array's elements. */
function elementOf(parameter: AbiParameter): AbiParameter | undefined {
  const element = /^(.*)\[\d*\]$/.exec(parameter.type)?.[1];
  return element === undefined ? undefined : { ...parameter, type: element };
}

function given(parameter: AbiParameter, value: unknown, where: string): unknown {
  const element = elementOf(parameter);
  if (element !== undefined) {
    return Array.isArray(value) ? value.map((one, i) => given(element, one, `[${i}] of ${where}`)) : value;
  }
  const { type, components = [] } = parameter;
  if (type === 'tuple') {
    const isArray = Array.isArray(value);
    return components.map((component, i) => {
      const field = isArray ? value[i] : memberOf(value, component.name ?? '');
      return given(component, field, `${component.name || i} of ${where}`);
    });
  }
  if (type === 'address') {
    const hex = addressHexOf(value);
    if (hex === undefined)
      throw new TypeError(`${where} is ${String(value)}, which is not a valid address${addressFault(String(value))}`);
    return `0x${hex.slice(2)}`;
  }
  if (type.startsWith('bytes') && typeof value === 'string') return value.startsWith('0x') ? value : `0x${value}`;
  return value;
}

/**
 * 21 bytes of hex: from base58check, from hex with or without the prefixes of TRON and Ethereum, or from an object
 * with an address.
 */
export function addressHexOf(value: unknown): string | undefined {
  if (typeof value === 'object' && value !== null && 'address' in value) return addressHexOf(value.address);
  if (typeof value !== 'string') return undefined;
  const hex = value.toLowerCase().replace(/^0x/, '');
  if (hex.length === 40 && isHex(hex)) return `41${hex}`;
  return isAddress(hex) ? hex : fromBase58(value);
}

function read(parameter: AbiParameter, value: unknown): unknown {
  const element = elementOf(parameter);
  if (element !== undefined) return [...(value as Iterable<unknown>)].map((one) => read(element, one));
  const { type, components = [] } = parameter;
  if (type === 'tuple') {
    const values = [...(value as Iterable<unknown>)];
    return record(
      components,
      values.map((one, i) => read(components[i]!, one)),
    );
  }
  if (type === 'address') return toBase58(`41${String(value).slice(2).toLowerCase()}`);
  return value;
}

/** By parameter name; unnamed ones by position. */
export function record(parameters: readonly AbiParameter[], values: readonly unknown[]): Record<string, unknown> {
  return Object.fromEntries(parameters.map(({ name }, i) => [name || String(i), values[i]]));
}
