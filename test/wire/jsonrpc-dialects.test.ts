/** The two dialects, method by method: the same requests on `/jsonrpc` and on `/eth`. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startHttpServer } from '../../src/http/server.js';
import { createDevnet } from '../../src/index.js';
import { jsonRpcRoute } from '../../src/jsonrpc/endpoint.js';
import { compile, TRX, TronWebDevnet } from '../clients/tronweb-devnet.js';
import { SimulatedChain } from '../simulation/simulated-chain.js';

const SOURCE = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
contract Box {
  error Closed(uint256 until);
  uint256 public value = 7;
  uint256 public other = 9;
  function set(uint256 next) external { require(next <= 100, "too much"); value = next; }
  function close() external pure { revert Closed(3); }
  function silent() external pure { assembly { revert(0, 0) } }
  function own() external view returns (uint256) { return address(this).balance; }
}`;
const VALUE = '0x3fa4f245';
const SET = '0x60fe47b1';
const CLOSE = '0x43d726d6';
const OWN = '0x99cdee0e';
const SILENT = '0x3dcd08bd';
const FEE_LIMIT = 1_000 * TRX;

const word = (number: number | bigint) => number.toString(16).padStart(64, '0');
const hex = (number: number) => `0x${number.toString(16)}`;

let chain: TronWebDevnet;
let box: string;
/** Blocks: before the contract existed, with 7 in it, with 8 in it. */
let heights: readonly [number, number, number];
let lastTx: string;
/** Balances of the first account in the first and the second of them. */
let balances: readonly string[];

// biome-ignore lint/suspicious/noExplicitAny: whatever is answered
type Answer = any;
type Ask = (method: string, ...params: unknown[]) => Promise<Answer>;

async function post(path: string, body: string, url = chain.devnet.http.url): Promise<Answer> {
  const answer = await fetch(url + path, { method: 'POST', body });
  expect(answer.status).toBe(200);
  return answer.json();
}

/** The result, or the error without its envelope. */
const asking =
  (path: string, url?: string): Ask =>
  async (method, ...params) => {
    const { id, result, error } = await post(path, JSON.stringify({ id: 5, method, params }), url);
    return error === undefined ? result : { id, ...error };
  };
const strict: Ask = (...asked) => asking('/jsonrpc')(...asked);
const friendly: Ask = (...asked) => asking('/eth')(...asked);

const me = (i = 0) => `0x${chain.devnet.accounts[i]!.addressHex.slice(2)}`;

beforeAll(async () => {
  chain = await TronWebDevnet.start();
  const balance = () => strict('eth_getBalance', me(), 'latest');
  const before = Number(await strict('eth_blockNumber'));
  const had = await balance();
  const built = chain
    .client(0)
    .transactionBuilder.createSmartContract(
      { ...compile(SOURCE, 'Box'), feeLimit: FEE_LIMIT, name: 'Box', userFeePercentage: 100 } as never,
      chain.address(0),
    );
  const { contract_address, blockNumber: deployed } = await chain.send(0, built);
  balances = [had, await balance()];
  box = `0x${contract_address!.slice(2)}`;
  const { transaction } = await chain
    .client(0)
    .transactionBuilder.triggerSmartContract(
      contract_address!,
      'set(uint256)',
      { feeLimit: FEE_LIMIT },
      [{ type: 'uint256', value: 8 }],
      chain.address(0),
    );
  const { id, blockNumber } = await chain.send(0, transaction);
  lastTx = `0x${id}`;
  heights = [before, deployed, blockNumber];
});
afterAll(() => chain[Symbol.asyncDispose]());

const PARSE_ERROR = { id: 'null', code: -32_700, message: 'JSON parse error' };
const WRONG_COUNT = { id: 5, code: -32_602, message: 'method parameters invalid' };
const refusedParams = (message: string) => ({ id: 5, code: -32_602, message, data: '{}' });

