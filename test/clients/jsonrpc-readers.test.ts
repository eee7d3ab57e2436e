/** Unmodified ethers and viem read a chain that TronWeb writes to. They cannot send, because TRON has no nonces. */

import { Contract, JsonRpcProvider } from 'ethers';
import { createPublicClient, http, type PublicClient, parseAbi } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compile, TRX, TronWebDevnet } from './tronweb-devnet.js';

const SOURCE = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
contract Shop {
  event Sold(address indexed buyer, uint256 amount);
  error Closed(uint256 until);
  uint256 public total = 7;
  mapping(address => uint256) public bought;
  function buy(uint256 amount) external payable {
    require(amount <= 10, "too much");
    total += amount;
    bought[msg.sender] += amount;
    emit Sold(msg.sender, amount);
  }
  function close() external pure { revert Closed(3); }
}`;

const ABI = [
  'event Sold(address indexed buyer, uint256 amount)',
  'error Closed(uint256 until)',
  'function total() view returns (uint256)',
  'function bought(address) view returns (uint256)',
  'function buy(uint256 amount) payable',
  'function close()',
] as const;
const abi = parseAbi(ABI);
const FEE_LIMIT = 1_000 * TRX;

let chain: TronWebDevnet;
let provider: JsonRpcProvider;
let client: PublicClient;
let shop: `0x${string}`;
let shopTron: string;
let deployment: `0x${string}`;

function buyer(i: number): `0x${string}` {
  return `0x${chain.devnet.accounts[i]!.addressHex.slice(2)}`;
}

async function buy(i: number, amount: number) {
  const { transaction } = await chain
    .client(i)
    .transactionBuilder.triggerSmartContract(
      shopTron,
      'buy(uint256)',
      { feeLimit: FEE_LIMIT },
      [{ type: 'uint256', value: amount }],
      chain.address(i),
    );
  return chain.send(i, transaction);
}

beforeAll(async () => {
  chain = await TronWebDevnet.start();
  provider = new JsonRpcProvider(chain.devnet.jsonrpc.url);
  client = createPublicClient({ transport: http(chain.devnet.jsonrpc.url) });
  const built = await chain
    .client(0)
    .transactionBuilder.createSmartContract(
      { ...compile(SOURCE, 'Shop'), feeLimit: FEE_LIMIT, name: 'Shop', userFeePercentage: 100 } as never,
      chain.address(0),
    );
  const info = await chain.send(0, built);
  deployment = `0x${info.id}`;
  shopTron = info.contract_address!;
  shop = `0x${shopTron.slice(2)}`;
});

afterAll(async () => {
  provider.destroy();
  await chain[Symbol.asyncDispose]();
});

describe('ethers', () => {
  test('reads the chain id, balances and code', async () => {
    const { chainId } = await provider.getNetwork();
    expect(`0x${chainId.toString(16)}`).toBe(chain.devnet.chainId);
    expect(await provider.getBlockNumber()).toBeGreaterThan(2);
    expect(await provider.getBalance(buyer(5))).toBe(10_000_000_000n);
    expect(await provider.getCode(shop)).toMatch(/^0x60/);
    expect(await provider.getStorage(shop, 0)).toBe(`0x${'7'.padStart(64, '0')}`);
  });

  test('reads a contract, its events and the receipt, and sees a change by a call', async () => {
    const contract = new Contract(shop, ABI, provider);
    const before = (await contract.getFunction('bought')(buyer(1))) as bigint;
    const { id, blockNumber, receipt } = await buy(1, 4);
    expect(await contract.getFunction('bought')(buyer(1), { blockTag: 'latest' })).toBe(before + 4n);
    const [event] = await contract.queryFilter(contract.filters.Sold!(buyer(1)), blockNumber);
    expect(event).toMatchObject({ transactionHash: `0x${id}`, blockNumber, args: [expect.anything(), 4n] });
    const found = await provider.getTransactionReceipt(`0x${id}`);
    expect(found).toMatchObject({ status: 1, gasUsed: BigInt(receipt.energy_usage_total!), blockNumber });
    expect(found!.logs).toHaveLength(1);
    expect(await provider.getTransaction(`0x${id}`)).toMatchObject({ blockNumber, value: 0n });
  });

  // The node searches a sufficient fee limit with the precision of 1 TRX
  // (protocol/energy.md#constant-calls-and-estimation): 10,000 Energy at this price.
  test('estimates the used Energy, at most 1 TRX above', async () => {
    const contract = new Contract(shop, ABI, provider);
    const estimate = await contract.getFunction('buy').estimateGas(2, { from: buyer(2) });
    const { receipt } = await buy(2, 2);
    const above = estimate - BigInt(receipt.energy_usage_total!);
    expect(above).toBeGreaterThanOrEqual(0n);
    expect(above).toBeLessThan(10_000n);
  });

  test('gets the reason of a failed call', async () => {
    const contract = new Contract(shop, ABI, provider);
    await expect(contract.getFunction('buy').staticCall(11, { from: buyer(1) })).rejects.toMatchObject({
      info: { error: { code: -32000, message: 'REVERT opcode executed: too much' } },
    });
  });

  test('receives events through a filter', async () => {
    provider.pollingInterval = 20;
    const contract = new Contract(shop, ABI, provider);
    const heard: unknown[] = [];
    await contract.on(contract.filters.Sold!(buyer(3)), ({ args }: { args: unknown[] }) => heard.push(args[1]));
    // ethers does not report when its filter exists, and queries it for each new block; earlier events are not
    // received.
    for (let sale = 0; sale < 300 && heard.length === 0; sale++) {
      await buy(3, 1);
      await provider.getBlockNumber();
    }
    expect(heard[0]).toBe(1n);
    await contract.removeAllListeners();
  });

  // protocol/clients.md#where-java-tron-answers-trip-them row 1: the network answers the same. A fix here would hide
  // the problem until the deployment to the network.
  test('cannot read a block, because stateRoot is 0x as on the network', async () => {
    await expect(provider.getBlock('latest')).rejects.toThrow(/stateRoot/);
  });
});

describe('viem', () => {
  test('reads blocks and transactions', async () => {
    const { id, blockNumber } = await buy(4, 1);
    const block = await client.getBlock({ blockNumber: BigInt(blockNumber), includeTransactions: true });
    expect(block.transactions.map(({ hash }) => hash)).toEqual([`0x${id}`]);
    expect(block.transactions[0]).toMatchObject({ from: buyer(4), to: shop, value: 0n });
    expect(await client.getBlock({ blockHash: block.hash })).toMatchObject({ number: BigInt(blockNumber) });
    expect(await client.getBlockTransactionCount({ blockNumber: BigInt(blockNumber) })).toBe(1);
    expect(await client.getTransaction({ hash: deployment })).toMatchObject({ to: null, input: '0x' });
    const receipt = await client.getTransactionReceipt({ hash: deployment });
    expect(receipt.contractAddress!.toLowerCase()).toBe(shop);
  });

  test('reads a contract, its logs, and simulates', async () => {
    const { blockNumber } = await buy(5, 3);
    expect(await client.readContract({ address: shop, abi, functionName: 'bought', args: [buyer(5)] })).toBe(3n);
    const logs = await client.getContractEvents({
      address: shop,
      abi,
      eventName: 'Sold',
      args: { buyer: buyer(5) },
      fromBlock: BigInt(blockNumber),
      toBlock: 'latest',
    });
    expect(logs.map(({ args }) => args.amount)).toEqual([3n]);
    await client.simulateContract({ address: shop, abi, functionName: 'buy', args: [1n], account: buyer(5) });
    await expect(
      client.simulateContract({ address: shop, abi, functionName: 'buy', args: [11n], account: buyer(5) }),
    ).rejects.toThrow(/REVERT opcode executed: too much/);
    await expect(client.simulateContract({ address: shop, abi, functionName: 'close' })).rejects.toThrow(
      /REVERT opcode executed/,
    );
  });

  test('polls filters', async () => {
    const events = await client.createContractEventFilter({ address: shop, abi, eventName: 'Sold' });
    const blocks = await client.createBlockFilter();
    expect(await client.getFilterChanges({ filter: events })).toEqual([]);
    await buy(6, 2);
    await buy(7, 5);
    const amounts = (await client.getFilterChanges({ filter: events })).map(({ args }) => args.amount);
    expect(amounts).toEqual([2n, 5n]);
    expect(await client.getFilterChanges({ filter: blocks })).toHaveLength(2);
    expect(await client.getFilterChanges({ filter: blocks })).toEqual([]);
    // Its range begins with the previous head, whose event the filter does not have.
    expect((await client.getFilterLogs({ filter: events })).map(({ args }) => args.amount)).toEqual([3n, 2n, 5n]);
    expect(await client.uninstallFilter({ filter: events })).toBe(true);
    await expect(client.getFilterChanges({ filter: events })).rejects.toThrow(/filter not found/);
  });
});
