/** Methods of `/eth` for Ethereum's tools: hashes, pending transactions, raw bytes, blooms. */

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { keccak256, sha256, Transaction, Wallet } from 'ethers';
import { utils } from 'tronweb';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDevnet, type Devnet } from '../../src/index.js';
import { SocketClient } from './socket-client.js';

const TOKEN = JSON.parse(readFileSync(new URL('../../fixtures/contracts/Token.json', import.meta.url), 'utf8')) as {
  readonly bytecode: string;
};
const NOBODY = '0x00000000000000000000000000000000000000a1';

let devnet: Devnet;
let wallet: Wallet;

beforeEach(async () => {
  devnet = await createDevnet({ mining: 'manual' });
  wallet = new Wallet(`0x${devnet.accounts[0]!.privateKey}`);
});
afterEach(() => devnet.close());

interface Answer {
  // biome-ignore lint/suspicious/noExplicitAny: whatever the method answers
  readonly result: any;
  readonly error?: { readonly code: number; readonly message: string };
}

async function answerOf(path: string, method: string, params: readonly unknown[]): Promise<Answer> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  return (await (await devnet.fetch(path, { method: 'POST', body })).json()) as Answer;
}

async function eth(method: string, ...params: readonly unknown[]): Promise<Answer['result']> {
  const { result, error } = await answerOf('/eth', method, params);
  expect(error, method).toBeUndefined();
  return result;
}

const signed = (nonce: number, more: object = {}) =>
  wallet.signTransaction({
    ...{ chainId: devnet.chainId, nonce, gasLimit: 3_000_000, gasPrice: 100, type: 0, to: NOBODY, value: 1 },
    ...more,
  });

const send = async (nonce: number, more: object = {}): Promise<string> =>
  eth('eth_sendRawTransaction', await signed(nonce, more));

const constructorArgument = 1_000n.toString(16).padStart(64, '0');
const deployment = { to: null, value: 0, data: `0x${TOKEN.bytecode}${constructorArgument}` };

describe('a transaction through /eth', () => {
  it('has its Ethereum hash in all traces, and its txid on /jsonrpc', async () => {
    const hash = await send(0, deployment);
    await devnet.mine();
    const number = await eth('eth_blockNumber');
    const named = async (path: string) => {
      const flat = (await answerOf(path, 'trace_block', [number])).result as { readonly transactionHash: string }[];
      const { result: traces } = await answerOf(path, 'debug_traceBlockByNumber', [number, { tracer: 'callTracer' }]);
      return new Set([...flat.map(({ transactionHash }) => transactionHash), traces[0].txHash]);
    };
    expect(await named('/eth')).toEqual(new Set([hash]));
    const [txid] = await named('/jsonrpc');
    expect(txid).not.toBe(hash);
    for (const name of [hash, txid])
      expect((await eth('trace_transaction', name))[0]).toMatchObject({ transactionHash: hash, type: 'create' });
    expect(await eth('trace_block', '0x0')).toEqual([]);
    expect(await eth('trace_block', '0xffff')).toBeNull();
  });

  it('is returned as it was signed', async () => {
    const waiting = await send(1);
    expect(Transaction.from(await eth('eth_getRawTransactionByHash', waiting)).nonce).toBe(1);
    const raw = await signed(0);
    const hash = await eth('eth_sendRawTransaction', raw);
    expect(await eth('debug_getRawTransaction', hash)).toBe(raw);
    await devnet.mine();
    const { hash: blockHash, number } = await eth('eth_getBlockByNumber', 'latest', false);
    expect(await eth('eth_getRawTransactionByHash', hash)).toBe(raw);
    expect(await eth('eth_getRawTransactionByBlockHashAndIndex', blockHash, '0x0')).toBe(raw);
    expect(await eth('eth_getRawTransactionByBlockNumberAndIndex', number, '0x1')).toBe(await signed(1));
    expect(await eth('eth_getRawTransactionByBlockNumberAndIndex', number, '0x2')).toBeNull();
    expect(await eth('eth_getRawTransactionByHash', `0x${'11'.repeat(32)}`)).toBeNull();
    const receipts = await eth('eth_getBlockReceipts', { blockHash });
    expect(receipts.map((one: { transactionHash: string }) => one.transactionHash)).toEqual([hash, waiting]);
    expect(await eth('eth_getBlockReceipts', number)).toEqual(receipts);
  });
});