test('stateRoot when empty', async () => {
  expect((await strict('eth_getBlockByNumber', 'latest', false)).stateRoot).toBe('0x');
  expect((await friendly('eth_getBlockByNumber', 'latest', false)).stateRoot).toBe(`0x${'0'.repeat(64)}`);
});

test('transaction nonce', async () => {
  expect((await strict('eth_getTransactionByHash', lastTx)).nonce).toBe('0x0000000000000000');
  expect((await friendly('eth_getTransactionByHash', lastTx)).nonce).toBe('0x0');
  const [inBlock] = (await friendly('eth_getBlockByNumber', hex(heights[2]), true)).transactions;
  expect(inBlock).toEqual(await friendly('eth_getTransactionByHash', lastTx));
  expect((await friendly('eth_getTransactionByBlockNumberAndIndex', hex(heights[2]), '0x0')).nonce).toBe('0x0');
});

describe('unknown call/filter properties', () => {
  test('of a call', async () => {
    const call = { to: box, data: VALUE, type: '0x2', chainId: '0x1', accessList: [], maxFeePerGas: '0x1' };
    expect(await strict('eth_call', call, 'latest')).toEqual(PARSE_ERROR);
    expect(await friendly('eth_call', call, 'latest')).toBe(`0x${word(8)}`);
  });

  test('of a call: input is read', async () => {
    expect(await strict('eth_call', { to: box, input: VALUE }, 'latest')).toEqual(PARSE_ERROR);
    expect(await friendly('eth_call', { to: box, input: VALUE }, 'latest')).toBe(`0x${word(8)}`);
    expect(await friendly('eth_call', { to: box, input: VALUE, data: '0x' }, 'latest')).toBe(`0x${word(8)}`);
    expect(await friendly('eth_estimateGas', { to: box, input: SET + word(1) })).toMatch(/^0x[1-9a-f]/);
  });

  test('of a filter', async () => {
    expect(await strict('eth_getLogs', { fromBlock: 'latest', limit: 5 })).toEqual(PARSE_ERROR);
    expect(await friendly('eth_getLogs', { fromBlock: 'latest', limit: 5 })).toEqual([]);
  });
});

describe('parameter count', () => {
  test.each(['eth_getBalance', 'eth_getCode'])('%s without a block', async (method) => {
    expect(await strict(method, box)).toEqual(WRONG_COUNT);
    expect(await friendly(method, box)).toBe(await strict(method, box, 'latest'));
  });

  test('eth_getStorageAt and eth_call without a block', async () => {
    expect(await strict('eth_getStorageAt', box, '0x0')).toEqual(WRONG_COUNT);
    expect(await friendly('eth_getStorageAt', box, '0x0')).toBe(`0x${word(8)}`);
    expect(await strict('eth_call', { to: box, data: VALUE })).toEqual(WRONG_COUNT);
    expect(await friendly('eth_call', { to: box, data: VALUE })).toBe(`0x${word(8)}`);
  });

  test('eth_estimateGas with a block', async () => {
    const call = { to: box, data: SET + word(1) };
    expect(await strict('eth_estimateGas', call, 'latest')).toEqual(WRONG_COUNT);
    // At least Ethereum's intrinsic gas: 21,000, plus the bytes of the call.
    expect(Number(await friendly('eth_estimateGas', call, 'latest'))).toBeGreaterThan(21_000);
    // The contract did not exist in that block, so this is a transfer of 0.
    expect(await friendly('eth_estimateGas', call, hex(heights[0]))).toMatch(/^0x5[0-9a-f]{3}$/);
  });

  test('too many parameters are an error in both', async () => {
    expect(await strict('eth_getBalance', box, 'latest', 'latest')).toEqual(WRONG_COUNT);
    expect(await friendly('eth_getBalance', box, 'latest', 'latest')).toEqual(WRONG_COUNT);
    expect(await friendly('eth_getBalance')).toEqual(WRONG_COUNT);
    expect(await friendly('eth_call', {}, 'latest', {}, {}, {})).toEqual(WRONG_COUNT);
  });
});

