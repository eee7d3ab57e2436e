/** TronGrid's own client, unmodified, and TronWeb's event module, with the history interface. */

import { createRequire } from 'node:module';
import type { TronWeb } from 'tronweb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Compiled, compile, TronWebDevnet } from './tronweb-devnet.js';

// biome-ignore lint/suspicious/noExplicitAny: the package has no types
const TronGrid: new (tronWeb: TronWeb) => any = createRequire(import.meta.url)('trongrid');

const TOKEN = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
contract Coin {
  string public name = "Test Coin";
  string public symbol = "TC";
  uint8 public decimals = 3;
  mapping(address => uint256) public balanceOf;
  event Transfer(address indexed from, address indexed to, uint256 value);
  event Noted(uint256 indexed number, string text);
  constructor() { balanceOf[msg.sender] = 1_000_000; emit Transfer(address(0), msg.sender, 1_000_000); }
  function transfer(address to, uint256 value) external returns (bool) {
    balanceOf[msg.sender] -= value;
    balanceOf[to] += value;
    emit Transfer(msg.sender, to, value);
    return true;
  }
  function note(uint256 number, string calldata text) external { emit Noted(number, text); }
}`;

let chain: TronWebDevnet;
// biome-ignore lint/suspicious/noExplicitAny: as above
let grid: any;
let coin: Compiled;
let address: string;
const deployed = { txid: '', block: 0 };

async function call(method: string, parameters: readonly { type: string; value: unknown }[]): Promise<string> {
  const { transaction } = await chain
    .client(0)
    .transactionBuilder.triggerSmartContract(address, method, { feeLimit: 500_000_000 }, parameters as never);
  return (await chain.send(0, transaction as never)).id;
}

const transfer = (to: number, value: number) =>
  call('transfer(address,uint256)', [
    { type: 'address', value: chain.address(to) },
    { type: 'uint256', value },
  ]);

beforeAll(async () => {
  chain = await TronWebDevnet.start();
  grid = new TronGrid(chain.client(0));
  coin = compile(TOKEN, 'Coin');
  const built = await chain
    .client(0)
    .transactionBuilder.createSmartContract(
      { ...coin, name: 'Coin', feeLimit: 2_000_000_000 } as never,
      chain.address(0),
    );
  const info = await chain.send(0, built as never);
  address = chain.client(0).address.fromHex(info.contract_address as string);
  Object.assign(deployed, { txid: info.id, block: info.blockNumber });
  for (const value of [10, 20, 30, 40, 50]) await transfer(1, value);
  await call('note(uint256,string)', [
    { type: 'uint256', value: 7 },
    { type: 'string', value: 'grüße' },
  ]);
});
afterAll(() => chain.devnet.close());

describe('trongrid', () => {
  test('account, its transactions and token transfers, in pages', async () => {
    const { data } = await grid.account.get(chain.address(1));
    expect(data).toHaveLength(1);
    expect(data[0].trc20).toEqual([{ [address]: '150' }]);
    const first = await grid.account.getTrc20Transactions(chain.address(1), {
      limit: 2,
      orderBy: 'block_timestamp,asc',
    });
    expect(first.data.map(({ value }: { value: string }) => value)).toEqual(['10', '20']);
    expect(first.data[0].token_info).toEqual({ address, name: 'Test Coin', symbol: 'TC', decimals: 3 });
    const second = await grid.nextPage(first);
    expect(second.data.map(({ value }: { value: string }) => value)).toEqual(['30', '40']);
    const third = await grid.nextPage(second.meta.links.next);
    expect(third.data.map(({ value }: { value: string }) => value)).toEqual(['50']);
    expect(third.meta).not.toHaveProperty('fingerprint');
    const own = await grid.account.getTransactions(chain.address(0), { onlyFrom: true, limit: 200 });
    expect(own.data).toHaveLength(7);
    expect(own.data.at(-1).txID).toBe(deployed.txid);
    expect((await grid.account.getTransactions(chain.address(0), { onlyTo: true })).data).toEqual([]);
  });

  test('events of a contract, a transaction, a block', async () => {
    const named = await grid.contract.getEvents(address, { eventName: 'Noted' });
    expect(named.data).toHaveLength(1);
    expect(named.data[0]).toMatchObject({
      event_name: 'Noted',
      event: 'Noted(uint256 indexed number, string text)',
      result: { 0: '7', number: '7', 1: 'grüße', text: 'grüße' },
      result_type: { number: 'uint256', text: 'string' },
      event_index: 0,
    });
    const born = await grid.transaction.getEvents(deployed.txid);
    expect(born.data.map(({ result }: { result: { from: string } }) => result.from)).toEqual([`0x${'0'.repeat(40)}`]);
    expect((await grid.block.getEvents(deployed.block)).data).toEqual(born.data);
    const some = await grid.contract.getEvents(address, { limit: 3, onlyConfirmed: true });
    expect(some.data).toHaveLength(3);
    expect((await grid.contract.getEvents(address, { limit: 3, onlyUnconfirmed: true })).data).toEqual([]);
  });

  test('holders of a token', async () => {
    const { data } = await grid.contract.getTrc20Tokens(address);
    expect(data).toEqual([{ [chain.address(0)]: '999850' }, { [chain.address(1)]: '150' }]);
  });

  test('tokens by id', async () => {
    expect((await grid.asset.getAll()).data).toEqual([]);
  });

  test('watching for new events', async () => {
    const before = await grid.contract.getEvents(address, { orderBy: 'timestamp,desc', limit: 1 });
    const since = before.data[0].block_timestamp + 1;
    expect((await grid.contract.getEvents(address, { minBlockTimestamp: since })).data).toEqual([]);
    const txid = await transfer(2, 99);
    const after = await grid.contract.getEvents(address, { minBlockTimestamp: since });
    expect(after.data.map(({ transaction_id }: { transaction_id: string }) => transaction_id)).toEqual([txid]);
  });
});

describe('tronweb', () => {
  test('the event module', async () => {
    const { event } = chain.client(0);
    const byContract = await event.getEventsByContractAddress(address, {
      eventName: 'Transfer',
      orderBy: 'block_timestamp,asc',
      limit: 2,
    });
    expect(byContract.data?.map(({ result }) => result.value)).toEqual(['1000000', '10']);
    const receiver = byContract.data?.[1]?.result.to as string;
    expect(receiver.substring(2)).toBe(chain.client(0).address.toHex(chain.address(1)).substring(2));
    expect((await event.getEventsByTransactionID(deployed.txid)).data).toHaveLength(1);
    expect((await event.getEventsByBlockNumber(deployed.block)).data).toHaveLength(1);
    expect((await event.getEventsOfLatestBlock()).success).toBe(true);
    await expect(event.getEventsByContractAddress(address, { limit: 2, fingerprint: 'nonsense' })).rejects.toThrow();
  });

  test('the paths of TronWeb 5, for a watcher', async () => {
    // biome-ignore lint/suspicious/noExplicitAny: JSON as a client reads it
    const get = async (path: string): Promise<any> => (await fetch(chain.devnet.http.url + path)).json();
    const latest = await get(`/event/contract/${address}/Noted/latest?sort=block_timestamp&since=0`);
    expect(latest).toHaveLength(1);
    expect(latest[0]).toMatchObject({ event_name: 'Noted', contract_address: address });
    expect(latest[0]).not.toHaveProperty('event');
    const page = await get(`/event/contract/${address}/Transfer?size=2&sort=block_timestamp`);
    // A watcher requests the events of each block since its last request, and the latest block.
    const everything = await get(`/event/contract/${address}/Transfer?sort=block_timestamp`);
    expect(new Set(everything.map((record: { block_number: number }) => record.block_number)).size).toBeGreaterThan(1);
    expect(await get(`/event/contract/${address}/Transfer/latest?sort=block_timestamp`)).toEqual(everything);
    const [{ block_number: first }] = everything;
    const ofOneBlock = everything.filter((record: { block_number: number }) => record.block_number === first);
    expect(await get(`/event/contract/${address}/Transfer/${first}?sort=block_timestamp`)).toEqual(ofOneBlock);
    expect(page.map(({ result }: { result: { value: string } }) => result.value)).toEqual(['1000000', '10']);
    const cursor = page[1]._fingerprint;
    const next = await get(`/event/contract/${address}/Transfer?size=2&sort=block_timestamp&fingerprint=${cursor}`);
    expect(next.map(({ result }: { result: { value: string } }) => result.value)).toEqual(['20', '30']);
    const filters = encodeURIComponent(JSON.stringify({ value: '40' }));
    const filtered = await get(`/event/contract/${address}/Transfer?filters=${filters}`);
    expect(filtered.map(({ result }: { result: { value: string } }) => result.value)).toEqual(['40']);
    expect(await get(`/event/transaction/${deployed.txid}`)).toHaveLength(1);
    expect(await get('/event/contract/latestSolidifiedBlockNum')).toBeGreaterThan(7);
  });
});
