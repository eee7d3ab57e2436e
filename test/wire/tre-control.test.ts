/**
 * Control methods of TRE's tools at `/tre`, with TRE's answers and errors
 * (protocol/devnet-methods.md#tre-methods-exact).
 */

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDevnet, type Devnet } from '../../src/index.js';

let devnet: Devnet;
beforeEach(async () => {
  devnet = await createDevnet({ mining: 'manual' });
});
afterEach(() => devnet.close());

async function post(path: string, body: object): Promise<Record<string, unknown>> {
  const answer = await fetch(`${devnet.http.url}/${path}`, { method: 'POST', body: JSON.stringify(body) });
  return (await answer.json()) as Record<string, unknown>;
}

async function tre(method: string, ...params: readonly unknown[]): Promise<unknown> {
  const { result, error } = await post('tre', { jsonrpc: '2.0', id: 1, method, params });
  if (error !== undefined) throw new Error((error as { message: string }).message);
  return result;
}

async function head(): Promise<{ readonly number: number; readonly timestampMs: number }> {
  const block = (await post('wallet/getnowblock', {})) as { block_header: { raw_data: Record<string, number> } };
  const { number, timestamp } = block.block_header.raw_data;
  return { number: number!, timestampMs: timestamp! };
}

/** In TronBox's form after `tre_unlockedAccounts`. */
async function sendUnsigned(from: string, amount: number, signature: readonly string[] = []) {
  const built = await post('wallet/createtransaction', {
    owner_address: from,
    to_address: devnet.accounts[1]!.addressHex,
    amount,
  });
  return post('wallet/broadcasttransaction', { ...built, signature });
}

describe('time and blocks', () => {
  it('tre_mine makes one to a hundred blocks', async () => {
    const before = await head();
    expect(await tre('tre_mine')).toBe('0x0');
    expect(await tre('tre_mine', { blocks: 100 })).toBe('0x0');
    expect((await head()).number).toBe(before.number + 101);
    for (const blocks of [0, 101, -1])
      await expect(tre('tre_mine', { blocks })).rejects.toThrow('blocks should between (0, 100]');
  });

  it('with tre_blockTime 0 each transaction gets a block, otherwise blocks come by the clock', async () => {
    const { address } = devnet.accounts[0]!;
    await tre('tre_unlockedAccounts', [address]);
    const { number } = await head();
    expect(await tre('tre_blockTime', 0)).toBe(true);
    await sendUnsigned(devnet.accounts[0]!.addressHex, 5);
    expect((await head()).number).toBe(number + 1);
    expect(await tre('tre_blockTime', 3)).toBe(true);
    await sendUnsigned(devnet.accounts[0]!.addressHex, 6);
    expect((await head()).number).toBe(number + 1);
    for (const seconds of [-1, 61])
      await expect(tre('tre_blockTime', seconds)).rejects.toThrow('block time should between [0, 60] in second');
  });

  it.each([['tre_blockTime', 0], ['evm_setAutomine', true], ['tron_setMining', 'instant'], ['tron_resumeMining']])(
    '%s mines pending transactions at once',
    async (method, ...params) => {
      const { address, addressHex } = devnet.accounts[0]!;
      await tre('tre_unlockedAccounts', [address]);
      const { number } = await head();
      const { txid } = await sendUnsigned(addressHex, 5);
      expect((await head()).number).toBe(number);
      await tre(method, ...params);
      expect((await head()).number).toBe(number + 1);
      expect(await post('wallet/gettransactioninfobyid', { value: txid })).toMatchObject({ blockNumber: number + 1 });
      // Nothing is pending, so no block is needed.
      await tre(method, ...params);
      expect((await head()).number).toBe(number + 1);
    },
  );

  it('the witness of tron_setCoinbase makes blocks, and eth_coinbase returns it', async () => {
    const coinbase = async () =>
      ((await post('jsonrpc', { jsonrpc: '2.0', id: 1, method: 'eth_coinbase', params: [] })) as { result: string })
        .result;
    const own = await coinbase();
    const { address, addressHex } = devnet.accounts[0]!;
    await tre('tre_unlockedAccounts', [address]);
    const candidacy = await post('wallet/createwitness', { owner_address: addressHex, url: '68' });
    expect(await post('wallet/broadcasttransaction', candidacy)).toMatchObject({ result: true });
    await tre('tre_mine');
    const other = `0x${addressHex}`;
    expect(other).not.toBe(own);
    await tre('tron_setCoinbase', other);
    expect(await coinbase()).toBe(other);
    await tre('tre_mine');
    const block = (await post('wallet/getnowblock', {})) as { block_header: { raw_data: { witness_address: string } } };
    expect(`0x${block.block_header.raw_data.witness_address}`).toBe(other);
    await tre('tron_setCoinbase');
    expect(await coinbase()).toBe(own);
  });

  it('time can be set to the millisecond', async () => {
    const { timestampMs } = await head();
    expect(await tre('tre_setNextBlockTimestamp', timestampMs + 1_234_567)).toBe(true);
    await tre('tre_mine');
    expect(await head()).toMatchObject({ timestampMs: timestampMs + 1_234_567 });
    expect(await tre('tre_increaseTime', 10)).toBe((await head()).timestampMs);
    expect((await head()).timestampMs).toBeGreaterThanOrEqual(timestampMs + 1_244_567);
    const later = await head();
    await expect(tre('tre_setNextBlockTimestamp', timestampMs)).rejects.toThrow(
      `timestamp must be greater than current LBHT (${later.timestampMs} ms)`,
    );
    await expect(tre('tre_setNextBlockTimestamp', 0)).rejects.toThrow('timestamp must be > 0');
  });
});

