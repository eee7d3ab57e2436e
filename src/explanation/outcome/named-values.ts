/** Values of calls, results and logs with the names and types of an ABI. */

import type { AbiParameter } from '../../abi/items.js';
import type { AbiValue, Typed } from '../../abi/values.js';
import type { Hex } from '../../primitives/hex.js';
import type { Component, NamedValue } from '../model/named-value.js';

/** `decodeValues`, which is loaded on demand. */
export type Decode = (types: readonly Typed[], data: Hex) => readonly AbiValue[] | undefined;

function componentOf({ name, type, components }: AbiParameter): Component {
  return { name, type, ...(components && { components: components.map(componentOf) }) };
}

export function namedValues(
  parameters: readonly AbiParameter[],
  data: Hex,
  decode: Decode,
): readonly NamedValue[] | undefined {
  const values = decode(parameters, data);
  return values && parameters.map((parameter, at) => ({ ...componentOf(parameter), value: values[at] as AbiValue }));
}

/** Values of these types are hashed in topics. */
const HASHED = /^(string|bytes|tuple)$|\[/;

export function loggedValues(
  parameters: readonly AbiParameter[],
  [, ...indexed]: readonly Hex[],
  data: Hex,
  decode: Decode,
): readonly NamedValue[] | undefined {
  const values = decode(
    parameters.filter((parameter) => !parameter.indexed),
    data,
  );
  if (values === undefined) return undefined;
  const plain = values.values();
  const topics = indexed.values();
  return parameters.map((parameter) => {
    const { name, type, indexed: inTopic } = parameter;
    if (!inTopic) return { ...componentOf(parameter), value: plain.next().value as AbiValue };
    const topic = topics.next().value ?? '';
    return { name, type, value: HASHED.test(type) ? `0x${topic}` : (decode([type], topic)?.[0] ?? `0x${topic}`) };
  });
}
