/** `/eth` as Ethereum's libraries use it: they sign, count nonces, compute addresses, and check balances exactly. */

import { readFileSync } from 'node:fs';
import {
  ContractFactory,
  getCreateAddress,
  JsonRpcProvider,
  Transaction,
  type TransactionReceipt,
  Wallet,
} from 'ethers';
import { TronWeb } from 'tronweb';
import { createPublicClient, createWalletClient, defineChain, http } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDevnet, type Devnet } from '../../src/index.js';

const artifact = (name: string) =>
  JSON.parse(readFileSync(new URL(`../../fixtures/contracts/${name}.json`, import.meta.url), 'utf8')) as {
    readonly abi: never[];
    readonly bytecode: `0x${string}`;
  };
const TOKEN = artifact('Token');
const METER = artifact('Meter');
const NOBODY = '0x00000000000000000000000000000000000000A1';

let devnet: Devnet;
let provider: JsonRpcProvider;
let wallet: Wallet;

beforeEach(async () => {
  await begin({});
});
afterEach(async () => {
  provider.destroy();
  await devnet.close();
});

async function begin(options: Parameters<typeof createDevnet>[0]): Promise<void> {
  devnet = await createDevnet(options);
  // Without ethers' cache, which would return old blocks and nonces.
  provider = new JsonRpcProvider(`${devnet.http.url}/eth`, undefined, { cacheTimeout: -1, pollingInterval: 20 });
  wallet = new Wallet(`0x${devnet.accounts[0]!.privateKey}`, provider);
}

async function rpc(method: string, ...params: readonly unknown[]) {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const answer = await fetch(`${devnet.http.url}/eth`, { method: 'POST', body });
  return (await answer.json()) as { result?: never; error?: { code: number; message: string; data?: unknown } };
}

async function receiptOf(sent: Promise<{ wait(): Promise<TransactionReceipt | null> }>): Promise<TransactionReceipt> {
  return (await (await sent).wait())!;
}

