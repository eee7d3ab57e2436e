/** WebSocket clients of ethers and viem, unmodified, on `/eth`: all reads and subscriptions. */

import { Contract, type ContractEventPayload, Interface, WebSocketProvider } from 'ethers';
import {
  ContractFunctionRevertedError,
  createPublicClient,
  type PublicClient,
  parseAbi,
  parseAbiItem,
  webSocket,
} from 'viem';
import { getWebSocketRpcClient } from 'viem/utils';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import WebSocket from 'ws';
import { type Sale, SHOP_ABI, Shop } from './shop.js';

const abi = parseAbi(SHOP_ABI);
const SOLD = parseAbiItem(SHOP_ABI[0]);

let open: Shop;
let provider: WebSocketProvider;
let client: PublicClient;
let contract: Contract;
let shop: `0x${string}`;
let multicallAddress: `0x${string}`;
let url: string;
let first: Sale;

/** The received notifications, in order. */
class Told<Value> {
  readonly #values: Value[] = [];
  #reader: (() => void) | undefined;

  readonly add = (value: Value): void => {
    this.#values.push(value);
    this.#reader?.();
  };

  async take(count: number): Promise<Value[]> {
    while (this.#values.length < count) {
      await new Promise<void>((resolve) => {
        this.#reader = resolve;
      });
    }
    return this.#values.splice(0, count);
  }
}

/** A watcher is subscribed when a request after its own is answered. */
async function subscribed(): Promise<void> {
  await client.request({ method: 'web3_clientVersion' });
  await provider.send('web3_clientVersion', []);
}

beforeAll(async () => {
  open = await Shop.open();
  ({ address: shop, multicallAddress } = open);
  url = `${open.chain.devnet.http.url.replace('http', 'ws')}/eth`;
  provider = new WebSocketProvider(url);
  client = createPublicClient({ transport: webSocket(url) });
  contract = new Contract(shop, SHOP_ABI, provider);
  first = await open.buy(0, 4);
});

afterAll(async () => {
  await provider.destroy();
  (await getWebSocketRpcClient(url)).close();
  await open.chain[Symbol.asyncDispose]();
});

describe('ethers', () => {
  test('blocks, fee data, receipts, logs', async () => {
    const { hash, blockNumber } = first;
    const block = (await provider.getBlock(blockNumber, true))!;
    expect(block.getPrefetchedTransaction(0)).toMatchObject({ hash, nonce: 0, blockNumber });
    expect((await provider.getBlock('safe'))!.transactions).toEqual([hash]);
    expect((await provider.getFeeData()).gasPrice).toBeGreaterThan(0n);
    const receipt = (await provider.getTransactionReceipt(hash))!;
    expect(contract.interface.parseLog(receipt.logs[0]!)!.args.amount).toBe(4n);
    const logs = await contract.queryFilter(contract.filters.Sold!(open.account(0)), 0, blockNumber);
    expect(logs.map(({ transactionHash }) => transactionHash)).toEqual([hash]);
  });

  test('reverts and older state', async () => {
    await expect(contract.getFunction('buy').staticCall(11)).rejects.toMatchObject({
      code: 'CALL_EXCEPTION',
      reason: 'too much',
    });
    await expect(contract.getFunction('close').staticCall()).rejects.toMatchObject({
      code: 'CALL_EXCEPTION',
      data: new Interface(SHOP_ABI).encodeErrorResult('Closed', [3]),
      revert: { name: 'Closed', args: [3n] },
    });
    expect(await contract.getFunction('total')({ blockTag: first.blockNumber - 1 })).toBe(7n);
    expect(await contract.getFunction('total')({ blockTag: first.blockNumber })).toBe(11n);
  });

  test('every block in order, also of many at once', async () => {
    const blocks = new Told<number>();
    await provider.on('block', blocks.add);
    await subscribed();
    const head = await provider.getBlockNumber();
    await open.chain.devnet.mine(300);
    expect(await blocks.take(300)).toEqual(Array.from({ length: 300 }, (_, i) => head + 1 + i));
    await provider.off('block', blocks.add);
  });

  test('events of a contract, with the state already readable', async () => {
    const sold = new Told<readonly [string, bigint, number, Promise<bigint>]>();
    await contract.on('Sold', (buyer: string, amount: bigint, { log }: ContractEventPayload) => {
      const total = contract.getFunction('total')({ blockTag: log.blockNumber });
      sold.add([buyer.toLowerCase(), amount, log.blockNumber, total]);
    });
    await subscribed();
    const before = await contract.getFunction('total')();
    const { blockNumber } = await open.buy(1, 2);
    const [[buyer, amount, number, total]] = (await sold.take(1)) as [
      readonly [string, bigint, number, Promise<bigint>],
    ];
    expect([buyer, amount, number, await total]).toEqual([open.account(1), 2n, blockNumber, before + 2n]);
    await contract.removeAllListeners();
  });

  test('pending transactions', async () => {
    const pending = new Told<string>();
    await provider.on('pending', pending.add);
    await subscribed();
    const { hash } = await open.buy(1, 1);
    expect(await pending.take(1)).toEqual([hash]);
    await provider.off('pending', pending.add);
  });
});