it('a transaction of TRON’s own is returned as the bytes that eth_sendRawTransaction takes', async () => {
  const [sender, receiver] = devnet.accounts;
  const body = JSON.stringify({ owner_address: sender!.addressHex, to_address: receiver!.addressHex, amount: 5 });
  const created = await devnet.fetch('/wallet/createtransaction', { method: 'POST', body });
  const transaction = utils.crypto.signTransaction(sender!.privateKey, await created.json());
  await devnet.fetch('/wallet/broadcasttransaction', { method: 'POST', body: JSON.stringify(transaction) });
  await devnet.mine();
  const raw = await eth('eth_getRawTransactionByHash', `0x${transaction.txID}`);
  expect(raw).toMatch(/^0x0a/);
  await using other = await createDevnet({ mining: 'manual' });
  const sending = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_sendRawTransaction', params: [raw] });
  const sent = (await (await other.fetch('/eth', { method: 'POST', body: sending })).json()) as Answer;
  expect(sent.result).toBe(`0x${transaction.txID}`);
});

describe('pending transactions', () => {
  it('form the pending block', async () => {
    await send(0);
    await send(1);
    const latest = await eth('eth_getBlockByNumber', 'latest', false);
    const pending = await eth('eth_getBlockByNumber', 'pending', true);
    expect(pending).toMatchObject({
      hash: null,
      parentHash: latest.hash,
      number: `0x${(+latest.number + 1).toString(16)}`,
    });
    expect(pending.transactions.map(({ nonce }: { nonce: string }) => nonce)).toEqual(['0x0', '0x1']);
    expect(await eth('eth_getBlockTransactionCountByNumber', 'pending')).toBe('0x2');
    expect(await eth('eth_pendingTransactions')).toEqual(pending.transactions);
    expect((await eth('eth_getBlockByNumber', 'pending', false)).transactions).toEqual(
      pending.transactions.map(({ hash }: { hash: string }) => hash),
    );
    await devnet.mine();
    const mined = await eth('eth_getBlockByNumber', 'latest', false);
    expect(mined).toMatchObject({ number: pending.number, timestamp: pending.timestamp });
  });

  it('are reported by their hash to filters and subscriptions', async () => {
    await using client = await SocketClient.connect(`${devnet.http.url}/eth`);
    const before = await send(0);
    const filter = await eth('eth_newPendingTransactionFilter');
    await client.ask('eth_subscribe', 'newPendingTransactions');
    const first = await send(1);
    const second = await send(2);
    expect([(await client.next()).result, (await client.next()).result]).toEqual([first, second]);
    expect(await eth('eth_getFilterChanges', filter)).toEqual([first, second]);
    expect(await eth('eth_getFilterChanges', filter)).toEqual([]);
    const third = await send(3);
    await devnet.mine();
    const fourth = await send(4);
    // Transactions that are now in a block were pending before, too.
    expect(await eth('eth_getFilterChanges', filter)).toEqual([third, fourth]);
    await devnet.mine();
    expect(await eth('eth_getFilterChanges', filter)).toEqual([]);
    expect(before).not.toBe(first);
    // The one after it waits for a replacement, and has another TRON id then.
    const [, known] = [await send(5), await send(6)];
    expect(await eth('eth_getFilterChanges', filter)).toContain(known);
    const dearer = await send(5, { gasPrice: 1_000 });
    expect(await eth('eth_getFilterChanges', filter)).toEqual([dearer]);
    expect(await eth('eth_uninstallFilter', filter)).toBe(true);
  });
});

