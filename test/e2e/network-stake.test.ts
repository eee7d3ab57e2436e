/** The assumed stake of others: the yield of one's own stake, and the source of the figures. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { TronWeb } from 'tronweb';
import { afterAll, describe, expect, it } from 'vitest';
import { createDevnet, type Devnet, type DevnetOptions } from '../../src/index.js';
import { openLevelDb } from '../../src/platform/leveldb.js';
import { withChecksum, withoutChecksum } from '../../src/state/row-checksum.js';

const TRX = 1_000_000;
const folder = mkdtempSync(path.join(tmpdir(), 'sunup-network-stake-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function resources({ http, accounts }: Devnet): Promise<Record<string, number>> {
  const body = JSON.stringify({ address: accounts[0]!.address, visible: true });
  const response = await fetch(`${http.url}/wallet/getaccountresource`, { method: 'POST', body });
  return (await response.json()) as Record<string, number>;
}

async function stake({ http, accounts }: Devnet, trx: number, resource: 'ENERGY' | 'BANDWIDTH'): Promise<void> {
  const [{ address, privateKey }] = accounts as [Devnet['accounts'][number]];
  const client = new TronWeb({ fullHost: http.url, privateKey });
  const built = await client.transactionBuilder.freezeBalanceV2(trx * TRX, resource, address);
  expect((await client.trx.sendRawTransaction(await client.trx.sign(built))).result).toBe(true);
}

describe('by default', () => {
  it('a staked TRX yields as much as on the main network', async () => {
    await using devnet = await createDevnet();
    expect(devnet.networkStake).toEqual({
      name: 'mainnet@2025-12',
      energyPerTrx: expect.closeTo(9.4115, 4),
      bandwidthPerTrx: expect.closeTo(1.6194, 4),
    });
    await stake(devnet, 1_000, 'ENERGY');
    await stake(devnet, 2_000, 'BANDWIDTH');
    expect(await resources(devnet)).toMatchObject({
      EnergyLimit: 9_411,
      NetLimit: 3_238,
      TotalEnergyWeight: 19_125_511_029 + 1_000,
      TotalNetWeight: 26_677_115_436 + 2_000,
      TotalEnergyLimit: 180_000_000_000,
      TotalNetLimit: 43_200_000_000,
    });
    expect(await resources(devnet)).not.toHaveProperty('TotalTronPowerWeight');
  });

  it('is reverted together with stakes', async () => {
    await using devnet = await createDevnet();
    const before = devnet.snapshot();
    await stake(devnet, 1_000, 'ENERGY');
    await devnet.mine({ advanceMs: 7 * 3_600_000 });
    await devnet.revert(before);
    expect(await resources(devnet)).toMatchObject({ TotalEnergyWeight: 19_125_511_029 });
    expect(devnet.networkStake.name).toBe('mainnet@2025-12');
  });
});

describe('with other options or a genesis file', () => {
  it.each<[string, DevnetOptions, string, number | undefined]>([
    ['none was asked for', { networkStake: 'none' }, 'none', undefined],
    ['no preset', { preset: 'none' }, 'none', undefined],
    ['no preset, and a load', { preset: 'none', networkStake: 'mainnet' }, 'mainnet@2025-12', 19_125_511_029],
    ['a genesis file', { genesis: {} }, 'none', undefined],
    ['a genesis file that asks', { genesis: { networkStake: 'mainnet' } }, 'mainnet@2025-12', 19_125_511_029],
    ['a file of its own figures', { genesis: { networkStake: { totalEnergyWeight: 5 } } }, 'custom', 5],
    ['an option above the file', { networkStake: 'none', genesis: { networkStake: 'mainnet' } }, 'none', undefined],
    ['a figure above the load', { parameters: { TOTAL_ENERGY_WEIGHT: 38_000_000_000 } }, 'custom', 38_000_000_000],
  ])('%s', async (_, options, name, weight) => {
    await using devnet = await createDevnet(options);
    expect(devnet.networkStake.name).toBe(name);
    expect((await resources(devnet)).TotalEnergyWeight).toBe(weight);
  });

  it.each<[DevnetOptions, RegExp]>([
    [{ networkStake: 'moon' }, /networkStake is "moon", which is not a network stake. There are mainnet@2025-12, none/],
    [{ genesis: { networkStake: 'moon' } }, /has the unknown networkStake moon/],
    [{ genesis: { networkStake: { totalEnergyWeight: -1 } } }, /networkStake/],
    [{ genesis: { networkStake: { energy: 1 } } }, /networkStake/],
  ])('%j is refused', async (options, text) => {
    await expect(createDevnet(options)).rejects.toThrow(text);
  });
});

describe('a database', () => {
  it('keeps its network stake', async () => {
    const db = path.join(folder, 'kept');
    await (await createDevnet({ db })).close();
    await using again = await createDevnet({ db });
    expect(again.networkStake.name).toBe('mainnet@2025-12');
    await again.close();
    await expect(createDevnet({ db, networkStake: 'none' })).rejects.toThrow(
      `networkStake is none, but the chain in ${db} was created with mainnet@2025-12`,
    );
  });

  it('without a stored network stake continues with none', async () => {
    const db = path.join(folder, 'before');
    await (await createDevnet({ db, networkStake: 'none' })).close();
    await forgetLoad(db);
    await (await createDevnet({ db })).close();
    await (await createDevnet({ db, networkStake: 'none' })).close();
    await using again = await createDevnet({ db });
    expect(again.networkStake.name).toBe('none');
    await again.close();
    await expect(createDevnet({ db, networkStake: 'mainnet' })).rejects.toThrow(
      'networkStake is mainnet@2025-12, but the chain',
    );
  });
});

/** The stored options are the same as before this option existed. */
async function forgetLoad(directory: string): Promise<void> {
  const key = 'meta:stated';
  const database = await openLevelDb(directory);
  const kept = withoutChecksum(key, (await database.get(key)) as Uint8Array) as Uint8Array;
  const { networkStake, ...stated } = JSON.parse(Buffer.from(kept).toString()) as Record<string, string>;
  expect(networkStake).toBe('');
  await database.put(key, withChecksum(key, Buffer.from(JSON.stringify(stated))));
  await database.close();
}
