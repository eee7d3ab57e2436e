/** Unmodified ethers and viem read everything from `/eth`, and get the errors that they expect. */

import { Contract, Interface, JsonRpcProvider } from 'ethers';
import {
  ContractFunctionRevertedError,
  createPublicClient,
  decodeFunctionResult,
  encodeFunctionData,
  http,
  type PublicClient,
  parseAbi,
} from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Sale, SHOP_ABI, Shop } from './shop.js';

const abi = parseAbi(SHOP_ABI);

let open: Shop;
let provider: JsonRpcProvider;
let client: PublicClient;
let contract: Contract;
let shop: `0x${string}`;
let multicallAddress: `0x${string}`;
/** 4 from the first account, then 2 from the second. */
let sales: readonly [Sale, Sale];

beforeAll(async () => {
  open = await Shop.open();
  ({ address: shop, multicallAddress } = open);
  const url = `${open.chain.devnet.http.url}/eth`;
  provider = new JsonRpcProvider(url);
  client = createPublicClient({ transport: http(url) });
  contract = new Contract(shop, SHOP_ABI, provider);
  sales = [await open.buy(0, 4), await open.buy(1, 2)];
});

afterAll(async () => {
  provider.destroy();
  await open.chain[Symbol.asyncDispose]();
});

describe('ethers', () => {
  test('blocks, with and without transactions, by each tag', async () => {
    const [{ hash, blockNumber }] = sales;
    const block = (await provider.getBlock(blockNumber))!;
    expect(block).toMatchObject({ number: blockNumber, transactions: [hash] });
    expect((await provider.getBlock(block.hash!))!.number).toBe(blockNumber);
    const full = (await provider.getBlock(blockNumber, true))!;
    expect(full.getPrefetchedTransaction(0)).toMatchObject({ hash, nonce: 0, blockNumber });
    expect((await provider.getBlock('earliest'))!.number).toBe(0);
    for (const tag of ['latest', 'safe', 'finalized']) {
      expect((await provider.getBlock(tag))!.number).toBe(sales[1].blockNumber);
    }
    expect(await provider.getBlock('pending')).toMatchObject({ number: sales[1].blockNumber + 1, hash: null });
  });

  test('fee data', async () => {
    const { gasPrice } = await provider.getFeeData();
    expect(gasPrice).toBe(BigInt(await provider.send('eth_gasPrice', [])));
    expect(gasPrice).toBeGreaterThan(0n);
  });

  test('transactions, receipts and their logs', async () => {
    const [{ hash, blockNumber }] = sales;
    expect(await provider.getTransaction(hash)).toMatchObject({ from: expect.anything(), nonce: 0, blockNumber });
    const receipt = (await provider.getTransactionReceipt(hash))!;
    expect(receipt).toMatchObject({ status: 1, blockNumber });
    expect(contract.interface.parseLog(receipt.logs[0]!)!.args.amount).toBe(4n);
  });

  test('logs by blocks and topic', async () => {
    const [first, second] = sales;
    const sold = async (filter: unknown, from: number, to: number | string) =>
      (await contract.queryFilter(filter as never, from, to)).map(
        (log) => (log as { args?: { amount: bigint } }).args!.amount,
      );
    const all = contract.filters.Sold!();
    expect(await sold(all, 0, 'latest')).toEqual([4n, 2n]);
    expect(await sold(all, first.blockNumber, first.blockNumber)).toEqual([4n]);
    expect(await sold(contract.filters.Sold!(open.account(1)), 0, second.blockNumber)).toEqual([2n]);
    expect(await sold(contract.filters.Sold!(open.account(1)), 0, first.blockNumber)).toEqual([]);
  });

  test('reverts: reason, custom error, panic', async () => {
    const CALL_EXCEPTION = { code: 'CALL_EXCEPTION', action: 'call' };
    await expect(contract.getFunction('buy').staticCall(11)).rejects.toMatchObject({
      ...CALL_EXCEPTION,
      reason: 'too much',
      revert: { name: 'Error', args: ['too much'] },
    });
    await expect(contract.getFunction('close').staticCall()).rejects.toMatchObject({
      ...CALL_EXCEPTION,
      data: new Interface(SHOP_ABI).encodeErrorResult('Closed', [3]),
      revert: { name: 'Closed', signature: 'Closed(uint256)', args: [3n] },
    });
    await expect(contract.getFunction('half').staticCall(0)).rejects.toMatchObject({
      ...CALL_EXCEPTION,
      revert: { name: 'Panic', args: [0x12] },
    });
    await expect(contract.getFunction('buy').estimateGas(11)).rejects.toMatchObject({
      code: 'CALL_EXCEPTION',
      action: 'estimateGas',
      reason: 'too much',
    });
  });

  test('state at older blocks', async () => {
    const [first, second] = sales;
    const totalAt = (blockTag: number | string) => contract.getFunction('total')({ blockTag });
    expect(await totalAt(first.blockNumber - 1)).toBe(7n);
    expect(await totalAt(first.blockNumber)).toBe(11n);
    expect(await totalAt(second.blockNumber)).toBe(13n);
    expect(await totalAt('finalized')).toBe(13n);
    expect(await provider.getBalance(open.account(5), 0)).toBe(10_000_000_000n);
    expect(await provider.getCode(shop, 0)).toBe('0x');
    expect(await provider.getStorage(shop, 0, first.blockNumber)).toBe(`0x${'b'.padStart(64, '0')}`);
  });

  test('transaction counts and the accounts', async () => {
    // Transactions of TronWeb have no nonce.
    expect(await provider.getTransactionCount(open.account(1))).toBe(0);
    const [signer] = await provider.listAccounts();
    expect((await signer!.getAddress()).toLowerCase()).toBe(open.account(0));
  });
});