describe('logsBloom', () => {
  /** As in the Yellow Paper: three bits for each entry, the filter as one number. */
  const expected = (logs: readonly { readonly address: string; readonly topics: readonly string[] }[]) => {
    let bloom = 0n;
    for (const entry of logs.flatMap(({ address, topics }) => [address, ...topics])) {
      const hash = keccak256(entry).slice(2);
      for (const at of [0, 4, 8]) bloom |= 1n << (BigInt(`0x${hash.slice(at, at + 4)}`) % 2_048n);
    }
    return `0x${bloom.toString(16).padStart(512, '0')}`;
  };

  it('has the addresses and topics of logs, in receipts and blocks; on /jsonrpc it is zero, as java-tron’s', async () => {
    await using client = await SocketClient.connect(`${devnet.http.url}/eth`);
    await client.ask('eth_subscribe', 'newHeads');
    const hash = await send(0, deployment);
    await devnet.mine();
    const { logs, logsBloom, blockHash } = await eth('eth_getTransactionReceipt', hash);
    expect(logs).not.toHaveLength(0);
    expect(logsBloom).toBe(expected(logs));
    expect((await eth('eth_getBlockByHash', blockHash, false)).logsBloom).toBe(logsBloom);
    expect((await client.next()).result).toMatchObject({ logsBloom });
    const { result } = await answerOf('/jsonrpc', 'eth_getBlockByHash', [blockHash, false]);
    expect(result.logsBloom).toBe(`0x${'0'.repeat(512)}`);
    await devnet.mine();
    expect((await eth('eth_getBlockByNumber', 'latest', false)).logsBloom).toBe(`0x${'0'.repeat(512)}`);
  });
});

it('reports that it listens: libraries treat any other answer as a node that is down', async () => {
  expect(await eth('net_listening')).toBe(true);
  expect((await answerOf('/jsonrpc', 'net_listening', [])).result).toBe(false);
});

describe('the block that a call sees', () => {
  // Returns NUMBER, TIMESTAMP and COINBASE.
  const CODE = '0x435f52426020524160405260605ff3';
  const words = (result: string) =>
    [0, 1, 2].map((word) => BigInt(`0x${result.slice(2 + 64 * word, 66 + 64 * word)}`) & ((1n << 160n) - 1n));
  const seen = async (path: string, block: string, ...more: readonly unknown[]) => {
    const { result } = await answerOf(path, 'eth_call', [{ to: NOBODY }, block, ...more]);
    return words(result);
  };
  const traced = async (path: string, block: string, options: object = {}) => {
    const { result } = await answerOf(path, 'debug_traceCall', [{ to: NOBODY }, block, options]);
    return words(`0x${result.returnValue.replace('0x', '')}`);
  };
  const head = async () => {
    const { number, timestamp, miner } = await eth('eth_getBlockByNumber', 'latest', false);
    return [BigInt(number), BigInt(timestamp), BigInt(miner)] as const;
  };

  it('is the head by default, the next one with pending, or one with overridden fields', async () => {
    await eth('hardhat_setCode', NOBODY, CODE);
    const [number, time, miner] = await head();
    const next = [number + 1n, time + 3n, miner];
    for (let round = 0; round < 2; round++) {
      expect(await seen('/jsonrpc', 'latest')).toEqual([number, time, miner]);
      expect(await seen('/eth', 'latest')).toEqual([number, time, miner]);
      expect(await seen('/eth', 'pending')).toEqual(next);
      expect(await seen('/eth', 'pending', {}, { number: '0x63' })).toEqual([99n, next[1], miner]);
      expect(await seen('/eth', 'latest', {}, { number: '0x63' })).toEqual([99n, time, miner]);
      expect(await seen('/eth', 'latest', {}, { time: '0x63' })).toEqual([number, 99n, miner]);
      expect(await seen('/eth', 'latest', {}, { feeRecipient: wallet.address })).toEqual([
        ...[number, time],
        BigInt(wallet.address),
      ]);
    }
    expect(await traced('/eth', 'latest')).toEqual([number, time, miner]);
    expect(await traced('/eth', 'pending')).toEqual(next);
    expect(await traced('/jsonrpc', 'latest', { blockOverrides: { number: '0x63' } })).toEqual([99n, time, miner]);
  });

  it('is the next one when its time is set, until that block is made', async () => {
    await eth('hardhat_setCode', NOBODY, CODE);
    const [number, time, miner] = await head();
    const set = [number + 1n, time + 500n, miner];
    await eth('evm_setNextBlockTimestamp', Number(time + 500n));
    expect(await seen('/eth', 'latest')).toEqual(set);
    expect(await seen('/eth', 'pending')).toEqual(set);
    await eth('evm_mine');
    expect(await seen('/eth', 'latest')).toEqual(set);
  });

  it('is always the next one in an estimate', async () => {
    // Reverts unless NUMBER is above the number in the data.
    await eth('hardhat_setCode', NOBODY, '0x6000354311600d5760006000fd5b00');
    const [number] = await head();
    const data = `0x${number.toString(16).padStart(64, '0')}`;
    expect(Number(await eth('eth_estimateGas', { to: NOBODY, data }))).toBeGreaterThan(21_000);
  });
});

