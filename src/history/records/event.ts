/**
 * An event in the managed service's form, and its values (protocol/v1.md#get-v1contractsaddressevents, #values,
 * #signature-texts).
 */

import type { AbiItem, AbiParameter } from '../../abi/items.js';
import { type AbiValue, decodeValues } from '../../abi/values.js';
import type { Hex } from '../../primitives/hex.js';
import { emptyTable } from '../../primitives/outside-names.js';
import { fromBase58, toBase58 } from '../../protocol/address.js';
import type { ContractEvent } from '../../wallet/history/events.js';
import type { Json } from '../json.js';
import { unconfirmed } from './transaction.js';

export function eventRecord(found: ContractEvent): Json {
  const { transaction, contract, index, event } = found;
  const address = toBase58(contract);
  const { result, types } = event === undefined ? { result: {}, types: {} } : valuesOf(event, found);
  return {
    block_number: transaction.place.block,
    block_timestamp: transaction.timestampMs,
    caller_contract_address: address,
    contract_address: address,
    event_index: index,
    event_name: event?.name ?? '',
    result,
    result_type: types,
    event: event === undefined ? '' : signatureText(event),
    transaction_id: transaction.txId,
    ...unconfirmed(transaction),
  };
}

/** `Transfer(address indexed from, address indexed to, uint256 value)` */
function signatureText({ name, inputs }: AbiItem): string {
  const parameters = inputs.map((input) =>
    [input.type, ...(input.indexed ? ['indexed'] : []), ...(input.name === '' ? [] : [input.name])].join(' '),
  );
  return `${name}(${parameters.join(', ')})`;
}

/** Each value by its position, and by the parameter's name if it has one; positions win over names. */
function valuesOf(
  { inputs }: AbiItem,
  { topics, data }: ContractEvent,
): { readonly result: Readonly<Record<string, Json>>; readonly types: Readonly<Record<string, string>> } {
  const inData = inputs.filter(({ indexed }) => !indexed);
  const decoded = decodeValues(inData, data);
  // Data that do not match the types are shown raw, as the first value of the data.
  const fallback = decoded === undefined ? inputs.findIndex(({ indexed }) => !indexed) : -1;
  const values: (Json | undefined)[] = [];
  let topic = 1;
  let at = 0;
  inputs.forEach((input, position) => {
    if (input.indexed) values.push(topicValue(input, topics[topic++] ?? ''));
    else if (decoded !== undefined) values.push(shown(input, decoded[at++] as AbiValue));
    else values.push(position === fallback ? data : undefined);
  });
  const named = inputs.map(({ name }, position) => [name, values[position]] as const);
  const result = emptyTable<Json>();
  const types = emptyTable<string>();
  for (const [position, value] of values.entries()) if (value !== undefined) result[position] = value;
  for (const [name, value] of named)
    if (name !== '' && value !== undefined && !/^\d+$/.test(name)) result[name] = value;
  for (const { name, type } of inputs) if (name !== '') types[name] = type;
  return { result, types };
}

/** Values larger than a word are indexed as their hash. */
const HASHED = /^(string|bytes|tuple)$|\[/;

function topicValue({ type }: AbiParameter, topic: Hex): Json {
  if (HASHED.test(type)) return topic;
  const value = decodeValues([type], topic)?.[0];
  return value === undefined ? topic : shown({ type }, value);
}

function shown({ type, components }: Pick<AbiParameter, 'type' | 'components'>, value: AbiValue): Json {
  if (Array.isArray(value)) {
    const values = value as readonly AbiValue[];
    if (type === 'tuple') return values.map((one, at) => shown(components?.[at] ?? { type: '' }, one));
    const element = { type: type.replace(/\[\d*\]$/, ''), ...(components && { components }) };
    return values.map((one) => shown(element, one));
  }
  const text = String(value);
  const element = type.replace(/\[.*/, '');
  // Without the network's prefix byte, unlike the other addresses.
  if (element === 'address') return `0x${fromBase58(text)?.slice(2) ?? ''}`;
  // Fixed-size bytes as the whole word.
  if (element.startsWith('bytes')) return element === 'bytes' ? text.slice(2) : text.slice(2).padEnd(64, '0');
  return text;
}
