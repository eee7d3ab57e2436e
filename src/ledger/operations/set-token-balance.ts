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
 * Gives an account so many of a TRC-10 token, no more and no less. The token's record, its total supply too, stays as its
 * issuer made it.
 *
 * @param tokenId its digits
 * @param amount in the token's smallest unit
 * @param force also of a token that nobody has issued
 * @throws OperationError for a token that does not exist, and for an amount that no holding can be
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
    throw new OperationError(`there is no token ${tokenId}${hasIds ? ' (with force it would not matter)' : ''}`);
  }
  const key = asset === undefined || hasIds ? utf8ToHex(tokenId) : asset.name;
  const delta = amount - (tokenBalance(ledger, account, key) ?? 0n);
  addToOwnNumber(ledger, `grantedTokens:${tokenId}`, delta);
  return addTokens(ledger, account, key, delta);
}
