/** Tests statements of docs/background/network-stake.md and docs/reference/limits.md. */

import { readFileSync } from 'node:fs';
import { TronWeb } from 'tronweb';
import { expect, test } from 'vitest';
import { createDevnet } from '../../src/index.js';

test("scarce Energy: a staked TRX gets its share of the network's total stake", async () => {
  await using devnet = await createDevnet({
    parameters: { TOTAL_ENERGY_WEIGHT: 19_000_000_000, TOTAL_NET_WEIGHT: 27_000_000_000 },
  });
  const [account] = devnet.accounts;
  const tronWeb = new TronWeb({ fullHost: devnet.http.url, privateKey: account!.privateKey });
  for (const resource of ['ENERGY', 'BANDWIDTH'] as const) {
    const built = await tronWeb.transactionBuilder.freezeBalanceV2(1_000_000_000, resource, account!.address);
    expect(await tronWeb.trx.sendRawTransaction(await tronWeb.trx.sign(built))).toMatchObject({ result: true });
  }
  const { EnergyLimit, NetLimit } = await tronWeb.trx.getAccountResources(account!.address);
  // 1,000 TRX among 19 and 27 billion, including themselves.
  expect(EnergyLimit).toBe(Math.floor((1_000 / 19_000_001_000) * 180_000_000_000));
  expect(NetLimit).toBe(Math.floor((1_000 / 27_000_001_000) * 43_200_000_000));
});

test('docs/reference/limits.md: a test can check that a client waits as requested, without waiting', async () => {
  const text = readFileSync(new URL('../../docs/reference/limits.md', import.meta.url), 'utf8');
  const [, code = ''] = /```js\nimport \{ createDevnet \} from 'sunup';\n(.*?)```/s.exec(text) ?? [];
  const printed: unknown[] = [];
  const AsyncFunction = (async () => {}).constructor as new (...words: string[]) => (...given: unknown[]) => unknown;
  await new AsyncFunction('createDevnet', 'console', code)(createDevnet, { log: (one: unknown) => printed.push(one) });
  expect(printed).toEqual([[30_000, 30_000]]);
  expect(code).toContain('console.log(slept); // [ 30000, 30000 ]');
});