describe('snapshots', () => {
  it('can be reverted to once, by their ids', async () => {
    const before = await head();
    const first = await tre('tre_snapshot');
    expect(first).toMatch(/^0x[1-9a-f][0-9a-f]*$/);
    await tre('tre_mine', { blocks: 3 });
    const second = await tre('tre_snapshot');
    expect(await tre('tre_dropSnapshot', second)).toBe(true);
    expect(await tre('tre_dropSnapshot', second)).toBe(false);
    await expect(tre('tre_revert', second)).rejects.toThrow(`unknown snapshot id: ${second}`);
    expect(await tre('tre_revert', first)).toBe(true);
    expect(await head()).toEqual(before);
    await expect(tre('tre_revert', first)).rejects.toThrow(`unknown snapshot id: ${first}`);
  });
});

describe('unlocked accounts', () => {
  it("send without a signature, or with another's, until they are locked again", async () => {
    const [{ addressHex, address }, other] = [devnet.accounts[0]!, devnet.accounts[1]!];
    expect(await sendUnsigned(addressHex, 1)).toMatchObject({ code: 'SIGERROR' });
    expect(await tre('tre_unlockedAccounts', [other.address, address])).toBe(true);
    expect(await sendUnsigned(addressHex, 2)).toMatchObject({ result: true });
    expect(await sendUnsigned(addressHex, 3, ['ab'.repeat(65), 'cd'.repeat(65)])).toMatchObject({ result: true });
    expect(await tre('tre_stopImpersonatingAccount', address)).toBe(true);
    expect(await tre('tre_stopImpersonatingAccount', address)).toBe(true);
    expect(await sendUnsigned(addressHex, 4)).toMatchObject({ code: 'SIGERROR' });
    const before = await post('wallet/getaccount', { address: addressHex });
    // Both were sent before it was locked again. Their amounts, and the fee for several signatures, which nobody checks.
    await tre('tre_mine');
    const balance = 10_000_000_000 - (2 + 3) - 1_000_000;
    expect(before).toMatchObject({ balance });
    expect(await post('wallet/getaccount', { address: addressHex })).toMatchObject({ balance });
  });
});

it('reports the release of TRE that it is compatible with', async () => {
  expect(await tre('tre_version')).toMatch(/^v1\.0\.\d+/);
});

it('accepts miner_start and miner_stop, which have no effect there', async () => {
  expect([await tre('miner_stop'), await tre('miner_start', 1)]).toEqual([true, true]);
  expect(await tre('tron_getMining')).toMatchObject({ mode: 'manual' });
});

describe('the instance', () => {
  it('has a new id after a start and after a reset, and reports its chain', async () => {
    const id = await tre('tre_instanceId');
    expect(id).toMatch(/^0x[\da-f]{64}$/);
    const metadata = { instanceId: id, chainId: Number(devnet.chainId), latestBlockNumber: (await head()).number };
    for (const name of ['hardhat_metadata', 'anvil_metadata']) expect(await tre(name)).toMatchObject(metadata);
    const { number } = await head();
    const first = await tre('evm_snapshot');
    await tre('tre_mine');
    const second = await tre('evm_snapshot');
    const snapshots = async () => ((await tre('anvil_metadata')) as { snapshots: object }).snapshots;
    expect(await snapshots()).toEqual({ [first as string]: number, [second as string]: number + 1 });
    await tre('evm_revert', second);
    expect(await snapshots()).toEqual({ [first as string]: number });
    await using other = await createDevnet();
    expect(other.genesisId).toBe(devnet.genesisId);
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tre_instanceId', params: [] });
    const answer = await (await fetch(`${other.http.url}/tre`, { method: 'POST', body })).json();
    expect((answer as { result: string }).result).not.toBe(id);
    await tre('tron_reset');
    expect(await tre('tre_instanceId')).not.toBe(id);
  });
});

it('the mining mode and the solidity lag of the start apply again after a reset and after a load', async () => {
  const solidified = async () =>
    ((await tre('tron_nodeInfo')) as { tron: { solidifiedBlock: number } }).tron.solidifiedBlock;
  const dump = await devnet.dump();
  for (const begin of [() => devnet.reset(), () => devnet.load(dump)]) {
    await tre('tron_setMining', 'instant');
    await tre('tron_setSolidityLag', 2);
    expect(await solidified()).toBe((await head()).number - 2);
    await begin();
    expect(await tre('tron_getMining')).toMatchObject({ mode: 'manual' });
    expect(await solidified()).toBe((await head()).number);
  }
});
