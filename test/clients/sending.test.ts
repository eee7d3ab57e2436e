/** Sending with Ethereum's libraries, also from accounts without a known key, on each of the three paths. */

import { readFileSync } from 'node:fs';
import { Contract, ContractFactory, JsonRpcProvider } from 'ethers';
import { TronWeb, utils } from 'tronweb';
import { createTestClient, createWalletClient, defineChain, http, parseAbi, publicActions, walletActions } from 'viem';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDevnet, type Devnet } from '../../src/index.js';

const TOKEN = JSON.parse(readFileSync(new URL('../../fixtures/contracts/Token.json', import.meta.url), 'utf8')) as {
  readonly abi: never[];
  readonly bytecode: string;
};
/** An account without a known key. */
const NOBODY = '0x00000000000000000000000000000000000000a1';
const tron = (address: string) => TronWeb.address.fromHex(address.replace('0x', '41'));
const ethereum = (addressHex: string) => `0x${addressHex.slice(2)}` as const;

let devnet: Devnet;
let tronWeb: TronWeb;
beforeEach(async () => {
  devnet = await createDevnet();
  tronWeb = new TronWeb({ fullHost: devnet.http.url });
});
afterEach(() => devnet.close());

async function rpc(path: string, method: string, ...params: readonly unknown[]) {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const answer = await fetch(`${devnet.http.url}/${path}`, { method: 'POST', body });
  return (await answer.json()) as { result?: unknown; error?: { code: number; message: string } };
}

function viemChain() {
  return defineChain({
    id: Number(devnet.chainId),
    name: 'Sunup',
    nativeCurrency: { name: 'TRX', symbol: 'TRX', decimals: 6 },
    rpcUrls: { default: { http: [`${devnet.http.url}/eth`] } },
  });
}

describe('ethers', () => {
  it('deploys and calls from an account of the devnet, and from an impersonated contract', async () => {
    const provider = new JsonRpcProvider(`${devnet.http.url}/eth`);
    const signer = await provider.getSigner(ethereum(devnet.accounts[0]!.addressHex));
    const token = (await (
      await new ContractFactory(TOKEN.abi, TOKEN.bytecode, signer).deploy(1_000_000n)
    ).waitForDeployment()) as Contract;
    const address = await token.getAddress();
    const own = new Contract(address, TOKEN.abi, signer) as Contract &
      Record<string, (...values: unknown[]) => Promise<never>>;
    const owner = await signer.getAddress();
    const transfer = await signer.sendTransaction({
      to: address,
      data: own.interface.encodeFunctionData('transfer', [NOBODY, 500]),
    });
    expect((await transfer.wait())!.status).toBe(1);

    await expect(provider.getSigner(NOBODY)).rejects.toThrow('invalid account');
    await rpc('eth', 'hardhat_impersonateAccount', NOBODY);
    await rpc('eth', 'hardhat_setBalance', NOBODY, '0x3b9aca00');
    const impersonated = await provider.getSigner(NOBODY);
    const back = await impersonated.sendTransaction({
      to: address,
      data: own.interface.encodeFunctionData('transfer', [owner, 200]),
    });
    expect((await back.wait())!.status).toBe(1);
    // The bytes of a signature are charged even without one.
    const { transactions } = await tronWeb.trx.getCurrentBlock();
    expect(transactions![0]!.signature).toEqual(['0'.repeat(130)]);
    expect(await (own as never as { balanceOf(of: string): Promise<bigint> }).balanceOf(NOBODY)).toBe(300n);

    // A contract can spend its balance without a key or permissions.
    await rpc('eth', 'hardhat_setBalance', address, '0x3b9aca00');
    await rpc('eth', 'hardhat_impersonateAccount', address);
    const contract = await provider.getSigner(address);
    await (await contract.sendTransaction({ to: NOBODY, value: 7 })).wait();
    expect(await provider.getBalance(address)).toBe(1_000_000_000n - 7n);
    provider.destroy();
  });
});

describe('viem', () => {
  it('sends from an account of the devnet, and unsigned from any account', async () => {
    const chain = viemChain();
    const account = ethereum(devnet.accounts[0]!.addressHex);
    const client = createTestClient({ mode: 'anvil', chain, transport: http() })
      .extend(publicActions)
      .extend(walletActions);
    const hash = await client.sendTransaction({ account, to: NOBODY, value: 5_000_000n });
    expect(await client.getTransactionReceipt({ hash })).toMatchObject({
      status: 'success',
      from: account,
      to: NOBODY,
    });
    expect(await client.getBalance({ address: NOBODY })).toBe(5_000_000n);
    const unsigned = await client.sendUnsignedTransaction({
      from: NOBODY,
      to: account,
      value: 1_000_000n,
    });
    expect(await client.getTransactionReceipt({ hash: unsigned })).toMatchObject({ status: 'success', from: NOBODY });
    // Only from that account.
    await expect(client.sendTransaction({ account: NOBODY, to: account, value: 1n })).rejects.toThrow('no key of it');
  });

  it('writes to contracts with its own functions', async () => {
    const wallet = createWalletClient({ chain: viemChain(), transport: http() }).extend(publicActions);
    const account = ethereum(devnet.accounts[0]!.addressHex);
    const hash = await wallet.deployContract({
      abi: TOKEN.abi,
      bytecode: TOKEN.bytecode as never,
      args: [1_000_000n],
      account,
    });
    const { contractAddress } = await wallet.getTransactionReceipt({ hash });
    const abi = parseAbi([
      'function transfer(address,uint256) returns (bool)',
      'function balanceOf(address) view returns (uint256)',
    ]);
    const { request } = await wallet.simulateContract({
      abi,
      address: contractAddress!,
      functionName: 'transfer',
      args: [NOBODY, 9n],
      account,
    });
    await wallet.writeContract(request);
    expect(
      await wallet.readContract({ abi, address: contractAddress!, functionName: 'balanceOf', args: [NOBODY] }),
    ).toBe(9n);
  });
});

