/** `/eth` with Ethereum's amounts: 256 bits of wei, where a balance has 63 bits of sun. */

import { readFileSync } from 'node:fs';
import { ContractFactory, JsonRpcProvider, MaxUint256, parseEther, toQuantity, Wallet } from 'ethers';
import { createPublicClient, http, type StateOverride } from 'viem';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createDevnet, type Devnet } from '../../src/index.js';

const METER = JSON.parse(readFileSync(new URL('../../fixtures/contracts/Meter.json', import.meta.url), 'utf8'));
const CREATION = `0x${METER.bytecode}`;
const NOBODY = '0x00000000000000000000000000000000000000A1';

let devnet: Devnet;
let provider: JsonRpcProvider;
let wallet: Wallet;

beforeEach(async () => {
  devnet = await createDevnet({});
  provider = new JsonRpcProvider(`${devnet.http.url}/eth`, undefined, { cacheTimeout: -1, pollingInterval: 20 });
  wallet = new Wallet(`0x${devnet.accounts[0]!.privateKey}`, provider);
});
afterEach(async () => {
  provider.destroy();
  await devnet.close();
});

/** What the node says, which ethers puts into words of its own. */
async function refused(method: string, transaction: object): Promise<string> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: [transaction] });
  const answer = await fetch(`${devnet.http.url}/eth`, { method: 'POST', body });
  return ((await answer.json()) as { error: { message: string } }).error.message;
}

it.each([
  ['100 ether', parseEther('100')],
  ['all 256 bits', MaxUint256],
  ['a sun more than there is', 10_000_000_001n],
])('%s: a value above the balance is refused as insufficient funds', async (_name, value) => {
  const insufficient = { code: 'INSUFFICIENT_FUNDS' };
  await expect(wallet.sendTransaction({ to: NOBODY, value })).rejects.toMatchObject(insufficient);
  await expect(wallet.sendTransaction({ to: NOBODY, value, gasLimit: 21_000 })).rejects.toMatchObject(insufficient);
  const signer = await provider.getSigner(1);
  await expect(signer.sendTransaction({ to: NOBODY, value })).rejects.toMatchObject(insufficient);
  await expect(signer.sendTransaction({ to: NOBODY, value, gasLimit: 21_000 })).rejects.toMatchObject(insufficient);
  await expect(provider.estimateGas({ from: wallet, to: NOBODY, value })).rejects.toMatchObject(insufficient);
  const contract = await new ContractFactory(METER.abi, CREATION, wallet).deploy();
  for (const to of [NOBODY, await contract.getAddress()])
    expect(await refused('eth_call', { from: wallet.address, to, value: toQuantity(value) })).toBe(
      'insufficient funds for transfer',
    );
});

it('accepts overridden balances of 256 bits, up to the maximum of an account', async () => {
  const client = createPublicClient({ transport: http(`${devnet.http.url}/eth`) });
  const from = (stateOverride: StateOverride) =>
    client.call({ account: NOBODY, to: NOBODY, value: parseEther('1'), stateOverride });
  await expect(from([])).rejects.toThrow('insufficient funds for transfer');
  expect(await from([{ address: NOBODY, balance: MaxUint256 }])).toEqual({ data: undefined });
});

it('takes more gas in a call than a block has', async () => {
  expect(await provider.call({ to: wallet, gasLimit: MaxUint256 })).toBe('0x');
  const creation = { from: wallet.address, data: CREATION, gasLimit: 2n ** 64n };
  expect((await provider.call(creation)).length).toBeGreaterThan(2);
});

it('refuses a number that is not in quotes, which would otherwise be passed over', async () => {
  for (const member of ['value', 'gas', 'nonce', 'gasPrice'])
    expect(await refused('eth_sendTransaction', { from: wallet.address, to: NOBODY, [member]: 7 })).toBe(
      `${member}: expected hex in quotes ("0x…")`,
    );
});
