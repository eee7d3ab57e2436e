/**
 * Functions, events and errors by name, from a contract's ABI on the chain or from a compiler's. The chain stores
 * name, type and `indexed` of each parameter and nothing else. Tuple components are lost at deployment, so selectors
 * of functions and events with tuples cannot be computed (protocol/v1.md#matching). A compiler's ABI has them.
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

/** From the chain, or from a compiler. */
export type ContractAbi = SmartContract_ABI | JsonAbi;

export interface AbiParameter {
  /** Empty if the source has no name. */
  readonly name: string;
  /** As in the ABI: `uint256`, `trcToken`, `address[2][]`, `tuple`. */
  readonly type: string;
  readonly indexed: boolean;
  /** Components of a tuple or of an array of tuples; not stored on the chain. */
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
  /** Whether a function is payable. */
  readonly payable: boolean;
}

interface AbiNames {
  readonly functions: ReadonlyMap<Hex, AbiItem>;
  readonly errors: ReadonlyMap<Hex, AbiItem>;
  /** By topic 0, in the order of the ABI: events that differ only in `indexed` share it. */
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

/** Cached by ABI object: ABIs of the chain and of artifacts never change. */
const known = new WeakMap<ContractAbi, AbiNames>();

function namesOf(abi: ContractAbi): AbiNames {
  let names = known.get(abi);
  if (names === undefined) {
    names = readNames(abi);
    known.set(abi, names);
  }
  return names;
}

/** An entry of either form. */
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

/** With the components in place of `tuple`, for selectors. */
function canonicalType({ type, components }: AbiParameter): string {
  if (components === undefined || !type.startsWith('tuple')) return type;
  return `(${components.map(canonicalType).join(',')})${type.slice('tuple'.length)}`;
}

/** The function of call data. Without an ABI, the standards are searched. */
export function functionOf(abi: ContractAbi | undefined, data: Hex): AbiItem | undefined {
  const selector = data.slice(0, SELECTOR_DIGITS);
  if (selector.length < SELECTOR_DIGITS) return undefined;
  if (abi !== undefined) return namesOf(abi).functions.get(selector);
  return namesOf(standardAbi()).functions.get(selector);
}

/** All functions, in the order of the ABI. */
export function functionsOf(abi: ContractAbi): readonly AbiItem[] {
  return [...namesOf(abi).functions.values()];
}

/** Parameters of the constructor; undefined: none known. */
export function constructorOf(abi: ContractAbi): AbiItem | undefined {
  return namesOf(abi).constructor;
}

/** The error of revert data, from one of the ABIs or Solidity's `Error(string)` and `Panic(uint256)`. */
export function errorOf(abis: readonly ContractAbi[], data: Hex): AbiItem | undefined {
  const selector = data.slice(0, SELECTOR_DIGITS);
  if (selector.length < SELECTOR_DIGITS) return undefined;
  for (const abi of abis) {
    const item = namesOf(abi).errors.get(selector);
    if (item !== undefined) return item;
  }
  return namesOf(standardAbi()).errors.get(selector);
}

/** The event of a log: the first with its topic 0 and the same number of indexed parameters. */
export function eventOf(abi: ContractAbi | undefined, topics: readonly Hex[]): AbiItem | undefined {
  const [topic] = topics;
  if (topic === undefined) return undefined;
  const own = abi === undefined ? undefined : namesOf(abi).events.get(topic);
  const candidates = own ?? namesOf(standardAbi()).events.get(topic);
  return candidates?.find(({ inputs }) => inputs.filter(({ indexed }) => indexed).length === topics.length - 1);
}

/** Events whose signature hash is the topic, in the order of the ABI. */
export function eventsWithTopic(abi: ContractAbi, topic: Hex): readonly AbiItem[] {
  return namesOf(abi).events.get(topic) ?? [];
}

/** Whether the contract has a fallback function. */
export function hasFallback(abi: ContractAbi): boolean {
  return namesOf(abi).hasFallback;
}

/** Whether the contract accepts TRX without call data. */
export function hasReceive(abi: ContractAbi): boolean {
  const names = namesOf(abi);
  return names.hasReceive || names.hasFallback;
}

/** Topics 0 of the events with a name; falls back to the standards if the ABI has none. */
export function eventTopics(abi: ContractAbi | undefined, name: string): readonly Hex[] {
  const named = (source: ContractAbi) =>
    [...namesOf(source).events].filter(([, items]) => items.some((item) => item.name === name)).map(([topic]) => topic);
  const own = abi === undefined ? [] : named(abi);
  return own.length > 0 ? own : named(standardAbi());
}
