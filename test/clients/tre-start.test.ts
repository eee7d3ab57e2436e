/** What a chain has at its start with `tre`: what tools of the TronBox Runtime Environment have written down. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { TronWeb } from 'tronweb';
import { expect, it } from 'vitest';
import { createDevnet, type Devnet } from '../../src/index.js';

const KEY_ONE = `${'0'.repeat(63)}1`;
const TRE_CHAIN_ID = 3_360_022_319;

async function rpc({ jsonrpc }: Devnet, method: string, ...params: unknown[]): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  return ((await (await fetch(jsonrpc.url, { method: 'POST', body })).json()) as { result: unknown }).result;
}

it.each([{}, { accounts: 3, balance: 5, derivationPath: "m/44'/60'/0'/0{index}" }])(
  "has TRE's chain id with the accounts of %j",
  async (options) => {
    await using devnet = await createDevnet({ tre: true, ...options });
    expect(Number(devnet.chainId)).toBe(TRE_CHAIN_ID);
    expect(Number(await rpc(devnet, 'eth_chainId'))).toBe(TRE_CHAIN_ID);
    const client = new TronWeb({ fullHost: devnet.http.url });
    for (const { address, balanceSun } of devnet.accounts) {
      expect(BigInt(await client.trx.getBalance(address))).toBe(balanceSun);
      expect(BigInt(await client.trx.getUnconfirmedBalance(address))).toBe(balanceSun);
    }
  },
);

it('has a rich witness with the key 1, beside the accounts', async () => {
  await using devnet = await createDevnet({ tre: true });
  const client = new TronWeb({ fullHost: devnet.http.url, privateKey: KEY_ONE });
  const own = client.defaultAddress as { base58: string; hex: string };
  expect(devnet.witnesses).toMatchObject([{ address: own.base58, privateKey: KEY_ONE }]);
  expect(devnet.accounts.map(({ address }) => address)).not.toContain(own.base58);
  const sent = await client.trx.sendTransaction(devnet.accounts[0]!.address, 50_000_000_000_000);
  expect(sent.result).toBe(true);
  const block = await client.trx.getCurrentBlock();
  expect(block.block_header.raw_data.witness_address).toBe(own.hex);
  expect(block.transactions).toHaveLength(1);
  expect(await client.trx.getBalance('TPL66VK2gCXNCD7EJg9pgJRfqcRazjhUZY')).toBe(90_000_000_000_000_000);
});

it('gives key 1 what the accounts get, where it is one of them', async () => {
  await using devnet = await createDevnet({ tre: true, privateKeys: [KEY_ONE] });
  expect(devnet.accounts).toHaveLength(10);
  expect(devnet.accounts[0]).toMatchObject({ address: 'TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2HC', privateKey: KEY_ONE });
  expect(devnet.witnesses[0]?.address).toBe(devnet.accounts[0]?.address);
});

it('goes on from its directory, and not without the option', async () => {
  const db = mkdtempSync(path.join(tmpdir(), 'sunup-tre-'));
  try {
    await (await createDevnet({ tre: true, db })).close();
    await (await createDevnet({ tre: true, db })).close();
    await expect(createDevnet({ db })).rejects.toThrow(/begun with/);
  } finally {
    rmSync(db, { recursive: true, force: true });
  }
});

it('names the wallet that the keys are of', async () => {
  await using devnet = await createDevnet({ seed: 'sunup' });
  expect(devnet.wallet).toEqual({
    mnemonic: 'excess make affair busy ski vehicle omit deny language episode recycle stand',
    derivationPath: "m/44'/195'/0'/0",
  });
});