it('reads the head with latest, and what waits for a block with pending', async () => {
  const ask = async (block: string) => ({
    balance: Number(await eth('eth_getBalance', NOBODY, block)),
    account: Number((await eth('eth_getAccountInfo', NOBODY, block)).balance),
    slot: Number(await eth('eth_getStorageAt', CONTRACT, '0x0', block)),
    called: Number(await eth('eth_call', { to: CONTRACT, data: '0x' }, block)),
  });
  const CONTRACT = '0x00000000000000000000000000000000000000c0';
  // Returns slot 0, and stores 1 there where data is given.
  await eth('hardhat_setCode', CONTRACT, '0x36600c575f545f5260205ff35b60015f5500');
  await send(0, { value: 7 });
  await send(1, { to: CONTRACT, value: 0, data: '0x01' });
  expect(await ask('latest')).toEqual({ balance: 0, account: 0, slot: 0, called: 0 });
  expect(await ask('pending')).toEqual({ balance: 7, account: 7, slot: 1, called: 1 });
  await eth('evm_mine');
  expect(await ask('latest')).toEqual({ balance: 7, account: 7, slot: 1, called: 1 });
});

describe('a precompiled contract', () => {
  const call = (address: number, data: string) =>
    eth('eth_call', { to: `0x${address.toString(16).padStart(40, '0')}`, data }, 'latest');

  it('answers a call like a contract', async () => {
    const digest = sha256('0x616263');
    expect(await call(2, '0x616263')).toBe(digest);
    const long = `0x${'ab'.repeat(100)}`;
    expect(await call(4, long)).toBe(long);
    const { v, r, s } = wallet.signingKey.sign(digest);
    const signature = `${digest}${v.toString(16).padStart(64, '0')}${r.slice(2)}${s.slice(2)}`;
    expect((await call(1, signature)).slice(-40)).toBe(wallet.address.slice(2).toLowerCase());
    expect(await call(1, '0x')).toBe('0x');
    expect(await call(0xff, '0x616263')).toBe('0x');
    expect(await eth('eth_getCode', `0x${'2'.padStart(40, '0')}`)).toBe('0x');
    // A transaction to it is a transfer.
    expect(await eth('eth_estimateGas', { to: `0x${'2'.padStart(40, '0')}`, from: wallet.address })).toBe('0x5208');
  });
});

describe('a balance beyond what an account can have', () => {
  it('becomes half of that, so that the account can still receive, and the log says so', async () => {
    const warnings: string[] = [];
    const log = { info: () => {}, error: () => {}, warn: (message: string) => void warnings.push(message) };
    await devnet.close();
    devnet = await createDevnet({ mining: 'instant', balance: 10n ** 22n, log });
    const other = `0x${devnet.accounts[1]!.addressHex.slice(2)}`;
    const balance = async (address: string) => BigInt(await eth('eth_getBalance', address));
    expect(await balance(other)).toBe(2n ** 62n);
    await send(0, { to: other, value: 2n ** 62n - 10n ** 10n });
    expect(await balance(other)).toBe(2n ** 63n - 10n ** 10n);
    const tooMuch = await signed(1, { to: other, value: 10n ** 10n, gasLimit: 21_000 });
    await eth('hardhat_setBalance', wallet.address, '0x174876e800');
    expect((await answerOf('/eth', 'eth_sendRawTransaction', [tooMuch])).error?.message).toContain('long overflow');
    for (const given of [2n ** 62n + 1n, 2n ** 63n - 1n]) {
      await eth('hardhat_setBalance', NOBODY, `0x${given.toString(16)}`);
      expect(await balance(NOBODY)).toBe(given);
    }
    expect(warnings).toEqual([]);
    await eth('hardhat_setBalance', NOBODY, `0x${'f'.repeat(64)}`);
    expect(await balance(NOBODY)).toBe(2n ** 62n);
    await eth('anvil_addBalance', NOBODY, `0x${(2n ** 63n).toString(16)}`);
    expect(await balance(NOBODY)).toBe(2n ** 62n);
    expect(warnings).toEqual(
      Array(2).fill(expect.stringMatching(/more than an account can have. It is 4611686018427387904 sun/)),
    );
  });
});

