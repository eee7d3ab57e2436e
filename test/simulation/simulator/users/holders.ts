/** Holders of a token, as `/v1` lists them, and what they are given by decree. */

import type { Address } from '../../../../src/primitives/ids.js';
import { toBase58 } from '../../../../src/protocol/address.js';
import { resultOf } from './asker.js';
import type { Host, SharedHost } from './user.js';

/** More are not listed on one page. */
export const MOST_HOLDERS = 200;

export function holdersPath(token: Address): string {
  return `/v1/contracts/${toBase58(token)}/tokens?limit=${MOST_HOLDERS}`;
}

/** @returns what each has, by the address in base58; absent: refused */
export async function holdersOf(
  { asker }: Pick<SharedHost, 'asker'>,
  token: Address,
): Promise<ReadonlyMap<string, string> | undefined> {
  const answer = await asker.get(holdersPath(token));
  if (answer?.startsWith('200 ') !== true) return undefined;
  const { data } = JSON.parse(answer.slice(4)) as { readonly data: readonly Readonly<Record<string, string>>[] };
  return new Map(data.flatMap((one) => Object.entries(one)));
}

/** Sets what somebody has of a token, without a log. @param holder base58check @returns whether it was done */
export async function dealt({ world, asker }: Host, holder: string, token: Address, units: bigint): Promise<boolean> {
  world.tokenBalances = 'dealt';
  return resultOf(await asker.rpc('/tre', 'tron_dealTrc20', [holder, toBase58(token), String(units)])) !== undefined;
}
