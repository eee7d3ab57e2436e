/**
 * Somebody records a session on a chain beside the node (`--record`), with rollbacks, reverts and changes between blocks:
 * a node that begins with the file has its head and its accounts.
 */

import type { Devnet } from '../../../../src/devnet/devnet.js';
import type { Choices } from '../../wild-messages.js';
import { Violation } from '../run/violation.js';
import { headNumber, transfer } from './memory-chain.js';
import { answersOf, differing, withNode } from './neighbours.js';
import type { Host, User } from './user.js';
import { withFile } from './with-file.js';

const NAME = 'a recorded session is the same chain again';

// Which layers were merged depends on what was removed meanwhile (wallet/asset-store.ts).
const seen = (text: string): string => text.replace(/, ?"asset_optimized": ?true/, '');

function shown(devnet: Devnet): Promise<readonly string[]> {
  const accounts = devnet.accounts.map(({ addressHex }) => ['/wallet/getaccount', { address: addressHex }] as const);
  return answersOf(devnet, [['/wallet/getnowblock', {}], ...accounts], seen);
}

type Deed = 'send' | 'mine' | 'change' | 'try' | 'snapshot' | 'revert' | 'rollback' | 'reorg';

/** Changes between blocks, and ways back to a place among them. */
const DEEDS: readonly Deed[] = [
  ...(['send', 'mine', 'change', 'change', 'change', 'try', 'try', 'try'] as const),
  ...(['snapshot', 'revert', 'rollback', 'reorg'] as const),
];

/** @returns what it did */
async function act(devnet: Devnet, choices: Choices, deeds: readonly Deed[], snapshots: string[]): Promise<string> {
  const does = choices.of(deeds);
  const amount = 1 + choices.below(3);
  if (does === 'send') await transfer(devnet, amount);
  else if (does === 'mine') await devnet.mine(amount);
  else if (does === 'change') await devnet.setBalance(choices.of(devnet.accounts).address, 1_000_000_000 + amount);
  else if (does === 'try') {
    const id = devnet.snapshot();
    for (let steps = 1 + amount; steps > 0; steps--) await act(devnet, choices, ['send', 'mine', 'change'], []);
    await devnet.revert(id);
  } else if (does === 'snapshot') snapshots.push(devnet.snapshot());
  else if (does === 'revert') {
    const id = snapshots.pop();
    if (id !== undefined) await devnet.revert(id);
  } else if ((await headNumber(devnet)) > amount) {
    snapshots.length = 0;
    await devnet[does](amount);
  }
  return `${does} ${amount}`;
}

export const recordASession: User = async (host: Host) => {
  const { world, asker } = host;
  const { choices } = world;
  let wrong: string | undefined;
  await asker.library(
    'a recorded session',
    () =>
      withFile(async (record) => {
        const done: string[] = [];
        const live = await withNode(host, { accounts: 2, mining: 'manual', record }, async (devnet) => {
          const snapshots: string[] = [];
          for (let steps = 4 + choices.below(12); steps > 0; steps--)
            done.push(await act(devnet, choices, DEEDS, snapshots));
          // What is still pending at the end is not recorded.
          await devnet.mine(1);
          return shown(devnet);
        });
        const again = await withNode(host, { mining: 'manual', loadState: record }, shown);
        const difference = differing(live, again);
        if (difference !== undefined) wrong = `after ${done.join(', ')}: ${difference}`;
        return done;
      }),
    { usesThreads: true },
  );
  if (wrong !== undefined && world.isRunning) throw new Violation(NAME, wrong);
};