describe('ethers', () => {
  it("signs, sends, deploys to Ethereum's address, and calls", async () => {
    const factory = new ContractFactory(TOKEN.abi, TOKEN.bytecode, wallet);
    const token = await factory.deploy(1_000_000n);
    await token.waitForDeployment();
    const address = await token.getAddress();
    expect(address).toBe(getCreateAddress({ from: wallet.address, nonce: 0 }));
    const receipt = (await provider.getTransactionReceipt(token.deploymentTransaction()!.hash))!;
    expect(receipt.contractAddress).toBe(address);
    expect(await provider.getTransactionCount(wallet.address)).toBe(1);
    const call = token as unknown as Record<string, (...given: unknown[]) => Promise<never>>;
    const transfer = await receiptOf(call.transfer!(NOBODY, 500n));
    expect(transfer.logs).toHaveLength(1);
    expect(transfer.logs[0]!.transactionHash).toBe(transfer.hash);
    expect(await call.balanceOf!(NOBODY)).toBe(500n);
    await expect(call.transfer!(NOBODY, 10_000_000n)).rejects.toMatchObject({
      code: 'CALL_EXCEPTION',
      data: expect.stringContaining(token.interface.getError('ERC20InsufficientBalance')!.selector),
    });
    // Other interfaces show the same contract.
    const tronWeb = new TronWeb({ fullHost: devnet.http.url });
    const { contract_address } = await tronWeb.trx.getContract(TronWeb.address.fromHex(address.replace('0x', '41')));
    expect(contract_address).toBe(address.replace('0x', '41').toLowerCase());
  });

  it.each([
    ['legacy', { type: 0 }],
    ['EIP-2930', { type: 1 }],
    ['EIP-1559', { type: 2 }],
  ])('sends coin in a transaction of the kind %s, which is told back as it was signed', async (_, type) => {
    const sent = await wallet.sendTransaction({ to: NOBODY, value: 5_000_000n, data: '0xc0ffee', ...type });
    await sent.wait();
    expect((await rpc('anvil_nodeInfo')).result).toMatchObject({ tron: { porting: true } });
    const told = (await provider.getTransaction(sent.hash))!;
    expect(told).toMatchObject({
      ...type,
      nonce: 0,
      value: 5_000_000n,
      data: '0xc0ffee',
      to: NOBODY,
      from: wallet.address,
    });
    expect(told.signature.serialized).toBe(sent.signature.serialized);
    const raw = (await rpc('eth_getRawTransactionByHash', sent.hash)).result!;
    expect(Transaction.from(raw)).toMatchObject({ hash: sent.hash, from: wallet.address });
    const block = (await provider.getBlock('latest'))!;
    expect(block.transactions).toEqual([sent.hash]);
  });

  it('finds a transaction by its hash and by its id, on every interface', async () => {
    const { hash } = await receiptOf(wallet.sendTransaction({ to: NOBODY, value: 1n }));
    const { blockHash } = (await provider.getTransactionReceipt(hash))!;
    const block = (await (await fetch(`${devnet.http.url}/wallet/getnowblock`)).json()) as {
      blockID: string;
      transactions: { txID: string }[];
    };
    expect(`0x${block.blockID}`).toBe(blockHash);
    const id = `0x${block.transactions[0]!.txID}`;
    expect(id).not.toBe(hash);
    expect((await provider.getTransactionReceipt(id))!.hash).toBe(hash);
    expect((await rpc('debug_traceTransaction', hash, { tracer: 'callTracer' })).error).toBeUndefined();
  });

  it('finds the balance reduced by the value and gasUsed × effectiveGasPrice, after each transaction', async () => {
    const token = await new ContractFactory(TOKEN.abi, TOKEN.bytecode, wallet).deploy(1_000_000n);
    const meter = await new ContractFactory(METER.abi, METER.bytecode, wallet).deploy();
    const [at, counter] = [await token.getAddress(), await meter.getAddress()];
    const requests = [
      // Free bandwidth, then burned; the first one activates an account.
      { to: Wallet.createRandom().address, value: 3_000_000n },
      { to: NOBODY, value: 2_000_000n },
      { to: NOBODY, value: 1_000_000n },
      { to: NOBODY, value: 1_000_000n },
      { to: at, data: token.interface.encodeFunctionData('transfer', [NOBODY, 7]) },
      { to: counter, data: meter.interface.encodeFunctionData('fill', [0, 12]) },
      { to: wallet.address, value: 9n },
      { to: NOBODY, value: 0n, data: '0x1234' },
    ];
    for (const price of [100, 210, 420]) {
      await rpc('tron_setChainParameters', { getEnergyFee: price });
      await devnet.mine();
      for (const request of requests) {
        const before = await provider.getBalance(wallet.address);
        const receipt = await receiptOf(wallet.sendTransaction(request));
        const after = await provider.getBalance(wallet.address);
        const value = request.to === wallet.address ? 0n : (request.value ?? 0n);
        expect(
          before - after,
          JSON.stringify(request, (_, of) => String(of)),
        ).toBe(value + receipt.gasUsed * receipt.gasPrice);
        expect(receipt.status).toBe(1);
      }
    }
  });

  it("gets geth's error texts", async () => {
    const { result } = await rpc('eth_getTransactionCount', wallet.address, 'latest');
    expect(result).toBe('0x0');
    await receiptOf(wallet.sendTransaction({ to: NOBODY, value: 1n }));
    const refusal = async (request: object) => {
      const signed = await wallet.signTransaction({
        ...{ chainId: devnet.chainId, gasLimit: 21_000, gasPrice: 100, nonce: 1, to: NOBODY, value: 1n, type: 0 },
        ...request,
      });
      return (await rpc('eth_sendRawTransaction', signed)).error?.message;
    };
    expect(await refusal({ nonce: 0 })).toBe('nonce too low: next nonce 1, tx nonce 0');
    expect(await refusal({ chainId: 5 })).toContain('invalid chain id for signer: have 5 want');
    expect(await refusal({ gasLimit: 20_999 })).toBe('intrinsic gas too low: gas 20999, minimum needed 21000');
    expect(await refusal({ gasPrice: 99 })).toContain('max fee per gas less than block base fee');
    expect(await refusal({ value: 10n ** 18n })).toContain('insufficient funds for gas * price + value');
    expect((await rpc('eth_sendRawTransaction', '0x03c0')).error?.message).toContain('blob transaction');
    expect((await rpc('eth_sendRawTransaction', '0x02c0')).error?.message).toContain('fields of a signed transaction');
  });

  it('waits for missing nonces, replaces by a higher price, and reverts with a snapshot', async () => {
    await rpc('evm_setAutomine', false);
    const send = (nonce: number, gasPrice: number, value = 1n) =>
      wallet.sendTransaction({ to: NOBODY, value, nonce, gasPrice, gasLimit: 30_000, type: 0 });
    const third = await send(2, 100);
    expect((await rpc('txpool_status')).result).toEqual({ pending: '0x0', queued: '0x1' });
    expect(await rpc('eth_getTransactionByHash', third.hash)).toMatchObject({
      result: { nonce: '0x2', blockHash: null },
    });
    await send(0, 100);
    const { result: snapshot } = await rpc('evm_snapshot');
    await send(1, 100, 5n);
    expect((await rpc('txpool_status')).result).toEqual({ pending: '0x3', queued: '0x0' });
    expect((await rpc('eth_getTransactionCount', wallet.address, 'pending')).result).toBe('0x3');
    expect((await rpc('eth_getTransactionCount', wallet.address, 'latest')).result).toBe('0x0');
    await expect(send(1, 105, 6n)).rejects.toThrow('replacement transaction underpriced');
    const dearer = await send(1, 110, 7n);
    await rpc('evm_mine');
    expect(await provider.getBalance(NOBODY)).toBe(9n);
    expect((await provider.getBlock('latest'))!.transactions).toEqual([expect.anything(), dearer.hash, third.hash]);
    await rpc('evm_revert', snapshot);
    expect((await rpc('txpool_status')).result).toEqual({ pending: '0x1', queued: '0x1' });
    await rpc('hardhat_setNonce', wallet.address, '0x2');
    expect((await rpc('eth_getTransactionCount', wallet.address, 'pending')).result).toBe('0x3');
  });
});

