/** TronWeb: TRC-10 tokens from the issue to the sale, and exchanges between them. */

import { expect, it } from 'vitest';
import { DAY_MS, TRX, TronWebDevnet } from './tronweb-devnet.js';

/** Issues a token whose sale begins a minute after the head; TronWeb's own clock does not matter. */
async function issue(chain: TronWebDevnet, owner: number, name: string): Promise<string> {
  const tronWeb = chain.client(owner);
  const headMs = (await tronWeb.trx.getCurrentBlock()).block_header.raw_data.timestamp;
  const built = await tronWeb.transactionBuilder.createToken(
    {
      name,
      abbreviation: name.slice(0, 4).toUpperCase(),
      description: 'for a test',
      url: 'http://token.test',
      totalSupply: 1_000_000,
      trxRatio: 1,
      tokenRatio: 100,
      saleStart: headMs + 60_000,
      saleEnd: headMs + 30 * DAY_MS,
      freeBandwidth: 1_000,
      freeBandwidthLimit: 500,
      frozenAmount: 1_000,
      frozenDuration: 1,
      precision: 2,
    },
    chain.address(owner),
  );
  const info = await chain.send(owner, built);
  expect(info.fee).toBe(1_024 * TRX);
  return info.assetIssueID as string;
}

function held(account: { assetV2?: { key: string; value: number }[] }, id: string): number | undefined {
  return account.assetV2?.find(({ key }) => key === id)?.value;
}

it('issues, sends, sells and describes a token', async () => {
  await using chain = await TronWebDevnet.start({ clock: 'wall', networkStake: 'none' });
  const { transactionBuilder: builder, trx } = chain.client(0);
  const [issuer, buyer] = [chain.address(0), chain.address(1)];
  const id = await issue(chain, 0, 'SunriseToken');
  expect(id).toBe('1000001');
  expect(await trx.getTokenFromID(id)).toMatchObject({ name: 'SunriseToken', total_supply: 1_000_000, id });
  expect(Object.keys(await trx.getTokensIssuedByAddress(issuer))).toEqual(['SunriseToken']);
  expect((await trx.listTokens()).map((token) => token.id)).toEqual([id]);

  const sent = await chain.send(0, builder.sendToken(buyer, 5_000, id, issuer));
  // The issue has used up the free bandwidth.
  expect(sent.fee).toBe(sent.receipt.net_fee);
  const account = (i: number) =>
    trx.getAccount(chain.address(i)) as unknown as Promise<{ assetV2?: { key: string; value: number }[] }>;
  expect(held(await account(1), id)).toBe(5_000);
  // The issuer does not have the frozen supply yet.
  expect(held(await account(0), id)).toBe(1_000_000 - 1_000 - 5_000);
  // Holders send within the bandwidth that the issuer grants; it is the issuer's staked bandwidth.
  await chain.send(0, builder.freezeBalanceV2(100 * TRX, 'BANDWIDTH', issuer));
  const passedOn = await chain.send(1, chain.client(1).transactionBuilder.sendToken(chain.address(2), 100, id, buyer));
  const explanation = await chain.devnet.explain(passedOn.id);
  expect(explanation.charges).toMatchObject([{ resource: 'bandwidth', source: 'issuer', payer: issuer }]);
  expect(explanation.text.join()).toContain(`The issuer of the token, ${issuer}, pays for this transfer`);

  const early = chain.client(1).transactionBuilder.purchaseToken(issuer, id, TRX, buyer);
  expect((await chain.refusal(1, early)).message).toBe('Contract validate error : No longer valid period!');
  await chain.devnet.mine({ advanceMs: 120_000 });
  const before = await chain.balance(1);
  await chain.send(1, chain.client(1).transactionBuilder.purchaseToken(issuer, id, 10, buyer));
  expect(held(await account(1), id)).toBe(5_000 - 100 + 10 * 100);
  expect(await chain.balance(1)).toBe(before - 10);

  await chain.send(
    0,
    builder.updateToken(
      { description: 'changed', url: 'http://new.test', freeBandwidth: 10, freeBandwidthLimit: 10 },
      issuer,
    ),
  );
  expect(await trx.getTokenFromID(id)).toMatchObject({ description: 'changed', url: 'http://new.test' });
  expect(await chain.refusal(0, builder.sendToken(buyer, 2_000_000, id, issuer))).toEqual({
    code: 'CONTRACT_VALIDATE_ERROR',
    message: 'Contract validate error : assetBalance is not sufficient.',
  });
});

it('creates exchanges and trades on them', async () => {
  await using chain = await TronWebDevnet.start({ clock: 'wall', balance: 50_000 });
  const { transactionBuilder: builder, trx } = chain.client(0);
  const me = chain.address(0);
  const first = await issue(chain, 0, 'First');
  const second = await issue(chain, 1, 'Second');
  await chain.send(1, chain.client(1).transactionBuilder.sendToken(me, 100_000, second, chain.address(1)));

  const created = await chain.send(0, builder.createTRXExchange(first, 10_000, 1_000 * TRX, me));
  expect(created).toMatchObject({ fee: 1_024 * TRX, exchange_id: 1 });
  await chain.send(0, builder.createTokenExchange(first, 10_000, second, 20_000, me));
  expect((await trx.listExchanges()).length).toBe(2);
  expect(await trx.getExchangeByID(1)).toMatchObject({
    exchange_id: 1,
    first_token_balance: 10_000,
    second_token_balance: 1_000 * TRX,
  });

  // TRX in, tokens out: as many as the exchange reports.
  const traded = await chain.send(
    2,
    chain.client(2).transactionBuilder.tradeExchangeTokens(1, '_', 10 * TRX, 1, chain.address(2)),
  );
  const received = traded.exchange_received_amount as number;
  expect(received).toBeGreaterThan(90);
  const exchange = (await trx.getExchangeByID(1)) as unknown as {
    first_token_balance: number;
    second_token_balance: number;
  };
  expect(exchange).toMatchObject({ first_token_balance: 10_000 - received, second_token_balance: 1_010 * TRX });
  const account = (await trx.getAccount(chain.address(2))) as unknown as { assetV2: { key: string; value: number }[] };
  expect(held(account, first)).toBe(received);

  const injected = await chain.send(0, builder.injectExchangeTokens(2, first, 1_000, me));
  expect(injected.exchange_inject_another_amount).toBe(2_000);
  const withdrawn = await chain.send(0, builder.withdrawExchangeTokens(2, first, 5_500, me));
  expect(withdrawn.exchange_withdraw_another_amount).toBe(11_000);
});