describe('state override on eth_call', () => {
  const call = (override: unknown, data = VALUE, to = box) => friendly('eth_call', { to, data }, 'latest', override);
  const OTHER = '0x85295877';
  const slot = (number: number) => `0x${word(number)}`;

  test('is one parameter too many for java-tron', async () => {
    expect(await strict('eth_call', { to: box, data: VALUE }, 'latest', {})).toEqual(WRONG_COUNT);
  });

  test('stateDiff changes single slots, state replaces all of them, and both have no lasting effect', async () => {
    expect(await call({ [box]: { stateDiff: { [slot(0)]: slot(55) } } })).toBe(slot(55));
    expect(await call({ [box]: { stateDiff: { [slot(0)]: slot(55) } } }, OTHER)).toBe(slot(9));
    expect(await call({ [box]: { state: { [slot(0)]: slot(55) } } })).toBe(slot(55));
    expect(await call({ [box]: { state: { [slot(0)]: slot(55) } } }, OTHER)).toBe(slot(0));
    expect(await call({})).toBe(slot(8));
    expect(await call({}, OTHER)).toBe(slot(9));
  });

  test('on an older state', async () => {
    const override = { [box]: { stateDiff: { [slot(1)]: slot(55) } } };
    const at = hex(heights[1]);
    expect(await friendly('eth_call', { to: box, data: VALUE }, at, override)).toBe(slot(7));
    expect(await friendly('eth_call', { to: box, data: OTHER }, at, override)).toBe(slot(55));
  });

  test('code and balance of an account that does not exist', async () => {
    const nobody = `0x${'12'.repeat(20)}`;
    // Returns the word 5; returns its own balance.
    expect(await call({ [nobody]: { code: '0x600560005260206000f3' } }, '0x', nobody)).toBe(slot(5));
    expect(
      await call({ [nobody]: { code: '0x4760005260206000f3', balance: '0x64', nonce: '0x1' } }, '0x', nobody),
    ).toBe(slot(100));
    expect(await call({ [box]: { balance: '0x7b' } }, OWN)).toBe(slot(123));
    expect(await friendly('eth_getCode', nobody)).toBe('0x');
    expect(await friendly('eth_getBalance', nobody)).toBe('0x0');
  });

  test('eth_estimateGas has it, too', async () => {
    const nobody = `0x${'12'.repeat(20)}`;
    const override = { [nobody]: { code: '0x600560005260206000f3' } };
    expect(await friendly('eth_estimateGas', { to: nobody, data: '0x' }, 'latest', override)).toMatch(/^0x[1-9a-f]/);
  });

  test.each([
    [5, 'not an object'],
    [{ [`0x${'12'.repeat(20)}`]: 5 }, 'not an object'],
    [{ [`0x${'12'.repeat(20)}`]: { balance: 'x' } }, 'balance'],
    [{ [`0x${'12'.repeat(20)}`]: { balance: `0x${'f'.repeat(65)}` } }, 'balance'],
    [{ [`0x${'12'.repeat(20)}`]: { code: '0x1' } }, 'code'],
    [{ [`0x${'12'.repeat(20)}`]: { state: [] } }, 'state'],
    [{ [`0x${'12'.repeat(20)}`]: { state: {}, stateDiff: {} } }, 'exclude'],
    [{ [`0x${'12'.repeat(20)}`]: { stateDiff: { '0x0': 'x' } } }, 'stateDiff'],
    [{ [`0x${'12'.repeat(20)}`]: { movePrecompileToAddress: '0x1' } }, 'movePrecompileToAddress'],
    [{ '0x12': {} }, 'invalid address hash value'],
  ])('%j is refused', async (override, why) => {
    expect(await call(override)).toMatchObject({ id: 5, code: -32_602, message: expect.stringContaining(why) });
  });
});

