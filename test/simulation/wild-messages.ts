/**
 * Messages that somebody might send: every field of every contract type at values that matter, the ones it should have
 * and the ones it should not. Fields are known by their names, which mean the same in all contracts.
 */

import { utf8ToHex } from '../../src/primitives/hex.js';
import { MAX_LONG, MIN_LONG } from '../../src/primitives/java-math.js';
import type { FieldType, MessageType } from '../../src/protocol/message-type.js';

/** A repeatable source of choices (mulberry32). */
export class Choices {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  /** A whole number from 0 to before `end`. */
  below(end: number): number {
    return Math.floor(this.next() * end);
  }

  of<Item>(items: readonly Item[]): Item {
    if (items.length === 0) throw new Error('nothing to choose from');
    return items[this.below(items.length)] as Item;
  }

  hex(bytes: number): string {
    return Array.from({ length: bytes }, () => this.below(256).toString(16).padStart(2, '0')).join('');
  }
}

/** What there is on the chain that a message can name. */
export interface Known {
  readonly addresses: readonly string[];
  readonly witnesses: readonly string[];
  readonly contracts: readonly string[];
  readonly tokens: readonly string[];
  readonly orders: readonly string[];
  readonly codes: readonly string[];
  readonly headTimeMs: bigint;
  readonly proposals: bigint;
  readonly exchanges: bigint;
}

const COIN = 1_000_000n;
const NOT_ADDRESSES = ['', '41', `a0${'11'.repeat(20)}`, `41${'22'.repeat(19)}`, `41${'33'.repeat(21)}`];
const EXTREMES = [0n, 1n, -1n, 2n, 999_999n, COIN, COIN + 1n, 10n ** 15n, 10n ** 15n + 1n, MAX_LONG, MIN_LONG];
/** Reasonable values of the parameters whose range is not 0 and 1. */
const PARAMETER_VALUES: Readonly<Record<number, readonly bigint[]>> = {
  0: [81_000n, 600_000n, 3_600_000n],
  3: [0n, 10n, 1_000n],
  2: [0n, 100_000n],
  7: [0n, 1_000_000n],
  8: [0n, 1n, 3n],
  11: [0n, 100n, -5n, 420n],
  12: [0n, 1_024_000_000n],
  19: [180_000_000_000n, 1_000_000_000n],
  29: [1n, 50n],
  33: [1n, 1000n],
  61: [0n, 600n, 100_000n],
  62: [0n, 43_200_000_000n],
  70: [1n, 14n, 365n],
  73: [1n, 50_000n],
  78: [86_401n, 864_000n],
  82: [500n, 10_000n],
};
const AMOUNT_PARAMETERS = [1, 4, 5, 6, 22, 23, 31, 45, 46, 47, 68, 74, 75];

export class WildMessages {
  constructor(
    private readonly choices: Choices,
    private readonly known: Known,
  ) {}

  /** Values of all fields of a message; a few are left out. */
  fields(type: MessageType): Record<string, unknown> {
    const fields: Record<string, unknown> = {};
    for (const field of type.fields) {
      if (!this.choices.chance(0.04)) fields[field.name] = this.#field(type, field);
    }
    return fields;
  }

  #field(type: MessageType, field: FieldType): unknown {
    const { choices } = this;
    if (field.label === 'map') return this.#map(type, field);
    if (field.label === 'repeated') {
      const count = choices.of([0, 1, 1, 1, 2, 3, choices.below(35)]);
      return Array.from({ length: count }, () => this.#value(field));
    }
    return this.#value(field);
  }

  #map({ fullName }: MessageType, { keyKind }: FieldType): ReadonlyMap<unknown, unknown> {
    const { choices } = this;
    if (fullName === 'protocol.ProposalCreateContract') {
      return new Map(Array.from({ length: choices.of([0, 1, 1, 2, 3]) }, () => this.#parameter()));
    }
    return new Map<unknown, unknown>([[keyKind === 'string' ? 'x' : 1n, 1n]]);
  }

  #parameter(): readonly [bigint, bigint] {
    const { choices } = this;
    const id = choices.chance(0.3) ? Number(choices.of(Object.keys(PARAMETER_VALUES))) : choices.below(92);
    if (choices.chance(0.1)) return [BigInt(id), choices.of(EXTREMES)];
    if (AMOUNT_PARAMETERS.includes(id)) return [BigInt(id), BigInt(choices.below(20_000_000))];
    return [BigInt(id), choices.of(PARAMETER_VALUES[id] ?? [1n, 1n, 1n, 0n])];
  }

