/** A network that continues after it was forked, and a fork of a fork. */

import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDevnet, type Devnet } from '../../src/index.js';

const TRX = 1_000_000;
const HOLDER = `41${'5e'.repeat(20)}`;
const STRANGER = `41${'7f'.repeat(20)}`;
let network: Devnet;
let token: string;

beforeAll(async () => {
  network = await createDevnet({ networkStake: 'mainnet' });
  const terms = { args: [10n ** 15n, 'Dollar', 'USD', 6], userFeePercent: 60, originEnergyLimit: 7_000 };
  const dollar = await network.deploy('fixtures/contracts/Dollar.json', terms);
  token = dollar.address;
  await network.setBalance(HOLDER, 500 * TRX);
  await network.setStake(network.accounts[0]!.address, { energy: 5_000 * TRX });
  await dollar.write.transfer!([HOLDER, 1_000_000n]);
  await network.mine(3);
});
afterAll(() => network.close());

const dollarOf = (devnet: Devnet) => devnet.contractAt('fixtures/contracts/Dollar.json', token);

/** The cost and the outcome of a transfer by the holder. */
async function transferOn(devnet: Devnet) {
  await devnet.impersonate(HOLDER);
  const dollar = await dollarOf(devnet);
  const { txid } = await dollar.write.transfer!([STRANGER, 5n], { from: HOLDER });
  const { energy } = await devnet.explain(txid);
  return { energyTotal: energy?.total, left: await dollar.read.balanceOf!([HOLDER]) };
}

test('storage is that of the forked block, if the node serves older storage', async () => {
  const { url } = network.http;
  // As with java-tron, `/jsonrpc` serves only the head.
  await using younger = await createDevnet({ fork: url, accounts: 1 });
  await using fork = await createDevnet({ fork: url, forkJsonrpc: `${url}/eth`, accounts: 1 });
  await using other = await createDevnet({ fork: url, accounts: 1 });
  const expected = await transferOn(other);
  const id = await network.snapshot();
  const dollar = await dollarOf(network);
  await dollar.write.transfer!([HOLDER, 77n]);
  await network.mine(5);
  expect(await (await dollarOf(fork)).read.balanceOf!([HOLDER])).toBe(1_000_000n);
  expect(await (await dollarOf(younger)).read.balanceOf!([HOLDER])).toBe(1_000_077n);
  expect(await dollar.read.balanceOf!([HOLDER])).toBe(1_000_077n);
  expect(await transferOn(fork)).toEqual(expected);
  await network.revert(id);
});

test('a fork of a fork has the same costs', async () => {
  await using fork = await createDevnet({ fork: network.http.url, accounts: 1 });
  await transferOn(fork);
  await fork.mine(2);
  await using further = await createDevnet({ fork: fork.http.url, accounts: 1 });
  expect(further.genesisId).toBe(network.genesisId);
  expect(further.fork?.blockNumber).toBeGreaterThan(fork.fork!.blockNumber);
  // The second fork first: otherwise it would fetch rows that the first fork has changed.
  const { energyTotal, left } = await transferOn(further);
  expect(await transferOn(fork)).toMatchObject({ energyTotal, left });
});