describe('viem', () => {
  it('deploys and writes with a local account', async () => {
    const chain = defineChain({
      id: Number(devnet.chainId),
      name: 'Sunup',
      nativeCurrency: { name: 'TRX', symbol: 'TRX', decimals: 6 },
      rpcUrls: { default: { http: [`${devnet.http.url}/eth`] } },
    });
    const account = privateKeyToAccount(`0x${devnet.accounts[1]!.privateKey}`);
    const local = createWalletClient({ account, chain, transport: http() });
    const read = createPublicClient({ chain, transport: http(), pollingInterval: 20 });
    const hash = await local.deployContract({ abi: TOKEN.abi, bytecode: TOKEN.bytecode, args: [5n] });
    const { contractAddress, status } = await read.waitForTransactionReceipt({ hash });
    expect(status).toBe('success');
    expect(await read.getCode({ address: contractAddress! })).toMatch(/^0x60/);
    const fees = await read.estimateFeesPerGas();
    expect(fees).toMatchObject({ maxPriorityFeePerGas: 0n });
    expect(await read.getFeeHistory({ blockCount: 2, rewardPercentiles: [50] })).toMatchObject({
      baseFeePerGas: [100n, 100n, 100n],
      reward: [[0n], [0n]],
    });
  });

  it('signs messages and typed data with a key of the node', async () => {
    const { addressHex, privateKey } = devnet.accounts[0]!;
    const address = `0x${addressHex.slice(2)}` as const;
    const local = privateKeyToAccount(`0x${privateKey}`);
    expect((await rpc('personal_sign', '0x68656c6c6f', address)).result).toBe(
      await local.signMessage({ message: 'hello' }),
    );
    const typed = {
      domain: { name: 'Sunup', chainId: 5, verifyingContract: NOBODY },
      types: { Mail: [{ name: 'amount', type: 'uint256' }] },
      primaryType: 'Mail',
      message: { amount: 2n ** 200n },
    } as const;
    const { result } = await rpc(
      'eth_signTypedData_v4',
      address,
      JSON.stringify(
        {
          ...typed,
          types: {
            ...typed.types,
            EIP712Domain: [
              { name: 'name', type: 'string' },
              { name: 'chainId', type: 'uint256' },
              { name: 'verifyingContract', type: 'address' },
            ],
          },
        },
        (_, value) => (typeof value === 'bigint' ? String(value) : value),
      ),
    );
    expect(result).toBe(await local.signTypedData(typed));
  });
});

describe('calls and estimates', () => {
  it('see the next block, run constructors, and treat accounts without code as Ethereum does', async () => {
    // Returns NUMBER, then TIMESTAMP.
    const code = '0x4360005242602052604060 00f3'.replace(' ', '');
    await rpc('hardhat_setCode', NOBODY, code);
    await rpc('evm_setNextBlockTimestamp', 2_000_000_000);
    const { result } = await rpc('eth_call', { to: NOBODY }, 'latest');
    const head = await provider.getBlockNumber();
    expect(BigInt((result as unknown as string).slice(0, 66))).toBe(BigInt(head + 1));
    expect(BigInt(`0x${(result as unknown as string).slice(66)}`)).toBe(2_000_000_000n);
    const plain = Wallet.createRandom().address;
    expect((await rpc('eth_call', { to: plain, data: '0x1234' }, 'latest')).result).toBe('0x');
    expect((await rpc('eth_estimateGas', { from: wallet.address, to: plain })).result).toBe('0x5208');
    expect((await rpc('eth_call', { data: '0x602a60005260206000f3' }, 'latest')).result).toBe(
      `0x${'2a'.padStart(64, '0')}`,
    );
  });
});

