/**
 * What must hold in a simulated world, one entry for each. Those with a check are looked at `step`: after every step;
 * `rest`: now and then, when nothing is under way and the store has everything; `end`: at the end of a world. The others
 * are known to a step alone, which throws a `Violation` with this name.
 */

import type { Cold } from '../disk/stored-rows.js';
import type { Host } from '../users/user.js';
import { coinIsConserved, recordsAgree } from './books.js';
import { indexesAreScans } from './indexes.js';
import { interfacesAgree } from './interfaces.js';
import { pastStays } from './past.js';
import { stateIndexesAgree } from './state-indexes.js';
import { coldIsWarm, storedChainIsWhole, toldBlocksAreThere, toldTransactionsAreThere } from './stored.js';

type Check = (host: Host, cold: () => Promise<Cold>) => Promise<void> | void;

const told: Check = ({ world }) => world.audience.check();
const named: Check = ({ world }) => world.checkUnexpected();

export const INVARIANTS = {
  'no error without a name': { when: 'step', check: named },
  'a node works until it says why not': { when: 'step', check: nodeWorks },
  'listeners are told what happened, in order, once': { when: 'step', check: told },
  'what listeners were told is the chain': { when: 'rest', check: streamIsTheChain },
  'a told block is there with the same bytes': { when: 'rest', check: toldBlocksAreThere },
  'a told transaction is there': { when: 'rest', check: toldTransactionsAreThere },
  'coin is conserved': { when: 'rest', check: coinIsConserved },
  'stakes, delegations, votes and tokens agree': { when: 'rest', check: recordsAgree },
  'the node knows what its store has': { when: 'rest', check: coldIsWarm },
  'an answer is the same on all interfaces': { when: 'rest', check: interfacesAgree },
  'an index is a scan': { when: 'rest', check: indexesAreScans },
  'a row that repeats others says the same': { when: 'rest', check: stateIndexesAgree },
  'the past does not change': { when: 'rest', check: pastStays },
  'replay of the history gives the same rows': { when: 'end', check: storedChainIsWhole },
  'every request is answered in bounded time': { thrownIn: 'run/world.ts' },
  'work comes to an end': { thrownIn: 'run/worker.ts' },
  'what was refused has not happened': { thrownIn: 'run/world.ts' },
  'a node can be closed': { thrownIn: 'run/world.ts' },
  'a node starts on what it has stored': { thrownIn: 'run/world.ts' },
  'a revert gives the rows of then': { thrownIn: 'users/developers.ts' },
  'a loaded dump is the chain of then': { thrownIn: 'users/developers.ts' },
  'a transaction that waits for a nonce is sent when it is due': { thrownIn: 'users/transactions.ts' },
  'what is unstaked can be withdrawn when it is due': { thrownIn: 'users/promises.ts' },
  'what is stored is read, and nothing is left of a call that reverted': { thrownIn: 'users/promises.ts' },
  'a lock lasts as long as it says': { thrownIn: 'users/transactions.ts' },
  'a damaged byte is told and never served': { thrownIn: 'faults/faults.ts' },
  'the chain goes on when the disk does': { thrownIn: 'faults/faults.ts' },
} as const satisfies Record<string, Invariant>;

export type InvariantName = keyof typeof INVARIANTS;

type Invariant = { readonly when: 'step' | 'rest' | 'end'; readonly check: Check } | { readonly thrownIn: string };

/** @throws Violation, AssertionError the first that does not hold, with its name */
export async function checkInvariants(
  host: Host,
  when: 'step' | 'rest' | 'end',
  cold: () => Promise<Cold>,
): Promise<void> {
  for (const [name, invariant] of Object.entries<Invariant>(INVARIANTS)) {
    if (!('check' in invariant) || invariant.when !== when) continue;
    try {
      await invariant.check(host, cold);
    } catch (error) {
      throw Object.assign(error as Error, { invariant: name });
    }
  }
}

function nodeWorks({ world: { process } }: Host): void {
  if (process.failure !== undefined) throw process.failure;
}

async function streamIsTheChain({ world }: Host): Promise<void> {
  await world.quiet();
  await world.audience.compare(world.node.chain.ledger);
}
