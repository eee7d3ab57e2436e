/** TronWeb: permissions, several signatures, and their limits. */

import { expect, it } from 'vitest';
import { bandwidthOf, refusalOf, TRX, TronWebDevnet } from './tronweb-devnet.js';

const TRANSFERS_ONLY = '0200000000000000000000000000000000000000000000000000000000000000';

type Key = readonly [account: number, weight: number];

async function setPermissions(
  chain: TronWebDevnet,
  owner: { keys: readonly Key[]; threshold: number },
  active: { keys: readonly Key[]; threshold: number; operations: string },
) {
  const { transactionBuilder: builder, address } = chain.client(0);
  const keys = (list: readonly Key[]) =>
    list.map(([account, weight]) => ({ address: address.toHex(chain.address(account)), weight }));
  return chain.send(
    0,
    builder.updateAccountPermissions(
      chain.address(0),
      { type: 0, permission_name: 'owner', threshold: owner.threshold, keys: keys(owner.keys) } as never,
      undefined as never,
      {
        type: 2,
        permission_name: 'daily',
        threshold: active.threshold,
        operations: active.operations,
        keys: keys(active.keys),
      } as never,
    ),
  );
}

it('signs together: weights add up to the threshold, and several signatures cost 1 TRX', async () => {
  await using chain = await TronWebDevnet.start();
  const { transactionBuilder: builder, trx } = chain.client(0);
  const two = {
    keys: [
      [1, 1],
      [2, 1],
      [3, 2],
    ] as Key[],
    threshold: 2,
  };
  // The default active permission: everything except for changing permissions.
  const [{ operations }] = (await trx.getAccount(chain.address(0))).active_permission as unknown as [
    { operations: string },
  ];
  const updated = await setPermissions(chain, two, { ...two, operations });
  expect(updated.fee! - (updated.receipt.net_fee ?? 0)).toBe(100 * TRX);
  expect(await trx.getAccount(chain.address(0))).toMatchObject({ owner_permission: { threshold: 2 } });

  // The account's own key is not valid any more.
  const built = await builder.sendTrx(chain.address(5), TRX, chain.address(0));
  const own = refusalOf(await trx.sendRawTransaction(await trx.sign(built)));
  expect(own.code).toBe('SIGERROR');
  expect(own.message).toContain('but it is not contained of permission');

  const once = await trx.multiSign(built, chain.key(1), 0);
  expect(await trx.getSignWeight(once)).toMatchObject({
    result: { code: 'NOT_ENOUGH_PERMISSION' },
    current_weight: 1,
    approved_list: [chain.client(0).address.toHex(chain.address(1))],
  });
  expect(refusalOf(await trx.sendRawTransaction(once)).message).toMatch(
    /Signature weight is not enough|hasn't pass|validate signature/i,
  );
  const twice = await trx.multiSign(once, chain.key(2), 0);
  expect(await trx.getApprovedList(twice)).toMatchObject({
    approved_list: [1, 2].map((i) => chain.client(0).address.toHex(chain.address(i))),
  });
  expect(await trx.getSignWeight(twice)).toMatchObject({ result: {}, current_weight: 2 });
  expect(await trx.sendRawTransaction(twice)).toMatchObject({ result: true });
  const info = await chain.info(built.txID);
  const bytes = bandwidthOf(built, 2);
  expect(info).toMatchObject({ fee: TRX + (info.receipt.net_fee ?? 0) });
  expect([info.receipt.net_usage ?? 0, (info.receipt.net_fee ?? 0) / 1_000]).toContain(bytes);

  // One key with sufficient weight is one signature, without that fee.
  const alone = await builder.sendTrx(chain.address(5), 2, chain.address(0));
  expect(await trx.sendRawTransaction(await trx.multiSign(alone, chain.key(3), 0))).toMatchObject({ result: true });
  const single = await chain.info(alone.txID);
  expect(single.fee ?? 0).toBe(single.receipt.net_fee ?? 0);
});

it('allows a permission its own operations only', async () => {
  await using chain = await TronWebDevnet.start();
  const { transactionBuilder: builder, trx } = chain.client(0);
  await setPermissions(
    chain,
    { keys: [[0, 1]], threshold: 1 },
    {
      keys: [
        [1, 1],
        [2, 1],
      ],
      threshold: 1,
      operations: TRANSFERS_ONLY,
    },
  );
  const transfer = await builder.sendTrx(chain.address(5), TRX, chain.address(0), { permissionId: 2 });
  expect(await trx.sendRawTransaction(await trx.multiSign(transfer, chain.key(1), 2))).toMatchObject({ result: true });

  const freeze = await builder.freezeBalanceV2(100 * TRX, 'ENERGY', chain.address(0), { permissionId: 2 });
  const signed = {
    ...freeze,
    signature: [
      chain
        .client(1)
        .utils.crypto.ECKeySign(Buffer.from(freeze.txID, 'hex') as never, Buffer.from(chain.key(1), 'hex') as never),
    ],
  };
  expect(refusalOf(await trx.sendRawTransaction(signed as never))).toEqual({
    code: 'SIGERROR',
    message: 'Validate signature error: Permission denied',
  });
  // The owner permission may.
  await chain.send(0, builder.freezeBalanceV2(100 * TRX, 'ENERGY', chain.address(0)));
  // The same key twice counts once.
  const again = await trx.multiSign(
    await builder.sendTrx(chain.address(5), 3, chain.address(0), { permissionId: 2 }),
    chain.key(1),
    2,
  );
  const doubled = { ...again, signature: [again.signature[0]!, again.signature[0]!] };
  expect(refusalOf(await trx.sendRawTransaction(doubled))).toMatchObject({
    code: 'SIGERROR',
    message: expect.stringContaining('has signed twice'),
  });
});
