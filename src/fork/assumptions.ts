/**
 * What no interface of a node serves, and what a fork takes it to be. Everything else of a fork is exact; what touches one
 * of these may come out differently than on the network, and says so by its name.
 */

import type { Assumption } from './fork-start.js';

export const ASSUMPTIONS = [
  {
    name: 'usages',
    tables: ['accounts', 'assets'],
    unknown:
      'bandwidth and Energy usages as they were when they were last written: nodes answer what is left of them now, rounded',
    assumed: 'the middle of all usages that come to the answer; exact for one of the same slot, and for none',
    effect: 'bandwidth or Energy that an account has left may differ by one unit after some time',
  },
  {
    name: 'publicBandwidth',
    tables: ['longs'],
    unknown: "how much of the network's free bandwidth is used (PUBLIC_NET_USAGE)",
    assumed: 'none',
    effect: 'a transaction may take free bandwidth that the network would have had no more of, and pay nothing for it',
  },
  {
    name: 'runningTally',
    tables: ['votes'],
    unknown: 'how votes cast since the last maintenance change the totals of witnesses, of a node before 4.8.1',
    assumed: 'not at all',
    effect: "the first maintenance's tally and election",
  },
  {
    name: 'runningVotes',
    tables: ['voterSettlements', 'votes'],
    unknown: 'who voted since the last maintenance',
    assumed: 'nobody: votes of an account have counted since the cycle began',
    effect: 'the reward of the first cycle',
  },
  {
    name: 'pending',
    tables: ['accounts', 'storage', 'contractStates'],
    unknown: 'what of an answer pending transactions of the node have done, which its blocks have not yet',
    assumed: 'nothing',
    effect: 'rows of busy accounts may be a few transactions ahead of the block that they are told to be of',
  },
  {
    name: 'runningRewards',
    tables: ['witnessRewards'],
    unknown: 'what witnesses have earned for their voters in the running cycle, and brokerages set for the next',
    assumed: 'nothing yet; brokerages stay',
    effect: 'the rewards of the first cycle, which pay for the blocks of the fork only',
  },
  {
    name: 'brokerages',
    tables: ['witnessRewards'],
    unknown: "each witness's brokerage, which is a question for each: up to 127 for the first block",
    assumed: 'the default of 20 %, unless the fork is told to ask',
    effect: 'how rewards of blocks are split between witness and voters',
  },
  {
    name: 'olderRewards',
    tables: ['rewardHistory', 'voterSettlements'],
    unknown: 'accumulators of the cycles that are over, and when a voter was last paid',
    assumed: 'what getReward says is owed, as one sum',
    effect: 'none on sums; the rows are other rows than those of the network',
  },
  {
    name: 'cycle',
    tables: ['longs', 'contractStates'],
    unknown: 'the number of the running cycle, where the newest block calls no contract',
    assumed: 'as many as there were maintenance intervals since the genesis',
    effect: 'none but on the number',
  },
  {
    name: 'energyStateCycle',
    tables: ['contractStates'],
    unknown: 'when the factor of a contract was last written: nodes answer it as it is now',
    assumed: 'now, so a contract that is quiet from here on falls in two roundings where the network rounds once',
    effect: "a quiet contract's factor, by at most 1/10,000",
  },
  {
    name: 'filledSlots',
    tables: ['texts', 'longs'],
    unknown: 'which of the last 128 slots had a block',
    assumed: 'all',
    effect: 'the participation rate',
  },
  {
    name: 'adaptiveEnergy',
    tables: ['longs'],
    unknown: 'the average that adaptive Energy goes by, and the fee pool',
    assumed: 'none; both are switched off on the networks of TRON',
    effect: 'the first blocks of a network that has them on',
  },
  {
    name: 'accountNames',
    tables: ['accountNames'],
    unknown: 'which account has a name',
    assumed: 'none has',
    effect: 'where names are unique, a name of the network can be taken again',
  },
  {
    name: 'delegationTimes',
    tables: ['delegationPartners'],
    unknown: 'when an account last lent to another',
    assumed: 'their order, which nodes keep',
    effect: 'none',
  },
  {
    name: 'marketCounters',
    tables: ['marketAccounts'],
    unknown: 'how many orders an account has placed in all',
    assumed: 'as many as are open',
    effect: 'ids of its next orders',
  },
  {
    name: 'burnedBefore',
    tables: ['longs'],
    unknown: 'sums of fees since the genesis, other than what was burned',
    assumed: '0',
    effect: 'none on any transaction',
  },
] as const satisfies readonly Assumption[];