test('state overrides have at most 5,000 accounts and slots, checked before they are read', async () => {
  const slots = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, slot) => [`0x${word(slot)}`, `0x${word(55)}`]));
  const call = (state: object) => friendly('eth_call', { to: box, data: VALUE }, 'latest', { [box]: state });
  expect(await call({ stateDiff: slots(4_999) })).toBe(`0x${word(55)}`);
  const refusal = { code: -32_602, message: expect.stringContaining('more than 5000 accounts and slots') };
  expect(await call({ stateDiff: slots(5_000) })).toMatchObject(refusal);
  const accounts = Object.fromEntries(Array.from({ length: 5_001 }, (_, at) => [`no address ${at}`, {}]));
  expect(await friendly('eth_call', { to: box, data: VALUE }, 'latest', accounts)).toMatchObject(refusal);
  expect(await friendly('debug_traceCall', { to: box }, 'latest', { stateOverrides: accounts })).toMatchObject(refusal);
  const simulated = await friendly('tron_preview', { from: box, to: box }, { overrides: accounts });
  expect(simulated).toMatchObject({ message: expect.stringContaining('with 5000 accounts and slots at most') });
});

describe('block parameter of state methods', () => {
  const SUPPORTED = 'TAG [earliest | pending | finalized] not supported';
  const value = (ask: Ask, block: unknown) => ask('eth_call', { to: box, data: VALUE }, block);

  test('a number', async () => {
    const [before, seven, eight] = heights.map(hex) as [string, string, string];
    const QUANTITY = refusedParams('QUANTITY not supported, just support TAG as latest');
    expect(await strict('eth_getBalance', me(), before)).toEqual(QUANTITY);
    expect(await value(strict, seven)).toEqual(QUANTITY);
    expect(await friendly('eth_getBalance', me(), before)).toBe(balances[0]);
    expect(await friendly('eth_getBalance', me(), seven)).toBe(balances[1]);
    expect(await value(friendly, seven)).toBe(`0x${word(7)}`);
    expect(await value(friendly, eight)).toBe(`0x${word(8)}`);
    expect(await friendly('eth_getStorageAt', box, '0x0', seven)).toBe(`0x${word(7)}`);
    expect(await friendly('eth_getCode', box, before)).toBe('0x');
    expect(await friendly('eth_getCode', box, seven)).toBe(await strict('eth_getCode', box, 'latest'));
    expect(await value(friendly, before)).toBe('0x');
  });

  test('an object with number or hash', async () => {
    const [, seven] = heights.map(hex) as [string, string];
    const { hash } = await strict('eth_getBlockByNumber', seven, false);
    expect(await strict('eth_getBalance', me(), { blockNumber: seven })).toEqual(PARSE_ERROR);
    // Runs on the newest state nevertheless.
    expect(await value(strict, { blockNumber: seven })).toBe(`0x${word(8)}`);
    expect(await value(strict, { blockHash: hash })).toBe(`0x${word(8)}`);
    expect(await value(friendly, { blockNumber: seven })).toBe(`0x${word(7)}`);
    expect(await value(friendly, { blockHash: hash, requireCanonical: true })).toBe(`0x${word(7)}`);
    expect(await friendly('eth_getBalance', me(), { blockHash: hash })).toBe(balances[1]);
    expect(await friendly('eth_getStorageAt', box, '0x0', { blockNumber: seven })).toBe(`0x${word(7)}`);
  });

  test('earliest, finalized, safe, pending', async () => {
    for (const tag of ['earliest', 'finalized', 'pending']) {
      expect(await strict('eth_getBalance', me(), tag)).toEqual(refusedParams(SUPPORTED));
      expect(await value(strict, tag)).toEqual(refusedParams(SUPPORTED));
    }
    expect(await strict('eth_getBalance', me(), 'safe')).toEqual(refusedParams('invalid block number'));
    expect(await friendly('eth_getBalance', me(), 'earliest')).toBe(hex(10_000 * TRX));
    expect(await friendly('eth_getCode', box, 'earliest')).toBe('0x');
    for (const tag of ['finalized', 'safe', 'pending', 'latest', 'LATEST']) {
      expect(await value(friendly, tag)).toBe(`0x${word(8)}`);
    }
    const head = await strict('eth_blockNumber');
    expect((await friendly('eth_getBlockByNumber', 'safe', false)).number).toBe(head);
    expect((await friendly('eth_getBlockByNumber', 'pending', false)).number).toBe(hex(Number(head) + 1));
    for (const tag of ['pending', 'safe']) expect(await friendly('eth_getLogs', { fromBlock: tag })).toEqual([]);
    expect(await strict('eth_getBlockByNumber', 'pending', false)).toEqual(refusedParams('TAG pending not supported'));
  });

  test('finalized and safe are behind the head if blocks solidify later', async () => {
    // With three witnesses, the third one that builds on a block solidifies it.
    const network = await SimulatedChain.open({ witnessVotes: [3, 2, 1], solidityLag: 'network' });
    network.node.mine(8);
    const server = await startHttpServer({ port: 0, plugins: [jsonRpcRoute({ node: network.node, view: 'full' })] });
    try {
      const ask = asking('/eth', server.url);
      const numberOf = async (tag: string) => Number((await ask('eth_getBlockByNumber', tag, false)).number);
      expect([await numberOf('latest'), await numberOf('finalized'), await numberOf('safe')]).toEqual([8, 6, 6]);
      const producer = (await ask('eth_getBlockByNumber', 'latest', false)).miner;
      const balanceAt = (block: string) => ask('eth_getBalance', producer, block);
      expect(await balanceAt('safe')).toBe(await balanceAt('0x6'));
      expect(await balanceAt('finalized')).toBe(await balanceAt('0x6'));
    } finally {
      await server.close();
      await network.close();
    }
  });

  test('pending is the head; a pending transaction has no block', async () => {
    await using manual = await TronWebDevnet.start({ mining: 'manual' });
    const { url } = manual.devnet.http;
    await manual.devnet.mine(2);
    const built = await manual.client(0).transactionBuilder.sendTrx(manual.address(1), 5 * TRX, manual.address(0));
    await manual.client(0).trx.sendRawTransaction(await manual.client(0).trx.sign(built));
    const to = `0x${manual.devnet.accounts[1]!.addressHex.slice(2)}`;
    const [ask, askStrict] = [asking('/eth', url), asking('/jsonrpc', url)];
    const more = hex(10_005 * TRX);
    expect(await askStrict('eth_getBalance', to, 'latest')).toBe(more);
    expect(await ask('eth_getBalance', to, 'pending')).toBe(more);
    expect(await ask('eth_getBalance', to, await ask('eth_blockNumber'))).toBe(hex(10_000 * TRX));
    const txId = `0x${built.txID}`;
    expect(await askStrict('eth_getTransactionByHash', txId)).toMatchObject({ blockHash: '0x', gasPrice: '0x' });
    expect(await ask('eth_getTransactionByHash', txId)).toMatchObject({
      blockHash: null,
      blockNumber: null,
      transactionIndex: null,
      gasPrice: await ask('eth_gasPrice'),
    });
  });

  test('a missing block', async () => {
    const NOT_FOUND = { id: 5, code: -32_000, message: 'header not found' };
    for (const block of ['0xffffff', '-1', { blockNumber: '0xffffff' }]) {
      expect(await value(friendly, block)).toEqual(NOT_FOUND);
    }
    expect(await value(friendly, { blockHash: `0x${'0'.repeat(64)}` })).toMatchObject({ code: -32_000 });
    expect(await value(friendly, 'newest')).toMatchObject({ code: -32_602, message: 'invalid block number' });
    expect(await value(friendly, {})).toMatchObject({ code: -32_600 });
    expect(await value(friendly, [])).toMatchObject({ id: 5, code: -32_700 });
  });
});

