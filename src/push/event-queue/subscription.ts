/**
 * The subscription of the queue, as java-tron's `event.subscribe` defines it
 * (protocol/events.md#configuration-and-transport).
 */

import type { Hex } from '../../primitives/hex.js';

/** With the names of java-tron's settings. */
export const TRIGGER_KINDS = [
  'block',
  'transaction',
  'contractevent',
  'contractlog',
  'solidity',
  'solidityevent',
  'soliditylog',
] as const;
export type TriggerKind = (typeof TRIGGER_KINDS)[number];

/**
 * Settings of a trigger: `solidified` for blocks and transactions, sent only when the block is solidified;
 * `ethCompatible` for transactions, with the fields of Ethereum's receipts; `redundancy` for logs, which also sends
 * logs that are events.
 */
export const TRIGGER_SETTINGS: Readonly<Partial<Record<TriggerKind, readonly TriggerSetting[]>>> = {
  block: ['solidified'],
  transaction: ['solidified', 'ethCompatible'],
  contractlog: ['redundancy'],
  soliditylog: ['redundancy'],
};
export type TriggerSetting = 'solidified' | 'ethCompatible' | 'redundancy';

export type WantedTriggers = ReadonlyMap<TriggerKind, ReadonlySet<TriggerSetting>>;

/** Filter of logs and events; an empty set passes everything. */
export interface LogFilter {
  /** Hex, with 41. */
  readonly contracts: ReadonlySet<Hex>;
  /** A log passes if any of them is at any position. */
  readonly topics: ReadonlySet<Hex>;
}

export interface Subscription extends LogFilter {
  readonly wanted: WantedTriggers;
}
