/**
 * Converts an answer of `getaccount` to the account's row, the inverse of `wallet/accounts.ts`. In answers, usages are
 * recovered to the head, times of last use are in milliseconds, and lists and maps have additional entries.
 */

import type { Account, Account_AccountResource } from '../../protocol/generated/tron.js';
import { BANDWIDTH, ENERGY, usageWindow, withUsageWindow } from '../../resources/metered-account.js';
import { type NetworkTerms, slotOf } from '../terms/network-terms.js';
import { fixedUsageBefore, windowBefore } from './usage-before-recovery.js';

type TokenAmounts = ReadonlyMap<string, bigint>;

/**
 * @param answered parsed JSON
 * @param headSlot slot of the head at the time of the answer
 */
export function storedAccount(answered: Account, headSlot: bigint, terms: NetworkTerms): Account {
  let account: Account = {
    ...answered,
    latest_consume_time: slotOf(terms, answered.latest_consume_time),
    latest_consume_free_time: slotOf(terms, answered.latest_consume_free_time),
    account_resource: answered.account_resource && {
      ...answered.account_resource,
      latest_consume_time_for_energy: slotOf(terms, answered.account_resource.latest_consume_time_for_energy),
    },
  };
  for (const resource of [BANDWIDTH, ENERGY] as const) {
    account = withUsageWindow(account, resource, windowBefore(usageWindow(account, resource), headSlot, terms.rules));
  }
  const usages = (answeredUsages: TokenAmounts, times: TokenAmounts): TokenAmounts =>
    new Map(
      [...times].map(([token, lastSlot]) => [
        token,
        fixedUsageBefore(answeredUsages.get(token) ?? 0n, lastSlot, headSlot, terms.rules),
      ]),
    );
  return {
    ...account,
    account_resource: account.account_resource && recordUnlessEmpty(account.account_resource),
    free_net_usage: fixedUsageBefore(account.free_net_usage, account.latest_consume_free_time, headSlot, terms.rules),
    // Answers have an entry for each held token; a usage has a time.
    free_asset_net_usage: usages(account.free_asset_net_usage, account.latest_asset_operation_time),
    free_asset_net_usageV2: usages(account.free_asset_net_usageV2, account.latest_asset_operation_timeV2),
    // Answers have an entry for each resource, also without a stake.
    frozenV2: account.frozenV2.filter(({ amount }) => amount !== 0n),
    // The place of token balances is internal to java-tron (`wallet/asset-store.ts`).
    asset_optimized: false,
  };
}

function recordUnlessEmpty(record: Account_AccountResource): Account_AccountResource | undefined {
  return Object.values(record).some((value) => value !== undefined && value !== 0n && value !== false)
    ? record
    : undefined;
}

/** Whether the row depends on the slot of the answer. */
export function dependsOnHead(answered: Account): boolean {
  return (
    answered.net_usage !== 0n ||
    answered.free_net_usage !== 0n ||
    (answered.account_resource?.energy_usage ?? 0n) !== 0n ||
    [...answered.free_asset_net_usage.values(), ...answered.free_asset_net_usageV2.values()].some((usage) => usage > 0n)
  );
}
