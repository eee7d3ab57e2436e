/** Time and blocks with Ethereum's test clients: viem's in its three modes, and Hardhat's helpers. */

import { TronWeb } from 'tronweb';
import { createTestClient, defineChain, http, publicActions } from 'viem';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDevnet, type Devnet } from '../../src/index.js';

const NOBODY = '0x00000000000000000000000000000000000000a1';
const EPOCH_MS = 6 * 3_600_000;

let devnet: Devnet;
beforeEach(async () => {
  devnet = await createDevnet();
});
afterEach(() => devnet.close());

async function rpc(path: string, method: string, ...params: readonly unknown[]): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const answer = await fetch(`${devnet.http.url}/${path}`, { method: 'POST', body });
  const { result, error } = (await answer.json()) as { result?: unknown; error?: { code: number; message: string } };
  if (error !== undefined) throw new Error(`${error.code} ${error.message}`);
  return result;
}
const eth = (method: string, ...params: readonly unknown[]) => rpc('eth', method, ...params);

async function head(): Promise<{ number: number; timestamp: number }> {
  const block = (await eth('eth_getBlockByNumber', 'latest', false)) as { number: string; timestamp: string };
  return { number: Number(block.number), timestamp: Number(block.timestamp) };
}

/** Sends from the unlocked first account; makes a block with instant mining. */
async function send(): Promise<string> {
  const from = `0x${devnet.accounts[0]!.addressHex.slice(2)}`;
  return (await eth('eth_sendTransaction', { from, to: NOBODY, value: '0x5' })) as string;
}

const clientOf = (mode: 'anvil' | 'hardhat' | 'ganache') =>
  createTestClient({
    mode,
    chain: defineChain({
      id: Number(devnet.chainId),
      name: 'Sunup',
      nativeCurrency: { name: 'TRX', symbol: 'TRX', decimals: 6 },
      rpcUrls: { default: { http: [`${devnet.http.url}/eth`] } },
    }),
    transport: http(),
  }).extend(publicActions);

describe('an impossible time', () => {
  const FAR = `0x${'f'.repeat(30)}`;

  it.each([
    ['evm_setNextBlockTimestamp', FAR],
    ['tron_setNextBlockTimestamp', FAR],
    ['evm_increaseTime', FAR],
    ['evm_setTime', FAR],
    ['tron_setTime', -1],
    ['evm_mine', FAR],
    ['hardhat_mine', 2, FAR],
  ])('is refused by %s, and the chain goes on', async (method, ...params) => {
    const before = await head();
    await expect(eth(method, ...params)).rejects.toThrow(/^-32602 a time must be from 0 to 9999999999999 ms, got /);
    await send();
    expect((await head()).timestamp).toBeLessThan(before.timestamp + 60);
  });
});

describe.each(['anvil', 'hardhat', 'ganache'] as const)("viem's test client for %s", (mode) => {
  it('mines, moves time, and reverts', async () => {
    const client = clientOf(mode);
    const before = await head();
    const id = await client.snapshot();
    await client.mine({ blocks: 3 });
    expect((await head()).number).toBe(before.number + 3);
    await client.increaseTime({ seconds: 86_400 });
    await client.mine({ blocks: 1 });
    const day = await head();
    expect(day.timestamp).toBeGreaterThanOrEqual(before.timestamp + 86_400);
    const timestamp = BigInt(day.timestamp + 1_001);
    await client.setNextBlockTimestamp({ timestamp });
    await send();
    expect(await head()).toEqual({ number: day.number + 1, timestamp: day.timestamp + 1_001 });
    await expect(client.setNextBlockTimestamp({ timestamp })).rejects.toThrow(/must be after the head/);
    await client.revert({ id });
    expect(await head()).toEqual(before);
  });

  it('turns automatic mining off and on', async () => {
    const client = clientOf(mode);
    expect(await client.getAutomine()).toBe(true);
    await client.setAutomine(false);
    expect(await client.getAutomine()).toBe(false);
    const { number } = await head();
    const hash = (await send()) as `0x${string}`;
    expect((await head()).number).toBe(number);
    expect(await eth('txpool_status')).toEqual({ pending: '0x1', queued: '0x0' });
    if (mode !== 'ganache') {
      await client.dropTransaction({ hash });
      expect(await eth('txpool_status')).toEqual({ pending: '0x0', queued: '0x0' });
    }
    await client.setAutomine(true);
    expect(await client.getAutomine()).toBe(true);
    await client.setIntervalMining({ interval: 6 });
    expect(await devnet.setMining('interval')).toMatchObject({ mode: 'interval', blockTimeMs: 6_000 });
    await client.setIntervalMining({ interval: 0 });
    expect(await client.getAutomine()).toBe(true);
  });
});

