/** The bandwidth that the issuer of a TRC-10 token grants for transfers of it, read from answers. */

import type { FeeAccount } from './account.js';
import { amount, counted, type Whole } from './amounts.js';

/** The part of `/wallet/getassetissuebyid` that is read; zeros may be missing. */
export interface TokenAnswer {
  readonly id?: string | undefined;
  /** Bytes a day for each holder, and for all of them together. */
  readonly free_asset_net_limit?: Whole | undefined;
  readonly public_free_asset_net_limit?: Whole | undefined;
  readonly public_free_asset_net_usage?: Whole | undefined;
}

/** The part of `/wallet/getaccount` that is read of who sends. */
export interface TokenHolderAnswer {
  readonly free_asset_net_usageV2?: readonly { readonly key: string; readonly value?: Whole | undefined }[] | undefined;
}

/**
 * How many bytes of a transfer to an account that exists the issuer would pay for: the least of what is left of the
 * token's grant, of the holder's part of it, and of the issuer's stake. All of a transfer's bytes have to fit
 * (`grantedBytes` of the terms), or it is paid for as any other.
 *
 * @param answers `token` of `/wallet/getassetissuebyid`, `holder` of `/wallet/getaccount` of who sends, `issuer` by
 *   {@link import('./account.js').accountFrom} of the token's `owner_address`
 * @throws TypeError for what is no such answer
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
