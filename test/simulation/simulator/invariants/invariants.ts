/**
 * What must hold in a simulated world, one entry for each. `step`: after every step. `rest`: now and then, when nothing is
 * under way and the store has everything. `end`: at the end of a world. Those that only a step can know are thrown there,
 * by the same names: reverts, dumps, damaged bytes, errors without a name, requests without an answer.
 */

import type { Cold } from '../disk/stored-rows.js';
import type { World } from '../run/world.js';
import type { Host } from '../users/user.js';
import { coinIsConserved, recordsAgree } from './books.js';
import { historyIsAScan } from './history.js';
import { interfacesAgree } from './interfaces.js';
import { pastStays } from './past.js';
import { coldIsWarm, storedChainIsWhole, toldBlocksAreThere, toldTransactionsAreThere } from './stored.js';

export interface Invariant {
  readonly name: string;
  readonly when: 'step' | 'rest' | 'end';
  /** @throws Violation, AssertionError */
  readonly check: (host: Host, cold: () => Promise<Cold>) => Promise<void> | void;
}

export const INVARIANTS: readonly Invariant[] = [
  { name: 'no error without a name', when: 'step', check: ({ world }) => world.checkUnexpected() },
  { name: 'a node works until it says why not', when: 'step', check: ({ world }) => nodeWorks(world) },
  {
    name: 'listeners are told what happened, in order, once',
    when: 'step',
    check: ({ world }) => world.audience.check(),
  },
  { name: 'what listeners were told is the chain', when: 'rest', check: ({ world }) => streamIsTheChain(world) },
  {
    name: 'a told block is there with the same bytes',
    when: 'rest',
    check: toldBlocksAreThere,
  },
  { name: 'a told transaction is there', when: 'rest', check: toldTransactionsAreThere },
  { name: 'coin is conserved', when: 'rest', check: coinIsConserved },
  { name: 'stakes, delegations, votes and tokens agree', when: 'rest', check: recordsAgree },
  { name: 'the node knows what its store has', when: 'rest', check: coldIsWarm },
  { name: 'an answer is the same on all interfaces', when: 'rest', check: interfacesAgree },
  { name: 'an index is a scan', when: 'rest', check: historyIsAScan },
  { name: 'the past does not change', when: 'rest', check: pastStays },
  { name: 'replay of the history gives the same rows', when: 'end', check: storedChainIsWhole },
];

function nodeWorks({ process }: World): void {
  if (process.failure !== undefined) throw process.failure;
}

async function streamIsTheChain(world: World): Promise<void> {
  await world.quiet();
  const { chain } = world.node;
  world.audience.compare(chain.headNumber, (number) => world.blockIdAt(number));
}
