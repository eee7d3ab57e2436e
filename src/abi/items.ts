/**
 * Functions, events and errors by the names that a contract's ABI gives them: the one on the chain, or a compiler's.
 *
 * The chain keeps name, types and `indexed` of each parameter and nothing else: the components of a tuple are lost when
 * a contract is deployed, so what takes or carries a tuple hashes to no selector and is found by nobody
 * (protocol/v1.md#matching). A compiler's ABI has them.
 */

import { type Hex, utf8ToHex } from '../primitives/hex.js';
import {
  SmartContract_ABI_Entry_EntryType as EntryType,
  type SmartContract_ABI,
  type SmartContract_ABI_Entry,
} from '../protocol/generated/smart-contract.js';
import { keccak256OfHex } from '../protocol/hashes.js';
import type { JsonAbi, JsonAbiEntry, JsonAbiParameter } from './json-abi.js';
import { standardAbi } from './standards.js';

/** As the chain keeps it, or as a compiler wrote it. */
export type ContractAbi = SmartContract_ABI | JsonAbi;

export interface AbiParameter {
  /** Empty where the source gave none. */
  readonly name: string;
  /** As in the ABI: `uint256`, `trcToken`, `address[2][]`, `tuple`. */
  readonly type: string;
  readonly indexed: boolean;
  /** Of a tuple, or of the tuples in an array; the chain keeps none. */
  readonly components?: readonly AbiParameter[];
}

/** A function, an event or an error. */
export interface AbiItem {
  readonly name: string;
  /** `transfer(address,uint256)` */
  readonly signature: string;
  readonly inputs: readonly AbiParameter[];
  /** What a function returns. */
  readonly outputs: readonly AbiParameter[];
  /** Whether a function takes coin. */
  readonly payable: boolean;
}

interface AbiNames {
  readonly functions: ReadonlyMap<Hex, AbiItem>;
  readonly errors: ReadonlyMap<Hex, AbiItem>;
  /** By topic 0, in the order of the ABI: events that differ in what is indexed share it. */
  readonly events: ReadonlyMap<Hex, readonly AbiItem[]>;
  readonly constructor: AbiItem | undefined;
  readonly hasFallback: boolean;
  readonly hasReceive: boolean;
}

/** keccak256 of a signature, 64 hex digits; the first eight are a function's or an error's selector. */
function signatureHash(signature: string): Hex {
  return keccak256OfHex(utf8ToHex(signature));
}

const SELECTOR_DIGITS = 8;

/** ABIs are rows of the chain or of an artifact, which never change: what was hashed once is kept as long as it is in memory. */
const known = new WeakMap<ContractAbi, AbiNames>();

function namesOf(abi: ContractAbi): AbiNames {
  let names = known.get(abi);
  if (names === undefined) {
    names = readNames(abi);
    known.set(abi, names);
  }
  return names;
}

/** One entry of either form. */
interface Entry {
  readonly kind: 'function' | 'event' | 'error' | 'constructor' | 'fallback' | 'receive' | 'other';
  readonly item: AbiItem;
  readonly anonymous: boolean;
}

function readNames(abi: ContractAbi): AbiNames {
  const functions = new Map<Hex, AbiItem>();
  const errors = new Map<Hex, AbiItem>();
  const events = new Map<Hex, AbiItem[]>();
  let created: AbiItem | undefined;
  let hasFallback = false;
  let hasReceive = false;
  const entries = 'entrys' in abi ? abi.entrys.map(entryOfChain) : abi.map(entryOfCompiler);
  for (const { kind, item, anonymous } of entries) {
    if (kind === 'constructor') created = item;
    else if (kind === 'fallback') hasFallback = true;
    else if (kind === 'receive') hasReceive = true;
    if (item.name === '') continue;
    const hash = signatureHash(item.signature);
    const selector = hash.slice(0, SELECTOR_DIGITS);
    if (kind === 'function' && !functions.has(selector)) functions.set(selector, item);
    else if (kind === 'error' && !errors.has(selector)) errors.set(selector, item);
    // The first topic of an anonymous event is not its signature.
    else if (kind === 'event' && !anonymous) events.set(hash, [...(events.get(hash) ?? []), item]);
  }
  return { functions, errors, events, constructor: created, hasFallback, hasReceive };
}

const KINDS: ReadonlyMap<unknown, Entry['kind']> = new Map<unknown, Entry['kind']>([
  [EntryType.Function, 'function'],
  [EntryType.Event, 'event'],
  [EntryType.Error, 'error'],
  [EntryType.Constructor, 'constructor'],
  [EntryType.Fallback, 'fallback'],
  [EntryType.Receive, 'receive'],
  ['function', 'function'],
  ['event', 'event'],
  ['error', 'error'],
  ['constructor', 'constructor'],
  ['fallback', 'fallback'],
  ['receive', 'receive'],
]);

