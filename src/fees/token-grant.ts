/** Bandwidth that the issuer of a TRC-10 token grants for its transfers, read from answers. */

import type { WholeNumber } from '../primitives/whole-number.js';
import type { FeeAccount } from './account.js';
import { amount, counted } from './amounts.js';

/** The used part of `/wallet/getassetissuebyid`; zeros may be missing. */
export interface TokenAnswer {
  readonly id?: string | undefined;
  /** Bytes a day for each holder, and for all of them together. */
  readonly free_asset_net_limit?: WholeNumber | undefined;
  readonly public_free_asset_net_limit?: WholeNumber | undefined;
  readonly public_free_asset_net_usage?: WholeNumber | undefined;
}

/** The used part of `/wallet/getaccount` of the sender. */
export interface TokenHolderAnswer {
  readonly free_asset_net_usageV2?:
    | readonly { readonly key: string; readonly value?: WholeNumber | undefined }[]
    | undefined;
}

/**
 * The most bytes of a transfer to an existing account that the issuer pays: the smallest of the remaining grant of the
 * token, the remaining part of the holder, and the issuer's stake. It pays only if all bytes of a transfer fit
 * (`grantedBytes` of the terms); otherwise the transfer is paid like any other.
 *
 * @param answers `token` of `/wallet/getassetissuebyid`, `holder` of `/wallet/getaccount` of the sender, `issuer` by
 * {@link import('./account.js').accountFrom} of the token's `owner_address`
 *
 * @throws TypeError for another kind of answer
 * @example transactionCost({ bytes: 279, grantedBytes: grantedBytes({ token, holder, issuer }) }, account, network)
 */
export function grantedBytes({
  token,
  holder,
  issuer,
}: {
  readonly token: TokenAnswer;
  readonly holder: TokenHolderAnswer;
  readonly issuer: Pick<FeeAccount, 'bandwidth'>;
}): number {
  if (token.id === undefined) throw new TypeError('not an answer of getassetissuebyid: it has no id');
  const held = holder.free_asset_net_usageV2?.find(({ key }) => key === token.id)?.value;
  const left = (limit: bigint, used: bigint) => (limit > used ? limit - used : 0n);
  const sources = [
    left(
      amount(token.public_free_asset_net_limit, 'public_free_asset_net_limit'),
      amount(token.public_free_asset_net_usage, 'public_free_asset_net_usage'),
    ),
    left(amount(token.free_asset_net_limit, 'free_asset_net_limit'), amount(held, 'free_asset_net_usageV2')),
    amount(issuer.bandwidth, 'bandwidth'),
  ];
  return counted(sources.reduce((least, one) => (one < least ? one : least)));
}
