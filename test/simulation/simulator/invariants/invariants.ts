/**
 * What must hold in a world, one entry for each. Those with a check are looked at `step`: after every step; `rest`: now
 * and then, when nothing is under way and the store has everything; `end`: at the end of a world. The others are known to
 * a step alone, which throws a `Violation` with this name. `SHARED` also holds of a real node, as far as its interfaces
 * and its disk tell.
 */

import type { Cold } from '../disk/stored-rows.js';
import { beginsAnew } from '../users/fresh-node.js';
import type { Host, SharedHost } from '../users/user.js';
import { blockListsAgree } from './block-lists.js';
import { coinIsConserved, recordsAgree } from './books.js';
import { timersAreBounded } from './bounded.js';
import { epochReportsStay } from './epoch-reports.js';
import { ethereumBlocksAgree } from './ethereum-blocks.js';
import { ethereumQuestionsAgree } from './ethereum-questions.js';
import { explanationsAddUp } from './explanations.js';
import { fetchedRowsAreTheNetworks } from './fetched-rows.js';
import { indexesAreScans } from './indexes.js';
import { interfacesAgree, numberedBalanceAgrees } from './interfaces.js';
import { filtersKnowAllKeys } from './key-filters.js';
import { maintenancesAgree } from './maintenances.js';
import { listsAgree } from './pages.js';
import { pastStays } from './past.js';
import { pastReportsAgree } from './past-reports.js';
import { pastRowsStay } from './past-rows.js';
import { reportsAreTheRows } from './reported-lists.js';
import { solidityViewIsAPast } from './solidity.js';
import { stateIndexesAgree } from './state-indexes.js';
import { statementsAgree } from './statements.js';
import { coldIsWarm, storedChainIsWhole, toldBlocksAreThere, toldTransactionsAreThere } from './stored.js';
import { tracesAgree } from './traces.js';
import { transactionsAgree } from './transactions.js';
import { walletMethodsAgree } from './wallet-methods.js';

type Check<H> = (host: H, cold: () => Promise<Cold>) => Promise<void> | void;

const told: Check<Host> = ({ world }) => world.audience.check();
const named: Check<Host> = ({ world }) => world.checkUnexpected();

const allInterfacesAgree: Check<Host> = async (host) => {
  await interfacesAgree(host);
  if (host.world.isRunning) await numberedBalanceAgrees(host);
  if (host.world.isRunning) await transactionsAgree(host);
  for (const agree of [walletMethodsAgree, blockListsAgree, listsAgree, ethereumBlocksAgree, ethereumQuestionsAgree])
    if (host.world.isRunning) await agree(host);
};

export const SHARED = {
  'a told block is there with the same bytes': { when: 'rest', check: toldBlocksAreThere },
  'a told transaction is there': { when: 'rest', check: toldTransactionsAreThere },
  'coin is conserved': { when: 'rest', check: coinIsConserved },
  'stakes, delegations, votes and tokens agree': { when: 'rest', check: recordsAgree },
  'an answer is the same on all interfaces': { when: 'rest', check: interfacesAgree },
  'an index is a scan': { when: 'rest', check: indexesAreScans },
  'the filters know every stored key': { when: 'rest', check: filtersKnowAllKeys },
  'replay of the history gives the same rows': { when: 'end', check: storedChainIsWhole },
} as const satisfies Record<string, Invariant<SharedHost>>;

