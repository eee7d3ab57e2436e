/** A fork reads rows when they are first needed, while its network goes on: explanations say which row is of which block. */

import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDevnet, type Devnet } from '../../src/index.js';

let network: Devnet;
let token: string;
beforeAll(async () => {
  network = await createDevnet();
  const dollar = await network.deploy('fixtures/contracts/Dollar.json', { args: [10n ** 15n, 'Dollar', 'USD', 6] });
  token = dollar.address;
  const [, holder] = network.accounts;
  await dollar.write.transfer!([holder!.address, 1_000_000n]);
});
afterAll(() => network.close());

async function height(): Promise<number> {
  return JSON.parse(await (await network.fetch('/wallet/getnowblock')).text()).block_header.raw_data.number;
}

async function transferOn(fork: Devnet) {
  const [, holder, , other] = fork.accounts;
  const dollar = await fork.contractAt('fixtures/contracts/Dollar.json', token);
  const { txid } = await dollar.write.transfer!([other!.address, 5n], { from: holder! });
  return fork.explain(txid);
}

it('says nothing where all rows are of one block, nor on a chain that is no fork', async () => {
  const fork = await createDevnet({ fork: network.http.url });
  expect(await transferOn(fork)).not.toHaveProperty('networkRows');
  await fork.close();
  const id = await network.snapshot();
  expect(await transferOn(network)).not.toHaveProperty('networkRows');
  await network.revert(id);
});

it('lists rows of different blocks with the number of each, also after a later block of the fork', async () => {
  const fork = await createDevnet({ fork: network.http.url });
  const begunAtBlock = await height();
  await network.mine(7);
  const { txid, networkRows, text } = await transferOn(fork);
  const later = begunAtBlock + 7;
  const [, holder, , other] = fork.accounts;
  expect(networkRows).toMatchObject({ begunAtBlock, count: networkRows!.rows.length });
  const blockOf = (table: string, of: string) =>
    networkRows!.rows.filter((row) => row.table === table && row.of === of).map(({ readAtBlock }) => readAtBlock);
  // Accounts of the fork are funded when it begins.
  expect(blockOf('accounts', holder!.address)).toEqual([begunAtBlock]);
  expect(blockOf('codes', token)).toEqual([later]);
  const slots = networkRows!.rows.filter(({ table }) => table === 'storage');
  expect(slots.length).toBeGreaterThanOrEqual(2);
  for (const { of, slot, key, readAtBlock } of slots) {
    expect([of, readAtBlock]).toEqual([token, later]);
    expect(slot).toMatch(/^0x[0-9a-f]{64}$/);
    expect(slot!.slice(-32)).toBe(key.slice(-32));
  }
  const lines = text.join('\n');
  expect(lines).toContain('It read rows of the network as they were at different blocks');
  expect(lines).toMatch(new RegExp(`  block ${begunAtBlock}: parameters, .*account ${holder!.address}`));
  expect(lines).toMatch(new RegExp(`  block ${later}: .*code of ${token}`));
  expect(lines).not.toContain(`account ${other!.address}\n`);

  await fork.mine(3);
  await fork.setBalance(holder!.address, 1);
  expect((await fork.explain(txid)).networkRows).toEqual(networkRows);
  await fork.close();
});
