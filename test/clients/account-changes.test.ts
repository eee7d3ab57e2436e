/** What a transaction changed on accounts, as `devnet.trace` and `/sunup/trace` answer with `changes`. */

import { TronWeb } from 'tronweb';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type CallTree, createDevnet, type Devnet } from '../../src/index.js';

const TRX = 1_000_000;

let devnet: Devnet;
let tronWeb: TronWeb;
beforeAll(async () => {
  devnet = await createDevnet({ mining: 'instant', predeploy: ['usdt'] });
  tronWeb = new TronWeb({ fullHost: devnet.http.url, privateKey: devnet.accounts[0]!.privateKey });
});
afterAll(() => devnet.close());

async function sent(transaction: Promise<unknown>): Promise<string> {
  const signed = await tronWeb.trx.sign((await transaction) as Parameters<TronWeb['trx']['sign']>[0]);
  const { result, txid } = await tronWeb.trx.sendRawTransaction(signed as never);
  expect(result).toBe(true);
  return txid;
}

/** By address and name: the difference. */
function differences({ changes }: CallTree): Readonly<Record<string, Readonly<Record<string, bigint>>>> {
  return Object.fromEntries(
    changes!.accounts.map(({ address, values }) => [
      address,
      Object.fromEntries(values.map(({ name, token = '', before, after }) => [`${name}${token}`, after - before])),
    ]),
  );
}

it('a transfer: balances, free Bandwidth, and the account that it created', async () => {
  const [{ address: from }] = devnet.accounts as unknown as [{ address: string }];
  const { address: to } = await tronWeb.createAccount().then(({ address }) => ({ address: address.base58 }));
  const txid = await sent(tronWeb.transactionBuilder.sendTrx(to, 5 * TRX, from));
  const tree = await devnet.trace(txid, { changes: true });
  const { fee } = await tronWeb.trx.getUnconfirmedTransactionInfo(txid);
  expect(differences(tree)).toMatchObject({
    [from]: { balance: BigInt(-5 * TRX - fee!) },
    [to]: { balance: BigInt(5 * TRX) },
  });
  expect(tree.changes!.accounts.find(({ address }) => address === to)!.lifecycle).toBe('created');

  const again = await sent(tronWeb.transactionBuilder.sendTrx(to, 1, from));
  const { bandwidth } = await devnet.explain(again);
  expect(differences(await devnet.trace(again, { changes: true }))).toEqual({
    [from]: { balance: -1n, freeBandwidthUsed: BigInt(bandwidth!.bytes) },
    [to]: { balance: 1n },
  });
});

it('stakes and delegations', async () => {
  const [one, other] = devnet.accounts.map(({ address }) => address) as [string, string];
  const { transactionBuilder: builder } = tronWeb;
  const stake = await sent(builder.freezeBalanceV2(2_000 * TRX, 'ENERGY', one));
  expect(differences(await devnet.trace(stake, { changes: true }))[one]).toMatchObject({
    balance: BigInt(-2_000 * TRX),
    stakedForEnergy: BigInt(2_000 * TRX),
  });
  const delegation = await sent(builder.delegateResource(500 * TRX, other, 'ENERGY', one));
  expect(differences(await devnet.trace(delegation, { changes: true }))).toMatchObject({
    [one]: { stakedForEnergy: BigInt(-500 * TRX), delegatedEnergy: BigInt(500 * TRX) },
    [other]: { receivedEnergy: BigInt(500 * TRX) },
  });
  const unstaking = await sent(builder.unfreezeBalanceV2(100 * TRX, 'ENERGY', one));
  expect(differences(await devnet.trace(unstaking, { changes: true }))[one]).toMatchObject({
    stakedForEnergy: BigInt(-100 * TRX),
    unstaking: BigInt(100 * TRX),
  });
});

it('a call: used Energy of the stake, and the transferred TRC-20 tokens', async () => {
  const [one, other] = devnet.accounts.map(({ address }) => address) as [string, string];
  const [usdt] = devnet.predeployed;
  const { transaction } = await tronWeb.transactionBuilder.triggerSmartContract(
    usdt!.address,
    'transfer(address,uint256)',
    { feeLimit: 100 * TRX },
    [
      { type: 'address', value: other },
      { type: 'uint256', value: 1_500_000 },
    ],
  );
  const txid = await sent(Promise.resolve(transaction));
  const tree = await devnet.trace(txid, { changes: true });
  const { charges } = await devnet.explain(txid);
  const staked = charges.find(({ resource, source }) => resource === 'energy' && source === 'staked');
  expect(differences(tree)[one]!.energyUsed).toBe(staked!.amount);
  expect(tree.changes!.tokenTransfers).toEqual([
    {
      standard: 'trc20',
      token: { address: usdt!.address, name: usdt!.name },
      from: one,
      to: other,
      value: 1_500_000n,
    },
  ]);
});

it('TRC-10 tokens, by id', async () => {
  const [one, other] = devnet.accounts.map(({ address }) => address) as [string, string];
  const issue = await sent(
    tronWeb.transactionBuilder.createToken(
      {
        ...{ name: 'Coin', abbreviation: 'C', description: '', url: 'http://coin.example', totalSupply: 1_000 },
        ...{ trxRatio: 1, tokenRatio: 1, saleStart: Date.now() + 60_000, saleEnd: Date.now() + 120_000 },
        ...{ freeBandwidth: 0, freeBandwidthLimit: 0, frozenAmount: 0, frozenDuration: 0, precision: 0 },
      } as never,
      one,
    ),
  );
  const { assetIssueID: id } = (await tronWeb.trx.getUnconfirmedTransactionInfo(issue)) as never as {
    assetIssueID: string;
  };
  expect(differences(await devnet.trace(issue, { changes: true }))[one]).toMatchObject({ [`token${id}`]: 1_000n });
  const transfer = await sent(tronWeb.transactionBuilder.sendToken(other, 30, id, one));
  expect(differences(await devnet.trace(transfer, { changes: true }))).toMatchObject({
    [one]: { [`token${id}`]: -30n },
    [other]: { [`token${id}`]: 30n },
  });
});
