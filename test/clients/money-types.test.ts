/** Amounts in the library's methods are bigint; in JSON-RPC they are numbers or digits. */

import { afterAll, beforeAll, expect, expectTypeOf, it } from 'vitest';
import { createDevnet, type DevAccount, type Devnet, type Receipt, toJson } from '../../src/index.js';

const TRX = 1_000_000n;

let devnet: Devnet;
beforeAll(async () => {
  devnet = await createDevnet({ httpPort: false, predeploy: ['usdt'] });
});
afterAll(() => devnet.close());

it('balances of TRX', async () => {
  const { address } = devnet.accounts[1]!;
  const { balance } = await devnet.setBalance(address, 2n ** 62n);
  expectTypeOf(balance).toEqualTypeOf<bigint>();
  expect(balance).toBe(2n ** 62n);
  const added = await devnet.addBalance(address, -TRX);
  expectTypeOf(added).toEqualTypeOf<{ readonly balance: bigint }>();
  expect(added).toEqual({ balance: 2n ** 62n - TRX });
});

it('stakes and delegations', async () => {
  const [alice, bob] = devnet.accounts.map(({ address }) => address) as [string, string];
  const stakes = await devnet.setStake(alice, { energy: 50n * TRX, bandwidth: 1 });
  expectTypeOf(stakes.energy).toEqualTypeOf<bigint>();
  expect(stakes).toEqual({ energy: 50n * TRX, bandwidth: 1n, tronPower: 0n });
  const lent = await devnet.setDelegation(alice, bob, { energy: TRX });
  expectTypeOf(lent.energy).toEqualTypeOf<bigint>();
  expect(lent).toEqual({ energy: TRX, bandwidth: 0n });
});

it('balances of tokens', async () => {
  const { address } = devnet.accounts[0]!;
  const trc10 = await devnet.setTrc10Balance(address, 1_000_001, 500, { force: true });
  expectTypeOf(trc10).toEqualTypeOf<{ readonly tokenId: string; readonly balance: bigint }>();
  expect(trc10).toEqual({ tokenId: '1000001', balance: 500n });
  const trc20 = await devnet.dealTrc20(address, devnet.predeployed[0]!.address, 7);
  expectTypeOf(trc20).toEqualTypeOf<{ readonly balance: bigint }>();
  expect(trc20).toEqual({ balance: 7n });
});

it('accounts and receipts', () => {
  expectTypeOf<DevAccount['balanceSun']>().toEqualTypeOf<bigint>();
  expectTypeOf<Receipt['feeSun']>().toEqualTypeOf<bigint>();
  expectTypeOf<Receipt['balanceChange']>().returns.resolves.toEqualTypeOf<bigint>();
  expect(devnet.accounts[0]!.balanceSun).toBeTypeOf('bigint');
});

it('previews', async () => {
  const [from, to] = [devnet.accounts[0]!.address, devnet.predeployed[0]!.address];
  const { feeSun, fees, limits } = await devnet.preview({ from, to, data: '0x18160ddd' });
  expectTypeOf({ feeSun, total: fees.totalFee }).toEqualTypeOf<{ feeSun: bigint; total: bigint }>();
  expectTypeOf(limits!.now!.feeLimitSun).toEqualTypeOf<bigint | 'beyond-the-maximum'>();
  expectTypeOf(limits!.mostFeeSun).toEqualTypeOf<bigint>();
  expect([feeSun, fees.totalFee, limits!.mostFeeSun].map((sun) => typeof sun)).toEqual(['bigint', 'bigint', 'bigint']);
});

it('TRX that is sent with a call, above 2^53', async () => {
  const [sender] = devnet.accounts;
  const amount = 2n ** 60n + 1n;
  const address = '0x00000000000000000000000000000000000c0de5';
  await devnet.setCode(address, '0x602a60005260206000f3');
  await devnet.setBalance(sender!.address, 2n ** 61n);
  const take = { type: 'function', name: 'take', stateMutability: 'payable', inputs: [], outputs: [] } as const;
  const contract = await devnet.contractAt([take], address);
  const receipt = await contract.write.take([], { callValue: amount });
  expect(await receipt.balanceChange(address)).toBe(amount);
  const { call } = await devnet.trace(receipt.txid);
  expect(call).toMatchObject({ valueSun: amount });
  expect(toJson(call)).toMatchObject({ valueSun: String(amount) });
  expect((await contract.estimate.take([], { callValue: 5n })).energy).toBe(receipt.energy);
  await expect(contract.simulate.take([], { callValue: amount })).rejects.toThrow('expected at most 9007199254740991');
  for (const callValue of [2 ** 60, -1n, 2n ** 63n])
    await expect(contract.write.take([], { callValue })).rejects.toThrow('callValue is');
});

it('are numbers or digits in JSON-RPC', async () => {
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tron_setBalance',
    params: [devnet.accounts[1]!.address, 5],
  });
  expect(JSON.parse((await devnet.post('/tre', body)).text)).toMatchObject({ result: { balance: '5' } });
});