describe('anvil and Hardhat alone', () => {
  it('sets a fixed time between blocks', async () => {
    const client = clientOf('anvil');
    await client.setBlockTimestampInterval({ interval: 7 });
    const before = await head();
    await send();
    await client.mine({ blocks: 2 });
    expect((await head()).timestamp).toBe(before.timestamp + 21);
    await client.removeBlockTimestampInterval();
    expect(await eth('anvil_removeBlockTimestampInterval')).toBe(false);
    await client.setLoggingEnabled(false);
    const witness = devnet.witnesses[0]!.address;
    await client.setCoinbase({ address: `0x${TronWeb.address.toHex(witness).slice(2)}` });
    await expect(client.setCoinbase({ address: NOBODY })).rejects.toThrow(/is not a witness/);
    expect(await client.getTxpoolStatus()).toEqual({ pending: 0, queued: 0 });
    expect(await eth('anvil_nodeInfo')).toMatchObject({ tron: { energyFee: 100, cycle: 0 } });
  });

  it('get errors for unsupported methods', async () => {
    await expect(clientOf('anvil').setBlockGasLimit({ gasLimit: 5n })).rejects.toThrow('tron_setChainParameters');
    await expect(clientOf('hardhat').setNextBlockBaseFeePerGas({ baseFeePerGas: 5n })).rejects.toThrow(
      'the method hardhat_setNextBlockBaseFeePerGas does not exist/is not available',
    );
    await expect(clientOf('anvil').reset({ jsonRpcUrl: 'http://127.0.0.1:1' })).rejects.toThrow(
      'this chain is not a fork',
    );
  });

  it('reset', async () => {
    await using fresh = await createDevnet();
    for (const mode of ['anvil', 'hardhat'] as const) {
      await fresh.mine(5);
      await createTestClient({ mode, transport: http(fresh.eth.url) }).reset();
      expect((await fresh.mine(0)).number).toBe(2);
    }
  });

  it('limits the size of an answer', async () => {
    await using small = await createDevnet({ mining: 'manual', jsonrpcMaxAnswer: 1_500 });
    const ask = async (method: string, ...params: unknown[]) => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
      const answer = await small.fetch('/eth', { method: 'POST', body });
      return (await answer.json()) as { readonly result?: unknown; readonly error?: { readonly code: number } };
    };
    const from = `0x${small.accounts[0]!.addressHex.slice(2)}`;
    const add = () => ask('eth_sendTransaction', { from, to: NOBODY, value: '0x1' });
    await add();
    expect((await ask('txpool_content')).result).toMatchObject({ pending: { [from]: {} } });
    for (let i = 0; i < 9; i++) await add();
    expect((await ask('txpool_content')).error?.code).toBe(-32_003);
  });

  it('shows pending transactions by sender', async () => {
    await devnet.setMining('manual');
    const hash = await send();
    const from = `0x${devnet.accounts[0]!.addressHex.slice(2)}`;
    expect(await clientOf('anvil').getTxpoolContent()).toMatchObject({
      pending: { [from]: { 0: { hash, from, to: NOBODY } } },
    });
    expect(await eth('txpool_contentFrom', from)).toMatchObject({ pending: { 0: { hash } } });
    expect(await eth('txpool_contentFrom', NOBODY)).toEqual({ pending: {}, queued: {} });
    expect(await clientOf('anvil').inspectTxpool()).toMatchObject({
      pending: { [from]: { 0: expect.stringContaining(NOBODY) } },
    });
    expect(await rpc('jsonrpc', 'txpool_status')).toEqual({ pending: '0x1', queued: '0x0' });
    const second = await send();
    expect(await eth('txpool_contentFrom', from)).toMatchObject({ pending: { 0: { hash }, 1: { hash: second } } });
    await eth('anvil_removePoolTransactions', from);
    expect(await eth('txpool_status')).toMatchObject({ pending: '0x0' });
    await send();
    await eth('hardhat_dropAllTransactions');
    expect(await eth('txpool_status')).toMatchObject({ pending: '0x0' });
  });

  it('mines many blocks at once if they are on slots, and others in limited batches', async () => {
    const before = await head();
    expect(await eth('hardhat_mine', '0x30d40')).toBe(true);
    expect((await head()).number).toBe(before.number + 200_000);
    expect(await eth('hardhat_mine', '0x30d40', '0x3')).toBe(true);
    const later = await head();
    expect(later.number).toBe(before.number + 400_000);
    // Every epoch ended at its time.
    expect(await eth('anvil_nodeInfo')).toMatchObject({ tron: { cycle: expect.any(Number) } });
    expect(await eth('anvil_mine', 10, 60)).toBe(null);
    expect((await head()).timestamp - later.timestamp).toBeGreaterThanOrEqual(540);
    await expect(eth('hardhat_mine', '0x989681')).rejects.toThrow(/must be from 0 to 10000000/);
  });
});

