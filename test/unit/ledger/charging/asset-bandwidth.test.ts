import { describe, expect, it } from 'vitest';
import { assetOf } from '../../../../src/ledger/accounts/assets.js';
import { payForBytes } from '../../../../src/ledger/charging/bandwidth.js';
import { assetIssueContract } from '../../../../src/ledger/contracts/AssetIssueContract.js';
import { freezeBalanceV2Contract } from '../../../../src/ledger/contracts/FreezeBalanceV2Contract.js';
import { transferAssetContract } from '../../../../src/ledger/contracts/TransferAssetContract.js';
import { utf8ToHex } from '../../../../src/primitives/hex.js';
import type { AssetIssueContract } from '../../../../src/protocol/generated/asset-issue-contract.js';
import type { EpochLedger } from '../epoch-ledger.js';
import { accountAt, addressOf, advance, COIN, refusal, run, smallLedger } from '../small-ledger.js';
import { ids, issue, tokenOf } from '../token-ledger.js';

const BYTES = 279n;

/** Account 0 has issued a token and staked for bandwidth; account 1 holds some of the token. */
function grantingChain(change: Partial<AssetIssueContract> = {}, parameters: Readonly<Record<string, bigint>> = {}) {
  const chain = smallLedger(3, { ASSET_ISSUE_FEE: 0n, ...parameters });
  run(chain, assetIssueContract, issue(chain.ledger, 0, change));
  const token = tokenOf(chain.ledger, 0);
  run(chain, transferAssetContract, {
    asset_name: token,
    owner_address: addressOf(0),
    to_address: addressOf(1),
    amount: 100n,
  });
  run(chain, freezeBalanceV2Contract, {
    owner_address: addressOf(0),
    frozen_balance: 500n * COIN,
    resource: 0,
  });
  return chain;
}

/** The issuer if it paid for the bytes of a transfer; undefined if the sender had to. */
function pay(chain: EpochLedger, from: number, bytes = BYTES, token = tokenOf(chain.ledger, 0)) {
  const charge = payForBytes(chain.ledger, {
    payer: addressOf(from),
    bytes,
    createsAccount: false,
    tokenTransfer: { asset_name: token, owner_address: addressOf(from), to_address: addressOf(2), amount: 1n },
  });
  expect(charge).toMatchObject({ resource: 'bandwidth', amount: bytes });
  return charge.source === 'issuer' ? charge.payer : undefined;
}

describe('a transfer that the issuer pays for', () => {
  it('counts against the grant, the holder and the stake of the issuer', () => {
    const chain = grantingChain();
    const { ledger } = chain;
    const slot = ledger.headSlot;
    expect(pay(chain, 1)).toBe(addressOf(0));
    expect(assetOf(ledger, ids.A)).toMatchObject({
      public_free_asset_net_usage: BYTES,
      public_latest_free_net_time: slot,
    });
    expect(accountAt(ledger, 0)).toMatchObject({
      net_usage: BYTES,
      latest_consume_time: slot,
      latest_opration_time: 0n,
    });
    const holder = accountAt(ledger, 1);
    expect([...holder.free_asset_net_usageV2]).toEqual([['1000001', BYTES]]);
    expect([...holder.latest_asset_operation_timeV2]).toEqual([['1000001', slot]]);
    expect(holder).toMatchObject({ latest_opration_time: ledger.headTimeMs, net_usage: 0n, free_net_usage: 0n });
  });

  it('recovers over a day', () => {
    const chain = grantingChain({ free_asset_net_limit: 400n });
    expect(pay(chain, 1)).toBe(addressOf(0));
    expect(pay(chain, 1)).toBeUndefined();
    advance(chain.ledger, 43_200_000n);
    expect(pay(chain, 1, 260n)).toBe(addressOf(0));
    expect(pay(chain, 1, 2n)).toBeUndefined();
  });

  it.each([
    ['the grant in all', { public_free_asset_net_limit: BYTES - 1n }],
    ['the grant per holder', { free_asset_net_limit: BYTES - 1n }],
  ])('is left to the sender, with nothing of the grant used, when %s is too small', (_, change) => {
    const chain = grantingChain(change);
    const { ledger } = chain;
    const before = [assetOf(ledger, ids.A), accountAt(ledger, 0)];
    expect(pay(chain, 1)).toBeUndefined();
    expect([assetOf(ledger, ids.A), accountAt(ledger, 0)]).toEqual(before);
    expect(accountAt(ledger, 1)).toMatchObject({ free_asset_net_usageV2: new Map(), free_net_usage: BYTES });
  });

  it('is left to the sender when the issuer has not staked enough', () => {
    const chain = grantingChain();
    chain.ledger.setLong('TOTAL_NET_WEIGHT', 10n ** 12n);
    expect(pay(chain, 1)).toBeUndefined();
  });

  it('of the issuer itself loses what is written to the sender', () => {
    const chain = grantingChain();
    const { ledger } = chain;
    expect(pay(chain, 0)).toBe(addressOf(0));
    expect(accountAt(ledger, 0)).toMatchObject({ net_usage: BYTES, latest_opration_time: 0n });
    expect(accountAt(ledger, 0).free_asset_net_usageV2.size).toBe(0);
    expect(assetOf(ledger, ids.A)?.public_free_asset_net_usage).toBe(BYTES);
  });

  it('of an unknown token is refused here, before any check of the contract', () => {
    const chain = grantingChain();
    expect(refusal(() => pay(chain, 1, BYTES, utf8ToHex('1000009')))).toBe(
      'asset [<ByteString@* size=7 contents="1000009">] does not exist',
    );
    expect(refusal(() => pay(chain, 1, BYTES, '0a2741'))).toBe(
      'asset [<ByteString@* size=3 contents="\\n\\\'A">] does not exist',
    );
    expect(refusal(() => pay(chain, 1, BYTES, '61'.repeat(51)))).toBe(
      `asset [<ByteString@* size=51 contents="${'a'.repeat(47)}...">] does not exist`,
    );
  });

  it('writes both forms while tokens go by name', () => {
    const chain = grantingChain({}, { ALLOW_SAME_TOKEN_NAME: 0n });
    const { ledger } = chain;
    expect(pay(chain, 1)).toBe(addressOf(0));
    const holder = accountAt(ledger, 1);
    expect([...holder.free_asset_net_usage]).toEqual([['Token0', BYTES]]);
    expect([...holder.free_asset_net_usageV2]).toEqual([['1000001', BYTES]]);
    expect(ledger.state.tables.assets.get(ids.A)?.public_free_asset_net_usage).toBe(BYTES);
    expect(ledger.state.tables.assetsByName.get(utf8ToHex('Token0'))?.public_free_asset_net_usage).toBe(BYTES);
  });
});