const PAYABLE = 4;

function entryOfChain(entry: SmartContract_ABI_Entry): Entry {
  const parameters = (given: SmartContract_ABI_Entry['inputs']): readonly AbiParameter[] =>
    given.map(({ name, type, indexed }) => ({ name, type, indexed }));
  const { name, inputs, outputs, payable, stateMutability, type, anonymous } = entry;
  const takesCoin = payable || stateMutability === PAYABLE;
  const item = itemOf(name, parameters(inputs), parameters(outputs), takesCoin);
  return { kind: KINDS.get(type) ?? 'other', item, anonymous };
}

function entryOfCompiler(entry: JsonAbiEntry): Entry {
  const { type = 'function', name = '', inputs = [], outputs = [], anonymous = false } = entry;
  const takesCoin = entry.payable === true || entry.stateMutability === 'payable';
  const item = itemOf(name, inputs.map(compiledParameter), outputs.map(compiledParameter), takesCoin);
  return { kind: KINDS.get(type) ?? 'other', item, anonymous };
}

function compiledParameter({ name = '', type, indexed = false, components }: JsonAbiParameter): AbiParameter {
  return { name, type, indexed, ...(components !== undefined && { components: components.map(compiledParameter) }) };
}

function itemOf(
  name: string,
  inputs: readonly AbiParameter[],
  outputs: readonly AbiParameter[],
  payable: boolean,
): AbiItem {
  return { name, signature: `${name}(${inputs.map(canonicalType).join(',')})`, inputs, outputs, payable };
}

/** With components in place of `tuple`, as selectors are made from it. */
function canonicalType({ type, components }: AbiParameter): string {
  if (components === undefined || !type.startsWith('tuple')) return type;
  return `(${components.map(canonicalType).join(',')})${type.slice('tuple'.length)}`;
}

/** The function that the data of a call is for. Contracts without an ABI are looked up among the standards'. */
export function functionOf(abi: ContractAbi | undefined, data: Hex): AbiItem | undefined {
  const selector = data.slice(0, SELECTOR_DIGITS);
  if (selector.length < SELECTOR_DIGITS) return undefined;
  if (abi !== undefined) return namesOf(abi).functions.get(selector);
  return namesOf(standardAbi()).functions.get(selector);
}

/** What a creation takes; undefined: nothing, as far as the ABI says. */
export function constructorOf(abi: ContractAbi): AbiItem | undefined {
  return namesOf(abi).constructor;
}

/** The error that revert data is of, by one of the ABIs or by Solidity itself: `Error(string)`, `Panic(uint256)`. */
export function errorOf(abis: readonly ContractAbi[], data: Hex): AbiItem | undefined {
  const selector = data.slice(0, SELECTOR_DIGITS);
  if (selector.length < SELECTOR_DIGITS) return undefined;
  for (const abi of abis) {
    const item = namesOf(abi).errors.get(selector);
    if (item !== undefined) return item;
  }
  return namesOf(standardAbi()).errors.get(selector);
}

/** The event that a log is of: of those with its topic 0 the first with as many indexed parameters as it has topics. */
export function eventOf(abi: ContractAbi | undefined, topics: readonly Hex[]): AbiItem | undefined {
  const [topic] = topics;
  if (topic === undefined) return undefined;
  const own = abi === undefined ? undefined : namesOf(abi).events.get(topic);
  const candidates = own ?? namesOf(standardAbi()).events.get(topic);
  return candidates?.find(({ inputs }) => inputs.filter(({ indexed }) => indexed).length === topics.length - 1);
}

/** The events of an ABI whose signature a topic is the hash of, in the order of the ABI. */
export function eventsWithTopic(abi: ContractAbi, topic: Hex): readonly AbiItem[] {
  return namesOf(abi).events.get(topic) ?? [];
}

/** Whether a call that matches no function runs something. */
export function hasFallback(abi: ContractAbi): boolean {
  return namesOf(abi).hasFallback;
}

/** Whether a call with coin and without data runs something. */
export function hasReceive(abi: ContractAbi): boolean {
  const names = namesOf(abi);
  return names.hasReceive || names.hasFallback;
}

/** Topics 0 of the events with a name; a contract without an ABI, or without such an event, is taken for a standard's. */
export function eventTopics(abi: ContractAbi | undefined, name: string): readonly Hex[] {
  const named = (source: ContractAbi) =>
    [...namesOf(source).events].filter(([, items]) => items.some((item) => item.name === name)).map(([topic]) => topic);
  const own = abi === undefined ? [] : named(abi);
  return own.length > 0 ? own : named(standardAbi());
}