describe('revert error', () => {
  const REASON = `0x08c379a0${word(32)}${word(8)}${Buffer.from('too much').toString('hex').padEnd(64, '0')}`;
  const both = async (data: string) => [
    await strict('eth_call', { to: box, data }, 'latest'),
    await friendly('eth_call', { to: box, data }, 'latest'),
  ];

  test('with a reason', async () => {
    expect(await both(SET + word(101))).toEqual([
      { id: 5, code: -32_000, message: 'REVERT opcode executed: too much', data: '{}' },
      { id: 5, code: 3, message: 'execution reverted: too much', data: REASON },
    ]);
  });

  test('with a custom error, and without data', async () => {
    const REVERTED = { id: 5, code: -32_000, message: 'REVERT opcode executed', data: '{}' };
    const reverted = { id: 5, code: 3, message: 'execution reverted' };
    const [, closed] = await both(CLOSE);
    expect(await both(CLOSE)).toEqual([REVERTED, { ...reverted, data: expect.stringMatching(/^0x[0-9a-f]{72}$/) }]);
    expect(closed.data.slice(10)).toBe(word(3));
    expect(await both(SILENT)).toEqual([REVERTED, { ...reverted, data: '0x' }]);
  });

  test('for an estimate', async () => {
    const call = { to: box, data: SET + word(101) };
    expect(await strict('eth_estimateGas', call)).toMatchObject({ code: -32_000, data: '{}' });
    expect(await friendly('eth_estimateGas', call)).toMatchObject({ code: 3, data: REASON });
  });

  test('with an undecodable reason', async () => {
    const nobody = `0x${'12'.repeat(20)}`;
    // Reverts with the selector of Error(string) and 32 bytes with an invalid offset.
    const code = `0x6308c379a060e01b600052${'7f'}${'ff'.repeat(32)}60045260246000fd`;
    const error = await friendly('eth_call', { to: nobody, data: '0x' }, 'latest', { [nobody]: { code } });
    expect(error).toEqual({ id: 5, code: 3, message: 'execution reverted', data: `0x08c379a0${'ff'.repeat(32)}` });
  });
});

