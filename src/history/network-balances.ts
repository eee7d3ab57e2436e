/**
 * Tokens of an account of a fork. Which ones it has only events tell, and those of the network its `/v1` has; how much of
 * one it has the token itself tells, on the fork's state. Where the fork has never read what a token would answer from, it
 * has changed nothing of it, and the network's figure stands: to read it would take some ten questions for each token.
 */

import type { Address } from '../primitives/ids.js';
import { fromBase58, toBase58 } from '../protocol/address.js';
import type { WalletContext } from '../wallet/context.js';
import { balanceAtHand, balanceOf } from '../wallet/history/token-calls.js';
import { markOf } from '../wallet/known-blocks.js';
import type { HistoryRequest } from './table.js';

const MOST_LISTED = 200;

/** As the network's `/v1` has them; none where there is no network, or it has no such interface. @throws RemoteError */
export async function balancesOnNetwork(
  { node }: WalletContext,
  account: Address,
): Promise<ReadonlyMap<Address, bigint>> {
  const path = `/v1/accounts/${toBase58(account)}`;
  const { networkBlocks } = node.chain;
  const [found] = (await networkBlocks?.history(path))?.data ?? [];
  // Of one that is not activated there is no record, but there may be tokens.
  const listed =
    found === undefined
      ? (await networkBlocks?.history(`${path}/trc20/balance?limit=${MOST_LISTED}`))?.data
      : (found as { readonly trc20?: unknown }).trc20;
  if (!Array.isArray(listed)) return new Map();
  return new Map(listed.flatMap(amountsIn));
}

/** Of `{"<base58>":"<amount>"}`, as lists of tokens and of holders have it; what is none is left out. */
export function amountsIn(item: unknown): readonly (readonly [Address, bigint])[] {
  return Object.entries(Object(item) as object).flatMap(([base58, amount]: [string, unknown]) => {
    const address = fromBase58(base58);
    return address !== undefined && /^\d{1,78}$/.test(String(amount))
      ? [[address, BigInt(String(amount))] as const]
      : [];
  });
}

/** @param onNetwork what the network says; undefined: it says nothing of this token @throws MissingRow */
export function balanceOnFork(
  context: WalletContext,
  { passedOn }: HistoryRequest,
  token: Address,
  account: Address,
  onNetwork: bigint | undefined,
): bigint | undefined {
  const { networkBlocks } = context.node.chain;
  if (networkBlocks === undefined || onNetwork === undefined) return balanceOf(context, token, account);
  return balanceAtHand(context, token, account, () => {
    passedOn(markOf(networkBlocks));
    return onNetwork;
  });
}
