/** Refusals of `/eth` as ethers and viem understand them: each has the error class that an Ethereum node's would have. */

import { readFileSync } from 'node:fs';
import { Contract, ContractFactory, JsonRpcProvider, Wallet } from 'ethers';
import {
  BaseError,
  type Chain,
  createPublicClient,
  createWalletClient,
  defineChain,
  ExecutionRevertedError,
  FeeCapTooLowError,
  http,
  InsufficientFundsError,
  IntrinsicGasTooLowError,
  MethodNotFoundRpcError,
  NonceTooLowError,
  type PrivateKeyAccount,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDevnet, type Devnet } from '../../src/index.js';

const METER = JSON.parse(readFileSync(new URL('../../fixtures/contracts/Meter.json', import.meta.url), 'utf8')) as {
  readonly abi: never[];
  readonly bytecode: string;
};
const NOBODY = '0x00000000000000000000000000000000000000a1';
/** More than anybody has. */
const FORTUNE = 10n ** 18n;
const INVALID = '0x00000000000000000000000000000000000000c1';
const ENDLESS = '0x00000000000000000000000000000000000000c2';

let devnet: Devnet;
let provider: JsonRpcProvider;
let wallet: Wallet;
let meter: Contract;

beforeAll(async () => {
  // With the name of another node, a transaction that fails is not answered with an error, as by Hardhat.
  devnet = await createDevnet({ clientVersion: 'anvil/v1.0.0' });
  provider = new JsonRpcProvider(`${devnet.http.url}/eth`, undefined, { cacheTimeout: -1, pollingInterval: 20 });
  wallet = new Wallet(`0x${devnet.accounts[0]!.privateKey}`, provider);
  const deployed = await new ContractFactory(METER.abi, METER.bytecode, wallet).deploy();
  await deployed.waitForDeployment();
  meter = new Contract(await deployed.getAddress(), METER.abi, wallet);
  await devnet.setCode(INVALID, '0xfe');
  await devnet.setCode(ENDLESS, '0x5b5f56');
});
afterAll(async () => {
  provider.destroy();
  await devnet.close();
});

const terms = { to: NOBODY, value: 1n, gasLimit: 21_000n, gasPrice: 100n, type: 0 };

describe('ethers', () => {
  it.each([
    ['value beyond the balance', { ...terms, value: FORTUNE }, 'INSUFFICIENT_FUNDS'],
    ['gas beyond the balance', { ...terms, gasLimit: 140_000_000n }, 'INSUFFICIENT_FUNDS'],
    ['a nonce that is used', { ...terms, nonce: 0 }, 'NONCE_EXPIRED'],
  ])('%s', async (_, request, code) => {
    await expect(wallet.sendTransaction(request)).rejects.toMatchObject({ code });
    const signer = await provider.getSigner(wallet.address);
    await expect(signer.sendTransaction(request)).rejects.toMatchObject({ code });
  });

  it('a replacement that is not dearer', async () => {
    await provider.send('evm_setAutomine', [false]);
    await wallet.sendTransaction(terms);
    const nonce = (await provider.getTransactionCount(wallet.address, 'pending')) - 1;
    await expect(wallet.sendTransaction({ ...terms, value: 2n, nonce })).rejects.toMatchObject({
      code: 'REPLACEMENT_UNDERPRICED',
    });
    await provider.send('evm_setAutomine', [true]);
    await provider.send('evm_mine', []);
  });

  it('an estimate beyond the balance', async () => {
    await expect(wallet.estimateGas({ to: NOBODY, value: FORTUNE })).rejects.toMatchObject({
      code: 'INSUFFICIENT_FUNDS',
    });
  });

  it('a method that there is not', async () => {
    await expect(provider.send('eth_getProof', [NOBODY, [], 'latest'])).rejects.toMatchObject({
      code: 'UNSUPPORTED_OPERATION',
    });
    await expect(provider.send('eth_blocknumber', [])).rejects.toMatchObject({
      code: 'UNSUPPORTED_OPERATION',
      info: { error: { message: expect.stringContaining('did you mean eth_blockNumber?') } },
    });
  });

  it('reverts, with the reason, the error or the panic', async () => {
    const failed = (name: string, ...given: unknown[]) => [
      meter.getFunction(name).staticCall(...given),
      meter.getFunction(name).estimateGas(...given),
    ];
    for (const refused of failed('fail', 'no'))
      await expect(refused).rejects.toMatchObject({ code: 'CALL_EXCEPTION', reason: 'no' });
    for (const refused of failed('custom', 5))
      await expect(refused).rejects.toMatchObject({
        code: 'CALL_EXCEPTION',
        data: expect.stringMatching(/^0x.{136}$/),
      });
    for (const refused of failed('panic'))
      await expect(refused).rejects.toMatchObject({ code: 'CALL_EXCEPTION', revert: { name: 'Panic' } });
    for (const refused of failed('failBare'))
      await expect(refused).rejects.toMatchObject({ code: 'CALL_EXCEPTION', data: '0x' });
  });

  it('a failed transaction, whose receipt says so', async () => {
    const sent = await meter.getFunction('fail').send('no', { gasLimit: 100_000n });
    await expect(sent.wait()).rejects.toMatchObject({ code: 'CALL_EXCEPTION', receipt: { status: 0 } });
  });

  it('an invalid opcode, and a loop that never ends', async () => {
    const message = async (to: string, more: object = {}) => {
      const error = await provider.call({ to, ...more }).catch((refusal: unknown) => refusal);
      return (error as { info?: { error?: { message?: string } } }).info?.error?.message;
    };
    expect(await message(INVALID)).toMatch(/^invalid opcode/);
    expect(await message(ENDLESS, { gasLimit: 100_000n })).toBe('out of gas');
  });

  it('no lack of gas where only a transaction could not have as much', async () => {
    await using poor = await createDevnet({ parameters: { getMaxFeeLimit: 1_000_000 } });
    // It stores a word: 20,000 of gas, and the highest fee limit buys 10,000.
    await poor.setCode(NOBODY, '0x60015f5500');
    const asker = new JsonRpcProvider(`${poor.http.url}/eth`, undefined, { cacheTimeout: -1 });
    const call = (gasLimit: bigint) => asker.call({ to: NOBODY, gasLimit });
    await expect(call(21_000n)).resolves.toBe('0x');
    await expect(call(10_000n)).rejects.toMatchObject({ info: { error: { message: 'out of gas' } } });
    asker.destroy();
  });
});

