/**
 * Access to a state for the rules: properties by name, head time and slot, and the chain's settings. Every rule takes
 * a `Ledger`; whether its state is the head, the head with pending transactions, or an older view makes no difference
 * to the rule.
 */

import type { BytesProperty, LongProperty, TextProperty } from '../parameters/properties.js';
import type { BlockId } from '../primitives/ids.js';
import { wrapLong } from '../primitives/java-math.js';
import type { State } from '../state/state.js';
import type { ChainConfig } from './config.js';

export class Ledger {
  constructor(
    readonly state: State,
    readonly config: ChainConfig,
  ) {}

  long(name: LongProperty): bigint {
    const value = this.state.tables.longs.get(name);
    if (value === undefined) throw new Error(`dynamic property ${name} has no value: was the genesis applied?`);
    return value;
  }

  setLong(name: LongProperty, value: bigint): void {
    this.state.tables.longs.set(name, value);
  }

  addToLong(name: LongProperty, delta: bigint): void {
    this.setLong(name, wrapLong(this.long(name) + delta));
  }

  /** Whether a flag is 1. */
  on(name: LongProperty): boolean {
    return this.long(name) === 1n;
  }

  text(name: TextProperty | BytesProperty): string {
    return this.state.tables.texts.get(name) ?? '';
  }

  setText(name: TextProperty | BytesProperty, value: string): void {
    this.state.tables.texts.set(name, value);
  }

  get headNumber(): number {
    return Number(this.long('latest_block_header_number'));
  }

  get headId(): BlockId {
    return this.text('latest_block_header_hash') as BlockId;
  }

  /**
   * `now` of every system contract: the head's time, which while a block is applied is its parent's
   * (protocol/conventions.md#time-base).
   */
  get headTimeMs(): bigint {
    return this.long('latest_block_header_timestamp');
  }

  /** Unit of every "latest consume" time: whole slots since the genesis, of the head. */
  get headSlot(): bigint {
    return (this.headTimeMs - this.config.genesisTimestampMs) / this.config.slotMs;
  }

  /** Number of whole slots in a time span. */
  slotsIn(timeMs: bigint): bigint {
    return timeMs / this.config.slotMs;
  }

  get vmOn(): boolean {
    return this.on('ALLOW_CREATION_OF_CONTRACTS');
  }

  /** Stake 2.0 (UNFREEZE_DELAY_DAYS > 0). */
  get stakeV2On(): boolean {
    return this.long('UNFREEZE_DELAY_DAYS') > 0n;
  }
}