describe('contracts that contracts create', () => {
  const FACTORY = artifact('Factory');
  const made = async (): Promise<readonly [string, string]> => {
    const factory = await new ContractFactory(FACTORY.abi, FACTORY.bytecode, wallet).deploy();
    const from = await factory.getAddress();
    const { logs } = await receiptOf(
      wallet.sendTransaction({ to: from, data: factory.interface.encodeFunctionData('make', [3]) }),
    );
    const [address] = factory.interface.parseLog(logs.at(-1)!)!.args;
    return [address, getCreateAddress({ from, nonce: 1 })];
  };

  it("have TRON's addresses, or Ethereum's with creation nonces", async () => {
    const [tron, predicted] = await made();
    expect(tron).not.toBe(predicted);
    await rpc('tron_setCreateNonces', true);
    const [address, again] = await made();
    expect(address).toBe(again);
    provider.destroy();
    await devnet.close();
    await begin({ createNonces: true });
    const [atTheStart, alike] = await made();
    expect(atTheStart).toBe(alike);
    // A reset is another start.
    await devnet.reset();
    const [afterAReset, asThen] = await made();
    expect(afterAReset).toBe(asThen);
  });
});

describe('a test tool', () => {
  it('gets the error of a failed transaction as from Hardhat, or its hash as from anvil', async () => {
    const meter = await new ContractFactory(METER.abi, METER.bytecode, wallet).deploy();
    const call = {
      to: await meter.getAddress(),
      data: meter.interface.encodeFunctionData('fail', ['no']),
      gasLimit: 100_000,
    };
    const failed = (await rpc(
      'eth_sendRawTransaction',
      await wallet.signTransaction({ ...call, nonce: 1, chainId: devnet.chainId, gasPrice: 100, type: 0 }),
    )) as { error: { code: number; message: string; data: string } };
    expect(failed.error).toMatchObject({
      code: 3,
      message: 'execution reverted: no',
      data: expect.stringMatching(/^0x08c379a0/),
    });
    const [hash] = (await provider.getBlock('latest'))!.transactions;
    expect(await provider.getTransactionReceipt(hash!)).toMatchObject({ status: 0 });
    expect(await provider.getTransactionCount(wallet.address)).toBe(2);
    provider.destroy();
    await devnet.close();
    await begin({ clientVersion: 'anvil/v1.0.0' });
    const again = await new ContractFactory(METER.abi, METER.bytecode, wallet).deploy();
    const sent = await wallet.sendTransaction({ ...call, to: await again.getAddress() });
    expect(await provider.getTransactionReceipt(sent.hash)).toMatchObject({ status: 0, hash: sent.hash });
  });

  it('may set a larger balance than TRON can store', async () => {
    await rpc('hardhat_setBalance', NOBODY, `0x${(10n ** 22n).toString(16)}`);
    expect(await provider.getBalance(NOBODY)).toBe(2n ** 62n);
    expect((await receiptOf(wallet.sendTransaction({ to: NOBODY, value: 5n }))).status).toBe(1);
  });

  it('explains a transaction by its hash', async () => {
    const { hash } = await receiptOf(wallet.sendTransaction({ to: NOBODY, value: 5n }));
    expect(await devnet.explain(hash.slice(2))).toMatchObject({ action: { kind: 'transfer', amountSun: 5n } });
  });

  it('finds the same chain after a dump is loaded', async () => {
    const token = await new ContractFactory(TOKEN.abi, TOKEN.bytecode, wallet).deploy(7n);
    await receiptOf(wallet.sendTransaction({ to: wallet.address, value: 5n }));
    await receiptOf(wallet.sendTransaction({ to: NOBODY, value: 0n, data: '0x12' }));
    const head = (await provider.getBlock('latest'))!.hash;
    const dump = await devnet.dump();
    await using other = await createDevnet();
    await other.load(dump);
    const reader = new JsonRpcProvider(`${other.http.url}/eth`);
    expect((await reader.getBlock('latest'))!.hash).toBe(head);
    expect(await reader.getTransactionCount(wallet.address)).toBe(3);
    expect(await reader.getCode(await token.getAddress())).not.toBe('0x');
    reader.destroy();
  });
});