describe('transactions that wait for their nonce', () => {
  const status = async () => {
    const { pending, queued } = await eth('txpool_status');
    return [Number(pending), Number(queued)];
  };

  it('are in a dump, with the pending ones, also of an impersonated sender', async () => {
    await eth('hardhat_setBalance', NOBODY, '0x3b9aca00');
    await eth('hardhat_impersonateAccount', NOBODY);
    await eth('eth_sendTransaction', { from: NOBODY, to: wallet.address, nonce: '0x1', value: '0x7', gas: '0x5208' });
    await send(0);
    await send(2);
    expect(await status()).toEqual([1, 2]);
    const content = await eth('txpool_content');
    const dump = await devnet.dump();
    await devnet.close();
    devnet = await createDevnet({ mining: 'manual', loadState: dump });
    expect(await eth('txpool_content')).toEqual(content);
    await eth('eth_sendTransaction', { from: NOBODY, to: wallet.address, value: '0x6', gas: '0x5208' });
    await send(1);
    expect(await status()).toEqual([5, 0]);
    await devnet.mine();
    expect(await eth('eth_getTransactionCount', NOBODY)).toBe('0x2');
    expect(await eth('eth_getTransactionCount', wallet.address)).toBe('0x3');
  });

  it('wait again if the transaction before them is dropped', async () => {
    const first = await send(0);
    const second = await send(1);
    await send(2);
    expect(await eth('hardhat_dropTransaction', first)).toBe(true);
    expect(await status()).toEqual([0, 2]);
    expect(await eth('eth_getTransactionByHash', second)).toMatchObject({ nonce: '0x1', blockHash: null });
    await send(0, { value: 5 });
    expect(await status()).toEqual([3, 0]);
    await devnet.mine();
    await send(3);
    await devnet.rollback(1);
    expect(await status()).toEqual([0, 1]);
  });

  it('are dropped if their nonce is used otherwise', async () => {
    await send(2);
    await send(6);
    await eth('hardhat_setNonce', wallet.address, '0x5');
    expect(await status()).toEqual([0, 1]);
    await send(5);
    expect(await status()).toEqual([2, 0]);
  });

  it('are dropped with all others, or with those of their sender', async () => {
    const other = new Wallet(`0x${devnet.accounts[1]!.privateKey}`);
    const signedByOther = { chainId: devnet.chainId, nonce: 4, gasLimit: 21_000, gasPrice: 100, type: 0, to: NOBODY };
    const fill = async () => {
      await send(0);
      await send(3);
      await eth('eth_sendRawTransaction', await other.signTransaction(signedByOther));
      expect(await status()).toEqual([1, 2]);
    };
    await fill();
    await eth('anvil_removePoolTransactions', wallet.address);
    expect(await status()).toEqual([0, 1]);
    await eth('anvil_dropAllTransactions');
    expect(await status()).toEqual([0, 0]);
    await fill();
    await eth('anvil_dropAllTransactions');
    expect(await status()).toEqual([0, 0]);
  });

  it('stay with the pending ones if a replacement is refused', async () => {
    const hashes = [await send(0), await send(1)];
    await send(3);
    await eth('tron_failNextBroadcast', { code: 'SERVER_BUSY' });
    const { error } = await answerOf('/eth', 'eth_sendRawTransaction', [await signed(0, { gasPrice: 110 })]);
    expect(error?.message).toContain('SERVER_BUSY');
    expect(await status()).toEqual([2, 1]);
    const { transactions } = await eth('eth_getBlockByNumber', 'pending', false);
    expect(transactions).toEqual(hashes);
  });
});

describe('the trace of a call', () => {
  const traced = (to: string, data: string) =>
    eth('debug_traceCall', { from: wallet.address, to, data, value: '0x1' }, 'latest', { tracer: 'callTracer' });

  it('is one frame for an account without code, and has the result of a precompiled contract', async () => {
    const from = wallet.address.toLowerCase();
    expect(await traced(NOBODY, '0x1234')).toMatchObject({
      type: 'CALL',
      from,
      to: NOBODY,
      input: '0x1234',
      value: '0x1',
    });
    const sha = `0x${'2'.padStart(40, '0')}`;
    expect(await traced(sha, '0x616263')).toMatchObject({ type: 'CALL', to: sha, output: sha256('0x616263') });
    expect(await eth('debug_traceCall', { to: NOBODY }, 'latest')).toMatchObject({ failed: false, structLogs: [] });
    const { error } = await answerOf('/jsonrpc', 'debug_traceCall', [{ to: NOBODY }, 'latest']);
    expect(error?.message).toBe('Smart contract is not exist.');
  });

  it('has the data and the gas of a transaction to a plain account', async () => {
    const hash = await send(0, { data: '0x112233', gasLimit: 30_000 });
    await devnet.mine();
    expect(await eth('debug_traceTransaction', hash, { tracer: 'callTracer' })).toMatchObject({
      input: '0x112233',
      gas: '0x7530',
    });
  });
});

