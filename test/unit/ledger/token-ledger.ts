/**
 * A small ledger whose accounts hold TRC-10 tokens: issuing and handing them out through the contracts themselves, and
 * what there is of each token wherever it lies.
 */

import { COIN as COIN_KEY, type TokenKey, tokenBalance, tokensHaveIds } from '../../../src/ledger/accounts/assets.js';
import { assetIssueContract } from '../../../src/ledger/contracts/AssetIssueContract.js';
import { transferAssetContract } from '../../../src/ledger/contracts/TransferAssetContract.js';
import type { Ledger } from '../../../src/ledger/ledger.js';
import { utf8ToHex } from '../../../src/primitives/hex.js';
import { AssetIssueContract } from '../../../src/protocol/generated/asset-issue-contract.js';
import type { EpochLedger } from './epoch-ledger.js';
import { accountAt, addressOf, run } from './small-ledger.js';

export { COIN_KEY };

export const ids = { A: utf8ToHex('1000001'), B: utf8ToHex('1000002') } as const;

/** A valid issue by account `i`; `change` spoils or shapes it. */
export function issue(ledger: Ledger, i: number, change: Partial<AssetIssueContract> = {}): AssetIssueContract {
  return AssetIssueContract.create({
    owner_address: addressOf(i),
    name: utf8ToHex(`Token${i}`),
    abbr: utf8ToHex('TKN'),
    total_supply: 1_000_000_000n,
    trx_num: 2,
    num: 3,
    precision: 3,
    start_time: ledger.headTimeMs + 60_000n,
    end_time: ledger.headTimeMs + 86_400_000n,
    description: utf8ToHex('a token'),
    url: utf8ToHex('http://token'),
    free_asset_net_limit: 1_000n,
    public_free_asset_net_limit: 5_000n,
    ...change,
  });
}

/** Token of the chain's mode: by id, or by name. */
export function tokenOf(ledger: Ledger, issuer: number): TokenKey {
  const account = accountAt(ledger, issuer);
  return tokensHaveIds(ledger) ? account.asset_issued_ID : account.asset_issued_name;
}

/** Accounts 0 and 1 issue a token each, and every account gets the same of both. */
export function handOutTokens(chain: EpochLedger, accounts: number, each: bigint): readonly [TokenKey, TokenKey] {
  const { ledger } = chain;
  for (const i of [0, 1]) run(chain, assetIssueContract, issue(ledger, i));
  const tokens = [tokenOf(ledger, 0), tokenOf(ledger, 1)] as const;
  for (const issuer of [0, 1]) {
    for (let i = 0; i < accounts; i++) {
      if (i === issuer) continue;
      run(chain, transferAssetContract, {
        asset_name: tokens[issuer] as TokenKey,
        owner_address: addressOf(issuer),
        to_address: addressOf(i),
        amount: each,
      });
    }
  }
  return tokens;
}

export function held(ledger: Ledger, i: number, token: TokenKey): bigint {
  const account = accountAt(ledger, i);
  return token === COIN_KEY ? account.balance : (tokenBalance(ledger, account, token) ?? 0n);
}

/** What there is of a token, or of coin, in the first accounts, in frozen supply, in exchanges and in open orders. */
export function totalOf(ledger: Ledger, accounts: number, token: TokenKey): bigint {
  let total = 0n;
  for (let i = 0; i < accounts; i++) {
    total += held(ledger, i, token);
    const account = accountAt(ledger, i);
    if (tokenOf(ledger, i) === token && token !== '') {
      for (const { frozen_balance } of account.frozen_supply) total += frozen_balance;
    }
    for (const id of ledger.state.tables.marketAccounts.get(addressOf(i))?.orders ?? []) {
      const order = ledger.state.tables.marketOrders.get(id);
      if (order?.sell_token_id === token) total += order.sell_token_quantity_remain;
    }
  }
  const exchanges = tokensHaveIds(ledger) ? ledger.state.tables.exchanges : ledger.state.tables.exchangesByName;
  for (const [, exchange] of exchanges.entries()) {
    if (exchange.first_token_id === token) total += exchange.first_token_balance;
    if (exchange.second_token_id === token) total += exchange.second_token_balance;
  }
  return total;
}

/** Everything that contracts on tokens can change, as text: equal texts, equal states. */
export function tokenState(ledger: Ledger, accounts: number): string {
  const { tables } = ledger.state;
  const owners = Array.from({ length: accounts }, (_, i) => addressOf(i));
  return JSON.stringify(
    [
      owners.map((owner) => [tables.accounts.get(owner), tables.marketAccounts.get(owner)]),
      owners.flatMap((owner) =>
        (tables.marketAccounts.get(owner)?.orders ?? []).map((id) => tables.marketOrders.get(id)),
      ),
      [tables.assets, tables.assetsByName, tables.exchanges, tables.exchangesByName].map((table) => table.entries()),
      [tables.marketPairs.entries(), tables.marketPrices.entries()],
      ['TOKEN_ID_NUM', 'LATEST_EXCHANGE_NUM', 'BURN_TRX_AMOUNT'].map((name) => ledger.long(name as 'TOKEN_ID_NUM')),
    ],
    (_, value) => (typeof value === 'bigint' ? `${value}n` : value instanceof Map ? [...value] : value),
  );
}