describe('an invalid transaction', () => {
  const held = () => ethereum(devnet.accounts[0]!.addressHex);

  it('is refused with a message', async () => {
    const refused = async (method: string, ...params: readonly unknown[]) =>
      (await rpc('eth', method, ...params)).error;
    expect(await refused('eth_sendTransaction', { from: held(), to: NOBODY, value: '0xffffffffffffff' })).toMatchObject(
      {
        code: -32_000,
        message: expect.stringContaining('insufficient funds for gas * price + value'),
      },
    );
    expect(await refused('eth_sendTransaction', { to: NOBODY, value: '0x1' })).toMatchObject({ code: -32_602 });
    expect((await refused('eth_sendRawTransaction', '0x0aff'))?.message).toMatch(/expected a signed TRON transaction/);
  });

  it('is refused at /jsonrpc as java-tron does', async () => {
    const call = { from: held(), to: NOBODY, value: '0x1' };
    for (const path of ['jsonrpc', 'tre']) {
      expect((await rpc(path, 'eth_sendTransaction', call)).error).toEqual({
        code: -32_601,
        message: 'the method eth_sendTransaction does not exist/is not available',
        data: '{}',
      });
    }
  });

  it("is not sent for pages of other origins with the devnet's keys", async () => {
    const body = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'eth_sendTransaction',
      params: [{ from: held(), to: NOBODY, value: '0x1' }],
    });
    const answer = await fetch(`${devnet.http.url}/eth`, {
      method: 'POST',
      body,
      headers: { origin: 'https://example.com' },
    });
    expect(await answer.json()).toMatchObject({ error: { code: 4_100 } });
  });
});

describe('TronWeb', () => {
  it('broadcasts for an impersonated account without a signature, with a foreign one, and as raw bytes', async () => {
    const [funded, other] = [devnet.accounts[0]!, devnet.accounts[1]!];
    await rpc('tre', 'tre_unlockedAccounts', [tron(NOBODY)]);
    await rpc('tre', 'tre_setAccountBalance', tron(NOBODY), 100_000_000);
    const build = (amount: number) => tronWeb.transactionBuilder.sendTrx(funded.address, amount, tron(NOBODY));
    const unsigned = await build(1);
    expect(await tronWeb.trx.broadcast({ ...unsigned, signature: [] } as never)).toMatchObject({ result: true });
    const transaction = await build(2);
    const id = Array.from(Buffer.from(transaction.txID, 'hex'));
    const signature = utils.crypto.ECKeySign(id, Array.from(Buffer.from(other.privateKey, 'hex')));
    const signed = { ...transaction, signature: [signature] };
    expect(await tronWeb.trx.broadcast(signed as never)).toMatchObject({ result: true });
    const raw = await build(3);
    const hex = `0x0a${lengthOf(raw.raw_data_hex)}${raw.raw_data_hex}`;
    expect(await rpc('eth', 'eth_sendRawTransaction', hex)).toMatchObject({ result: `0x${raw.txID}` });
    expect(await tronWeb.trx.getBalance(funded.address)).toBe(10_000_000_000 + 6);
    // The same bytes have the same id.
    expect((await rpc('eth', 'eth_sendRawTransaction', hex)).error?.message).toMatch(/^DUP_TRANSACTION_ERROR/);
  });
});

/** A varint of two bytes: the raw data of a transfer is longer than 127. */
function lengthOf(hex: string): string {
  const length = hex.length / 2;
  return Buffer.from([(length & 0x7f) | 0x80, length >> 7]).toString('hex');
}

it('reports the name of --client-version', async () => {
  const named = await createDevnet({ clientVersion: 'HardhatNetwork/2.22.0/sunup' });
  try {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'web3_clientVersion', params: [] });
    const answer = await fetch(`${named.http.url}/eth`, { method: 'POST', body });
    expect(await answer.json()).toMatchObject({ result: 'HardhatNetwork/2.22.0/sunup' });
  } finally {
    await named.close();
  }
});
