/**
 * Functions, events and errors by the names that a contract's ABI on the chain gives them.
 *
 * The chain keeps name, types and `indexed` of each parameter and nothing else: the components of a tuple are lost when
 * a contract is deployed, so what takes or carries a tuple hashes to no selector and is found by nobody
 * (v1-history.md 8.2).
 */

import { type Hex, utf8ToHex } from '../primitives/hex.js';
import {
  SmartContract_ABI_Entry_EntryType as EntryType,
  type SmartContract_ABI,
  type SmartContract_ABI_Entry,
} from '../protocol/generated/smart-contract.js';
import { keccak256OfHex } from '../protocol/hashes.js';
import { standardAbi } from './standards.js';

export interface AbiParameter {
  /** Empty where the source gave none. */
  readonly name: string;
  /** As in the ABI: `uint256`, `trcToken`, `address[2][]`, `tuple`. */
  readonly type: string;
  readonly indexed: boolean;
}

/** A function, an event or an error. */
export interface AbiItem {
  readonly name: string;
  /** `transfer(address,uint256)` */
  readonly signature: string;
  readonly inputs: readonly AbiParameter[];
  /** Whether a function takes coin. */
  readonly payable: boolean;
}

interface AbiNames {
  readonly functions: ReadonlyMap<Hex, AbiItem>;
  readonly errors: ReadonlyMap<Hex, AbiItem>;
  /** By topic 0, in the order of the ABI: events that differ in what is indexed share it. */
  readonly events: ReadonlyMap<Hex, readonly AbiItem[]>;
  readonly hasFallback: boolean;
  readonly hasReceive: boolean;
}

/** keccak256 of a signature, 64 hex digits; the first eight are a function's or an error's selector. */
export function signatureHash(signature: string): Hex {
  return keccak256OfHex(utf8ToHex(signature));
}

const SELECTOR_DIGITS = 8;

/** ABIs are rows of the chain, which never change: what was hashed once is kept as long as the row is in memory. */
const known = new WeakMap<SmartContract_ABI, AbiNames>();

function namesOf(abi: SmartContract_ABI): AbiNames {
  let names = known.get(abi);
  if (names === undefined) {
    names = readNames(abi);
    known.set(abi, names);
  }
  return names;
}

function readNames({ entrys }: SmartContract_ABI): AbiNames {
  const functions = new Map<Hex, AbiItem>();
  const errors = new Map<Hex, AbiItem>();
  const events = new Map<Hex, AbiItem[]>();
  let hasFallback = false;
  let hasReceive = false;
  for (const entry of entrys) {
    if (entry.type === EntryType.Fallback) hasFallback = true;
    else if (entry.type === EntryType.Receive) hasReceive = true;
    if (entry.name === '') continue;
    const item = itemOf(entry);
    const hash = signatureHash(item.signature);
    const selector = hash.slice(0, SELECTOR_DIGITS);
    if (entry.type === EntryType.Function && !functions.has(selector)) functions.set(selector, item);
    else if (entry.type === EntryType.Error && !errors.has(selector)) errors.set(selector, item);
    // The first topic of an anonymous event is not its signature.
    else if (entry.type === EntryType.Event && !entry.anonymous) events.set(hash, [...(events.get(hash) ?? []), item]);
  }
  return { functions, errors, events, hasFallback, hasReceive };
}

const PAYABLE = 4;

function itemOf({ name, inputs, payable, stateMutability }: SmartContract_ABI_Entry): AbiItem {
  return {
    name,
    signature: `${name}(${inputs.map(({ type }) => type).join(',')})`,
    inputs: inputs.map((input) => ({ name: input.name, type: input.type, indexed: input.indexed })),
    payable: payable || stateMutability === PAYABLE,
  };
}

/** The function that the data of a call is for. Contracts without an ABI are looked up among the standards'. */
export function functionOf(abi: SmartContract_ABI | undefined, data: Hex): AbiItem | undefined {
  const selector = data.slice(0, SELECTOR_DIGITS);
  if (selector.length < SELECTOR_DIGITS) return undefined;
  if (abi !== undefined) return namesOf(abi).functions.get(selector);
  return namesOf(standardAbi()).functions.get(selector);
}

/** The error that revert data is of, by one of the ABIs or by Solidity itself: `Error(string)`, `Panic(uint256)`. */
export function errorOf(abis: readonly SmartContract_ABI[], data: Hex): AbiItem | undefined {
  const selector = data.slice(0, SELECTOR_DIGITS);
  if (selector.length < SELECTOR_DIGITS) return undefined;
  for (const abi of abis) {
    const item = namesOf(abi).errors.get(selector);
    if (item !== undefined) return item;
  }
  return namesOf(standardAbi()).errors.get(selector);
}

/** The event that a log is of: of those with its topic 0 the first with as many indexed parameters as it has topics. */
export function eventOf(abi: SmartContract_ABI | undefined, topics: readonly Hex[]): AbiItem | undefined {
  const [topic] = topics;
  if (topic === undefined) return undefined;
  const own = abi === undefined ? undefined : namesOf(abi).events.get(topic);
  const candidates = own ?? namesOf(standardAbi()).events.get(topic);
  return candidates?.find(({ inputs }) => inputs.filter(({ indexed }) => indexed).length === topics.length - 1);
}

/** Whether a call that matches no function runs something. */
export function hasFallback(abi: SmartContract_ABI): boolean {
  return namesOf(abi).hasFallback;
}

/** Whether a call with coin and without data runs something. */
export function hasReceive(abi: SmartContract_ABI): boolean {
  const names = namesOf(abi);
  return names.hasReceive || names.hasFallback;
}

/** Topics 0 of the events with a name; a contract without an ABI, or without such an event, is taken for a standard's. */
export function eventTopics(abi: SmartContract_ABI | undefined, name: string): readonly Hex[] {
  const named = (source: SmartContract_ABI) =>
    [...namesOf(source).events].filter(([, items]) => items.some((item) => item.name === name)).map(([topic]) => topic);
  const own = abi === undefined ? [] : named(abi);
  return own.length > 0 ? own : named(standardAbi());
}
