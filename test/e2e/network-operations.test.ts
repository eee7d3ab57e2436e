/** Network-wide values that can be set on a running chain: totals, chain parameters, presets. */

import { TronWeb } from 'tronweb';
import { describe, expect, it } from 'vitest';
import { runControlCommand } from '../../src/cli/control-commands.js';
import { createDevnet, type Devnet } from '../../src/index.js';

const TRX = 1_000_000;

function clientOf({ http, accounts }: Devnet, i = 0): { client: TronWeb; me: string } {
  const { address, privateKey } = accounts[i]!;
  return { client: new TronWeb({ fullHost: http.url, privateKey }), me: address };
}

async function stake(devnet: Devnet, trx: number): Promise<void> {
  const { client, me } = clientOf(devnet);
  const built = await client.transactionBuilder.freezeBalanceV2(trx * TRX, 'ENERGY', me);
  expect((await client.trx.sendRawTransaction(await client.trx.sign(built))).result).toBe(true);
}

async function resources(devnet: Devnet): Promise<Record<string, number>> {
  const { client, me } = clientOf(devnet);
  return (await client.trx.getAccountResources(me)) as unknown as Record<string, number>;
}

async function asked({ http }: Devnet, path: string): Promise<Record<string, unknown>> {
  return (await (await fetch(`${http.url}${path}`)).json()) as Record<string, unknown>;
}

async function parameterOf(devnet: Devnet, key: string): Promise<number> {
  const { chainParameter } = await asked(devnet, '/wallet/getchainparameters');
  const found = (chainParameter as { key: string; value?: number }[]).find((one) => one.key === key);
  return found?.value ?? 0;
}

describe('totals of the network', () => {
  it('apply at once, and later stakes are added', async () => {
    await using devnet = await createDevnet({ networkStake: 'none' });
    await stake(devnet, 1_000);
    expect((await resources(devnet)).EnergyLimit).toBe(180_000_000_000);
    const before = devnet.snapshot();
    expect(await devnet.setNetworkTotals({ totalEnergyWeight: 19_000_000_000, totalNetWeight: '0x64' })).toEqual({
      totalEnergyWeight: 19_000_000_000n,
      totalNetWeight: 100n,
      totalTronPowerWeight: 0n,
      totalEnergyCurrentLimit: 180_000_000_000n,
      totalNetLimit: 43_200_000_000n,
      // From the stake transaction.
      publicNetUsage: 254n,
    });
    // At once, without a block.
    expect(await resources(devnet)).toMatchObject({ EnergyLimit: 9_473, TotalEnergyWeight: 19_000_000_000 });
    expect(devnet.networkStake.name).toBe('custom');
    await stake(devnet, 1_000);
    await devnet.mine({ advanceMs: 8 * 3_600_000 });
    expect(await resources(devnet)).toMatchObject({ EnergyLimit: 18_947, TotalEnergyWeight: 19_000_001_000 });

    await devnet.revert(before);
    expect(await resources(devnet)).toMatchObject({ EnergyLimit: 180_000_000_000, TotalEnergyWeight: 1_000 });
    expect(devnet.networkStake.name).toBe('none');
  });

  it('cannot be less than the stakes of accounts', async () => {
    await using devnet = await createDevnet({ networkStake: 'none' });
    await stake(devnet, 1_000);
    await expect(devnet.setNetworkTotals({ totalEnergyWeight: 999 })).rejects.toThrow(
      'TOTAL_ENERGY_WEIGHT must be at least 1000, the stakes of accounts, got 999',
    );
    expect((await devnet.setNetworkTotals({ totalEnergyWeight: 1_000 })).totalEnergyWeight).toBe(1_000n);
    // If one total is refused, none is set.
    await expect(devnet.setNetworkTotals({ totalNetWeight: 5, totalEnergyCurrentLimit: -1 })).rejects.toThrow(
      /valid range is/,
    );
    expect(await resources(devnet)).not.toHaveProperty('TotalNetWeight');
  });

  it('include daily limits, and the shared free bandwidth', async () => {
    await using devnet = await createDevnet();
    const set = await devnet.setNetworkTotals({
      totalEnergyCurrentLimit: 90_000_000_000,
      totalNetLimit: 1_000_000,
      publicNetUsage: 14_400_000_000,
    });
    expect(set).toMatchObject({ totalEnergyCurrentLimit: 90_000_000_000n, publicNetUsage: 14_400_000_000n });
    expect(await resources(devnet)).toMatchObject({ TotalEnergyLimit: 90_000_000_000, TotalNetLimit: 1_000_000 });
    expect(await parameterOf(devnet, 'getTotalEnergyTargetLimit')).toBe(90_000_000_000 / 14_400);
    const { client } = clientOf(devnet);
    const receipt = async () => {
      const { txid } = await client.trx.sendTransaction(devnet.accounts[1]!.address, 1);
      return (await client.trx.getTransactionInfo(txid)).receipt;
    };
    // The shared free bandwidth is used up; it recovers within a day.
    expect(await receipt()).toMatchObject({ net_fee: expect.any(Number) });
    await devnet.mine({ advanceMs: 86_400_000 });
    expect(await receipt()).toMatchObject({ net_usage: expect.any(Number) });
    await expect(devnet.setNetworkTotals({ publicNetUsage: 14_400_000_001 })).rejects.toThrow(
      'publicNetUsage must be 0 to 14400000000',
    );
  });
});

