/** Somebody takes the chain of now into a new node: while it runs, or as the chain that it begins with. */

import { writeFileSync } from 'node:fs';
import type { Devnet } from '../../../../src/devnet/devnet.js';
import type { DevnetOptions } from '../../../../src/options/declarations.js';
import { toBase58 } from '../../../../src/protocol/address.js';
import { isStored } from '../disk/stored-rows.js';
import { Violation } from '../run/violation.js';
import { withoutTokens } from './fresh-node.js';
import { ALONE, answersOf, CHAIN_INVARIANT, chainIdIn, differing, inAnyOrder, withNode } from './neighbours.js';
import { pagesOf, readerOf } from './paged-lists.js';
import type { Host, User } from './user.js';
import { withFile } from './with-file.js';

const NAME = 'a dump is the same chain in another node';

/** A list of `/v1`, page by page. */
async function listOf(devnet: Pick<Devnet, 'fetch'>, path: string, limit: number): Promise<string> {
  const pages: string[] = [];
  // What is confirmed depends on the lag of the node, which a dump does not have.
  for await (const { text, data } of pagesOf(readerOf(devnet), `${path}?`, limit))
    pages.push(data === undefined ? text : JSON.stringify(data).replaceAll(',"_unconfirmed":true', ''));
  return `${path}: ${pages.join('\n')}`;
}

/** A new node with the chain of a dump: it takes it in, or begins with it. */
async function withLoaded<Result>(
  host: Host,
  bytes: Uint8Array,
  beginsWithIt: boolean,
  work: (devnet: Devnet) => Promise<Result>,
): Promise<Result> {
  const { options } = host.world.shape;
  if (!beginsWithIt)
    return await withNode(host, options, async (devnet) => {
      await devnet.load(bytes);
      return work(devnet);
    });
  return await withFile((loadState) => {
    writeFileSync(loadState, bytes);
    const { solidified, mining } = options;
    return withNode(host, { loadState, mining, ...(solidified && { solidified }) } as DevnetOptions, work);
  });
}

/** A further chain has a genesis of its own, whatever the node began with. @returns what is wrong */
async function furtherChainBegins({ post }: Devnet): Promise<string | undefined> {
  const { text } = await post('/sunup/chains', JSON.stringify(ALONE));
  const id = chainIdIn(text);
  if (id === undefined) return `a further chain beside a chain of a dump is refused: ${text}`;
  const first = async (chain: string) =>
    /"blockID": ?"(\w+)"/.exec((await post(`${chain}/wallet/getblockbynum`, '{"num":0}')).text)?.[1];
  const [own, further] = [await first(''), await first(`/~${id}`)];
  return own !== further ? undefined : `a further chain beside a chain of a dump begins with its block ${own}`;
}

/** Takes the chain of now into a new node, and asks both the same. */
export const loadElsewhere: User = async (host) => {
  const { world, people, asker } = host;
  // A dump of a fork needs its network for rows that it does not have.
  if (world.shape.isFork || world.diskFails || world.node.producer.mode === 'interval') return;
  world.disk.slowMs = 0;
  if (!(await isStored(world))) return;
  const { headNumber } = world.node.chain;
  const address = people.address(world.choices.below(6));
  const number = Math.max(0, headNumber - world.choices.below(4));
  const contracts = people.bazaar?.coins ?? people.programs.slice(-1);
  const questions = [
    ['/wallet/getnowblock', {}],
    ['/wallet/getblockbynum', { num: number }],
    ['/wallet/gettransactioninfobyblocknum', { num: number }],
    ['/wallet/getaccountresource', { address }],
    ['/wallet/listwitnesses', {}],
    ['/wallet/listproposals', {}],
    ['/wallet/getassetissuelist', {}],
    ['/wallet/gettransactionlistfrompending', {}],
    ...contracts.map((contract) => ['/wallet/getcontractinfo', { value: contract }] as const),
  ] as const;
  // Pages are read from the store, which is another one here and there.
  const limit = 1 + world.choices.below(5);
  const lists = world.withoutHistory
    ? []
    : [
        ...['transactions', 'internal-transactions', 'transactions/trc20'].map(
          (list) => `/v1/accounts/${toBase58(address)}/${list}`,
        ),
        ...contracts.map((contract) => `/v1/contracts/${toBase58(contract)}/events`),
      ];
  const beginsWithIt = world.choices.chance(0.5);
  // A node that begins with a dump does not know the keys of its witnesses.
  const seen = (text: string) => withoutTokens(text).replace(/,? ?"witness_signature": ?"\w*"/g, '');
  let wrong: string | undefined;
  let furtherWrong: string | undefined;
  await asker.library(
    'load elsewhere',
    async () => {
      const bytes = await world.devnet.dump();
      const shown = async (devnet: Devnet) => {
        const texts = await answersOf(devnet, questions, seen);
        for (const path of lists) texts.push(await listOf(devnet, path, limit));
        return texts;
      };
      const here = await shown(world.devnet);
      const there = await withLoaded(host, bytes, beginsWithIt, async (other) => {
        if (beginsWithIt) furtherWrong = await furtherChainBegins(other);
        return shown(other);
      });
      wrong = differing(here.map(inAnyOrder), there.map(inAnyOrder));
      return there.length;
    },
    { usesThreads: true },
  );
  if (wrong !== undefined && world.isRunning) throw new Violation(NAME, wrong);
  if (furtherWrong !== undefined) throw new Violation(CHAIN_INVARIANT, furtherWrong);
};
