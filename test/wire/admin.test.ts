/** `/admin` for clients of the TronBox Runtime Environment (protocol/devnet-options.md#bootstrap-endpoints). */

import { TronWeb } from 'tronweb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDevnet, type Devnet } from '../../src/index.js';

interface Wallet {
  readonly hdPath: string;
  readonly mnemonic: string;
  readonly usingDefaultPrivateKey?: boolean;
  readonly privateKeys: readonly string[];
}

let devnet: Devnet;
beforeAll(async () => {
  devnet = await createDevnet({ tre: true, accounts: 2, derivationPath: "m/44'/60'/0'/0{index}" });
});
afterAll(() => devnet.close());

function get(path: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${devnet.http.url}${path}`, { headers });
}

async function accountsJson(): Promise<Wallet & { readonly more: readonly Wallet[] }> {
  return (await (await get('/admin/accounts-json')).json()) as Wallet & { more: Wallet[] };
}

const MNEMONIC = 'test test test test test test test test test test test junk';
const FIRST_KEY = 'dd23ca549a97cb330b011aebb674730df8b14acaee42d211ab45692699ab8ba5';

describe('the accounts', () => {
  it("are JSON: keys without 0x, and TRE's derivation path", async () => {
    const wallet = await accountsJson();
    expect(wallet).toEqual({
      hdPath: "m/44'/60'/0'/0",
      mnemonic: MNEMONIC,
      privateKeys: devnet.accounts.map(({ privateKey }) => privateKey),
      more: [],
    });
    expect(wallet.privateKeys[0]).toBe(FIRST_KEY);
    expect(wallet).not.toHaveProperty('usingDefaultPrivateKey');
  });

  it('are text with the current balances', async () => {
    await devnet.setBalance(devnet.accounts[1]!.address, 1_500_000);
    const answer = await get('/admin/accounts');
    expect(answer.headers.get('content-type')).toMatch(/^text\/plain/);
    expect(await answer.text()).toBe(`Available Accounts
==================

(0) TCjgri5AfebbWEo8DXweGE3qHtMEMVqm9r (10000 TRX)
(1) ${devnet.accounts[1]!.address} (1.5 TRX)

Private Keys
==================

(0) ${FIRST_KEY}
(1) ${devnet.accounts[1]!.privateKey}

HD Wallet
==================
Mnemonic:      ${MNEMONIC}
Base HD Path:  m/44'/60'/0'/0{account_index}
`);
  });

  it('are printed in hex, or in both forms', async () => {
    const { address, addressHex } = devnet.accounts[0]!;
    const hex = await (await get('/admin/accounts?format=hex')).text();
    expect(hex).toContain(`(0) ${addressHex} (10000 TRX)\n`);
    expect(hex).not.toContain(address);
    expect(await (await get('/admin/accounts?format=all')).text()).toContain(
      `(0) ${address} (10000 TRX)\n    ${addressHex}\n`,
    );
  });

  it('report the publicly known first key', async () => {
    await using other = await createDevnet({ privateKeys: [`${'0'.repeat(63)}1`], accounts: 2 });
    const wallet = (await (await fetch(`${other.http.url}/admin/accounts-json`)).json()) as Wallet;
    expect(wallet).toMatchObject({ usingDefaultPrivateKey: true, hdPath: "m/44'/195'/0'/0/" });
  });
});

describe('temporary accounts', () => {
  it('are funded, and in the solidity view when the call returns', async () => {
    const before = devnet.snapshot();
    const text = await (await get('/admin/temporary-accounts-generation?accounts=3&defaultBalance=12.5')).text();
    const { more } = await accountsJson();
    const wallet = more.at(-1)!;
    expect(wallet.privateKeys).toHaveLength(3);
    expect(wallet.hdPath).toBe("m/44'/195'/0'/0/");
    expect(wallet.mnemonic).not.toBe(MNEMONIC);
    for (const key of wallet.privateKeys) {
      expect(text).toContain(key);
      const client = new TronWeb({ fullHost: devnet.http.url, privateKey: key });
      const address = client.defaultAddress.base58 as string;
      expect(text).toContain(`${address} (12.5 TRX)`);
      expect(await client.trx.getBalance(address)).toBe(12_500_000);
      expect((await client.trx.getAccount(address)).balance).toBe(12_500_000);
      expect(await client.trx.getUnconfirmedBalance(address)).toBe(12_500_000);
      expect((await client.trx.sendTransaction(devnet.accounts[0]!.address, 1_000_000)).result).toBe(true);
    }
    await devnet.revert(before);
  });

  it('are new each time, with the configured number and balance', async () => {
    for (const _ of [1, 2]) expect((await get('/admin/temporary-accounts-generation')).status).toBe(200);
    const [one, other] = (await accountsJson()).more.slice(-2) as [Wallet, Wallet];
    expect(one.privateKeys).toHaveLength(2);
    expect(one.mnemonic).not.toBe(other.mnemonic);
    const balances = [...one.privateKeys, ...other.privateKeys].map((privateKey) =>
      new TronWeb({ fullHost: devnet.http.url, privateKey }).trx.getBalance(),
    );
    expect(await Promise.all(balances)).toEqual(Array(4).fill(10_000_000_000));
  });

  it('are created by one change of the chain', async () => {
    const changes: unknown[] = [];
    const listener = (change: unknown) => changes.push(change);
    devnet.on('changed', listener);
    await get('/admin/temporary-accounts-generation?accounts=20');
    await devnet.mine(0);
    devnet.off('changed', listener);
    expect(changes).toMatchObject([{ operation: 'setBalances', values: { addresses: expect.any(Array) } }]);
  });

  it('are created while other requests are answered', async () => {
    const done: string[] = [];
    const making = get('/admin/temporary-accounts-generation?accounts=5000').then(() => done.push('made'));
    for (const _ of [1, 2, 3]) await get('/wallet/getnowblock').then(() => done.push('answered'));
    await making;
    expect(done[0]).toBe('answered');
  });

  it('are kept in memory: the last 10,000, and at least one wallet', async () => {
    const before = (await accountsJson()).more.length;
    expect(before).toBeGreaterThan(2);
    expect((await get('/admin/temporary-accounts-generation?accounts=10000')).status).toBe(200);
    expect((await accountsJson()).more.map(({ privateKeys }) => privateKeys.length)).toEqual([10_000]);
  });

  it.each(['accounts=0', 'accounts=10001', 'defaultBalance=much', 'defaultBalance=9223372036855'])(
    'are refused for %s',
    async (query) => {
      const { more } = await accountsJson();
      const answer = await get(`/admin/temporary-accounts-generation?${query}`);
      expect(answer.status).toBe(400);
      expect(await answer.text()).toMatch(/expected a/);
      expect((await accountsJson()).more).toEqual(more);
    },
  );
});

describe('set-env', () => {
  it('changes the balance of temporary accounts', async () => {
    const answer = await get('/admin/set-env?defaultBalance=7&accounts=1');
    expect(await answer.text()).toBe('Environment variable updated');
    await get('/admin/temporary-accounts-generation');
    const [privateKey, ...rest] = (await accountsJson()).more.at(-1)!.privateKeys;
    expect(rest).toEqual([]);
    const client = new TronWeb({ fullHost: devnet.http.url, privateKey: privateKey! });
    expect(await client.trx.getBalance()).toBe(7_000_000);
  });

  it('switches instant blocks off and on', async () => {
    const mode = async () => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tron_getMining', params: [] });
      const answer = await fetch(`${devnet.http.url}/tre`, { method: 'POST', body });
      return ((await answer.json()) as { result: { mode: string } }).result.mode;
    };
    await get('/admin/set-env?instamine=false');
    expect(await mode()).toBe('interval');
    await get('/admin/set-env?instamine=true');
    expect(await mode()).toBe('instant');
  });

  it('accepts a thousand variables', async () => {
    const variables = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, i) => `v${from + i}=1`).join('&');
    for (let from = 0; from < 900; from += 300) {
      expect((await get(`/admin/set-env?${variables(from, from + 300)}`)).status).toBe(200);
    }
    const refused = await get(`/admin/set-env?${variables(900, 1_001)}`);
    expect([refused.status, await refused.text()]).toEqual([400, '1000 variables are set, the maximum\n']);
    expect((await get('/admin/set-env?v5=2')).status).toBe(200);
  });
});

describe('the paths', () => {
  it('answer a greeting, wait for accounts, and other paths do not exist', async () => {
    expect(await (await get('/admin')).text()).toMatch(/^Welcome to Sunup \d/);
    const generation = await get('/admin/accounts-generation');
    expect([generation.status, await generation.text()]).toEqual([200, '']);
    expect((await get('/admin/nothing')).status).toBe(404);
    expect((await fetch(`${devnet.http.url}/admin/accounts-json`, { method: 'POST' })).status).toBe(405);
  });

  it('return no keys to pages of other sites', async () => {
    const foreign = { origin: 'https://dapp.example' };
    for (const path of ['/admin/accounts-json', '/admin/accounts', '/admin/temporary-accounts-generation']) {
      const answer = await get(path, foreign);
      expect(answer.status).toBe(403);
      expect(await answer.text()).not.toContain(FIRST_KEY);
    }
    const own = await get('/admin/accounts-json', { origin: 'http://localhost:3000' });
    expect([own.status, own.headers.get('access-control-allow-origin')]).toEqual([200, 'http://localhost:3000']);
  });

  it('do not exist without developer methods', async () => {
    await using closed = await createDevnet({ devMethods: false });
    expect((await fetch(`${closed.http.url}/admin/accounts-json`)).status).toBe(404);
  });
});