describe('chain parameters', () => {
  it('are set as by approved proposals, by name or number', async () => {
    await using devnet = await createDevnet();
    expect(await devnet.setChainParameters({ getEnergyFee: 210, 73: '6000000000' })).toEqual({
      getEnergyFee: 100n,
      getDynamicEnergyThreshold: 5_000_000_000n,
    });
    expect(await parameterOf(devnet, 'getEnergyFee')).toBe(210);
    expect(await parameterOf(devnet, 'getDynamicEnergyThreshold')).toBe(6_000_000_000);
    const { timestampMs } = await devnet.mine(0);
    expect(await asked(devnet, '/wallet/getenergyprices')).toEqual({ prices: `0:100,${timestampMs}:210` });
  });

  it('accept the range of proposals, or with force all values with which a chain can continue', async () => {
    await using devnet = await createDevnet();
    await expect(devnet.setChainParameters({ getMaintenanceTimeInterval: 60_000 })).rejects.toThrow(
      'getMaintenanceTimeInterval cannot be 60000: Bad chain parameter value, valid range is [3 * 27 * 1000,24 * 3600 * 1000]',
    );
    expect(await devnet.setChainParameters({ getMaintenanceTimeInterval: 60_000 }, { force: true })).toEqual({
      getMaintenanceTimeInterval: 21_600_000n,
    });
    await expect(devnet.setChainParameters({ getMaintenanceTimeInterval: 0 }, { force: true })).rejects.toThrow(
      'it must be 3000 to',
    );
    // java-tron does not limit the price of Energy in proposals.
    await expect(devnet.setChainParameters({ getEnergyFee: -1 })).rejects.toThrow('it must be 0 to');
    await expect(devnet.setChainParameters({ getTotalEnergyTargetLimit: 5 })).rejects.toThrow('cannot be set');
    await expect(devnet.setChainParameters({ getEnergyFe: 5 })).rejects.toThrow('did you mean getEnergyFee?');
  });

  it('can be turned off, and on again with their effects', async () => {
    await using devnet = await createDevnet();
    const { client, me } = clientOf(devnet);
    const cancel = async () => {
      const built = await client.transactionBuilder.cancelUnfreezeBalanceV2(me);
      const { message } = await client.trx.sendRawTransaction(await client.trx.sign(built));
      return Buffer.from(String(message), 'hex').toString();
    };
    await devnet.setChainParameters({ getAllowCancelAllUnfreezeV2: 0, getAllowDynamicEnergy: 0 });
    expect(await cancel()).toMatch(/Not support CancelAllUnfreezeV2 transaction/);
    await devnet.setChainParameters({ ALLOW_CANCEL_ALL_UNFREEZE_V2: 1 });
    // Known again, and refused only because there is nothing to cancel.
    expect(await cancel()).toMatch(/No unfreezeV2 list to cancel/);
    await expect(devnet.setChainParameters({ getAllowSameTokenName: 0 }, { force: true })).rejects.toThrow(
      'getAllowSameTokenName cannot be turned off: tokens are stored by their ids after it is on',
    );
  });
});

describe('a preset', () => {
  it('restores all parameters, and the stakes of its network', async () => {
    await using devnet = await createDevnet({ networkStake: 'none', parameters: { getEnergyFee: 420 } });
    await devnet.setChainParameters({ getTransactionFee: 5, getAllowTvmVote: 0 });
    expect(await devnet.loadPreset('genesis')).toEqual({
      name: 'genesis',
      changed: { getTransactionFee: { from: 5n, to: 1_000n }, getAllowTvmVote: { from: 0n, to: 1n } },
    });
    expect(await devnet.loadPreset('mainnet', { stakeTotals: true })).toEqual({
      name: 'mainnet@2025-09',
      takenAt: '2025-09',
      changed: {
        getEnergyFee: { from: 420n, to: 100n },
        TOTAL_ENERGY_WEIGHT: { from: 0n, to: 19_125_511_029n },
        TOTAL_NET_WEIGHT: { from: 0n, to: 26_677_115_436n },
      },
    });
    expect(devnet.networkStake.name).toBe('mainnet@2025-12');
    expect((await devnet.loadPreset('mainnet')).changed).toEqual({});
    await expect(devnet.loadPreset('moon')).rejects.toThrow(/no preset is called "moon"; known: mainnet@/);
    // Its flags cannot all be turned off.
    await expect(devnet.loadPreset('none')).rejects.toThrow(/cannot be turned off/);
    expect(await parameterOf(devnet, 'getTransactionFee')).toBe(1_000);
  });
});

it('can be loaded from the command line', async () => {
  await using devnet = await createDevnet();
  let out = '';
  const say = { out: (text: string) => (out += text), err: (text: string) => (out += text) };
  const run = (...words: string[]) => runControlCommand([...words, '--url', devnet.http.url], say as never);
  expect(await run('set-chain-parameters', '{"getEnergyFee":210}', '--json')).toBe(0);
  expect(out).toBe('{"getEnergyFee":100}\n');
  out = '';
  expect(await run('set-chain-parameters', '{"getEnergyFe":210}')).not.toBe(0);
  expect(out).toMatch(/did you mean getEnergyFee/);
});
