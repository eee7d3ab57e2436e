/**
 * Decodes `console.log` of contracts: calls to an address without code. The call succeeds on any network; here its
 * data is decoded and shown (protocol/devnet-methods.md#consolelog). The address is that of Hardhat's console.sol.
 */

import { type Hex, hexToUtf8, utf8ToHex } from '../../primitives/hex.js';
import { toBase58 } from '../../protocol/address.js';
import { keccak256OfHex } from '../../protocol/hashes.js';

const MAX_ARGUMENTS = 4;
const PLAIN_TYPES = ['address', 'bool', 'string', 'uint256'] as const;

function selectorOf(signature: string): Hex {
  return keccak256OfHex(utf8ToHex(signature)).slice(0, 8);
}

/** All signatures of console.sol: up to four arguments of the simple types, and one of each other type. */
function* signatures(): Iterable<readonly [name: string, types: readonly string[]]> {
  let rows: (readonly string[])[] = [[]];
  for (let count = 0; count <= MAX_ARGUMENTS; count++) {
    for (const types of rows) yield ['log', types];
    rows = rows.flatMap((types) => PLAIN_TYPES.map((type) => [...types, type]));
  }
  yield ['logInt', ['int256']];
  yield ['log', ['int256']];
  yield ['logUint', ['uint256']];
  yield ['logString', ['string']];
  yield ['logBool', ['bool']];
  yield ['logAddress', ['address']];
  for (const bytes of ['log', 'logBytes']) yield [bytes, ['bytes']];
  for (let size = 1; size <= 32; size++) yield [`logBytes${size}`, [`bytes${size}`]];
}

/** Shared by all chains: the table is constant, and is made for the first line that a contract prints. */
let bySelector: ReadonlyMap<Hex, readonly string[]> | undefined;

/** Old console files used `uint` and `int` in their selectors. */
function selectors(): ReadonlyMap<Hex, readonly string[]> {
  if (bySelector !== undefined) return bySelector;
  const table = new Map<Hex, readonly string[]>();
  for (const [name, types] of signatures()) {
    const text = `${name}(${types.join(',')})`;
    table.set(selectorOf(text), types);
    table.set(selectorOf(text.replaceAll('int256', 'int')), types);
  }
  bySelector = table;
  return table;
}

/**
 * The text of a console call; undefined for other data.
 *
 * @example consoleLine('f82c50f1000000000000000000000000000000000000000000000000000000000000002a') // '42'
 */
export function consoleLine(data: Hex): string | undefined {
  const types = selectors().get(data.slice(0, 8));
  if (types === undefined) return undefined;
  const values = data.slice(8);
  const texts: string[] = [];
  for (const [index, type] of types.entries()) {
    const text = valueText(type, values, index);
    if (text === undefined) return undefined;
    texts.push(text);
  }
  return formatted(texts);
}

/** The lines of several calls; undecodable data is shown as hex. */
export function consoleLines(calls: readonly Hex[]): readonly string[] {
  return calls.map((data) => consoleLine(data) ?? `0x${data}`);
}

function word(values: Hex, index: number): Hex | undefined {
  const hex = values.slice(index * 64, index * 64 + 64);
  return hex.length === 64 ? hex : undefined;
}

function valueText(type: string, values: Hex, index: number): string | undefined {
  const head = word(values, index);
  if (head === undefined) return undefined;
  switch (type) {
    case 'address':
      return toBase58(`41${head.slice(24)}`);
    case 'bool':
      return String(BigInt(`0x${head}`) !== 0n);
    case 'uint256':
      return BigInt(`0x${head}`).toString();
    case 'int256':
      return BigInt.asIntN(256, BigInt(`0x${head}`)).toString();
    case 'string':
    case 'bytes': {
      const content = dynamic(values, head);
      if (content === undefined) return undefined;
      return type === 'string' ? hexToUtf8(content) : `0x${content}`;
    }
    default:
      return `0x${head.slice(0, Number(type.slice('bytes'.length)) * 2)}`;
  }
}

/** Length and content of a value that its head points to. */
function dynamic(values: Hex, head: Hex): Hex | undefined {
  const at = BigInt(`0x${head}`) * 2n;
  if (at > BigInt(values.length)) return undefined;
  const start = Number(at);
  const length = values.slice(start, start + 64);
  if (length.length < 64) return undefined;
  const end = BigInt(start + 64) + BigInt(`0x${length}`) * 2n;
  return end > BigInt(values.length) ? undefined : values.slice(start + 64, Number(end));
}

/**
 * `%s` and `%d` in the first argument are replaced by the next arguments; the rest is appended with spaces, as in
 * Node's console.
 */
function formatted([first = '', ...rest]: readonly string[]): string {
  const left = [...rest];
  const text = first.replace(/%[sdi%]/g, (mark) => (mark === '%%' ? '%' : (left.shift() ?? mark)));
  return [text, ...left].join(' ');
}
