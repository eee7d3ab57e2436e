/** A complete fork over sockets, while its network is far away, cut, or replaced by another chain. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { TronWeb } from 'tronweb';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runEstimate } from '../../src/cli/estimate-command.js';
import { createDevnet, type Devnet, type DevnetOptions } from '../../src/index.js';
import { keccak256OfHex } from '../../src/protocol/hashes.js';
import { FaultyProxy } from './fork-proxy.js';

const hex20 = (base58: string) => String(TronWeb.address.toHex(base58)).slice(2);
const word = (value: number | string) => (typeof value === 'number' ? value.toString(16) : value).padStart(64, '0');

let network: Devnet;
let token: string;
let proxy: FaultyProxy;
beforeAll(async () => {
  network = await createDevnet({ mining: 'manual', predeploy: ['usdt'] });
  token = network.predeployed[0]!.address;
  await network.mine(30);
});
afterAll(() => network.close());
beforeEach(async () => {
  proxy = await FaultyProxy.open(network.http.url);
});
afterEach(() => proxy.close());

const forked = (options: DevnetOptions = {}) => createDevnet({ fork: proxy.url, mining: 'instant', ...options });

type Answer = { readonly result?: unknown; readonly error?: { readonly message: string } };

async function rpc(devnet: Devnet, method: string, ...params: unknown[]): Promise<Answer> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  return (await (await devnet.fetch('/eth', { method: 'POST', body })).json()) as Answer;
}

interface WalletAnswer {
  readonly Error?: string;
  readonly balance?: number;
  readonly pendingSize?: number;
  readonly raw_data_hex?: string;
  readonly brokerage?: number;
  readonly block_header?: { readonly raw_data: { readonly number: number } };
}

async function wallet(devnet: Devnet, method: string, body: object = {}): Promise<WalletAnswer> {
  const answer = await devnet.fetch(`/wallet/${method}`, { method: 'POST', body: JSON.stringify(body) });
  return (await answer.json()) as WalletAnswer;
}

const height = async (devnet: Devnet) => (await wallet(devnet, 'getnowblock')).block_header!.raw_data.number;
const balanceOf = (devnet: Devnet, address: string) =>
  rpc(devnet, 'eth_call', { to: `0x${hex20(token)}`, input: `0x70a08231${word(hex20(address))}` }, 'latest');
const pay = (devnet: Devnet, from: string, to: string, value = 1) =>
  rpc(devnet, 'eth_sendTransaction', {
    from: `0x${hex20(from)}`,
    to: `0x${hex20(to)}`,
    value: `0x${value.toString(16)}`,
  });

describe('a network that is replaced by another chain', () => {
  it('is refused; the fork continues with its rows, and reads again when the network is back', async () => {
    await using other = await createDevnet({
      mining: 'manual',
      predeploy: ['usdt'],
      genesisTime: Date.now() - 86_400_000,
    });
    await other.mine(80);
    const fork = await forked();
    const [known, receiver, unread] = fork.accounts;
    expect(await balanceOf(fork, known!.address)).toHaveProperty('result');
    expect(await pay(fork, known!.address, receiver!.address)).toHaveProperty('result');
    const before = await height(fork);

    proxy.target = other.http.url;
    const stranger = network.witnesses[0]!.address;
    const words = /block 3\d.*is on another chain than the one that was forked: the block was [0-9a-f]{64} and is/;
    expect((await wallet(fork, 'getaccount', { address: `41${'7'.repeat(40)}` })).Error).toMatch(words);
    expect((await balanceOf(fork, unread!.address)).error?.message).toMatch(words);
    expect((await pay(fork, known!.address, TronWeb.address.fromHex(`41${'8'.repeat(40)}`))).error?.message).toMatch(
      words,
    );
    expect(await height(fork)).toBe(before);
    expect(await pay(fork, known!.address, receiver!.address, 2)).toHaveProperty('result');
    expect(await fork.mine(3)).toMatchObject({ number: before + 4 });

    proxy.target = network.http.url;
    expect(await balanceOf(fork, stranger)).toEqual(await balanceOf(network, stranger));
    expect(await balanceOf(fork, unread!.address)).toEqual(await balanceOf(network, unread!.address));
    await fork.close();
  });

  it('is detected if only its JSON-RPC is replaced', async () => {
    await using other = await createDevnet({ mining: 'manual', predeploy: ['usdt'], accounts: 3 });
    await other.mine(80);
    const fork = await forked({ forkJsonrpc: `${other.http.url}/eth` });
    expect((await balanceOf(fork, fork.accounts[0]!.address)).error?.message).toMatch(
      /slot 0x.*: it does not know the forked block/,
    );
    await fork.close();
  });
});

it('a rollback leaves the first block of the fork, to which transactions can refer', async () => {
  const fork = await forked();
  const [from, to] = fork.accounts;
  const forkedHeight = await height(network);
  const depth = (await height(fork)) - forkedHeight;
  await expect(fork.rollback(depth)).rejects.toThrow(
    `depth must be a whole number from 0 to ${depth - 1}: the head is block ${forkedHeight + depth}, and block ${forkedHeight + 1} must stay`,
  );
  await fork.mine(3);
  expect(await fork.rollback(depth + 2)).toMatchObject({ number: forkedHeight + 1 });
  expect(await pay(fork, from!.address, to!.address)).toHaveProperty('result');
  // Its own blocks can all be replaced by others.
  await fork.reorg((await height(fork)) - forkedHeight, false);
  expect(await pay(fork, from!.address, to!.address)).toHaveProperty('result');
  await fork.close();
});

describe('a row that does not arrive in time', () => {
  it('fails the operation, which leaves no trace', async () => {
    const fork = await forked();
    const [from, to] = fork.accounts;
    const transfer = {
      ...{ from: `0x${hex20(from!.address)}`, to: `0x${hex20(token)}` },
      input: `0xa9059cbb${word(hex20(to!.address))}${word(1)}`,
    };
    const before = await height(fork);
    proxy.fault = ({ path }) => (path.endsWith('/getcontractinfo') ? { status: 404, text: '' } : 'pass');
    expect((await rpc(fork, 'eth_sendTransaction', transfer)).error?.message).toMatch(/contract T\w+ .*HTTP 404/);
    expect([await height(fork), (await wallet(fork, 'getpendingsize')).pendingSize ?? 0]).toEqual([before, 0]);
    proxy.fault = () => 'pass';
    const { result } = await rpc(fork, 'eth_sendTransaction', transfer);
    expect(await rpc(fork, 'eth_getTransactionReceipt', result)).toHaveProperty('result.status', '0x1');
    expect(await height(fork)).toBe(before + 1);
    await fork.close();
  });

  it('does not fail another transaction, which is accepted', async () => {
    const fork = await forked();
    const [from, to] = fork.accounts;
    const send = (nonce: number, receiver: string, data = '0x') =>
      rpc(fork, 'eth_sendTransaction', {
        ...{ from: `0x${hex20(from!.address)}`, to: `0x${hex20(receiver)}`, nonce: `0x${nonce}` },
        ...{ gas: '0x30d40', data },
      });
    const state = () => rpc(fork, 'txpool_status');
    const receipt = ({ result }: Answer) => rpc(fork, 'eth_getTransactionReceipt', result);
    // It waits for its nonce, and needs a contract that was not read.
    const second = await send(1, token, `0xa9059cbb${word(hex20(to!.address))}${word(1)}`);
    proxy.fault = () => ({ status: 404, text: '' });
    const first = await send(0, to!.address);
    expect(await receipt(first)).toHaveProperty('result.status', '0x1');
    expect(await state()).toHaveProperty('result', { pending: '0x0', queued: '0x1' });
    proxy.fault = () => 'pass';
    const third = await send(2, to!.address);
    expect(await receipt(second)).toHaveProperty('result.status', '0x1');
    expect(third).toHaveProperty('result');
    expect(await receipt(third)).toHaveProperty('result.status', '0x1');
    await fork.close();
  });

  it('is not requested for a new contract, whose address differs each time', async () => {
    const fork = await forked();
    const made = { from: `0x${hex20(fork.accounts[0]!.address)}`, data: '0x600160005360016000f3' };
    expect(await rpc(fork, 'tron_preview', made)).toHaveProperty('result.limits.outcome.succeeded', true);
    expect(await rpc(fork, 'tron_preview', made)).toHaveProperty('result.receipt');
    const { result } = await rpc(fork, 'eth_sendTransaction', made);
    expect(await rpc(fork, 'eth_getTransactionReceipt', result)).toHaveProperty('result.status', '0x1');
    await fork.close();
  });

  it('also delays the pages that show the chain', async () => {
    const fork = await forked({ mining: 'manual' });
    proxy.fault = () => ({ status: 404, text: '' });
    expect(await (await fork.fetch('/openapi.json')).json()).toHaveProperty(
      'Error',
      expect.stringContaining('HTTP 404'),
    );
    proxy.fault = () => 'pass';
    expect(await (await fork.fetch('/openapi.json')).json()).toHaveProperty('openapi', expect.stringMatching(/^3\./));
    await fork.close();
  });

  it('admits an unsigned transaction once, for any number of missing rows', async () => {
    const fork = await forked();
    const changed: string[] = [];
    fork.on('changed', ({ operation }) => void changed.push(operation));
    const from = network.witnesses[0]!.address;
    await fork.setBalance(from, 1_000_000_000);
    const input = `0x70a08231${word(hex20(from))}`;
    const sent = { from: `0x${hex20(from)}`, to: `0x${hex20(token)}`, input };
    expect(await rpc(fork, 'eth_sendUnsignedTransaction', sent)).toHaveProperty('result');
    await fork.mine(1);
    expect(changed).toEqual(['setBalance', 'acceptUnsigned']);
    await fork.close();
  });

  it('rolls back the requested number of blocks, once', async () => {
    const fork = await forked();
    await rpc(fork, 'anvil_autoImpersonateAccount', true);
    const [from] = fork.accounts;
    const built = await wallet(fork, 'createtransaction', {
      ...{ owner_address: from!.addressHex, to_address: `41${'5'.repeat(40)}`, amount: 5 },
    });
    // An account without payments, so that the fork has not read it.
    const raw = built.raw_data_hex!.replace('5'.repeat(40), '6'.repeat(40));
    const length = raw.length / 2;
    const varint = length < 128 ? length.toString(16) : Buffer.of((length & 127) | 128, length >> 7).toString('hex');
    await fork.mine(6);
    const before = await height(fork);
    expect(await rpc(fork, 'anvil_reorg', 3, [[`0x0a${varint}${raw}`, 1]])).toMatchObject({ result: null });
    expect(await height(fork)).toBe(before);
    expect((await wallet(fork, 'getaccount', { address: `41${'6'.repeat(40)}` })).balance).toBe(5);
    await fork.close();
  });
});

describe('rows with predictable relations', () => {
  it('come together: 130 witnesses, who are paid in every block, in one round; later epochs need no requests', async () => {
    const witnesses = [
      { privateKey: word(7), voteCount: 5_000 },
      ...Array.from({ length: 130 }, (_, i) => ({ address: `41${word(i + 1_000).slice(24)}`, voteCount: 4_000 - i })),
    ];
    await using large = await createDevnet({
      mining: 'manual',
      genesis: { witnesses },
      networkStake: 'mainnet',
      predeploy: ['usdt'],
    });
    proxy.target = large.http.url;
    const fork = await forked({ mining: 'manual' });
    const asked = (method: string) => proxy.seen.filter(({ path }) => path.endsWith(`/${method}`)).length;
    expect(asked('getaccount')).toBe(127 + 10);
    expect(asked('getblock')).toBeLessThan(10);
    const { length } = proxy.seen;
    await fork.mine(40);
    await fork.mine({ advanceMs: 10 * 6 * 3_600_000 });
    await fork.mine(40);
    expect(proxy.seen.length).toBe(length);
    await fork.close();

    // A fork for a single answer does not read them.
    proxy.seen.length = 0;
    const told: string[] = [];
    const say = {
      out: (text: string) => void told.push(text),
      err: (text: string) => void told.push(text),
      overwrite: () => {},
    };
    const [from, to] = large.accounts;
    const { address } = large.predeployed[0]!;
    await runEstimate(
      ['estimate', address, 'transfer', to!.address, '1', '--from', from!.address, '--fork', proxy.url, '--json'],
      say,
    );
    expect(JSON.parse(told.join('')).outcome).toMatchObject({ succeeded: true });
    expect(asked('getaccount')).toBeLessThan(6);
    expect(proxy.seen.length).toBeLessThan(36);
  });

  it('are limited by the work of a call: a call that loops until it finds a word ends', async () => {
    const spinner = 'TPL66VK2gCXNCD7EJg9pgJRfqcRazjhUZY';
    // Loops until the word at the hash of 1 is not zero, and returns it.
    await network.setCode(spinner, '0x60016000525b60206000205480601457506005565b60005260206000f3');
    const slot = `0x${keccak256OfHex(word(1))}`;
    await rpc(network, 'hardhat_setStorageAt', `0x${hex20(spinner)}`, slot, `0x${word(99)}`);
    const fork = await forked();
    expect(await rpc(fork, 'eth_call', { to: `0x${hex20(spinner)}` }, 'latest')).toMatchObject({
      result: `0x${word(99)}`,
    });
    await fork.close();
  });
});

describe('a fork in a directory', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'sunup-fork-db-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('opens again without requests, requests missing rows, and accepts the same network only', async () => {
    await using other = await createDevnet({ mining: 'manual', predeploy: ['usdt'], accounts: 3 });
    await other.mine(80);
    const db = path.join(folder, 'again');
    const fork = await forked({ db });
    const [from, to, third] = fork.accounts;
    const paid = await pay(fork, from!.address, to!.address, 5);
    const known = await balanceOf(fork, to!.address);
    const before = await height(fork);
    await fork.close();

    proxy.seen.length = 0;
    const again = await forked({ db });
    expect(await height(again)).toBe(before);
    expect(await rpc(again, 'eth_getTransactionReceipt', paid.result)).toHaveProperty('result.status', '0x1');
    expect(await balanceOf(again, to!.address)).toEqual(known);
    expect(await pay(again, from!.address, to!.address, 6)).toHaveProperty('result');
    expect(proxy.seen.map(({ path: asked }) => asked)).toEqual([]);
    proxy.target = other.http.url;
    expect((await balanceOf(again, third!.address)).error?.message).toMatch(
      /on another chain than the one that was forked/,
    );
    proxy.target = network.http.url;
    expect(await balanceOf(again, third!.address)).toEqual(await balanceOf(network, third!.address));
    await again.close();
  });

  it('opens offline without the URL of its network, and requires it otherwise', async () => {
    const db = path.join(folder, 'offline');
    const fork = await forked({ db });
    const [from, to] = fork.accounts;
    const before = await height(fork);
    await fork.close();
    const { length } = proxy.seen;
    await expect(createDevnet({ db })).rejects.toThrow(
      /which holds a fork\. Start with --fork and the URL of its network, or with --fork-offline/,
    );
    const offline = await createDevnet({ db, forkOffline: true, mining: 'instant' });
    expect(await pay(offline, from!.address, to!.address)).toHaveProperty('result');
    expect(await height(offline)).toBe(before + 1);
    expect((await balanceOf(offline, from!.address)).error?.message).toMatch(
      /could not read contract T\w+ .* from .*offline: it is not in the cache/,
    );
    await offline.close();
    expect(proxy.seen.length).toBe(length);
  });

  it('does not accept rows of a fork at another block', async () => {
    const [db, forkCache] = [path.join(folder, 'mixed'), path.join(folder, 'rows')];
    await (await forked({ forkCache })).close();
    await network.mine(1);
    await (await forked({ db })).close();
    await expect(forked({ db, forkCache })).rejects.toThrow(/the cache is of a fork at block \d+, but the database/);
  });

  it('is not created if the network does not answer', async () => {
    const db = path.join(folder, 'never');
    await expect(createDevnet({ fork: 'http://127.0.0.1:9', db })).rejects.toThrow('does not give');
    const plain = await createDevnet({ db });
    expect(plain.fork).toBeUndefined();
    await plain.close();
  });
});

it('pays witnesses by their own brokerages if it was told to read them', async () => {
  await using paying = await createDevnet({ mining: 'manual', parameters: { getMaintenanceTimeInterval: 60_000 } });
  proxy.target = paying.http.url;
  const { address } = paying.witnesses[0]!;
  await rpc(paying, 'anvil_autoImpersonateAccount', true);
  const built = await wallet(paying, 'updateBrokerage', { owner_address: address, brokerage: 63, visible: true });
  expect(await wallet(paying, 'broadcasttransaction', built)).toMatchObject({ result: true });
  await paying.mine({ advanceMs: 180_000 });
  const brokerageOn = async (options: DevnetOptions) => {
    const fork = await forked(options);
    const { brokerage } = await wallet(fork, 'getBrokerage', { address, visible: true });
    await fork.close();
    return brokerage;
  };
  expect(await brokerageOn({})).toBe(20);
  expect(await brokerageOn({ forkBrokerages: true })).toBe(63);
});
