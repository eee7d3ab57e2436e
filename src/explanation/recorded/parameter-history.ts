/**
 * Chain parameters at a moment of the past, from what a node serves today: the prices that have a history
 * (protocol/http-endpoints.md#rewards-prices-fees), all others from the approved proposals.
 */

import { PARAMETERS, type ParameterDefinition, type ParameterProperty } from '../../parameters/definitions.js';
import { PRICE_HISTORIES } from '../../parameters/effects.js';
import type { TextProperty } from '../../parameters/properties.js';
import { type Proposal, Proposal_State } from '../../protocol/generated/tron.js';

export interface ParameterAnswers {
  /** Current values by key of `getchainparameters`. */
  readonly now: ReadonlyMap<string, bigint>;
  /** `0:100,1542607200000:20,…`: from the moment in ms on, the price. */
  readonly priceHistories: ReadonlyMap<TextProperty, string>;
  readonly proposals: readonly Proposal[];
}

/** Parameters at one moment. */
export interface ParametersThen {
  /** The stored value. */
  long(property: ParameterProperty): bigint;
  /**
   * Keys of `getchainparameters` that were read and whose first value nobody voted on: the default of a new chain is
   * assumed, and a private chain may be configured otherwise.
   */
  readonly assumed: ReadonlySet<string>;
  isAssumed(property: ParameterProperty): boolean;
}

interface Change {
  readonly atMs: bigint;
  readonly value: bigint;
}

export class ParameterHistory {
  readonly #definitions: ReadonlyMap<ParameterProperty, ParameterDefinition>;
  readonly #changes = new Map<ParameterProperty, readonly Change[]>();
  #changeTimes: readonly bigint[] | undefined;

  constructor(private readonly answers: ParameterAnswers) {
    this.#definitions = new Map(PARAMETERS.map((parameter) => [parameter.property, parameter]));
  }

  /**
   * The parameters of a block. An approved proposal takes effect with the maintenance after the first block at or after
   * its expiration time, so the time of the block before decides.
   */
  inBlockAfter(parentTimestampMs: bigint): ParametersThen {
    const assumed = new Set<string>();
    const long = (property: ParameterProperty) => {
      const definition = this.#definitions.get(property);
      if (definition === undefined) throw new Error(`${property} is no chain parameter`);
      const changes = this.#changesOf(definition);
      const last = changes.at(-1);
      const now = this.answers.now.get(definition.key);
      // The newest value may come from elsewhere than a vote: a hard fork, an operation on a devnet.
      if (last === undefined || last.atMs <= parentTimestampMs) return (now ?? 0n) * definition.storedScale;
      const value = changes.findLast(({ atMs }) => atMs <= parentTimestampMs)?.value;
      if (value === undefined) assumed.add(definition.key);
      return (value ?? definition.initial) * definition.storedScale;
    };
    const isAssumed = (property: ParameterProperty) => assumed.has(this.#definitions.get(property)?.key ?? '');
    return { long, assumed, isAssumed };
  }

  /** The time of the newest change of any parameter up to a moment; undefined: none. */
  newestChangeMs(upToMs: bigint): bigint | undefined {
    this.#changeTimes ??= [...this.#definitions.values()]
      .flatMap((definition) => this.#changesOf(definition).map(({ atMs }) => atMs))
      .sort(compare);
    return this.#changeTimes.findLast((atMs) => atMs <= upToMs);
  }

  #changesOf(definition: ParameterDefinition): readonly Change[] {
    const { property, id } = definition;
    let changes = this.#changes.get(property);
    if (changes === undefined) {
      const history = this.answers.priceHistories.get(PRICE_HISTORIES.get(property) ?? ('' as TextProperty));
      changes = history ? pricesIn(history) : id === undefined ? [] : this.#voted(BigInt(id));
      this.#changes.set(property, changes);
    }
    return changes;
  }

  /** Of proposals that one maintenance decides, the oldest is applied last. */
  #voted(id: bigint): readonly Change[] {
    return this.answers.proposals
      .filter(({ state, parameters }) => state === Proposal_State.APPROVED && parameters.has(id))
      .sort((a, b) => compare(a.expiration_time, b.expiration_time) || compare(b.proposal_id, a.proposal_id))
      .map(({ expiration_time, parameters }) => ({ atMs: expiration_time, value: parameters.get(id) ?? 0n }));
  }
}

function pricesIn(history: string): readonly Change[] {
  return history.split(',').flatMap((entry) => {
    const [, atMs, value] = /^(\d+):(-?\d+)$/.exec(entry.trim()) ?? [];
    return atMs === undefined || value === undefined ? [] : [{ atMs: BigInt(atMs), value: BigInt(value) }];
  });
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
