/**
 * Prints the answer of getnodeinfo, which java-tron prints as a Java bean: members are sorted, and none is omitted
 * (protocol/http-endpoints.md#witnesses-nodes-node-info).
 */

import { NodeInfo } from '../protocol/generated/tron.js';
import { javaDouble } from '../protocol/json/message-printer.js';
import { fastjsonString } from '../protocol/json/value.js';
import type { FieldType, MessageType } from '../protocol/message-type.js';

export function printNodeInfo(info: NodeInfo): string {
  return `${printBean(NodeInfo.type, info as unknown as Values, INFO_EXTRAS)}`;
}

type Values = Readonly<Record<string, unknown>>;

/** Members of the beans that the messages do not have, as JSON text. */
const INFO_EXTRAS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  // The build's serial number of java-tron 4.8.0.
  'protocol.NodeInfo.ConfigNodeInfo': { versionNum: '"18631"' },
};

/** Members whose name in the bean differs from the message's. */
const BEAN_NAMES: Readonly<Record<string, string>> = { peerInfoList: 'peerList' };

function printBean(type: MessageType, values: Values, extras: typeof INFO_EXTRAS): string {
  const members = type.fields.map((field): [string, string] => [
    BEAN_NAMES[field.name] ?? field.name,
    printMember(field, values[field.name], extras),
  ]);
  members.push(...Object.entries(extras[type.fullName] ?? {}));
  members.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, json]) => `"${name}":${json}`).join(',')}}`;
}

function printMember(field: FieldType, value: unknown, extras: typeof INFO_EXTRAS): string {
  if (field.label === 'repeated') {
    return `[${(value as readonly unknown[]).map((element) => printScalar(field, element, extras)).join(',')}]`;
  }
  if (field.label === 'map') {
    const entries = [...(value as ReadonlyMap<string, unknown>)];
    return `{${entries.map(([key, entry]) => `${fastjsonString(key)}:${printScalar(field, entry, extras)}`).join(',')}}`;
  }
  return printScalar(field, value, extras);
}

function printScalar(field: FieldType, value: unknown, extras: typeof INFO_EXTRAS): string {
  switch (field.kind) {
    case 'message': {
      const type = field.messageType!;
      return printBean(type, (value ?? type.codec.empty) as Values, extras);
    }
    case 'string':
    case 'bytes':
      return fastjsonString(value as string);
    case 'double':
      return javaDouble(value as number);
    default:
      return String(value);
  }
}
