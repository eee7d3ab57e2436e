/**
 * The initial state of a chain with `tre`: values that tools for the TronBox Runtime Environment have in their
 * settings.
 */

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { TronWeb } from 'tronweb';
import { describe, expect, it } from 'vitest';
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

it('has a witness with the key 1 and a large balance, besides the accounts', async () => {
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

it("gives key 1 the accounts' balance if it is one of them", async () => {
  await using devnet = await createDevnet({ tre: true, privateKeys: [KEY_ONE] });
  expect(devnet.accounts).toHaveLength(10);
  expect(devnet.accounts[0]).toMatchObject({ address: 'TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2HC', privateKey: KEY_ONE });
  expect(devnet.witnesses[0]?.address).toBe(devnet.accounts[0]?.address);
});

it('continues its directory, but not without the option', async () => {
  const db = mkdtempSync(path.join(tmpdir(), 'sunup-tre-'));
  try {
    await (await createDevnet({ tre: true, db })).close();
    await (await createDevnet({ tre: true, db })).close();
    await expect(createDevnet({ db })).rejects.toThrow(/is not the value that the/);
  } finally {
    rmSync(db, { recursive: true, force: true });
  }
});

it("has TRE's parent hash in its first block", async () => {
  await using devnet = await createDevnet({ tre: true });
  const { block_header, blockID } = await new TronWeb({ fullHost: devnet.http.url }).trx.getBlock('earliest');
  expect(block_header.raw_data.parentHash).toBe('957dc2d350daecc7bb6a38f3938ebde0a0c1cedafe15f0edae4256a2907449f6');
  expect(Number.parseInt(blockID.slice(-8), 16)).toBe(TRE_CHAIN_ID);
});

it("continues a directory from before the first block had TRE's parent hash", async () => {
  const db = mkdtempSync(path.join(tmpdir(), 'sunup-tre-first-'));
  const dump = new URL('../../fixtures/databases/tre-first.dump', import.meta.url);
  try {
    await (await createDevnet({ tre: true, db, loadState: readFileSync(dump) })).close();
    await using devnet = await createDevnet({ tre: true, db });
    expect(Number(devnet.chainId)).toBe(TRE_CHAIN_ID);
    const { block_header } = await new TronWeb({ fullHost: devnet.http.url }).trx.getBlock('earliest');
    expect(block_header.raw_data.parentHash).toMatch(/^e58f33f9/);
    expect((await devnet.mine()).number).toBe(5);
    await devnet.close();
    await expect(createDevnet({ tre: true, db, balance: 7 })).rejects.toThrow(/balance is 7/);
  } finally {
    rmSync(db, { recursive: true, force: true });
  }
});

describe("accounts of the path with Ethereum's coin type", () => {
  // From hardhat-tron's README, as "the well-known TRE dev key"; and the first account of Hardhat and anvil.
  const HARDHAT_TRON_KEY = 'dd23ca549a97cb330b011aebb674730df8b14acaee42d211ab45692699ab8ba5';
  const HARDHAT_KEY = 'ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';

  it.each([HARDHAT_TRON_KEY, HARDHAT_KEY])('have the same balance as the others: %s', async (privateKey) => {
    await using devnet = await createDevnet({ tre: true, balance: 500 });
    const client = new TronWeb({ fullHost: devnet.http.url, privateKey });
    expect(await client.trx.getBalance()).toBe(500_000_000);
    expect(await client.trx.sendTransaction(devnet.accounts[0]!.address, 7)).toMatchObject({ result: true });
    const listed = await (await fetch(`${devnet.http.url}/admin/accounts-json`)).json();
    expect(listed).toMatchObject({ privateKeys: devnet.accounts.map((account) => account.privateKey) });
    expect(devnet.accounts).toHaveLength(10);
    expect(devnet.accounts.map((account) => account.privateKey)).not.toContain(privateKey);
  });

  it('are the first ten of each path that tools for Ethereum and TRE derive', async () => {
    await using devnet = await createDevnet({ tre: true });
    const client = new TronWeb({ fullHost: devnet.http.url });
    for (const path of ["m/44'/60'/0'/0", "m/44'/60'/0'"]) {
      await using other = await createDevnet({ httpPort: false, derivationPath: path });
      for (const { address } of other.accounts) expect(await client.trx.getBalance(address)).toBe(10_000_000_000);
    }
  });

  it('are not duplicated among the requested accounts', async () => {
    await using devnet = await createDevnet({ tre: true, accounts: 12, derivationPath: "m/44'/60'/0'/0{index}" });
    expect(devnet.accounts[0]?.privateKey).toBe(HARDHAT_TRON_KEY);
    const client = new TronWeb({ fullHost: devnet.http.url });
    for (const { address } of devnet.accounts) expect(await client.trx.getBalance(address)).toBe(10_000_000_000);
  });
});

it('shows the wallet of the keys', async () => {
  await using devnet = await createDevnet({ seed: 'sunup' });
  expect(devnet.wallet).toEqual({
    mnemonic: 'excess make affair busy ski vehicle omit deny language episode recycle stand',
    derivationPath: "m/44'/195'/0'/0",
  });
});