test('eth_syncing', async () => {
  expect([await strict('eth_syncing'), await friendly('eth_syncing')]).toEqual([false, false]);
});

test('net_version', async () => {
  const { chainId } = chain.devnet;
  expect([await strict('net_version'), await friendly('net_version')]).toEqual([chainId, String(Number(chainId))]);
});

test('eth_chainId', async () => {
  await using padded = await createDevnet({ genesisTime: '2026-01-01T00:00:00Z' });
  expect(padded.chainId).toMatch(/^0x0[1-9a-f]/);
  const body = JSON.stringify({ id: 5, method: 'eth_chainId' });
  const [jsonrpc, eth] = await Promise.all(
    ['jsonrpc', 'eth'].map(async (path) => {
      const answer = await fetch(`${padded.http.url}/${path}`, { method: 'POST', body });
      return ((await answer.json()) as { result: string }).result;
    }),
  );
  // Ethereum's quantities have no leading zeros: wallets refuse a network with one.
  expect([jsonrpc, eth]).toEqual([padded.chainId, padded.chainId.replace('0x0', '0x')]);
});

test('eth_getTransactionCount', async () => {
  const refused = 'the method eth_getTransactionCount does not exist/is not available';
  expect(await strict('eth_getTransactionCount', me(), 'latest')).toEqual({
    id: 5,
    code: -32_601,
    message: refused,
    data: '{}',
  });
  // TronWeb's transactions have no nonce, and a contract starts with 1.
  for (const block of [...heights.map(hex), 'latest', 'pending'])
    expect(await friendly('eth_getTransactionCount', me(), block)).toBe('0x0');
  expect(await friendly('eth_getTransactionCount', box, 'latest')).toBe('0x1');
  // With java-tron's ids as hashes, transactions in blocks are counted.
  await using counting = await createDevnet({ jsonrpcDialect: 'friendly' });
  const ask = asking('/jsonrpc', counting.http.url);
  const [from, to] = counting.accounts.map(({ addressHex }) => `0x${addressHex.slice(2)}`);
  expect(await ask('eth_sendTransaction', { from, to, value: '0x1' })).toMatch(/^0x/);
  expect(await ask('eth_getTransactionCount', from, '0x2')).toBe('0x0');
  expect(await ask('eth_getTransactionCount', from)).toBe('0x1');
  await using without = await createDevnet({ history: false, jsonrpcDialect: 'friendly' });
  expect(await asking('/jsonrpc', without.http.url)('eth_getTransactionCount', from)).toMatchObject({
    code: -32_000,
    message: expect.stringContaining('--no-history'),
  });
});

