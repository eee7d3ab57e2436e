import { OperationError } from '../../errors/operation-error.js';
import { utf8ToHex } from '../../primitives/hex.js';
import type { Address } from '../../primitives/ids.js';
import { MAX_LONG } from '../../primitives/java-math.js';
import type { Account } from '../../protocol/generated/tron.js';
import { newAccount } from '../accounts/accounts.js';
import { addTokens, tokenBalance, tokensHaveIds } from '../accounts/assets.js';
import { putAccount } from '../accounts/coin.js';
import type { Ledger } from '../ledger.js';
import { addToOwnNumber } from './own-numbers.js';

/**
 * Sets an account's balance of a TRC-10 token. The token's record and total supply stay.
 *
 * @param tokenId its digits
 * @param amount in the token's smallest unit
 * @param force also if no such token was issued
 * @throws OperationError for an unknown token, and for an invalid amount
 * @example setTokenBalance(ledger, { address, tokenId: '1000001', amount: 5n, force: false })
 */
export function setTokenBalance(
  ledger: Ledger,
  {
    address,
    tokenId,
    amount,
    force,
  }: { readonly address: Address; readonly tokenId: string; readonly amount: bigint; readonly force: boolean },
): void {
  const account = ledger.state.tables.accounts.get(address) ?? newAccount(ledger, address);
  putAccount(ledger, withTokenBalance(ledger, account, { tokenId, amount, force }));
}

export function withTokenBalance(
  ledger: Ledger,
  account: Account,
  { tokenId, amount, force }: { readonly tokenId: string; readonly amount: bigint; readonly force: boolean },
): Account {
  if (amount < 0n || amount > MAX_LONG) {
    throw new OperationError(`the amount must be 0 to ${MAX_LONG}, got ${amount}`);
  }
  const asset = ledger.state.tables.assets.get(utf8ToHex(tokenId));
  const hasIds = tokensHaveIds(ledger);
  if (asset === undefined && !(force && hasIds)) {
    throw new OperationError(`no token has the id ${tokenId}${hasIds ? ' (to set it anyway, pass force)' : ''}`);
  }
  const key = asset === undefined || hasIds ? utf8ToHex(tokenId) : asset.name;
  const delta = amount - (tokenBalance(ledger, account, key) ?? 0n);
  addToOwnNumber(ledger, `grantedTokens:${tokenId}`, delta);
  return addTokens(ledger, account, key, delta);
}
