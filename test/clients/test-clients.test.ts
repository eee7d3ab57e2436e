/** viem's test client in each of its modes, with TronWeb as the reader. */

import { readFileSync } from 'node:fs';
import { TronWeb } from 'tronweb';
import { createPublicClient, createTestClient, http, pad } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDevnet, type Devnet } from '../../src/index.js';

let devnet: Devnet;
let tronWeb: TronWeb;
beforeAll(async () => {
  devnet = await createDevnet();
  tronWeb = new TronWeb({ fullHost: devnet.http.url, privateKey: devnet.accounts[0]!.privateKey });
});
afterAll(() => devnet.close());

/** Returns the word of slot 3. */
const READ_SLOT_3 = '0x60035460005260206000f3';

describe.each<['anvil' | 'hardhat' | 'ganache', string]>([
  ['anvil', 'eth'],
  ['hardhat', 'jsonrpc'],
  ['ganache', 'tre'],
])('viem for %s at /%s', (mode, path) => {
  const address = `0x${Buffer.from(mode).toString('hex').padStart(40, '0')}` as const;
  const client = () => createTestClient({ mode, transport: http(`${devnet.http.url}/${path}`) });

  it('sets balances, code and storage', async () => {
    const tronAddress = TronWeb.address.fromHex(address.replace('0x', '41'));
    const reader = createPublicClient({ transport: http(`${devnet.http.url}/eth`) });
    const snapshot = devnet.snapshot();
    await client().setBalance({ address, value: 7_000_000n });
    expect(await tronWeb.trx.getBalance(tronAddress)).toBe(7_000_000);
    await client().setCode({ address, bytecode: READ_SLOT_3 });
    await client().setStorageAt({ address, index: 3, value: pad('0x2a') });
    expect(await reader.call({ to: address })).toEqual({ data: pad('0x2a') });
    expect(await reader.getStorageAt({ address, slot: '0x3' })).toBe(pad('0x2a'));
    expect(await tronWeb.trx.getContract(tronAddress)).toMatchObject({ name: 'CreatedByTre' });
    await devnet.revert(snapshot);
    expect(await tronWeb.trx.getBalance(tronAddress)).toBe(0);
  });
});

describe('TronWeb', () => {
  const [alice, bob] = ['TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2HC', 'TWer2Ygk5TEheHp3TPuYeqxmB6SsGZmaL6'];

  it('sees stakes, delegations, and used resources', async () => {
    await devnet.setStake(alice, { energy: '5000000000', bandwidth: 1_000_000_000 });
    await devnet.setDelegation(alice, bob, { energy: '0x77359400' });
    await devnet.setAccountResources(bob, { energyUsage: 1_000 });
    expect(await tronWeb.trx.getAccount(alice)).toMatchObject({
      frozenV2: [{ amount: 1_000_000_000 }, { type: 'ENERGY', amount: 3_000_000_000 }, { type: 'TRON_POWER' }],
      account_resource: { delegated_frozenV2_balance_for_energy: 2_000_000_000 },
    });
    expect(await tronWeb.trx.getDelegatedResourceV2(alice, bob)).toMatchObject({
      delegatedResource: [{ frozen_balance_for_energy: 2_000_000_000 }],
    });
    const { EnergyLimit, EnergyUsed } = await tronWeb.trx.getAccountResources(bob);
    expect([EnergyUsed, EnergyLimit! > 10_000]).toEqual([1_000, true]);
    expect(await tronWeb.trx.getCanDelegatedMaxSize(alice, 'ENERGY')).toMatchObject({ max_size: 3_000_000_000 });
  });

  it('sees names, permissions and tokens, and a contract sees balances', async () => {
    await devnet.setAccount(alice, {
      account_name: 'alice',
      owner_permission: { threshold: 1, keys: [{ address: bob, weight: 1 }] },
      balance: 7,
    });
    const account = await tronWeb.trx.getUnconfirmedAccount(alice);
    expect(Buffer.from(String(account.account_name), 'hex').toString()).toBe('alice');
    expect(account.owner_permission.keys).toEqual([{ address: TronWeb.address.toHex(bob), weight: 1 }]);
    // Returns the balance of its argument.
    await devnet.setCode(bob, '0x6004353160005260206000f3');
    const asked = await tronWeb.transactionBuilder.triggerConstantContract(bob, 'of(address)', {}, [
      { type: 'address', value: alice },
    ]);
    expect(BigInt(`0x${asked.constant_result[0]}`)).toBe(7n);
  });

  it("spends tokens that viem dealt with anvil's methods", async () => {
    const { abi, bytecode } = JSON.parse(
      readFileSync(new URL('../../fixtures/contracts/Token.json', import.meta.url), 'utf8'),
    ) as { abi: []; bytecode: string };
    const owner = devnet.accounts[0]!.address;
    const token = await tronWeb.contract().new({ abi, bytecode, parameters: [1_000_000], feeLimit: 5e9 } as never);
    const client = createTestClient({ mode: 'anvil', transport: http(`${devnet.http.url}/eth`) });
    const params = [owner, `0x${String(token.address).slice(2)}`, '0x1e240'].map((each) =>
      each.startsWith('T') ? TronWeb.address.toHex(each).replace('41', '0x') : each,
    );
    expect(await client.request({ method: 'anvil_dealERC20', params } as never)).toBe(true);
    const methods = token.methods as unknown as Record<
      string,
      (...given: unknown[]) => { call(): Promise<unknown>; send(o: object): Promise<string> }
    >;
    expect(String(await methods.balanceOf!(owner).call())).toBe('123456');
    await methods.transfer!(alice, 456).send({ feeLimit: 1e9 });
    expect(String(await methods.balanceOf!(owner).call())).toBe('123000');
  });
});