test('eth_accounts, eth_requestAccounts', async () => {
  const accounts = chain.devnet.accounts.map((_, i) => me(i));
  expect(await strict('eth_accounts')).toEqual([]);
  expect(await strict('eth_requestAccounts')).toEqual({ id: 5, code: -32_601, message: 'method not found' });
  expect(await friendly('eth_accounts')).toEqual(accounts);
  expect(await friendly('eth_requestAccounts')).toEqual(accounts);
});

// Real transactions: test/clients/sending.test.ts.
test.each([
  ['eth_sendTransaction', {}],
  ['eth_sendRawTransaction', '0x'],
])('%s', async (method, argument) => {
  const refused = { id: 5, code: -32_601, message: `the method ${method} does not exist/is not available` };
  expect(await strict(method, argument)).toEqual({ ...refused, data: '{}' });
  expect(await friendly(method, argument)).toMatchObject({
    code: -32_602,
    message: expect.stringMatching(/^expected/),
  });
});

describe('error id, data', () => {
  test('for unreadable requests', async () => {
    const body = '{"id":"mine","method":"eth_call","params":[[],"latest"]}';
    expect((await post('/jsonrpc', body)).id).toBe('null');
    expect((await post('/eth', body)).id).toBe('mine');
    for (const unreadable of ['{', '5']) {
      expect((await post('/jsonrpc', unreadable)).id).toBe('null');
      expect((await post('/eth', unreadable)).id).toBeNull();
    }
    const batch = `[${body},5]`;
    expect((await post('/jsonrpc', batch)).map(({ id }: { id: unknown }) => id)).toEqual(['null', 'null']);
    expect((await post('/eth', batch)).map(({ id }: { id: unknown }) => id)).toEqual(['mine', null]);
  });

  test('data is hex or absent', async () => {
    expect(await strict('eth_getBalance', '0x12', 'latest')).toEqual(refusedParams('invalid address hash value'));
    expect(await friendly('eth_getBalance', '0x12', 'latest')).not.toHaveProperty('data');
    expect(await strict('eth_getLogs', null)).toMatchObject({ code: -32_001, data: { message: null } });
    expect(await friendly('eth_getLogs', null)).not.toHaveProperty('data');
  });
});

test('CORS headers', async () => {
  for (const path of ['/jsonrpc', '/eth']) {
    const { headers } = await fetch(chain.devnet.http.url + path, {
      method: 'POST',
      headers: { origin: 'https://app.example' },
      body: '{"id":1,"method":"eth_chainId"}',
    });
    expect([path, headers.get('access-control-allow-origin')]).toEqual([path, '*']);
  }
});

test('--jsonrpc-dialect friendly: /jsonrpc uses it, also on its own ports', async () => {
  await using devnet = await createDevnet({ jsonrpcDialect: 'friendly', jsonrpcPort: 0, jsonrpcSolidityPort: 0 });
  const urls = [devnet.http.url, ...[devnet.jsonrpc, devnet.jsonrpcSolidity!].map(({ url }) => new URL(url).origin)];
  for (const url of urls) {
    for (const path of ['/jsonrpc', '/eth']) {
      expect(await asking(path, url)('eth_accounts')).toHaveLength(devnet.accounts.length);
    }
  }
});

test('/eth accepts POST only, like /jsonrpc', async () => {
  for (const path of ['/jsonrpc', '/eth']) expect((await fetch(chain.devnet.http.url + path)).status).toBe(405);
});