it('the receipts of a block count gas and logs through it, each asked for or all together', async () => {
  await send(0, deployment);
  for (const nonce of [1, 2]) await send(nonce, deployment);
  await send(3);
  await devnet.mine();
  const receipts = await eth('eth_getBlockReceipts', 'latest');
  let gas = 0n;
  let logs = 0;
  for (const receipt of receipts) {
    gas += BigInt(receipt.gasUsed);
    expect(BigInt(receipt.cumulativeGasUsed)).toBe(gas);
    for (const { logIndex } of receipt.logs) expect(Number(logIndex)).toBe(logs++);
    expect(await eth('eth_getTransactionReceipt', receipt.transactionHash)).toEqual(receipt);
  }
  expect([receipts.length, logs]).toEqual([4, 3]);
});

describe('nonces and hashes', () => {
  const nonces = () =>
    Promise.all(['latest', 'pending'].map((tag) => eth('eth_getTransactionCount', wallet.address, tag)));

  it('are in the database; what is pending or waits is not', async () => {
    const db = mkdtempSync(path.join(tmpdir(), 'sunup-eth-'));
    await devnet.close();
    devnet = await createDevnet({ mining: 'manual', db });
    const mined = await send(0);
    await devnet.mine();
    const receipt = await eth('eth_getTransactionReceipt', mined);
    const pending = await send(1);
    await send(3);
    expect(await nonces()).toEqual(['0x1', '0x2']);
    await devnet.close();
    devnet = await createDevnet({ mining: 'manual', db });
    expect(await nonces()).toEqual(['0x1', '0x1']);
    expect(await eth('eth_getTransactionReceipt', mined)).toEqual(receipt);
    expect(await eth('eth_getTransactionByHash', pending)).toBeNull();
    expect(await eth('txpool_status')).toEqual({ pending: '0x0', queued: '0x0' });
    expect(await eth('anvil_nodeInfo')).toMatchObject({ tron: { porting: true } });
    await devnet.close();
    rmSync(db, { recursive: true });
    devnet = await createDevnet();
  });

  it('are undone by a rollback and a reorganisation, which may take the transactions into other blocks', async () => {
    const hashes = [await send(0), await send(1)];
    await devnet.mine();
    const before = await eth('eth_getTransactionReceipt', hashes[1]);
    await devnet.reorg(1);
    const after = await eth('eth_getTransactionReceipt', hashes[1]);
    expect(after).toMatchObject({ status: '0x1', blockNumber: before.blockNumber, transactionIndex: '0x1' });
    expect(after.blockHash).not.toBe(before.blockHash);
    expect(await nonces()).toEqual(['0x2', '0x2']);
    await devnet.reorg(1, false);
    expect(await nonces()).toEqual(['0x0', '0x0']);
    expect(await eth('eth_getTransactionReceipt', hashes[1])).toBeNull();
    // They were sent once, and can be sent again.
    expect([await send(0), await send(1)]).toEqual(hashes);
    await devnet.mine();
    await devnet.rollback(1);
    expect(await nonces()).toEqual(['0x0', '0x0']);
  });
});

// Found by the simulator with seed 738169.
it('a fee history is of so many blocks as a whole number says, and of no other value', async () => {
  await devnet.mine(3);
  for (const count of ['0x2', 2]) {
    const { baseFeePerGas, gasUsedRatio } = await eth('eth_feeHistory', count, 'latest', []);
    expect([baseFeePerGas.length, gasUsedRatio.length]).toEqual([3, 2]);
  }
  for (const count of [[2], { blocks: 2 }, true, 'two', 2.5, 0.3])
    expect((await answerOf('/eth', 'eth_feeHistory', [count, 'latest', []])).error).toEqual({
      code: -32602,
      message: 'invalid param value: invalid hex number',
    });
});