export const INVARIANTS = {
  ...SHARED,
  'an answer is the same on all interfaces': { when: 'rest', check: allInterfacesAgree },
  'no error without a name': { when: 'step', check: named },
  'a node works until it says why not': { when: 'step', check: nodeWorks },
  'listeners are told what happened, in order, once': { when: 'step', check: told },
  'what listeners were told is the chain': { when: 'rest', check: streamIsTheChain },
  'the node knows what its store has': { when: 'rest', check: coldIsWarm },
  'a row that repeats others says the same': { when: 'rest', check: stateIndexesAgree },
  'an account has what its transactions say': { when: 'rest', check: statementsAgree },
  'the past does not change': { when: 'rest', check: pastStays },
  'the rows of a past height are those of then': { when: 'rest', check: pastRowsStay },
  'a report of the past is the difference of two heights': { when: 'rest', check: pastReportsAgree },
  'the report of an ended epoch stays': { when: 'rest', check: epochReportsStay },
  'a maintenance does what the protocol says': { when: 'rest', check: maintenancesAgree },
  'an explanation adds up to the receipt': { when: 'rest', check: explanationsAddUp },
  'a report lists the rows': { when: 'rest', check: reportsAreTheRows },
  'a trace is the receipt from inside': { when: 'rest', check: tracesAgree },
  "a fetched row is the network's of then": { when: 'rest', check: fetchedRowsAreTheNetworks },
  'the solidity view is the state of its height': { when: 'rest', check: solidityViewIsAPast },
  'a chain that begins again has nothing of the one before': { when: 'end', check: beginsAnew },
  // The last one at rest: time passes, and an interval chain makes blocks.
  'timers do not pile up': { when: 'rest', check: timersAreBounded },
  'every request is answered in bounded time': { thrownIn: 'run/world.ts' },
  'work comes to an end': { thrownIn: 'run/worker.ts' },
  'what was refused has not happened': { thrownIn: 'run/world.ts' },
  'the time of a chain does not go back by itself': { thrownIn: 'faults/faults.ts' },
  'a node can be closed': { thrownIn: 'run/world.ts' },
  'a node starts on what it has stored': { thrownIn: 'run/world.ts' },
  'a revert gives the rows of then': { thrownIn: 'users/developers.ts' },
  'a loaded dump is the chain of then': { thrownIn: 'users/dumps.ts' },
  'a load that is refused has not happened': { thrownIn: 'users/dumps.ts' },
  'a load that was cut off has not happened': { thrownIn: 'users/dumps.ts' },
  'a transaction that waits for a nonce is sent when it is due': { thrownIn: 'users/transactions.ts' },
  'what is unstaked can be withdrawn when it is due': { thrownIn: 'users/promises.ts' },
  'what is unstaked is due after the delay': { thrownIn: 'users/promises.ts' },
  'several keys sign by their weights': { thrownIn: 'users/shared-account.ts' },
  'what must be refused is refused': { thrownIn: 'users/refused.ts' },
  'what may be done is accepted': { thrownIn: 'users/permitted.ts' },
  'a list is that of its first page': { thrownIn: 'users/reading-on.ts' },
  'a full pool takes no more': { thrownIn: 'users/full-pool.ts' },
  'an empty pool takes a transaction': { thrownIn: 'users/full-pool.ts' },
  'pending transactions keep their order': { thrownIn: 'users/promises.ts' },
  'what is stored is read, and nothing is left of a call that reverted': { thrownIn: 'users/promises.ts' },
  'a node that starts anew answers the same': { thrownIn: 'users/fresh-node.ts' },
  'a fork of the node has its accounts': { thrownIn: 'users/neighbours.ts' },
  'a fork stays at its block while its network goes on': { thrownIn: 'users/lasting-fork.ts' },
  "a fork's list is its own and its network's": { thrownIn: 'users/fork-lists.ts' },
  'a dump is the same chain in another node': { thrownIn: 'users/loaded-elsewhere.ts' },
  'a further chain is a chain of its own': { thrownIn: 'users/neighbours.ts' },
  'a scenario has the same digest everywhere': { thrownIn: 'users/neighbours.ts' },
  'a varied scenario is the file with these values': { thrownIn: 'users/varied-scenario.ts' },
  'a dump that runs as a scenario is the same chain': { thrownIn: 'users/dump-as-scenario.ts' },
  'a snapshot can be dropped once': { thrownIn: 'users/developers.ts' },
  'transactions of replaced blocks keep their order': { thrownIn: 'users/replacements.ts' },
  'a reset gives the settings of a start': { thrownIn: 'users/replacements.ts' },
  'an instrument does what it says': { thrownIn: 'users/try-instruments.ts' },
  'a variable is read as it was packed': { thrownIn: 'users/typed-storage.ts' },
  'accounts that are made have what was asked for': { thrownIn: 'users/temporary-accounts.ts' },
  'a revert takes back what instruments did': { thrownIn: 'users/try-instruments.ts' },
  'a proposal does what was voted': { thrownIn: 'users/proposals.ts' },
  'many empty blocks at once are those one by one': { thrownIn: 'users/empty-time.ts' },
  'a transaction costs what was said beforehand': { thrownIn: 'users/estimates.ts' },
  'the machine calculates what the model does': { thrownIn: 'users/calculations.ts' },
  'a receipt is what a wallet works out': { thrownIn: 'users/fee-forecasts.ts' },
  'what was used is there again when a wallet says so': { thrownIn: 'users/recoveries.ts' },
  'an order matches as many as it may': { thrownIn: 'users/crowded-price.ts' },
  'a receipt tells of a cost what the node does': { thrownIn: 'users/explained-receipts.ts' },
  'a contract is told what the rows say': { thrownIn: 'users/contract-queries.ts' },
  'a contract does with its stakes what it is told': { thrownIn: 'users/steward.ts' },
  'a reward is paid once, as it was told': { thrownIn: 'users/rewards.ts' },
  'metrics count what happens': { thrownIn: 'users/meters.ts' },
  'a caller may do what it may': { thrownIn: 'users/callers.ts' },
  'what is dropped from a block has done nothing': { thrownIn: 'users/dropped-in-block.ts' },
  'a rule of the machine holds across contracts': { thrownIn: 'users/machine-rules.ts' },
  'what is pending outlives a block that the disk refuses': { thrownIn: 'users/full-disk.ts' },
  'a further chain lasts while it is used': { thrownIn: 'users/idle-chain.ts' },
  'a chain in memory lists what its blocks have': { thrownIn: 'users/memory-chain.ts' },
  'a recorded session is the same chain again': { thrownIn: 'users/recorded-session.ts' },
  'a stream begins with the newest transactions': { thrownIn: 'users/newest-events.ts' },
  'a reset that the disk refuses has not happened': { thrownIn: 'users/full-disk.ts' },
  'a call is answered for its caller, its input and the state of now': { thrownIn: 'users/mirror.ts' },
  'a handle shows what its contract says': { thrownIn: 'users/speakers.ts' },
  'an event is shown as its contract declares it': { thrownIn: 'users/shown-events.ts' },
  'java-tron gives the same': { thrownIn: 'users/recordings.ts' },
  'contracts do what their model does': { thrownIn: 'users/bazaar.ts' },
  'a lock lasts as long as it says': { thrownIn: 'users/transactions.ts' },
  'a damaged byte is told and never served': { thrownIn: 'faults/faults.ts' },
  'the chain goes on when the disk does': { thrownIn: 'faults/faults.ts' },
  // Of real nodes only.
  'memory stays bounded': { thrownIn: 'real/real-invariants.ts' },
  'a folder of its own lasts as long as its node': { thrownIn: 'real/endings.ts' },
  'blocks of the clock come': { thrownIn: 'real/real-faults.ts' },
  'an answer is the same over all transports': { thrownIn: 'real/real-invariants.ts' },
  'sunup check agrees with the node': { thrownIn: 'real/real-invariants.ts' },
  'a signature counts for what it is': { thrownIn: 'real/real-users.ts' },
  'a command says what the node says': { thrownIn: 'real/commands.ts' },
  'a recording is the same chain': { thrownIn: 'real/commands.ts' },
  'an upgraded database is the same chain': { thrownIn: 'real/upgrade.ts' },
  'a second process is refused': { thrownIn: 'real/real-faults.ts' },
  'a node that closes answers what it has done': { thrownIn: 'real/real-faults.ts' },
} as const satisfies Record<string, Invariant<Host>>;

export type InvariantName = keyof typeof INVARIANTS;

type When = 'step' | 'rest' | 'end';
type Invariant<H> = { readonly when: When; readonly check: Check<H> } | { readonly thrownIn: string };

/** @throws Violation, AssertionError the first that does not hold, with its name */
export async function checkInvariants<H>(
  table: Readonly<Record<string, Invariant<H>>>,
  host: H,
  when: When,
  cold: () => Promise<Cold>,
): Promise<void> {
  for (const [name, invariant] of Object.entries(table)) {
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
