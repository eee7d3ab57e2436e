/** Forks in tests: one cache folder for all of them, each test with the initial chain, and no network later. */

import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDevnet, type Devnet } from '../../src/index.js';
import { SharedDevnet } from '../../src/testing/shared-devnet.js';
import { FaultyProxy } from '../wire/fork-proxy.js';

const USDT = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';

let network: Devnet;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'sunup-fork-fixtures-'));
  network = await createDevnet({ networkStake: 'mainnet', predeploy: ['usdt'] });
});
afterAll(async () => {
  await network.close();
  rmSync(folder, { recursive: true, force: true });
});

async function balanceOn(devnet: Devnet, index: number): Promise<unknown> {
  const usdt = await devnet.contractAt(undefined, USDT);
  return usdt.read.balanceOf!([network.accounts[index]!]);
}

describe('forks with one cache folder', () => {
  it('start at the same block, and keep the rows of each other', async () => {
    const cache = path.join(folder, 'together');
    const proxy = await FaultyProxy.open(network.http.url);
    // Started with an empty folder, and slow.
    let asks: () => void = () => {};
    const asked = new Promise<void>((resolve) => {
      asks = resolve;
    });
    let isFirstThere: () => void = () => {};
    const firstThere = new Promise<void>((resolve) => {
      isFirstThere = resolve;
    });
    proxy.fault = async () => {
      asks();
      await firstThere;
      return 'pass' as const;
    };
    const later = createDevnet({ fork: proxy.url, forkCache: cache, httpPort: false });
    await asked;
    const first = await createDevnet({ fork: network.http.url, forkCache: cache, httpPort: false });
    await network.mine(3);
    isFirstThere();
    const forks = [first, await later];
    expect(forks.map(({ fork }) => fork?.blockNumber)).toEqual([first.fork?.blockNumber, first.fork?.blockNumber]);
    // Each holds the token's storage in memory while the other writes it.
    expect(await Promise.all(forks.map((fork) => balanceOn(fork, 1)))).toEqual([10n ** 10n, 10n ** 10n]);
    await Promise.all(forks.map((fork, index) => balanceOn(fork, 2 + index)));
    await Promise.all(forks.map((fork) => fork.close()));
    expect(readdirSync(cache, { recursive: true }).filter((name) => /lock|new/.test(String(name)))).toEqual([]);
    const offline = await createDevnet({ fork: proxy.url, forkCache: cache, forkOffline: true, httpPort: false });
    expect([await balanceOn(offline, 2), await balanceOn(offline, 3)]).toEqual([10n ** 10n, 10n ** 10n]);
    await expect(balanceOn(offline, 4)).rejects.toThrow('the fork is offline');
    await offline.close();
    await proxy.close();
  });
});

describe('tests on a fork', () => {
  it('have the costs of the signer on the network, and request each row once', async () => {
    const proxy = await FaultyProxy.open(network.http.url);
    const [, , , , , , , holder, newcomer] = network.accounts;
    const costOn = async (devnet: Devnet, from: string | typeof holder) => {
      const usdt = await devnet.contractAt(undefined, USDT);
      const { txid, energy, feeSun } = await usdt.write.transfer!([newcomer!, 5n], { from: from! });
      const { bandwidth } = await devnet.explain(txid);
      return { energy, feeSun, bytes: bandwidth?.bytes };
    };
    const shared = await SharedDevnet.start({ fork: proxy.url, accounts: 1 }, (devnet) =>
      devnet.impersonate(holder!.address),
    );
    const one = async () => {
      shared.beginTest();
      const cost = await costOn(shared.devnet, holder!.address);
      await shared.endTest();
      return cost;
    };
    const first = await one();
    const asked = proxy.seen.length;
    expect([await one(), await one()]).toEqual([first, first]);
    expect(proxy.seen.length).toBe(asked);
    const id = network.snapshot();
    expect(await costOn(network, holder)).toEqual(first);
    await network.revert(id);
    await shared.close();
    await proxy.close();
  });
});
