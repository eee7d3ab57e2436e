/** What `asset_optimized` says of an account: its record was merged while token balances are stored apart. */

import { expect, test } from 'vitest';
import { DAY_MS, TronWebDevnet } from './tronweb-devnet.js';

const RECEIVER = 1;
/** More commits than a search through all of them would read. */
const MANY_BLOCKS = 300;

interface Seen {
  readonly asset_optimized?: boolean;
}

/** As `/wallet` and `/walletsolidity` say it. */
async function optimized(chain: TronWebDevnet): Promise<readonly (boolean | undefined)[]> {
  const { trx } = chain.client(0);
  const atHead = (await trx.getUnconfirmedAccount(chain.address(RECEIVER))) as Seen;
  const solid = (await trx.getAccount(chain.address(RECEIVER))) as Seen;
  return [atHead.asset_optimized, solid.asset_optimized];
}

/** Blocks that change another account: a run of empty blocks would be one commit. */
async function mineChanged({ devnet }: TronWebDevnet, blocks: number): Promise<void> {
  for (let i = 0; i < blocks; i++) {
    await devnet.setBalance(devnet.accounts[2]!.address, 1_000_000 + i);
    await devnet.mine(1);
  }
}

test('an account stays merged when older state is deleted', async () => {
  await using chain = await TronWebDevnet.start({ stateHistory: 256 });
  await chain.client(0).trx.sendTransaction(chain.address(RECEIVER), 1);
  expect(await optimized(chain)).toEqual([undefined, true]);
  await mineChanged(chain, 30);
  expect(await optimized(chain)).toEqual([true, true]);
  await mineChanged(chain, MANY_BLOCKS);
  expect(await optimized(chain)).toEqual([true, true]);
});

test('it is merged from its first write after the proposal on, and stays so', async () => {
  const key = '15f0bbb1774be40b7a8d7965d637f324bda2f711fc5726a3dcc19585c6950954';
  await using chain = await TronWebDevnet.start({
    genesis: { witnesses: [{ privateKey: key, url: 'http://me', voteCount: 100 }] },
    parameters: { getAllowAssetOptimization: 0 },
  });
  const { transactionBuilder: builder, trx } = chain.client(0);
  expect(chain.key(0)).toBe(key);
  await trx.sendTransaction(chain.address(RECEIVER), 1);
  await chain.send(0, builder.createProposal({ key: 66, value: 1 }, chain.address(0)));
  await chain.send(0, builder.voteProposal(1, true, chain.address(0)));
  await chain.devnet.mine({ advanceMs: 4 * DAY_MS });
  expect(await trx.getProposal(1)).toMatchObject({ state: 'APPROVED' });
  await mineChanged(chain, 30);
  expect(await optimized(chain)).toEqual([undefined, undefined]);

  await trx.sendTransaction(chain.address(RECEIVER), 1);
  await mineChanged(chain, 30);
  expect(await optimized(chain)).toEqual([true, true]);
  await mineChanged(chain, MANY_BLOCKS);
  expect(await optimized(chain)).toEqual([true, true]);
});
