/**
 * What no interface of a node serves, and what a fork takes it to be. Everything else of a fork is exact. Which of these
 * may matter to a transaction is worked out by `explanation/rerun/assumptions-touched.ts`, and `explain` names them.
 */

import type { RowName } from '../../state/remote-rows.js';

/** Something that no interface of a node serves, and what a fork takes it to be. */
export interface Assumption {
  readonly name: string;
  /** The tables whose rows it concerns. */
  readonly tables: readonly RowName['table'][];
  /** What is not served. */
  readonly unknown: string;
  readonly assumed: string;
  /** What may come out differently than on the network. */
  readonly effect: string;
  /** Which transactions it is named for, in words. */
  readonly named: string;
}

export const ASSUMPTIONS = [
  {
    name: 'usages',
    tables: ['accounts', 'assets'],
    unknown: 'Bandwidth and Energy usage at its last write; nodes serve the usage that is left now, rounded',
    assumed: 'the middle of all usages that give this answer; exact for a usage of the same slot, and for none',
    effect:
      "an account's free resources may differ by one unit after some time, and the burned TRX by the price of one unit",
    named: 'used Bandwidth or Energy of an account whose usage had partly recovered when it was read',
  },
  {
    name: 'publicBandwidth',
    tables: ['longs'],
    unknown: "how much of the network's public free Bandwidth is used (PUBLIC_NET_USAGE)",
    assumed: 'none',
    effect: 'a transaction may get free Bandwidth that is used up on the network',
    named: 'used free Bandwidth, in the first day of the fork',
  },
  {
    name: 'runningTally',
    tables: ['votes', 'witnesses'],
    unknown: "the change of the witnesses' vote totals since the last maintenance, on nodes before 4.8.1",
    assumed: 'no change; also none if the forked block ended an epoch',
    effect:
      'the tally and election of the first maintenance; after it the `voteCount` of witnesses, the elected witnesses, and the pay of witnesses and voters',
    named:
      'paid a voter or a witness of the network, or read the votes of a witness (`ReceivedVoteCount`), after a maintenance',
  },
  {
    name: 'runningVotes',
    tables: ['voterSettlements', 'votes'],
    unknown: 'which accounts have voted since the last maintenance',
    assumed: 'none: all votes have counted since the beginning of the cycle',
    effect: 'the reward of the first cycle',
    named: 'paid a voter of the network, after a maintenance',
  },
  {
    name: 'pending',
    tables: ['accounts', 'storage', 'contractStates'],
    unknown: 'whether an answer of the node includes effects of its pending transactions',
    assumed: 'it does not',
    effect: 'rows of busy accounts may be a few transactions ahead of their block',
    named: 'none, because it may concern any row',
  },
  {
    name: 'runningRewards',
    tables: ['witnessRewards'],
    unknown:
      'rewards that witnesses have earned for their voters in the current cycle, and brokerages set for the next cycle',
    assumed: 'no rewards yet; brokerages do not change',
    effect: 'the rewards of the first cycle: they cover the blocks of the fork only',
    named: 'paid a voter or a witness of the network, after a maintenance',
  },
  {
    name: 'brokerages',
    tables: ['witnessRewards'],
    unknown: 'the brokerage of each witness, which would take up to 127 requests before the first block',
    assumed: 'the default of 20 %, unless `--fork-brokerages` is given',
    effect: 'how rewards of blocks are divided between a witness and its voters',
    named: 'paid a voter or a witness of the network, after a maintenance',
  },
  {
    name: 'olderRewards',
    tables: ['rewardHistory', 'voterSettlements'],
    unknown: 'the reward accumulators of past cycles, and the last settlement of each voter',
    assumed: 'the answer of getReward, as one sum',
    effect:
      'a reward that was earned partly before the fork may be lower by at most 1 sun for each witness voted for, because the earlier part is rounded on its own',
    named: 'paid a voter of the network, after a maintenance',
  },
  {
    name: 'guards',
    tables: ['witnesses'],
    unknown: "which witnesses the network's genesis names; these can never withdraw rewards",
    assumed: 'none',
    effect: 'a witness of the genesis can withdraw rewards',
    named: 'withdrew rewards of a witness of the network',
  },
  {
    name: 'cycle',
    tables: ['longs', 'contractStates'],
    unknown: 'the number of the current cycle, if the newest block calls no contract',
    assumed: 'the number of whole maintenance intervals since the genesis',
    effect: 'only the number itself',
    named: 'none, because no result depends on it',
  },
  {
    name: 'energyStateCycle',
    tables: ['contractStates'],
    unknown: "the last write of a contract's energy factor; nodes serve the present factor",
    assumed: "now; a quiet contract's factor then falls with two roundings, and with one on the network",
    effect: "a quiet contract's factor, by at most 1/10,000",
    named: 'called a contract with an energy factor, after a maintenance',
  },
  {
    name: 'filledSlots',
    tables: ['texts', 'longs'],
    unknown: 'which of the last 128 slots had a block',
    assumed: 'all',
    effect: 'the participation rate',
    named: 'none, because no result depends on it',
  },
  {
    name: 'adaptiveEnergy',
    tables: ['longs'],
    unknown: 'the average of adaptive Energy, and the fee pool',
    assumed: 'none; both are off on the networks of TRON',
    effect: 'the first blocks of a network that uses them',
    named: 'used Energy, where adaptive Energy is on',
  },
  {
    name: 'accountNames',
    tables: ['accountNames'],
    unknown: 'which accounts have a name',
    assumed: 'none',
    effect: 'where names are unique, an account can take a name that exists on the network',
    named: 'set an account name',
  },
  {
    name: 'delegationTimes',
    tables: ['delegationPartners'],
    unknown: 'the last delegation from one account to another',
    assumed: 'their order, which nodes serve',
    effect: 'none',
    named: 'none, because no result depends on it',
  },
  {
    name: 'marketCounters',
    tables: ['marketAccounts'],
    unknown: 'how many market orders an account has placed',
    assumed:
      'the number in the id of its newest open order, which is a hash with that number; if this gives the id of an order that exists on the network, the next number after the last such order of the pair',
    effect:
      'ids of its next orders, if it has placed orders in another pair after its newest open one; an id is never used twice',
    named: 'placed an order of an account of the network',
  },
  {
    name: 'unmergedRows',
    tables: ['assets', 'witnesses', 'proposals', 'exchanges', 'marketPairs'],
    unknown: 'which rows the node has not yet merged into its store, and the block of each',
    assumed: 'the rows that its lists show before the others; the first block of the fork merges them',
    effect: 'the order of lists (`getassetissuelist`, `listwitnesses`, `getmarketpairlist`) until then',
    named: 'none, because no result depends on it',
  },
  {
    name: 'laterParameters',
    tables: ['longs'],
    unknown:
      'the effect of chain parameters of releases that Sunup does not know ([node versions](../reference/node-versions.md))',
    assumed: 'none',
    effect: 'everything that these parameters change',
    named: 'did anything, on a network where such parameters are on',
  },
  {
    name: 'burnedBefore',
    tables: ['longs'],
    unknown: 'sums of fees since the genesis, except burned TRX',
    assumed: '0',
    effect: 'no effect on any transaction',
    named: 'none, because no result depends on it',
  },
] as const satisfies readonly Assumption[];

export type AssumptionName = (typeof ASSUMPTIONS)[number]['name'];

/** The row of `meta` that names parameters of the network that Sunup does not know, and are on: `getAllowX=1 getY=5`. */
export const LATER_PARAMETERS = 'laterParameters';
