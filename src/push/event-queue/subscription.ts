/**
 * What is wanted on the queue, as java-tron's `event.subscribe` says it
 * (protocol/events.md#configuration-and-transport).
 */

import type { Hex } from '../../primitives/hex.js';

/** As java-tron's settings name them. */
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
 * What may be said of a kind: `solidified` of blocks and transactions, told only when their block is;
 * `ethCompatible` of transactions, with what Ethereum's receipts say; `redundancy` of logs, those that are events too.
 */
export const TRIGGER_SETTINGS: Readonly<Partial<Record<TriggerKind, readonly TriggerSetting[]>>> = {
  block: ['solidified'],
  transaction: ['solidified', 'ethCompatible'],
  contractlog: ['redundancy'],
  soliditylog: ['redundancy'],
};
export type TriggerSetting = 'solidified' | 'ethCompatible' | 'redundancy';

export type Wanted = ReadonlyMap<TriggerKind, ReadonlySet<TriggerSetting>>;

/** Of logs and events; an empty set lets all of them pass. */
export interface LogFilter {
  /** Hex, with 41. */
  readonly contracts: ReadonlySet<Hex>;
  /** A log passes with any of them in any place. */
  readonly topics: ReadonlySet<Hex>;
}

export interface Subscription extends LogFilter {
  readonly wanted: Wanted;
}
