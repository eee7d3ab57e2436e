/** TronWeb: stakes, delegations, and unstaking. */

import { expect, it } from 'vitest';
import { DAY_MS, TRX, TronWebDevnet } from './tronweb-devnet.js';

it('stakes for Energy and bandwidth, which then pay for transactions', async () => {
  await using chain = await TronWebDevnet.start({ networkStake: 'none' });
  const { transactionBuilder: builder, trx } = chain.client(0);
  const me = chain.address(0);
  const staked = await chain.send(0, builder.freezeBalanceV2(2_000 * TRX, 'ENERGY', me));
  expect(staked.fee).toBeUndefined();
  await chain.send(0, builder.freezeBalanceV2(1_000 * TRX, 'BANDWIDTH', me));
  expect(await chain.balance(0)).toBe(7_000 * TRX);
  expect((await trx.getAccount(me)).frozenV2).toEqual([
    { amount: 1_000 * TRX },
    { type: 'ENERGY', amount: 2_000 * TRX },
    { type: 'TRON_POWER' },
  ]);
  // The only staker gets all of the day's Energy and bandwidth.
  expect(await trx.getAccountResources(me)).toMatchObject({
    EnergyLimit: 180_000_000_000,
    NetLimit: 43_200_000_000,
    TotalEnergyWeight: 2_000,
    TotalNetWeight: 1_000,
    tronPowerLimit: 3_000,
  });
  // Staked bandwidth is used before the free one.
  const { txid } = await trx.sendTransaction(chain.address(1), 1);
  const { receipt } = await chain.info(txid);
  expect(await trx.getAccountResources(me)).toMatchObject({ NetUsed: receipt.net_usage });
  await expect(builder.freezeBalanceV2(100 * TRX, 'COAL' as never, me)).rejects.toThrow('Invalid resource');
  expect(await chain.refusal(0, builder.freezeBalanceV2(8_000 * TRX, 'ENERGY', me))).toEqual({
    code: 'CONTRACT_VALIDATE_ERROR',
    message: 'Contract validate error : frozenBalance must be less than or equal to accountBalance',
  });
});

it('delegates, also with a lock, and undelegates', async () => {
  await using chain = await TronWebDevnet.start({ networkStake: 'none' });
  const { transactionBuilder: builder, trx } = chain.client(0);
  const [me, friend, other] = [chain.address(0), chain.address(1), chain.address(2)];
  await chain.send(0, builder.freezeBalanceV2(2_000 * TRX, 'ENERGY', me));
  expect(await trx.getCanDelegatedMaxSize(me, 'ENERGY')).toEqual({ max_size: 2_000 * TRX });
  await chain.send(0, builder.delegateResource(500 * TRX, friend, 'ENERGY', me));
  // A day, in blocks of three seconds.
  await chain.send(0, builder.delegateResource(300 * TRX, other, 'ENERGY', me, true, 28_800));
  expect(await trx.getCanDelegatedMaxSize(me, 'ENERGY')).toEqual({ max_size: 1_200 * TRX });
  expect(await trx.getAccountResources(friend)).toMatchObject({ EnergyLimit: 180_000_000_000 / 4 });
  const { delegatedResource: locked } = await trx.getDelegatedResourceV2(me, other);
  const head = await trx.getCurrentBlock();
  expect(locked).toEqual([
    {
      from: chain.client(0).address.toHex(me),
      to: chain.client(0).address.toHex(other),
      frozen_balance_for_energy: 300 * TRX,
      // Counted from the head at its execution, which is the block before its own.
      expire_time_for_energy: head.block_header.raw_data.timestamp - 1_000 + DAY_MS,
    },
  ]);
  expect(await trx.getDelegatedResourceAccountIndexV2(me)).toMatchObject({
    toAccounts: expect.arrayContaining([friend, other].map((address) => chain.client(0).address.toHex(address))),
  });

  await chain.send(0, builder.undelegateResource(200 * TRX, friend, 'ENERGY', me));
  expect((await chain.refusal(0, builder.undelegateResource(300 * TRX, other, 'ENERGY', me))).message).toBe(
    'Contract validate error : insufficient delegateFrozenBalance(Energy), request=300000000, unlock_balance=0',
  );
  await chain.devnet.mine({ advanceMs: DAY_MS });
  await chain.send(0, builder.undelegateResource(300 * TRX, other, 'ENERGY', me));
  expect((await trx.getDelegatedResourceV2(me, other)).delegatedResource ?? []).toEqual([]);
  expect(await trx.getCanDelegatedMaxSize(me, 'ENERGY')).toEqual({ max_size: 1_700 * TRX });
});

it('unstakes, and withdraws after fourteen days', async () => {
  await using chain = await TronWebDevnet.start();
  const { transactionBuilder: builder, trx } = chain.client(0);
  const me = chain.address(0);
  await chain.send(0, builder.freezeBalanceV2(1_000 * TRX, 'BANDWIDTH', me));
  expect(await trx.getAvailableUnfreezeCount(me)).toEqual({ count: 32 });
  const unfrozen = await chain.send(0, builder.unfreezeBalanceV2(400 * TRX, 'BANDWIDTH', me));
  expect(unfrozen.unfreeze_amount).toBeUndefined();
  expect(await trx.getAvailableUnfreezeCount(me)).toEqual({ count: 31 });
  const { unfrozenV2 } = await trx.getAccount(me);
  const [{ unfreeze_expire_time: dueMs }] = unfrozenV2 as unknown as [{ unfreeze_expire_time: number }];
  expect(unfrozenV2).toEqual([{ unfreeze_amount: 400 * TRX, unfreeze_expire_time: dueMs }]);
  expect(await trx.getCanWithdrawUnfreezeAmount(me, dueMs)).toEqual({ amount: 400 * TRX });
  expect(await trx.getCanWithdrawUnfreezeAmount(me, dueMs - 1)).toEqual({});
  expect((await chain.refusal(0, builder.withdrawExpireUnfreeze(me))).message).toContain(
    'no unFreeze balance to withdraw',
  );

  await chain.devnet.mine({ advanceMs: 14 * DAY_MS });
  const before = await chain.balance(0);
  const withdrawn = await chain.send(0, builder.withdrawExpireUnfreeze(me));
  expect(withdrawn.withdraw_expire_amount).toBe(400 * TRX);
  expect(await chain.balance(0)).toBe(before + 400 * TRX);

  await chain.send(0, builder.unfreezeBalanceV2(100 * TRX, 'BANDWIDTH', me));
  const cancelled = await chain.send(0, builder.cancelUnfreezeBalanceV2(me));
  expect(new Set(cancelled.cancel_unfreezeV2_amount as object[])).toEqual(
    new Set([
      { key: 'BANDWIDTH', value: 100 * TRX },
      { key: 'ENERGY', value: 0 },
      { key: 'TRON_POWER', value: 0 },
    ]),
  );
  expect((await trx.getAccount(me)).frozenV2).toContainEqual({ amount: 600 * TRX });
});

it('gets an error for stake 1.0', async () => {
  await using chain = await TronWebDevnet.start();
  const { transactionBuilder: builder } = chain.client(0);
  expect((await chain.refusal(0, builder.freezeBalance(100 * TRX, 3, 'ENERGY', chain.address(0)))).message).toContain(
    'freeze v2 is open, old freeze is closed',
  );
});
