/**
 * The properties of a chain, and what an approved proposal makes of them, as docs/protocol/proposals.md#side-effects says
 * it. Names and ids of parameters are those of the table there.
 */

import type { Ledger } from '../../../../src/ledger/ledger.js';
import { PARAMETERS } from '../../../../src/parameters/definitions.js';
import {
  BYTES_PROPERTIES,
  type BytesProperty,
  LONG_PROPERTIES,
  type LongProperty,
  TEXT_PROPERTIES,
  type TextProperty,
} from '../../../../src/parameters/properties.js';

type Text = TextProperty | BytesProperty;

const TEXTS = [...Object.keys(TEXT_PROPERTIES), ...Object.keys(BYTES_PROPERTIES)] as readonly Text[];
const NO_CYCLE_YET = 2n ** 63n - 1n;

const PRICE_HISTORIES: Readonly<Record<number, TextProperty>> = {
  3: 'BANDWIDTH_PRICE_HISTORY',
  11: 'ENERGY_PRICE_HISTORY',
  68: 'MEMO_FEE_HISTORY',
};
/** Stored only while the parameter is 0. */
const ONCE = new Set([10, 20, 21, 44, 77]);
const NEW_TYPES: Readonly<Record<number, readonly number[]>> = {
  ...{ 26: [48], 30: [49], 44: [52, 53], 70: [54, 55, 56, 57, 58], 77: [59] },
};
const RATIO_SCALE = 1_440n;

export class Properties {
  readonly #longs: Map<LongProperty, bigint>;
  readonly #texts: Map<Text, string>;

  constructor(ledger: Ledger) {
    this.#longs = new Map(LONG_PROPERTIES.map(({ name }) => [name, ledger.long(name)]));
    this.#texts = new Map(TEXTS.map((name) => [name, ledger.text(name)]));
  }

  long(name: LongProperty): bigint {
    return this.#longs.get(name) ?? 0n;
  }

  on(name: LongProperty): boolean {
    return this.long(name) === 1n;
  }

  set(name: LongProperty, value: bigint): void {
    this.#longs.set(name, value);
  }

  /** All of them, by name. */
  facts(): ReadonlyMap<string, string> {
    return new Map([...this.#longs, ...this.#texts].map(([name, value]) => [name, String(value)]));
  }

  /** One entry of an approved proposal. Values were checked when it was made. */
  apply(id: number, value: bigint, expirationMs: bigint): void {
    const parameter = PARAMETERS.find((one) => one.id === id);
    if (parameter === undefined) return;
    const { property } = parameter;
    if (ONCE.has(id) && this.long(property) !== 0n) return;
    if (id === 19) {
      this.set('TOTAL_ENERGY_LIMIT', value);
      this.set('TOTAL_ENERGY_TARGET_LIMIT', value / this.long('ADAPTIVE_RESOURCE_LIMIT_TARGET_RATIO'));
      if (!this.on('ALLOW_ADAPTIVE_ENERGY')) this.set('TOTAL_ENERGY_CURRENT_LIMIT', value);
      return;
    }
    this.set(property, id === 33 ? value * RATIO_SCALE : value);
    if (id === 21) {
      this.set('ADAPTIVE_RESOURCE_LIMIT_TARGET_RATIO', 2n * RATIO_SCALE);
      this.set('ADAPTIVE_RESOURCE_LIMIT_MULTIPLIER', 50n);
    }
    if (id === 21 || id === 33)
      this.set(
        'TOTAL_ENERGY_TARGET_LIMIT',
        this.long('TOTAL_ENERGY_LIMIT') / this.long('ADAPTIVE_RESOURCE_LIMIT_TARGET_RATIO'),
      );
    if ((id === 59 || id === 67) && this.long('NEW_REWARD_ALGORITHM_EFFECTIVE_CYCLE') === NO_CYCLE_YET)
      this.set('NEW_REWARD_ALGORITHM_EFFECTIVE_CYCLE', this.long('CURRENT_CYCLE_NUMBER') + 1n);
    const history = PRICE_HISTORIES[id];
    if (history !== undefined) this.#texts.set(history, `${this.#texts.get(history)},${expirationMs}:${value}`);
    for (const type of NEW_TYPES[id] ?? []) this.#addType(type);
  }

  #addType(type: number): void {
    for (const name of ['AVAILABLE_CONTRACT_TYPE', 'ACTIVE_DEFAULT_OPERATIONS'] as const) {
      const bytes = Buffer.from(this.#texts.get(name) ?? '', 'hex');
      bytes[type >> 3] = (bytes[type >> 3] ?? 0) | (1 << (type & 7));
      this.#texts.set(name, bytes.toString('hex'));
    }
  }
}