describe("Hardhat's network helpers", () => {
  it('increase time, mine up to a block, and load fixtures', async () => {
    const latest = await head();
    // time.increase(n)
    await eth('evm_setNextBlockTimestamp', `0x${(latest.timestamp + 100).toString(16)}`);
    await eth('hardhat_mine', '0x1', '0x1');
    expect(await head()).toEqual({ number: latest.number + 1, timestamp: latest.timestamp + 100 });
    // mine(blocks, { interval })
    await eth('hardhat_mine', '0x5', '0xa');
    const mined = await head();
    expect(mined.number).toBe(latest.number + 6);
    expect(mined.timestamp).toBeGreaterThanOrEqual(latest.timestamp + 140);
    // loadFixture
    const id = await eth('evm_snapshot');
    expect(typeof id).toBe('string');
    await send();
    expect(await eth('evm_revert', id)).toBe(true);
    expect(await eth('evm_revert', id)).toBe(false);
    expect(await head()).toEqual(mined);
  });
});

describe('jumps', () => {
  it('ends all epochs on the way at once, while advancing ends each', async () => {
    const told: unknown[] = [];
    devnet.on('mined', ({ blocks, epochs, maintenances }) => told.push([blocks, epochs, maintenances]));
    const { tron } = (await eth('anvil_nodeInfo')) as { tron: { cycle: number } };
    await eth('evm_increaseTime', (10 * EPOCH_MS) / 1_000);
    await eth('evm_mine');
    const jumped = (await eth('anvil_nodeInfo')) as { tron: { cycle: number } };
    expect(jumped.tron.cycle).toBe(tron.cycle + 1);
    const { timestamp } = await head();
    const maintenances = await devnet.advanceCycles(3);
    const [first, second] = maintenances;
    expect(second!.nextMaintenanceTime - first!.nextMaintenanceTime).toBe(EPOCH_MS);
    expect(second!.timestamp).toBeGreaterThanOrEqual(first!.nextMaintenanceTime);
    expect(maintenances.map(({ cycle }) => cycle)).toEqual([1, 2, 3].map((i) => jumped.tron.cycle + i));
    expect((await head()).timestamp).toBeGreaterThan(timestamp + (2 * EPOCH_MS) / 1_000);
    await devnet.mine({ advanceMs: 4 * EPOCH_MS });
    expect(told).toEqual([
      [1, 10, 1],
      [3, 3, 3],
      [expect.any(Number), 4, 4],
    ]);
  });

  it('is not needed for a maintenance', async () => {
    const before = (await eth('anvil_nodeInfo')) as { tron: { cycle: number; nextMaintenanceTime: number } };
    const blocks = await devnet.runMaintenance({ count: 2 });
    expect(blocks.map(({ nextMaintenanceTime }) => nextMaintenanceTime)).toEqual(
      Array(2).fill(before.tron.nextMaintenanceTime),
    );
    expect((await eth('anvil_nodeInfo')) as object).toMatchObject({
      tron: { cycle: before.tron.cycle + 2, nextMaintenanceTime: before.tron.nextMaintenanceTime },
    });
  });
});

describe('simulated problems', () => {
  it('a busy node', async () => {
    const [funded] = devnet.accounts;
    const tronWeb = new TronWeb({ fullHost: devnet.http.url, privateKey: funded!.privateKey });
    await devnet.failNextBroadcast({ code: 'SERVER_BUSY' });
    const build = () => tronWeb.transactionBuilder.sendTrx(devnet.accounts[1]!.address, 5, funded!.address);
    const signed = await tronWeb.trx.sign(await build());
    const busy = (await tronWeb.trx.sendRawTransaction(signed)) as { code?: string; message?: string };
    expect([busy.code, Buffer.from(busy.message!, 'hex').toString()]).toEqual(['SERVER_BUSY', 'Server busy.']);
    expect(await tronWeb.trx.sendRawTransaction(signed)).toMatchObject({ result: true });
    await devnet.failNextBroadcast({ code: 'TAPOS_ERROR', message: 'not today', count: 2 });
    await expect(send()).rejects.toThrow('TAPOS_ERROR: not today');
    const id = devnet.snapshot();
    await expect(send()).rejects.toThrow('TAPOS_ERROR');
    await send();
    await devnet.revert(id);
    await expect(send()).rejects.toThrow('TAPOS_ERROR');
  });

  it('a solidified state behind the head', async () => {
    const tronWeb = new TronWeb({ fullHost: devnet.http.url });
    expect(await devnet.setSolidityLag(3)).toMatchObject({ solidityLag: 3 });
    await send();
    const nobody = TronWeb.address.fromHex(NOBODY.replace('0x', '41'));
    expect(await tronWeb.trx.getUnconfirmedBalance(nobody)).toBe(5);
    expect(await tronWeb.trx.getBalance(nobody)).toBe(0);
    await devnet.mine(3);
    expect(await tronWeb.trx.getBalance(nobody)).toBe(5);
  });
});
