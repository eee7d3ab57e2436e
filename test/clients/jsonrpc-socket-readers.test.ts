/** ethers' and viem's clients for WebSockets, unmodified, on `/eth`: all that readers read, and what they watch. */

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
import { compile, TRX, TronWebDevnet } from './tronweb-devnet.js';

const SOURCE = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
contract Shop {
  event Sold(address indexed buyer, uint256 amount);
  error Closed(uint256 until);
  uint256 public total = 7;
  function buy(uint256 amount) external payable {
    require(amount <= 10, "too much");
    total += amount;
    emit Sold(msg.sender, amount);
  }
  function close() external pure { revert Closed(3); }
}
contract Multicall3 {
  struct Call3 { address target; bool allowFailure; bytes callData; }
  struct Result { bool success; bytes returnData; }
  function aggregate3(Call3[] calldata calls) external payable returns (Result[] memory results) {
    results = new Result[](calls.length);
    for (uint256 i = 0; i < calls.length; i++) {
      (results[i].success, results[i].returnData) = calls[i].target.call(calls[i].callData);
      require(results[i].success || calls[i].allowFailure, "a call failed");
    }
  }
}`;

const ABI = [
  'event Sold(address indexed buyer, uint256 amount)',
  'error Closed(uint256 until)',
  'function total() view returns (uint256)',
  'function buy(uint256 amount) payable',
  'function close() view',
] as const;
const abi = parseAbi(ABI);
const SOLD = parseAbiItem(ABI[0]);
const FEE_LIMIT = 1_000 * TRX;

interface Sale {
  readonly hash: `0x${string}`;
  readonly blockNumber: number;
}

let chain: TronWebDevnet;
let provider: WebSocketProvider;
let client: PublicClient;
let contract: Contract;
let shopTron: string;
let shop: `0x${string}`;
let multicallAddress: `0x${string}`;
let url: string;
let first: Sale;

function account(i: number): `0x${string}` {
  return `0x${chain.devnet.accounts[i]!.addressHex.slice(2)}`;
}

async function deploy(name: string): Promise<string> {
  const built = chain
    .client(0)
    .transactionBuilder.createSmartContract(
      { ...compile(SOURCE, name), feeLimit: FEE_LIMIT, name, userFeePercentage: 100 } as never,
      chain.address(0),
    );
  return (await chain.send(0, built)).contract_address!;
}

async function buy(i: number, amount: number): Promise<Sale> {
  const { transaction } = await chain
    .client(i)
    .transactionBuilder.triggerSmartContract(
      shopTron,
      'buy(uint256)',
      { feeLimit: FEE_LIMIT },
      [{ type: 'uint256', value: amount }],
      chain.address(i),
    );
  const { id, blockNumber } = await chain.send(i, transaction);
  return { hash: `0x${id}`, blockNumber };
}

/** What somebody is told, one after the other. */
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

/** A watcher has subscribed when its request was sent and another one after it is answered. */
async function subscribed(): Promise<void> {
  await client.request({ method: 'web3_clientVersion' });
  await provider.send('web3_clientVersion', []);
}

beforeAll(async () => {
  chain = await TronWebDevnet.start();
  url = `${chain.devnet.http.url.replace('http', 'ws')}/eth`;
  provider = new WebSocketProvider(url);
  client = createPublicClient({ transport: webSocket(url) });
  shopTron = await deploy('Shop');
  shop = `0x${shopTron.slice(2)}`;
  multicallAddress = `0x${(await deploy('Multicall3')).slice(2)}`;
  contract = new Contract(shop, ABI, provider);
  first = await buy(0, 4);
});

afterAll(async () => {
  await provider.destroy();
  (await getWebSocketRpcClient(url)).close();
  await chain[Symbol.asyncDispose]();
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
    const logs = await contract.queryFilter(contract.filters.Sold!(account(0)), 0, blockNumber);
    expect(logs.map(({ transactionHash }) => transactionHash)).toEqual([hash]);
  });

  test('reverts and older state', async () => {
    await expect(contract.getFunction('buy').staticCall(11)).rejects.toMatchObject({
      code: 'CALL_EXCEPTION',
      reason: 'too much',
    });
    await expect(contract.getFunction('close').staticCall()).rejects.toMatchObject({
      code: 'CALL_EXCEPTION',
      data: new Interface(ABI).encodeErrorResult('Closed', [3]),
      revert: { name: 'Closed', args: [3n] },
    });
    expect(await contract.getFunction('total')({ blockTag: first.blockNumber - 1 })).toBe(7n);
    expect(await contract.getFunction('total')({ blockTag: first.blockNumber })).toBe(11n);
  });

  test('every block, many at once too, in order', async () => {
    const blocks = new Told<number>();
    await provider.on('block', blocks.add);
    await subscribed();
    const head = await provider.getBlockNumber();
    await chain.devnet.mine(300);
    expect(await blocks.take(300)).toEqual(Array.from({ length: 300 }, (_, i) => head + 1 + i));
    await provider.off('block', blocks.add);
  });

  test('events of a contract, and state that can be read back at once', async () => {
    const sold = new Told<readonly [string, bigint, number, Promise<bigint>]>();
    await contract.on('Sold', (buyer: string, amount: bigint, { log }: ContractEventPayload) => {
      const total = contract.getFunction('total')({ blockTag: log.blockNumber });
      sold.add([buyer.toLowerCase(), amount, log.blockNumber, total]);
    });
    await subscribed();
    const before = await contract.getFunction('total')();
    const { blockNumber } = await buy(1, 2);
    const [[buyer, amount, number, total]] = (await sold.take(1)) as [
      readonly [string, bigint, number, Promise<bigint>],
    ];
    expect([buyer, amount, number, await total]).toEqual([account(1), 2n, blockNumber, before + 2n]);
    await contract.removeAllListeners();
  });

  test('pending transactions', async () => {
    const pending = new Told<string>();
    await provider.on('pending', pending.add);
    await subscribed();
    const { hash } = await buy(1, 1);
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
    expect(await client.estimateMaxPriorityFeePerGas()).toBe(await client.getGasPrice());
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
    await chain.devnet.mine(2);
    expect(await numbers.take(2)).toEqual([head + 1n, head + 2n]);
    for (const [number, hash] of await blocks.take(2)) {
      expect((await client.getBlock({ blockHash: hash })).number).toBe(number);
    }
    for (const end of ends) end();
    // Told of nothing that went wrong.
    failed.add(new Error('none'));
    expect(await failed.take(1)).toEqual([new Error('none')]);
  });

  test('watches events, of a contract, by topic, and what a revert takes back', async () => {
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
        args: { buyer: account(1) },
        onLogs: (logs) => {
          for (const { args } of logs) byOther.add(args.amount);
        },
      }),
    ];
    await subscribed();
    const snapshot = chain.devnet.snapshot();
    await buy(0, 3);
    await buy(1, 4);
    expect(await sold.take(2)).toEqual([
      [3n, false],
      [4n, false],
    ]);
    await chain.devnet.revert(snapshot);
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
    const { hash } = await buy(1, 1);
    expect(await pending.take(1)).toEqual([[hash]]);
    end();
  });
});

test("on /jsonrpc what works in java-tron's voice: viem reads and watches, ethers watches", async () => {
  const strictUrl = `${chain.devnet.http.url.replace('http', 'ws')}/jsonrpc`;
  const strict = createPublicClient({ transport: webSocket(strictUrl) });
  const ethers = new WebSocketProvider(() => new WebSocket(strictUrl) as never);
  const numbers = new Told<number | bigint>();
  const sold = new Told<string>();
  await ethers.on('block', numbers.add);
  strict.watchContractEvent({ address: shop, abi, onLogs: ([log]) => sold.add(log!.transactionHash!) });
  expect((await strict.getBlock()).stateRoot).toBe('0x');
  await ethers.send('web3_clientVersion', []);
  const { hash, blockNumber } = await buy(0, 1);
  expect(await sold.take(1)).toEqual([hash]);
  expect(await numbers.take(1)).toEqual([blockNumber]);
  await ethers.destroy();
  (await getWebSocketRpcClient(strictUrl)).close();
});
