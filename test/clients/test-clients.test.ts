/** Viem's test client, in each of the forms that it knows, and TronWeb looking at what it did. */

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

  it('gives coin, code and storage', async () => {
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
