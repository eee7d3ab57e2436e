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
    unknown:
      'bandwidth and Energy usages as they were when they were last written: nodes answer what is left of them now, rounded',
    assumed: 'the middle of all usages that come to the answer; exact for one of the same slot, and for none',
    effect:
      'bandwidth or Energy that an account has left may differ by one unit after some time, and by its price what is burned',
    named: 'whose bandwidth or Energy it used, and was partly recovered when it was read',
  },
  {
    name: 'publicBandwidth',
    tables: ['longs'],
    unknown: "how much of the network's free bandwidth is used (PUBLIC_NET_USAGE)",
    assumed: 'none',
    effect: 'a transaction may take free bandwidth that the network would have had no more of, and pay nothing for it',
    named: 'used free bandwidth, within a day of the beginning',
  },
  {
    name: 'runningTally',
    tables: ['votes', 'witnesses'],
    unknown: 'how votes cast since the last maintenance change the totals of witnesses, of a node before 4.8.1',
    assumed: 'not at all; nothing, if the forked block has ended an epoch',
    effect:
      "the first maintenance's tally and election; from then on the `voteCount` of witnesses, who is elected by it, and the pay of witnesses and voters",
    named: 'paid a voter or a witness of the network, after a maintenance',
  },
  {
    name: 'runningVotes',
    tables: ['voterSettlements', 'votes'],
    unknown: 'who voted since the last maintenance',
    assumed: 'nobody: votes of an account have counted since the cycle began',
    effect: 'the reward of the first cycle',
    named: 'paid a voter of the network, after a maintenance',
  },
  {
    name: 'pending',
    tables: ['accounts', 'storage', 'contractStates'],
    unknown: 'what of an answer pending transactions of the node have done, which its blocks have not yet',
    assumed: 'nothing',
    effect: 'rows of busy accounts may be a few transactions ahead of the block that they are told to be of',
    named: 'none: it may concern any row',
  },
  {
    name: 'runningRewards',
    tables: ['witnessRewards'],
    unknown: 'what witnesses have earned for their voters in the running cycle, and brokerages set for the next',
    assumed: 'nothing yet; brokerages stay',
    effect: 'the rewards of the first cycle, which pay for the blocks of the fork only',
    named: 'paid a voter or a witness of the network, after a maintenance',
  },
  {
    name: 'brokerages',
    tables: ['witnessRewards'],
    unknown: "each witness's brokerage, which is a question for each: up to 127 for the first block",
    assumed: 'the default of 20 %, unless `--fork-brokerages` is given',
    effect: 'how rewards of blocks are split between witness and voters',
    named: 'paid a voter or a witness of the network, after a maintenance',
  },
  {
    name: 'olderRewards',
    tables: ['rewardHistory', 'voterSettlements'],
    unknown: 'accumulators of the cycles that are over, and when a voter was last paid',
    assumed: 'what getReward says is owed, as one sum',
    effect:
      'a reward that was earned in part before the fork may be a few sun lower, at most one for each witness voted for: what was owed by then is rounded of itself',
    named: 'paid a voter of the network, after a maintenance',
  },
  {
    name: 'guards',
    tables: ['witnesses'],
    unknown: "which witnesses the network's genesis has named, who may never withdraw what they earn",
    assumed: 'none',
    effect: 'a witness of the genesis can withdraw',
    named: 'withdrew what a witness of the network had earned',
  },
  {
    name: 'cycle',
    tables: ['longs', 'contractStates'],
    unknown: 'the number of the running cycle, where the newest block calls no contract',
    assumed: 'as many as there were whole maintenance intervals since the genesis',
    effect: 'none but on the number',
    named: 'none: no result depends on it',
  },
  {
    name: 'energyStateCycle',
    tables: ['contractStates'],
    unknown: 'when the factor of a contract was last written: nodes answer it as it is now',
    assumed: 'now, so a contract that is quiet from here on falls in two roundings where the network rounds once',
    effect: "a quiet contract's factor, by at most 1/10,000",
    named: 'called a contract with a factor, after a maintenance',
  },
  {
    name: 'filledSlots',
    tables: ['texts', 'longs'],
    unknown: 'which of the last 128 slots had a block',
    assumed: 'all',
    effect: 'the participation rate',
    named: 'none: no result depends on it',
  },
  {
    name: 'adaptiveEnergy',
    tables: ['longs'],
    unknown: 'the average that adaptive Energy goes by, and the fee pool',
    assumed: 'none; both are switched off on the networks of TRON',
    effect: 'the first blocks of a network that has them on',
    named: 'used Energy, where adaptive Energy is on',
  },
  {
    name: 'accountNames',
    tables: ['accountNames'],
    unknown: 'which account has a name',
    assumed: 'none has',
    effect: 'where names are unique, a name of the network can be taken again',
    named: 'took a name',
  },
  {
    name: 'delegationTimes',
    tables: ['delegationPartners'],
    unknown: 'when an account last lent to another',
    assumed: 'their order, which nodes keep',
    effect: 'none',
    named: 'none: no result depends on it',
  },
  {
    name: 'marketCounters',
    tables: ['marketAccounts'],
    unknown: 'how many orders an account has placed in all',
    assumed:
      "as many as the id of its newest open order tells, which is a hash with that number; where an order of the network has an order's id already, the number of the last such order of the pair, and one more",
    effect:
      'ids of its next orders, where it has placed others in another pair after its newest open one; never the id of another order',
    named: 'placed an order, of an account of the network',
  },
  {
    name: 'unmergedRows',
    tables: ['assets', 'witnesses', 'proposals', 'exchanges', 'marketPairs'],
    unknown: 'which rows the node has not merged into its store yet, and which block wrote each',
    assumed: 'those that its lists have ahead of the others; they are merged with the first block of the fork',
    effect: 'the order of lists (`getassetissuelist`, `listwitnesses`, `getmarketpairlist`), until then',
    named: 'none: no result depends on it',
  },
  {
    name: 'laterParameters',
    tables: ['longs'],
    unknown: 'what chain parameters do that came after the releases that Sunup knows (node-versions.md)',
    assumed: 'nothing',
    effect: 'whatever they change',
    named: 'did anything, on a network where such are on',
  },
  {
    name: 'burnedBefore',
    tables: ['longs'],
    unknown: 'sums of fees since the genesis, other than what was burned',
    assumed: '0',
    effect: 'none on any transaction',
    named: 'none: no result depends on it',
  },
] as const satisfies readonly Assumption[];

export type AssumptionName = (typeof ASSUMPTIONS)[number]['name'];

/** The row of `meta` that names parameters of the network that Sunup does not know, and are on: `getAllowX=1 getY=5`. */
export const LATER_PARAMETERS = 'laterParameters';
