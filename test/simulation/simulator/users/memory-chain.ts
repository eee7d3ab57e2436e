/**
 * A chain in memory, as tests have it: blocks come, go and come again, and its lists are what its blocks have. The node
 * itself is on a disk, and another store keeps its rows.
 */

import type { Devnet } from '../../../../src/devnet/devnet.js';
import type { Choices } from '../../wild-messages.js';
import { Violation } from '../run/violation.js';
import { builtOn, withNode } from './neighbours.js';
import { idOf, pagesOf, readerOf } from './paged-lists.js';
import type { Host, User } from './user.js';

const NAME = 'a chain in memory lists what its blocks have';

interface Block {
  readonly transactions?: readonly { readonly txID: string }[];
}

export async function headNumber({ post }: Devnet): Promise<number> {
  return JSON.parse((await post('/wallet/getnowblock', '{}')).text).block_header.raw_data.number ?? 0;
}

export async function transfer(devnet: Devnet, amount: number): Promise<void> {
  const [from, to] = devnet.accounts;
  const fields = { owner_address: from!.addressHex, to_address: to!.addressHex, amount };
  const built = await builtOn(devnet, '/wallet/createtransaction', fields, from!.privateKey);
  if (built !== undefined) await devnet.post('/wallet/broadcasttransaction', built.body);
}

/** Newest first. */
async function sentByBlocks(devnet: Devnet): Promise<readonly string[]> {
  const span = { startNum: 1, endNum: (await headNumber(devnet)) + 1 };
  const { text } = await devnet.post('/wallet/getblockbylimitnext', JSON.stringify(span));
  const { block: blocks = [] } = JSON.parse(text) as { readonly block?: readonly Block[] };
  return blocks.flatMap(({ transactions = [] }) => transactions.map(({ txID }) => txID)).reverse();
}

async function listed(devnet: Devnet, limit: number): Promise<readonly string[]> {
  const found: string[] = [];
  const path = `/v1/accounts/${devnet.accounts[0]!.address}/transactions?only_from=true&`;
  for await (const { data = [] } of pagesOf(readerOf(devnet), path, limit))
    found.push(...data.map((one) => idOf(one).trim()));
  return found;
}

/** @returns what it did */
async function act(devnet: Devnet, choices: Choices, snapshots: string[]): Promise<string> {
  const does = choices.of(['send', 'send', 'send', 'rollback', 'reorg', 'snapshot', 'revert'] as const);
  const head = await headNumber(devnet);
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