  #value(field: FieldType): unknown {
    const { choices } = this;
    switch (field.kind) {
      case 'bytes':
        return this.#bytes(field.name);
      case 'int64':
        return this.#long(field.name);
      case 'int32':
        return this.#int(field.name);
      case 'string':
        return 'n'.repeat(choices.of([0, 1, 8, 32, 33]));
      case 'bool':
        return choices.chance(0.5);
      case 'double':
        return choices.next();
      case 'enum':
        return this.#enum(field);
      case 'message':
        return field.messageType === undefined
          ? undefined
          : (field.messageType.codec.create(this.fields(field.messageType) as never) as unknown);
    }
  }

  #enum({ enumType }: FieldType): number {
    const values = Object.values(enumType?.values ?? {});
    return this.choices.chance(0.05) ? 77 : this.choices.of(values.length > 0 ? values : [0]);
  }

  #bytes(name: string): string {
    const { choices, known } = this;
    if (name.endsWith('address')) {
      if (choices.chance(0.05)) return choices.of(NOT_ADDRESSES);
      if (name === 'contract_address' && choices.chance(0.8) && known.contracts.length > 0) {
        return choices.of(known.contracts);
      }
      if (name === 'account_address' || (name === 'to_address' && choices.chance(0.1))) {
        return `41${choices.hex(20)}`;
      }
      if (name === 'vote_address' && choices.chance(0.9)) return choices.of(known.witnesses);
      return choices.of(known.addresses);
    }
    if (name === 'asset_name' || name.endsWith('token_id')) {
      const others = ['5f', '', '30', '3031', utf8ToHex('1000001'), utf8ToHex('none'), 'ff'];
      return choices.chance(0.75) && known.tokens.length > 0 ? choices.of(known.tokens) : choices.of(others);
    }
    if (name === 'order_id' && known.orders.length > 0 && choices.chance(0.8)) return choices.of(known.orders);
    if (name === 'bytecode') return choices.chance(0.7) ? choices.of(known.codes) : choices.hex(choices.below(60));
    if (name === 'operations') {
      return choices.of([`7fff1fc0033ec30f${'00'.repeat(24)}`, '02'.padEnd(64, '0'), 'ff'.repeat(32), '', '7f']);
    }
    if (name === 'data') return choices.hex(choices.of([0, 4, 36, 68]));
    if (name === 'name' || name === 'abbr')
      return utf8ToHex(choices.of(['TRX', 'AAA', 'BBB', 'C C', '']) + choices.below(3));
    return utf8ToHex('u'.repeat(choices.of([0, 1, 8, 20, 33, 200, 201, 256, 257])));
  }

  #long(name: string): bigint {
    const { choices, known } = this;
    if (choices.chance(0.06)) return choices.of(EXTREMES);
    if (name === 'proposal_id') return BigInt(choices.below(Number(known.proposals) + 2));
    if (name === 'exchange_id') return BigInt(choices.below(Number(known.exchanges) + 2));
    if (name === 'start_time') return known.headTimeMs + BigInt(choices.of([-1, 0, 1, 4_000, 60_000]));
    if (name === 'end_time') return known.headTimeMs + BigInt(choices.of([0, 60_000, 86_400_000]));
    if (name === 'frozen_duration' || name === 'frozen_days') return choices.of([3n, 3n, 3n, 3n, 3n, 3n, 1n, 4_000n]);
    if (name === 'lock_period') return choices.of([0n, 1n, 100n, 86_400n, 864_000n, 864_001n, -1n]);
    if (name === 'threshold' || name === 'weight' || name === 'expected') return BigInt(choices.of([1, 1, 1, 2, 0]));
    if (name === 'call_token_value' || name === 'token_id') return choices.of([0n, 0n, 0n, 1n, 1_000_001n, 5n]);
    if (name.includes('percent')) return BigInt(choices.of([0, 30, 100, 101, -1]));
    if (name === 'call_value') return choices.of([0n, 0n, 1n, COIN]);
    if (name === 'total_supply') return choices.of([10n ** 12n, 1_000n, MAX_LONG]);
    if (name === 'frozen_amount') return choices.of([1n, 100n, 10n ** 13n]);
    if (name.startsWith('public_') || name.startsWith('free_')) return choices.of([0n, 0n, 1_000n, 100_000n]);
    if (name === 'vote_count') return BigInt(1 + choices.below(5_000));
    if (choices.chance(0.3)) return BigInt(1 + choices.below(1_000));
    return BigInt(1 + choices.below(20_000)) * (choices.chance(0.6) ? COIN : COIN / 3n);
  }

  #int(name: string): number {
    const { choices } = this;
    if (name === 'brokerage') return choices.of([0, 20, 50, 100, 101, -1]);
    if (name === 'parent_id' || name === 'order') return choices.of([0, 0, 0, 0, 1]);
    if (name === 'num' || name === 'trx_num') return choices.of([1, 1, 1, 7, 0, -1]);
    return choices.of([0, 1, 2, 6, 7, -1]);
  }
}
