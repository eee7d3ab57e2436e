/** Terms that hold for all rows of a fork, from its start data: how slots are counted, the rules, the current cycle. */

import type { LongProperty } from '../../parameters/properties.js';
import type { BlockId } from '../../primitives/ids.js';
import type { MarketOrder } from '../../protocol/generated/tron.js';
import { type ResourceRules, resourceRules } from '../../resources/rules.js';
import { TABLES } from '../../state/tables.js';
import type { ForkStart } from './fork-start.js';

export interface NetworkTerms {
  readonly genesisTimestampMs: bigint;
  readonly genesisId: BlockId;
  /** Time of the forked block. */
  readonly forkedMs: bigint;
  readonly slotMs: bigint;
  readonly rules: ResourceRules;
  /** The reward cycle at the start of the fork. */
  readonly cycle: bigint;
  /** CHANGE_DELEGATION: voters get rewards. */
  readonly paysVoters: boolean;
  /** Whether rewards come from accumulators. */
  readonly accumulates: boolean;
  /** ALLOW_SAME_TOKEN_NAME: tokens are identified by id. */
  readonly tokensHaveIds: boolean;
  /** ALLOW_DELEGATE_OPTIMIZATION: delegation partners of Stake 1.0 are stored as pairs, not as lists. */
  readonly delegationPairs: boolean;
  /** Votes of each witness at the start of the cycle. */
  readonly votesOfWitness: ReadonlyMap<string, bigint>;
  /** Open orders of the market, by owner. */
  readonly ordersOfAccount: ReadonlyMap<string, readonly MarketOrder[]>;
}

/** Slot of a time, as usages count slots. */
export function slotOf({ genesisTimestampMs, slotMs }: NetworkTerms, timestampMs: bigint): bigint {
  return (timestampMs - genesisTimestampMs) / slotMs;
}

const MS_PER_DAY = 86_400_000n;

/** @param slotMs of the network */
export function termsOf({ genesis, rows }: Pick<ForkStart, 'genesis' | 'rows'>, slotMs: bigint): NetworkTerms {
  const longs = new Map<string, bigint>();
  const votesOfWitness = new Map<string, bigint>();
  const ordersOfAccount = new Map<string, MarketOrder[]>();
  for (const { table, key, value } of rows) {
    if (value === undefined) continue;
    if (table === 'longs') longs.set(key, TABLES.longs.decode(value));
    if (table === 'witnesses') votesOfWitness.set(key, TABLES.witnesses.decode(value).voteCount);
    if (table === 'marketOrders') {
      const order = TABLES.marketOrders.decode(value);
      const others = ordersOfAccount.get(order.owner_address);
      if (others === undefined) ordersOfAccount.set(order.owner_address, [order]);
      else others.push(order);
    }
  }
  const long = (name: LongProperty): bigint => {
    const value = longs.get(name);
    if (value === undefined) throw new Error(`the start data of the fork has no ${name}`);
    return value;
  };
  return {
    genesisTimestampMs: genesis.timestampMs,
    genesisId: genesis.id,
    forkedMs: long('latest_block_header_timestamp'),
    slotMs,
    rules: resourceRules(long, MS_PER_DAY / slotMs),
    cycle: long('CURRENT_CYCLE_NUMBER'),
    paysVoters: long('CHANGE_DELEGATION') === 1n,
    accumulates: accumulates(longs),
    tokensHaveIds: long('ALLOW_SAME_TOKEN_NAME') === 1n,
    delegationPairs: long('ALLOW_DELEGATE_OPTIMIZATION') === 1n,
    votesOfWitness,
    ordersOfAccount,
  };
}

/** Whether rewards come from accumulators, from the properties of a network. */
export function accumulates(longs: ReadonlyMap<string, bigint>): boolean {
  return longs.get('ALLOW_NEW_REWARD') === 1n || longs.get('ALLOW_TVM_VOTE') === 1n;
}
