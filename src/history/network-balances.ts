/**
 * Tokens of an account on a fork. Events, and the network's `/v1`, tell which tokens it has. The token itself tells the
 * balance, in the fork's state. If the fork has not read the rows of a balance, it has not changed them, and the
 * network's value holds: a read would take some ten requests for each token.
 */

import type { Address } from '../primitives/ids.js';
import { fromBase58, toBase58 } from '../protocol/address.js';
import type { WalletContext } from '../wallet/context.js';
import { balanceAtHand, balanceOf } from '../wallet/history/token-calls.js';
import { markOf } from '../wallet/known-blocks.js';
import type { HistoryRequest } from './table.js';

const MAX_LISTED_TOKENS = 200;

/**
 * From the network's `/v1`; empty without a network, or without such an interface.
 *
 * @throws RemoteError
 */
export async function balancesOnNetwork(
  { node }: WalletContext,
  account: Address,
): Promise<ReadonlyMap<Address, bigint>> {
  const path = `/v1/accounts/${toBase58(account)}`;
  const { networkBlocks } = node.chain;
  const [found] = (await networkBlocks?.history(path))?.data ?? [];
  // An account that is not activated has no record, but may hold tokens.
  const listed =
    found === undefined
      ? (await networkBlocks?.history(`${path}/trc20/balance?limit=${MAX_LISTED_TOKENS}`))?.data
      : (found as { readonly trc20?: unknown }).trc20;
  if (!Array.isArray(listed)) return new Map();
  return new Map(listed.flatMap(amountsIn));
}

/** Of `{"<base58>":"<amount>"}` in lists of tokens and of holders; zero amounts are omitted. */
export function amountsIn(item: unknown): readonly (readonly [Address, bigint])[] {
  return Object.entries(Object(item) as object).flatMap(([base58, amount]: [string, unknown]) => {
    const address = fromBase58(base58);
    return address !== undefined && /^\d{1,78}$/.test(String(amount))
      ? [[address, BigInt(String(amount))] as const]
      : [];
  });
}

/**
 * @param onNetwork the network's value; undefined: the network does not list this token
 * @throws MissingRow
 */
export function balanceOnFork(
  context: WalletContext,
  { markAnswer }: HistoryRequest,
  token: Address,
  account: Address,
  onNetwork: bigint | undefined,
): bigint | undefined {
  const { networkBlocks } = context.node.chain;
  if (networkBlocks === undefined || onNetwork === undefined) return balanceOf(context, token, account);
  return balanceAtHand(context, token, account, () => {
    markAnswer(markOf(networkBlocks));
    return onNetwork;
  });
}
