/**
 * TRC-10 tokens: ids, holdings and transfers of amounts (protocol/trade.md#trc-10-assets). The chain has two modes.
 * With ALLOW_SAME_TOKEN_NAME, a token is its id, and balances are in `assetV2`. Without it, a token is its name,
 * balances are in `asset`, and every change is copied to `assetV2`, so that the switch needs no migration. Functions
 * here take the key of the current mode. Accounts are values: a function returns the changed account and the caller
 * stores it, because for two contract types the time of storing matters. Mirrors java-tron's AccountCapsule
 * (…AssetAmountV2) and Commons.getAssetIssueStoreFinal.
 */

import { contractExeException } from '../../errors/refusals.js';
import { type Hex, hexToBytes, hexToUtf8, utf8ToHex } from '../../primitives/hex.js';
import { addExact } from '../../primitives/java-math.js';
import type { AssetIssueContract } from '../../protocol/generated/asset-issue-contract.js';
import type { Account } from '../../protocol/generated/tron.js';
import type { Ledger } from '../ledger.js';

/** A token as contracts name it, in hex: the digits of its id, or its name while ALLOW_SAME_TOKEN_NAME is off. */
export type TokenKey = Hex;

/** `_`: TRX, as the token id in exchanges and in the market. */
export const COIN: TokenKey = '5f';

export function tokensHaveIds(ledger: Ledger): boolean {
  return ledger.long('ALLOW_SAME_TOKEN_NAME') !== 0n;
}

/** The token that a contract names, if it exists. */
export function assetOf(ledger: Ledger, key: TokenKey): AssetIssueContract | undefined {
  const { assets, assetsByName } = ledger.state.tables;
  return tokensHaveIds(ledger) ? assets.get(key) : assetsByName.get(key);
}

/** Stores a changed token under name and id; the two records differ in precision, which stays. */
export function putAsset(ledger: Ledger, asset: AssetIssueContract): void {
  const { assets, assetsByName } = ledger.state.tables;
  const idKey = utf8ToHex(asset.id);
  if (tokensHaveIds(ledger)) {
    assets.set(idKey, asset);
    return;
  }
  assetsByName.set(asset.name, asset);
  assets.set(idKey, { ...asset, precision: 0 });
}

/** The token that an account has issued; empty if none. */
export function issuedToken(ledger: Ledger, account: Account): TokenKey {
  return tokensHaveIds(ledger) ? account.asset_issued_ID : account.asset_issued_name;
}

/** An account's balance of a token; undefined if it never had any. */
export function tokenBalance(ledger: Ledger, account: Account, key: TokenKey): bigint | undefined {
  return (tokensHaveIds(ledger) ? account.assetV2 : account.asset).get(hexToUtf8(key));
}

/** Whether `amount` is positive and at most the account's balance. */
export function holdsTokens(ledger: Ledger, account: Account, key: TokenKey, amount: bigint): boolean {
  const balance = tokenBalance(ledger, account, key);
  return amount > 0n && balance !== undefined && amount <= balance;
}

function withEntry(map: ReadonlyMap<string, bigint>, key: string, value: bigint): ReadonlyMap<string, bigint> {
  return new Map(map).set(key, value);
}

function withBalance(ledger: Ledger, account: Account, key: TokenKey, balance: bigint): Account {
  const text = hexToUtf8(key);
  if (tokensHaveIds(ledger)) return { ...account, assetV2: withEntry(account.assetV2, text, balance) };
  const asset = assetOf(ledger, key);
  if (asset === undefined) throw new Error(`token named ${text} does not exist: validation should have refused`);
  // The copy under the id is set to the balance under the name, not changed on its own.
  return {
    ...account,
    asset: withEntry(account.asset, text, balance),
    assetV2: withEntry(account.assetV2, asset.id, balance),
  };
}

/** @throws ArithmeticOverflow `long overflow` */
export function addTokens(ledger: Ledger, account: Account, key: TokenKey, amount: bigint): Account {
  return withBalance(ledger, account, key, addExact(tokenBalance(ledger, account, key) ?? 0n, amount));
}

/** @throws ContractExeException if the balance is too low */
export function takeTokens(ledger: Ledger, account: Account, key: TokenKey, amount: bigint): Account {
  if (!holdsTokens(ledger, account, key, amount)) throw contractExeException('reduceAssetAmount failed !');
  return withBalance(ledger, account, key, (tokenBalance(ledger, account, key) ?? 0n) - amount);
}

/** `addTokens`, or for the token `_` TRX. */
export function credit(ledger: Ledger, account: Account, key: TokenKey, amount: bigint): Account {
  if (key === COIN) return { ...account, balance: addExact(account.balance, amount) };
  return addTokens(ledger, account, key, amount);
}

/** `takeTokens`, or for the token `_` TRX. The caller has checked the balance. */
export function debit(ledger: Ledger, account: Account, key: TokenKey, amount: bigint): Account {
  if (key === COIN) return { ...account, balance: account.balance - amount };
  return takeTokens(ledger, account, key, amount);
}

/** Whether exchanges and the market accept the id: `_`, or decimal digits without a leading zero. */
export function isTokenId(key: TokenKey): boolean {
  return key === COIN || isTokenNumber(key);
}

export function isTokenNumber(key: TokenKey): boolean {
  return /^(?:30|3[1-9](?:3[0-9])*)$/.test(key);
}

/** Printable ASCII without space, 1 to 32 bytes: what a token's name and abbreviation must be. */
export function isAssetName(name: Hex): boolean {
  return name.length > 0 && name.length <= 64 && hexToBytes(name).every((byte) => byte >= 0x21 && byte <= 0x7e);
}
