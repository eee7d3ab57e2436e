/** Options of the event queue: its triggers, and the contracts whose events it sends (docs/reference/push.md). */

import { isHex } from '../primitives/hex.js';
import { fromBase58 } from '../protocol/address.js';
import { addressFault } from '../protocol/address-fault.js';
import {
  TRIGGER_KINDS,
  TRIGGER_SETTINGS,
  type TriggerSetting,
  type WantedTriggers,
} from '../push/event-queue/subscription.js';
import { BadValue, type Kind, shown, texts } from './kinds.js';

export const queueEndpoint: Kind<string, string> = {
  placeholder: '<endpoint>',
  type: 'string',
  check: (value) => {
    if (typeof value === 'string') {
      const [, port] = /^tcp:\/\/.+:(\d{1,5}|\*)$/.exec(value) ?? [];
      // ZeroMQ would take the lower 16 bits of a larger number.
      if (port === '*' || Number(port) <= 65_535 || /^ipc:\/\/.+/.test(value)) return value;
    }
    throw new BadValue(`is ${shown(value)}, which is not a ZeroMQ endpoint`, 'For example tcp://127.0.0.1:5555');
  },
};

const KINDS_HINT = `There are ${TRIGGER_KINDS.join(', ')}`;

/** `block`, `transaction:ethCompatible:solidified`: types of triggers, each with its settings in java-tron. */
export const eventTriggers: Kind<readonly string[], WantedTriggers> = {
  placeholder: '<names>',
  type: 'string[]',
  fromText: (text, before = []) => [...before, ...text.split(',').map((one) => one.trim())],
  check: (values) => {
    if (!Array.isArray(values) || values.length === 0) throw new BadValue(`is ${shown(values)}`, KINDS_HINT);
    return new Map(values.map(readTrigger));
  },
};

function readTrigger(value: unknown) {
  const [name, ...settings] = String(value).split(':');
  const kind = TRIGGER_KINDS.find((one) => one === name);
  if (kind === undefined) throw new BadValue(`has ${shown(value)}, which is not a trigger`, KINDS_HINT);
  const known: readonly string[] = TRIGGER_SETTINGS[kind] ?? [];
  const wrong = settings.find((setting) => !known.includes(setting));
  if (wrong === undefined) return [kind, new Set(settings as TriggerSetting[])] as const;
  throw new BadValue(
    `has ${shown(wrong)} of ${kind}`,
    known.length === 0 ? `${kind} has no settings` : `${kind} may have ${known.join(', ')}`,
  );
}

export const contractAddresses = texts('<address>', (value) => {
  const address =
    fromBase58(value) ?? (/^(0x)?41[\da-f]{40}$/i.test(value) ? value.slice(-42).toLowerCase() : undefined);
  if (address !== undefined) return address;
  throw new BadValue(
    `is ${shown(value)}, which is not a valid address${addressFault(value)}`,
    'Write T… (base58check), or 41 and 40 hex digits',
  );
});

export const logTopics = texts('<hex>', (value) => {
  const topic = value.replace(/^0x/i, '').toLowerCase();
  if (topic.length === 64 && isHex(topic)) return topic;
  throw new BadValue(`is ${shown(value)}, which is not a topic`, 'A topic is 64 hex digits');
});
