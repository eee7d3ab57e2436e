/**
 * Values of events as java-tron's event subscription tells them (protocol/events.md#abi-decoding): all of them text,
 * each under its name and under its place among all inputs. Mirrors ContractEventParserAbi of java-tron, oddities
 * included, which is why it is not done by viem's decoder as everywhere else.
 */

import type { AbiItem } from '../../abi/items.js';
import { type Hex, hexToUtf8 } from '../../primitives/hex.js';
import { emptyTable } from '../../primitives/outside-names.js';
import { toBase58 } from '../../protocol/address.js';

export type Values = Readonly<Record<string, string>>;

const INTEGER = /^(u?int\d*|trcToken)$/;
const FIXED_BYTES = /^bytes\d+$/;
/** How many times as long as the data their values may be: a number has more digits than its word. */
const MOST_TIMES = 4;
/** Java's int, by which it measures offsets and lengths. */
const MAX_INT = 2_147_483_647n;

/** What indexed parameters are. @param topics with the signature's hash first */
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

/** Undefined for what does not stand in one word, or has no other form than the word. */
function wordValue(type: string, word: Hex): string | undefined {
  if (INTEGER.test(type)) return String(BigInt.asIntN(256, BigInt(`0x${word}`)));
  if (type === 'bool') return String(!/^0*$/.test(word));
  if (type === 'address') return toBase58(`41${word.slice(-40)}`);
  return undefined;
}

/** What the other parameters are. @param topics with the signature's hash first */
export function dataValues({ inputs }: AbiItem, topics: readonly Hex[], data: Hex): Values {
  if (data === '') return {};
  const indexed = inputs.filter((input) => input.indexed);
  if (indexed.length !== topics.length - 1) return { [topics.length - 1]: data };
  if (inputs.length === 0) return { 0: data };
  const values = emptyTable<string>();
  // 0 stands for "not yet": java-tron takes the place of the next one where the first parameter is not indexed.
  let first = 0;
  let word = 0;
  let said = 0;
  for (const [at, { name, type, indexed: isIndexed }] of inputs.entries()) {
    if (isIndexed) continue;
    if (first === 0) first = at;
    const value = dataValue(type, data, word++);
    if (value === undefined) return { [first]: data };
    // Of data that lead to the same bytes again and again, java-tron tells them all.
    said += value.length;
    if (said > MOST_TIMES * data.length) return { [first]: data };
    if (name !== '') values[name] = value;
    values[at] = value;
  }
  return values;
}

/** @param word which one of the head @returns undefined for what java-tron cannot read */
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