describe('viem', () => {
  test('blocks, fees, receipts, logs, multicall, reverts, older state', async () => {
    const { hash, blockNumber } = first;
    const at = BigInt(blockNumber);
    const block = await client.getBlock({ blockNumber: at, includeTransactions: true });
    expect(block.transactions[0]).toMatchObject({ hash, to: shop });
    expect(await client.estimateMaxPriorityFeePerGas()).toBe(0n);
    expect(await client.getTransactionReceipt({ hash })).toMatchObject({ status: 'success', blockNumber: at });
    const logs = await client.getLogs({ address: shop, event: SOLD, fromBlock: 0n, toBlock: at });
    expect(logs.map(({ args }) => args.amount)).toEqual([4n]);
    const contracts = [
      { address: shop, abi, functionName: 'total' },
      { address: shop, abi, functionName: 'close' },
    ] as const;
    const [total, closed] = await client.multicall({ contracts, multicallAddress, blockNumber: at });
    expect([total.result, closed.status]).toEqual([11n, 'failure']);
    const reverted = await client.readContract({ address: shop, abi, functionName: 'close' }).catch((error) => error);
    expect(reverted.walk((error: unknown) => error instanceof ContractFunctionRevertedError).data).toMatchObject({
      errorName: 'Closed',
      args: [3n],
    });
    expect(await client.readContract({ address: shop, abi, functionName: 'total', blockNumber: at - 1n })).toBe(7n);
  });

  test('watches blocks and their numbers', async () => {
    const blocks = new Told<readonly [bigint, `0x${string}`]>();
    const numbers = new Told<bigint>();
    const failed = new Told<Error>();
    const ends = [
      client.watchBlocks({ onBlock: ({ number, hash }) => blocks.add([number, hash]), onError: failed.add }),
      client.watchBlockNumber({ onBlockNumber: numbers.add, onError: failed.add }),
    ];
    await subscribed();
    const head = await client.getBlockNumber({ cacheTime: 0 });
    await open.chain.devnet.mine(2);
    expect(await numbers.take(2)).toEqual([head + 1n, head + 2n]);
    for (const [number, hash] of await blocks.take(2)) {
      expect((await client.getBlock({ blockHash: hash })).number).toBe(number);
    }
    for (const end of ends) end();
    // No errors were reported.
    failed.add(new Error('none'));
    expect(await failed.take(1)).toEqual([new Error('none')]);
  });

  test('watches events by contract and topic, and logs that a revert removes', async () => {
    const sold = new Told<readonly [bigint | undefined, boolean]>();
    const byOther = new Told<bigint | undefined>();
    const ends = [
      client.watchEvent({
        address: shop,
        event: SOLD,
        onLogs: (logs) => {
          for (const { args, removed } of logs) sold.add([args.amount, removed]);
        },
      }),
      client.watchContractEvent({
        address: shop,
        abi,
        eventName: 'Sold',
        args: { buyer: open.account(1) },
        onLogs: (logs) => {
          for (const { args } of logs) byOther.add(args.amount);
        },
      }),
    ];
    await subscribed();
    const snapshot = open.chain.devnet.snapshot();
    await open.buy(0, 3);
    await open.buy(1, 4);
    expect(await sold.take(2)).toEqual([
      [3n, false],
      [4n, false],
    ]);
    await open.chain.devnet.revert(snapshot);
    expect(await sold.take(2)).toEqual([
      [4n, true],
      [3n, true],
    ]);
    expect(await byOther.take(2)).toEqual([4n, 4n]);
    for (const end of ends) end();
  });

  test('watches pending transactions', async () => {
    const pending = new Told<readonly string[]>();
    const end = client.watchPendingTransactions({ onTransactions: pending.add });
    await subscribed();
    const { hash } = await open.buy(1, 1);
    expect(await pending.take(1)).toEqual([[hash]]);
    end();
  });
});

test("on /jsonrpc, in java-tron's dialect: viem reads and watches, ethers watches", async () => {
  const strictUrl = `${open.chain.devnet.http.url.replace('http', 'ws')}/jsonrpc`;
  const strict = createPublicClient({ transport: webSocket(strictUrl) });
  const ethers = new WebSocketProvider(() => new WebSocket(strictUrl) as never);
  const numbers = new Told<number | bigint>();
  const sold = new Told<string>();
  await ethers.on('block', numbers.add);
  strict.watchContractEvent({ address: shop, abi, onLogs: ([log]) => sold.add(log!.transactionHash!) });
  expect((await strict.getBlock()).stateRoot).toBe('0x');
  await ethers.send('web3_clientVersion', []);
  const { hash, blockNumber } = await open.buy(0, 1);
  expect(await sold.take(1)).toEqual([hash]);
  expect(await numbers.take(1)).toEqual([blockNumber]);
  await ethers.destroy();
  (await getWebSocketRpcClient(strictUrl)).close();
});
