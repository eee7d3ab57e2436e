/** Any client can cause requests of a fork: a client with many requests delays neither other clients nor blocks. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDevnet, type Devnet } from '../../src/index.js';
import { type Fault, FaultyProxy } from './fork-proxy.js';

/** Adds up the words at the hashes of all numbers below its argument. */
const SUM = '0x60003560005b8115601f5790600190038060005290602060002054016005565b60005260206000f3';
const SLOTS = 2_500;
const contracts = Array.from({ length: 8 }, (_, i) => `41${`c${i}`.repeat(20)}`);

let network: Devnet;
let proxy: FaultyProxy;
let fork: Devnet;
beforeAll(async () => {
  network = await createDevnet({ mining: 'manual' });
  for (const contract of contracts) await network.setCode(contract, SUM);
  await network.mine(450);
  proxy = await FaultyProxy.open(network.http.url);
  fork = await createDevnet({ fork: proxy.url, accounts: 1, mining: 'manual', constantEnergy: 1_000_000_000 });
});
afterAll(async () => {
  await fork.close();
  await proxy.close();
  await network.close();
});

async function asked(path: string, body: object): Promise<string> {
  // Over sockets: calls within the process count as one caller, and this test needs several.
  return (await fetch(`${fork.http.url}${path}`, { method: 'POST', body: JSON.stringify(body) })).text();
}

/**
 * Lets only some requests for slots through, and no others, until `release`; `reached` resolves when a request is held.
 */
function gate(batches = 0): { readonly reached: Promise<void>; readonly release: () => void } {
  let reach = () => {};
  let release = () => {};
  const reached = new Promise<void>((resolve) => {
    reach = resolve;
  });
  const open = new Promise<void>((resolve) => {
    release = resolve;
  });
  let seen = 0;
  proxy.fault = async ({ body }): Promise<Fault> => {
    if (seen < batches) {
      if (body.includes('eth_getStorageAt')) seen++;
      return 'pass';
    }
    reach();
    await open;
    return 'pass';
  };
  return { reached, release };
}

/** Number of other clients' requests at the network before the answer to the last one of `little`. */
async function waitsBehind(
  flood: readonly (() => Promise<unknown>)[],
  little: () => Promise<unknown>,
  batches?: number,
) {
  const { reached, release } = gate(batches);
  const answers = Promise.all(flood.map((one) => one()));
  await reached;
  const { length: before } = proxy.seen;
  const answer = little();
  const mined = fork.mine(2);
  release();
  await Promise.all([answer, mined]);
  const behind = proxy.seen.length - before;
  await answers;
  return { behind, all: proxy.seen.length - before };
}

describe('a client with few requests to a fork', () => {
  it('does not wait for calls that read thousands of slots', async () => {
    const data = SLOTS.toString(16).padStart(64, '0');
    const call = (contract: string) => () =>
      asked('/wallet/triggerconstantcontract', { owner_address: contracts[0], contract_address: contract, data });
    const little = () => asked('/wallet/getaccount', { address: `41${'7f'.repeat(20)}` });
    // Each call requests its first slots alone, and then many at once.
    const { behind, all } = await waitsBehind(contracts.map(call), little, contracts.length);
    expect(all).toBeGreaterThan((contracts.length * SLOTS) / 99 - 2 * contracts.length);
    expect(behind).toBeLessThan(60);
  });

  it('does not wait for ranges of older blocks, and neither do reads of the state', async () => {
    const ranges = [100, 200, 300].map(
      (startNum) => () => asked('/wallet/getblockbylimitnext', { startNum, endNum: startNum + 100 }),
    );
    const { behind, all } = await waitsBehind(ranges, () =>
      Promise.all([
        asked('/wallet/getblockbynum', { num: 420 }),
        asked('/wallet/getaccount', { address: `41${'7e'.repeat(20)}` }),
      ]),
    );
    expect(all).toBeGreaterThan(600);
    expect(behind).toBeLessThan(120);
  });

  it('gets an error if the queue is longer than a network answers in a long time', async () => {
    const { reached, release } = gate();
    const texts: string[] = [];
    let refused = () => {};
    const someAreRefused = new Promise<void>((resolve) => {
      refused = resolve;
    });
    const flood = Array.from({ length: 120 }, async () => {
      texts.push(await asked('/wallet/getblockbylimitnext', { startNum: 0, endNum: 100 }));
      if (texts.length === 20) refused();
    });
    await reached;
    await someAreRefused;
    expect(new Set(texts).size).toBe(1);
    expect(texts[0]).toContain('the fork already waits for 100000 rows of its network');
    expect(await asked('/wallet/getnowblock', {})).toContain('blockID');
    release();
    await Promise.all(flood);
    expect(texts.filter((text) => text.startsWith('{"block"')).length).toBe(100);
  });
});
