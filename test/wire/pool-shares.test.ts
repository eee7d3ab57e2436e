/** `/sunup/pools`: who shares the pools of Energy and Bandwidth, also after a revert. */

import { expect, it } from 'vitest';
import { createDevnet } from '../../src/index.js';
import type { Json } from '../../src/primitives/amount-json.js';
import type { PoolShares } from '../../src/wallet/pool-shares.js';
import { clientOf } from '../browser/dashboard-chains.js';

const TRX = 1_000_000;

it('accounts with the largest shares come first, with own and received stake', async () => {
  await using devnet = await createDevnet({ mining: 'instant' });
  const ask = async (query = ''): Promise<Json<PoolShares> & { readonly Error?: string }> =>
    (await devnet.fetch(`/sunup/pools${query}`)).json() as never;
  const empty = await ask();
  expect([empty.energy.holders, empty.energy.largest]).toEqual([0, []]);
  const [one, other] = [clientOf(devnet, 0), clientOf(devnet, 1)];
  await one.send(one.builder.freezeBalanceV2(3_000 * TRX, 'ENERGY', one.address));
  const snapshot = await devnet.snapshot();
  await other.send(other.builder.freezeBalanceV2(1_000 * TRX, 'ENERGY', other.address));
  await one.send(one.builder.delegateResource(2_500 * TRX, other.address, 'ENERGY', one.address));
  const { energy, bandwidth } = await ask();
  expect(energy.largest.map(({ account, stakeSun }) => [account, stakeSun])).toEqual([
    [other.address, 3_500 * TRX],
    [one.address, 500 * TRX],
  ]);
  // The same limits and totals as the node answers for each account.
  const resources = await other.tronWeb.trx.getAccountResources(other.address);
  expect(energy.largest[0]!.dailyLimit).toBe(resources.EnergyLimit);
  expect([energy.dailyLimit, energy.stakedTrx]).toEqual([resources.TotalEnergyLimit, resources.TotalEnergyWeight]);
  expect(Number(energy.stakedTrx) - Number(energy.othersTrx)).toBe(4_000);
  expect(bandwidth.holders).toBe(0);
  expect((await ask('?limit=1')).energy).toMatchObject({ holders: 2, largest: [{ account: other.address }] });
  expect((await ask('?limit=0')).Error).toBe('limit: expected a whole number from 1 to 1000, got 0');

  await devnet.revert(snapshot);
  expect((await ask()).energy.largest).toMatchObject([{ account: one.address, stakeSun: 3_000 * TRX }]);
});
