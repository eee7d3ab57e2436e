/**
 * A chain in memory, as tests have it: blocks come, go and come again, and its lists are what its blocks have. The node
 * itself is on a disk, and another store keeps its rows.
 */

import type { Devnet } from '../../../../src/devnet/devnet.js';
import { sign } from '../../../../src/protocol/signature.js';
import type { Choices } from '../../wild-messages.js';
import { Violation } from '../run/violation.js';
import { withNode } from './neighbours.js';
import { idOf, pagesOf } from './paged-lists.js';
import type { Host, User } from './user.js';

const NAME = 'a chain in memory lists what its blocks have';

interface Block {
  readonly transactions?: readonly { readonly txID: string }[];
}

async function transfer({ accounts, post }: Devnet, amount: number): Promise<void> {
  const [from, to] = accounts;
  const fields = { owner_address: from!.addressHex, to_address: to!.addressHex, amount };
  const made = JSON.parse((await post('/wallet/createtransaction', JSON.stringify(fields))).text);
  const signature = [sign(made.txID, from!.privateKey)];
  await post('/wallet/broadcasttransaction', JSON.stringify({ ...made, signature }));
}

/** Newest first. */
async function sentByBlocks({ post }: Devnet): Promise<readonly string[]> {
  const ask = async (path: string, body: object) => JSON.parse((await post(path, JSON.stringify(body))).text);
  const head = (await ask('/wallet/getnowblock', {})).block_header.raw_data.number ?? 0;
  const { block: blocks = [] } = await ask('/wallet/getblockbylimitnext', { startNum: 1, endNum: head + 1 });
  return (blocks as readonly Block[])
    .flatMap(({ transactions = [] }) => transactions.map(({ txID }) => txID))
    .reverse();
}

async function listed(devnet: Devnet, limit: number): Promise<readonly string[]> {
  const found: string[] = [];
  const path = `/v1/accounts/${devnet.accounts[0]!.address}/transactions?only_from=true&`;
  for await (const { data = [] } of pagesOf(devnet, path, limit)) found.push(...data.map((one) => idOf(one).trim()));
  return found;
}

/** @returns what it did */
async function act(devnet: Devnet, choices: Choices, snapshots: string[]): Promise<string> {
  const does = choices.of(['send', 'send', 'send', 'rollback', 'reorg', 'snapshot', 'revert'] as const);
  const head = JSON.parse((await devnet.post('/wallet/getnowblock', '{}')).text).block_header.raw_data.number ?? 0;
  const depth = 1 + choices.below(3);
  if (does === 'send') {
    for (let left = 1 + choices.below(3); left > 0; left--) await transfer(devnet, 1 + choices.below(1_000));
    await devnet.mine(1);
  } else if (does === 'snapshot') snapshots.push(devnet.snapshot());
  else if (does === 'revert' && snapshots.length > 0) await devnet.revert(snapshots.pop()!);
  else if (does === 'rollback' && head > depth) await devnet.rollback(depth);
  else if (does === 'reorg' && head > depth) await devnet.reorg(depth);
  return `${does} ${depth}`;
}

export const keepAChainInMemory: User = async (host: Host) => {
  const { world, asker } = host;
  const { choices } = world;
  let wrong: string | undefined;
  await asker.library('a chain in memory', async () => {
    const done: string[] = [];
    await withNode(host, { accounts: 2, mining: 'manual' }, async (devnet) => {
      const snapshots: string[] = [];
      for (let steps = 6 + choices.below(8); steps > 0 && wrong === undefined; steps--) {
        done.push(await act(devnet, choices, snapshots));
        if (choices.chance(0.4)) continue;
        const [has, lists] = [await sentByBlocks(devnet), await listed(devnet, 1 + choices.below(20))];
        if (has.join() !== lists.join()) wrong = `after ${done.join(', ')}: ${lists.join()}; in blocks ${has.join()}`;
      }
    });
    return done;
  });
  if (wrong !== undefined && world.isRunning) throw new Violation(NAME, wrong);
};
