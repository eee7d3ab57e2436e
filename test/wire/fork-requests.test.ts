/**
 * Number of a fork's requests, counted at a proxy: for its start, for an executed token transfer, and for its
 * repetition. The table of docs/reference/fork.md has the same numbers.
 */

import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDevnet, type Devnet } from '../../src/index.js';
import { FaultyProxy } from './fork-proxy.js';

const TRX = 1_000_000;
/** An account whose key nobody has. */
const HOLDER = `41${'5e'.repeat(20)}`;
const [STRANGER, ANOTHER] = ['7f', '7e'].map((byte) => `41${byte.repeat(20)}`) as [string, string];

let network: Devnet;
let proxy: FaultyProxy;
let token: string;

beforeAll(async () => {
  network = await createDevnet({ networkStake: 'mainnet' });
  const terms = { args: [10n ** 15n, 'Dollar', 'USD', 6], userFeePercent: 60, originEnergyLimit: 7_000 };
  const dollar = await network.deploy('fixtures/contracts/Dollar.json', terms);
  token = dollar.address;
  await dollar.write.transfer!([HOLDER, 1_000_000n]);
  await network.setBalance(HOLDER, 500 * TRX);
  await network.setStake(network.accounts[0]!.address, { energy: 5_000 * TRX });
  await network.mine(3);
  proxy = await FaultyProxy.open(network.http.url);
});
afterAll(async () => {
  await proxy.close();
  await network.close();
});

/** The rows of the table under "How often it asks". */
function documented(): Record<string, number> {
  const text = readFileSync(new URL('../../docs/reference/fork.md', import.meta.url), 'utf8');
  const [, section = ''] = /^## How often it asks$(.*?)^## /ms.exec(text) ?? [];
  return Object.fromEntries(
    [...section.matchAll(/^\| ([^|]+) \| (\d+) \|/gm)].map(([, what, many]) => [what, Number(many)]),
  );
}

test('a token transfer needs the number of requests in docs/reference/fork.md, and its repetition none', async () => {
  const counted: Record<string, number> = {};
  const count = (what: string): void => {
    counted[what] = proxy.seen.splice(0).length;
  };
  const fork = await createDevnet({ fork: proxy.url, accounts: 10 });
  count('start, with ten funded accounts');
  await fork.impersonate(HOLDER);
  const dollar = await fork.contractAt('fixtures/contracts/Dollar.json', token);
  const send = (to: string) => dollar.write.transfer!([to, 5n], { from: HOLDER });
  const { txid } = await send(STRANGER);
  count('the first token transfer of an impersonated holder, to a new one');
  await fork.explain(txid);
  count('why it cost what it cost');
  await send(STRANGER);
  count('the same transfer again');
  await send(ANOTHER);
  count('the same to another new holder');
  await fork.mine({ advanceMs: 7 * 3_600_000 });
  await send(STRANGER);
  count('an epoch, and the first transfer again');
  await fork.close();
  expect(counted).toEqual(documented());
  expect(counted['the first token transfer of an impersonated holder, to a new one']).toBeLessThanOrEqual(12);
  expect(counted['the same transfer again']).toBe(0);
});
