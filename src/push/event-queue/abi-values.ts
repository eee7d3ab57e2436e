/**
 * Values of events as java-tron's event subscription encodes them (protocol/events.md#abi-decoding): all as text, each
 * under its name and under its position among all inputs. Mirrors ContractEventParserAbi of java-tron with its
 * oddities, so viem's decoder cannot be used.
 */

import type { AbiItem } from '../../abi/items.js';
import { type Hex, hexToUtf8 } from '../../primitives/hex.js';
import { emptyTable } from '../../primitives/outside-names.js';
import { toBase58 } from '../../protocol/address.js';

export type Values = Readonly<Record<string, string>>;

const INTEGER = /^(u?int\d*|trcToken)$/;
const FIXED_BYTES = /^bytes\d+$/;
/** Limit of the values' length as a multiple of the data's: a number has more digits than its word has bytes. */
const MAX_TIMES = 4;
/** Java's int, the type of offsets and lengths. */
const MAX_INT = 2_147_483_647n;

/** Values of indexed parameters. @param topics with the signature's hash first */
export function topicValues({ inputs }: AbiItem, topics: readonly Hex[]): Values {
  const indexed = inputs.filter((input) => input.indexed);
  const given = topics.slice(1);
  if (indexed.length !== given.length) return Object.fromEntries(given.map((topic, at) => [String(at), topic]));
  const values = emptyTable<string>();
  for (const [at, { name, type, indexed: isIndexed }] of inputs.entries()) {
    if (!isIndexed) continue;
    const value = topicValue(type, given.shift() as Hex);
    if (name !== '') values[name] = value;
    values[at] = value;
  }
  return values;
}

function topicValue(type: string, topic: Hex): string {
  return wordValue(type, topic) ?? topic;
}

/** Undefined for types that do not fit into a word, or have no other form than the word. */
function wordValue(type: string, word: Hex): string | undefined {
  if (INTEGER.test(type)) return String(BigInt.asIntN(256, BigInt(`0x${word}`)));
  if (type === 'bool') return String(!/^0*$/.test(word));
  if (type === 'address') return toBase58(`41${word.slice(-40)}`);
  return undefined;
}

/** Values of the other parameters. @param topics with the signature's hash first */
export function dataValues({ inputs }: AbiItem, topics: readonly Hex[], data: Hex): Values {
  if (data === '') return {};
  const indexed = inputs.filter((input) => input.indexed);
  if (indexed.length !== topics.length - 1) return { [topics.length - 1]: data };
  if (inputs.length === 0) return { 0: data };
  const values = emptyTable<string>();
  // 0 stands for "not set": if the first parameter is not indexed, java-tron uses the position of the next one.
  let first = 0;
  let word = 0;
  let said = 0;
  for (const [at, { name, type, indexed: isIndexed }] of inputs.entries()) {
    if (isIndexed) continue;
    if (first === 0) first = at;
    const value = dataValue(type, data, word++);
    if (value === undefined) return { [first]: data };
    // java-tron repeats data that several offsets refer to; here the total length is limited.
    said += value.length;
    if (said > MAX_TIMES * data.length) return { [first]: data };
    if (name !== '') values[name] = value;
    values[at] = value;
  }
  return values;
}

/** @param word its index in the head @returns undefined if java-tron cannot read it */
function dataValue(type: string, data: Hex, word: number): string | undefined {
  const head = bytesAt(data, BigInt(word * 32), 32n);
  if (head === undefined) return undefined;
  if (FIXED_BYTES.test(type)) return head;
  if (type !== 'string' && type !== 'bytes') return wordValue(type, head);
  const offset = signed(head);
  const length = bytesAt(data, offset, 32n);
  if (length === undefined) return undefined;
  const bytes = signed(length) <= 0n ? '' : bytesAt(data, offset + 32n, signed(length));
  return bytes === undefined || type === 'bytes' ? bytes : hexToUtf8(bytes);
}

function signed(word: Hex): bigint {
  return BigInt.asIntN(256, BigInt(`0x${word}`));
}

function bytesAt(data: Hex, offset: bigint, length: bigint): Hex | undefined {
  const inside =
    offset >= 0n && offset <= MAX_INT && length <= MAX_INT && (offset + length) * 2n <= BigInt(data.length);
  return inside ? data.slice(Number(offset) * 2, Number(offset + length) * 2) : undefined;
}