describe('viem', () => {
  let account: PrivateKeyAccount;
  let chain: Chain;
  beforeAll(() => {
    account = privateKeyToAccount(`0x${devnet.accounts[1]!.privateKey}`);
    chain = defineChain({
      id: Number(devnet.chainId),
      name: 'Sunup',
      nativeCurrency: { name: 'TRX', symbol: 'TRX', decimals: 6 },
      rpcUrls: { default: { http: [`${devnet.http.url}/eth`] } },
    });
  });
  const read = () => createPublicClient({ chain, transport: http(undefined, { retryCount: 0 }) });

  const kindOf = async (work: Promise<unknown>): Promise<readonly string[]> => {
    const error = await work.then(
      () => undefined,
      (refusal: unknown) => refusal,
    );
    if (!(error instanceof BaseError)) throw new Error(`no error of viem: ${String(error)}`);
    const names: string[] = [];
    for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) names.push(cause.constructor.name);
    return names;
  };

  it.each([
    ['value beyond the balance', { value: FORTUNE, gas: 21_000n }, InsufficientFundsError],
    ['value beyond the balance, estimated', { value: FORTUNE }, InsufficientFundsError],
    ['a price below the base fee', { gas: 21_000n, maxFeePerGas: 99n, maxPriorityFeePerGas: 0n }, FeeCapTooLowError],
    ['less gas than Ethereum takes before anything runs', { gas: 20_999n }, IntrinsicGasTooLowError],
    ['a nonce that is used', { gas: 21_000n, nonce: 0 }, NonceTooLowError],
  ])('%s', async (_, request, kind) => {
    const local = createWalletClient({ account, chain, transport: http(undefined, { retryCount: 0 }) });
    await local.sendTransaction({ to: NOBODY, gas: 21_000n });
    expect(await kindOf(local.sendTransaction({ to: NOBODY, ...request } as never))).toContain(kind.name);
  });

  it('the same transaction twice', async () => {
    const local = createWalletClient({ account, chain, transport: http(undefined, { retryCount: 0 }) });
    const nonce = await read().getTransactionCount({ address: account.address });
    const request = await local.prepareTransactionRequest({ to: NOBODY, gas: 21_000n, nonce });
    const serialized = await local.signTransaction(request as never);
    await local.sendRawTransaction({ serializedTransaction: serialized });
    const { error } = await provider
      .send('eth_sendRawTransaction', [serialized])
      .catch((refusal: { error: { message: string } }) => refusal);
    expect(error.message).toBe('already known');
  });

  it('reverts, and a method that there is not', async () => {
    const data = meter.interface.encodeFunctionData('fail', ['no']) as `0x${string}`;
    const to = meter.target as `0x${string}`;
    expect(await kindOf(read().estimateGas({ account, to, data }))).toContain(ExecutionRevertedError.name);
    expect(await kindOf(read().call({ account, to, data }))).toContain(ExecutionRevertedError.name);
    expect(await kindOf(read().getProof({ address: NOBODY, storageKeys: [] }))).toContain(MethodNotFoundRpcError.name);
  });
});
