/**
 * Somebody records a session on a chain beside the node (`--record`), with rollbacks, reverts and changes between blocks:
 * a node that begins with the file has its head and its accounts.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Devnet } from '../../../../src/devnet/devnet.js';
import type { Choices } from '../../wild-messages.js';
import { Violation } from '../run/violation.js';
import { headNumber, transfer } from './memory-chain.js';
import { withNode } from './neighbours.js';
import type { Host, User } from './user.js';

const NAME = 'a recorded session is the same chain again';

async function shown({ post, accounts }: Devnet): Promise<readonly string[]> {
  const questions = [
    ['/wallet/getnowblock', {}],
    ...accounts.map(({ addressHex }) => ['/wallet/getaccount', { address: addressHex }] as const),
  ] as const;
  const texts: string[] = [];
  // Which layers were merged depends on what was removed meanwhile (wallet/asset-store.ts).
  for (const [at, question] of questions)
    texts.push((await post(at, JSON.stringify(question))).text.replace(/, ?"asset_optimized": ?true/, ''));
  return texts;
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
    for (let steps = amount; steps > 0; steps--) await act(devnet, choices, ['send', 'mine', 'change'], []);
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
    async () => {
      const folder = mkdtempSync(path.join(tmpdir(), 'sunup-simulated-'));
      const record = path.join(folder, 'session');
      try {
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
        const at = live.findIndex((text, i) => text !== again[i]);
        if (at >= 0)
          wrong = `after ${done.join(', ')}: ${live[at]?.slice(0, 1_000)}\nbut\n${again[at]?.slice(0, 1_000)}`;
        return done;
      } finally {
        rmSync(folder, { recursive: true });
      }
    },
    { usesThreads: true },
  );
  if (wrong !== undefined && world.isRunning) throw new Violation(NAME, wrong);
};