describe('viem', () => {
  test('blocks, with and without transactions', async () => {
    const [{ hash, blockNumber }] = sales;
    const block = await client.getBlock({ blockNumber: BigInt(blockNumber) });
    expect(block).toMatchObject({ transactions: [hash], stateRoot: `0x${'0'.repeat(64)}` });
    const { transactions } = await client.getBlock({ blockHash: block.hash, includeTransactions: true });
    expect(transactions[0]).toMatchObject({ hash, nonce: 0, to: shop });
    for (const blockTag of ['safe', 'finalized'] as const) {
      expect((await client.getBlock({ blockTag })).number).toBe(BigInt(sales[1].blockNumber));
    }
    const next = BigInt(sales[1].blockNumber) + 1n;
    expect(await client.getBlock({ blockTag: 'pending' })).toMatchObject({ number: next, hash: null });
  });

  test('fee data, receipts', async () => {
    const gasPrice = await client.getGasPrice();
    expect(await client.estimateFeesPerGas({ type: 'legacy', chain: null })).toMatchObject({
      gasPrice: expect.any(BigInt),
    });
    expect(gasPrice).toBe(100n);
    // There are no priority fees.
    expect(await client.estimateMaxPriorityFeePerGas()).toBe(0n);
    const receipt = await client.getTransactionReceipt({ hash: sales[1].hash });
    expect(receipt).toMatchObject({ status: 'success', blockNumber: BigInt(sales[1].blockNumber) });
  });

  test('logs by blocks and topic', async () => {
    const [first, second] = sales;
    const amounts = async (fromBlock: number, toBlock: number, buyer?: `0x${string}`) =>
      (
        await client.getContractEvents({
          address: shop,
          abi,
          eventName: 'Sold',
          ...(buyer && { args: { buyer } }),
          fromBlock: BigInt(fromBlock),
          toBlock: BigInt(toBlock),
        })
      ).map(({ args }) => args.amount);
    expect(await amounts(0, second.blockNumber)).toEqual([4n, 2n]);
    expect(await amounts(0, first.blockNumber)).toEqual([4n]);
    expect(await amounts(0, second.blockNumber, open.account(1))).toEqual([2n]);
  });

  test('reverts: reason, custom error, panic', async () => {
    const revertOf = async (work: Promise<unknown>) => {
      const thrown = await work.then(
        () => undefined,
        (error: { walk: (test: (e: unknown) => boolean) => unknown }) => error,
      );
      return thrown?.walk((error) => error instanceof ContractFunctionRevertedError);
    };
    const call = { address: shop, abi, account: open.account(2) } as const;
    const reason = client.simulateContract({ ...call, functionName: 'buy', args: [11n] });
    expect(await revertOf(reason)).toMatchObject({ reason: 'too much', data: { errorName: 'Error' } });
    const closed = client.readContract({ ...call, functionName: 'close' });
    expect(await revertOf(closed)).toMatchObject({ data: { errorName: 'Closed', args: [3n] } });
    const panic = client.readContract({ ...call, functionName: 'half', args: [0n] });
    expect(await revertOf(panic)).toMatchObject({ data: { errorName: 'Panic', args: [0x12n] } });
    const estimate = client.estimateContractGas({ ...call, functionName: 'buy', args: [11n] });
    expect(await revertOf(estimate)).toMatchObject({ reason: 'too much' });
  });

  test('state at older blocks', async () => {
    const [first, second] = sales;
    const totalAt = (blockNumber: number) =>
      client.readContract({ address: shop, abi, functionName: 'total', blockNumber: BigInt(blockNumber) });
    expect(await totalAt(first.blockNumber - 1)).toBe(7n);
    expect(await totalAt(first.blockNumber)).toBe(11n);
    expect(await totalAt(second.blockNumber)).toBe(13n);
    expect(await client.getBalance({ address: open.account(5), blockNumber: 0n })).toBe(10_000_000_000n);
    expect(await client.getTransactionCount({ address: open.account(1) })).toBe(0);
  });

  test('multicall, at a block too', async () => {
    const contracts = [
      { address: shop, abi, functionName: 'total' },
      { address: shop, abi, functionName: 'half', args: [4n] },
      { address: shop, abi, functionName: 'close' },
    ] as const;
    const [total, half, closed] = await client.multicall({ contracts, multicallAddress });
    expect([total, half]).toEqual([
      { status: 'success', result: 13n },
      { status: 'success', result: 25n },
    ]);
    expect(closed.status).toBe('failure');
    expect(String(closed.error)).toContain('Closed');
    const blockNumber = BigInt(sales[0].blockNumber);
    const [before] = await client.multicall({ contracts, multicallAddress, blockNumber });
    expect(before.result).toBe(11n);
  });

  test('state override', async () => {
    const slot = (number: number) => `0x${number.toString(16).padStart(64, '0')}` as const;
    const { data } = await client.call({
      to: shop,
      data: encodeFunctionData({ abi, functionName: 'total' }),
      stateOverride: [{ address: shop, stateDiff: [{ slot: slot(0), value: slot(99) }] }],
    });
    expect(decodeFunctionResult({ abi, functionName: 'total', data: data! })).toBe(99n);
  });

  test('accounts', async () => {
    const listed = await client.request({ method: 'eth_accounts' as never });
    expect((listed as string[])[1]).toBe(open.account(1));
  });
});
