/**
 * Holders of a token send it to each other, and its issuer pays their bytes up to what it has granted. What each and all
 * of them have used is in the rows afterwards (`invariants/usages.ts`).
 */

import { utf8ToHex } from '../../../../src/primitives/hex.js';
import { type Address, isAddress } from '../../../../src/primitives/ids.js';
import type { AssetIssueContract } from '../../../../src/protocol/generated/asset-issue-contract.js';
import { Transaction_Contract_ContractType as ContractType } from '../../../../src/protocol/generated/tron.js';
import { COIN } from '../../simulated-chain.js';
import { newestBlockAgrees } from '../invariants/statements.js';
import { isAlone, sentAlone } from './promises.js';
import type { Host, User } from './user.js';

/** A transfer is about 280 bytes: a few are paid. */
const GRANT_BYTES = [300n, 900n, 3_000n] as const;
const TRANSFERS = 6;

function grantingToken({ world, people }: Host): AssetIssueContract | undefined {
  const tokens = world.ledger.state.tables.assets.entries().map(([, asset]) => asset);
  return tokens.findLast(
    ({ owner_address, free_asset_net_limit: bytes }) => bytes > 0n && people.addresses.includes(owner_address),
  );
}

/** A token whose issuer pays for transfers, if somebody has none yet. */
export async function issueToken(host: Host): Promise<void> {
  const { world, people } = host;
  const { accounts } = world.ledger.state.tables;
  const owner_address = people.addresses.find((address) => accounts.get(address)?.asset_issued_ID === '');
  if (owner_address === undefined) return;
  const { headTimeMs } = world.ledger;
  await sentAlone(host, ContractType.AssetIssueContract, {
    owner_address,
    ...{ name: utf8ToHex('Granting'), abbr: utf8ToHex('GRT'), url: utf8ToHex('http://token') },
    ...{ total_supply: 1_000_000n, num: 1, trx_num: 1 },
    ...{ start_time: headTimeMs + 60_000n, end_time: headTimeMs + 86_400_000n },
    free_asset_net_limit: world.choices.of(GRANT_BYTES),
    public_free_asset_net_limit: 2n * world.choices.of(GRANT_BYTES),
  });
}

export const useAGrant: User = async (host) => {
  const { world, people } = host;
  const { choices } = world;
  // A fork does not know all tokens.
  if (world.shape.isFork || !isAlone(host)) return;
  const token = grantingToken(host);
  if (token === undefined) return issueToken(host);
  const { id, owner_address: issuer } = token;
  const others = people.addresses.filter((address) => isAddress(address) && address !== issuer);
  const send = (from: string, to: string, amount: bigint) => {
    const fields = { owner_address: from, to_address: to, asset_name: utf8ToHex(id), amount };
    return sentAlone(host, ContractType.TransferAssetContract, fields);
  };
  const stake = { owner_address: issuer, frozen_balance: 5n * COIN, resource: 0 };
  if (choices.chance(0.3)) await sentAlone(host, ContractType.FreezeBalanceV2Contract, stake);
  const { accounts } = world.ledger.state.tables;
  for (let left = TRANSFERS; left > 0 && isAlone(host); left--) {
    const [from, to] = [choices.of(others), choices.of(others)] as readonly [Address, Address];
    if (from === to || !accounts.has(from) || !accounts.has(to)) continue;
    const held = accounts.get(from)?.assetV2.get(id) ?? 0n;
    const sent = held === 0n ? await send(issuer, from, 100n) : await send(from, to, 1n);
    if (sent !== undefined && isAlone(host)) newestBlockAgrees(host);
  }
};
