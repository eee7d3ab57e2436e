/** The parts of an account's limit of staked bandwidth or Energy at a moment, and the remainder. */

import type { Ledger } from '../../ledger/ledger.js';
import { partnersOf, type StakeVersion } from '../../ledger/stake/delegation-index.js';
import { delegatedAmount, delegationKey, recordAt } from '../../ledger/stake/delegation-records.js';
import { rulesOf } from '../../ledger/stake/staking.js';
import type { Address, Sun } from '../../primitives/ids.js';
import { toBase58 } from '../../protocol/address.js';
import type { Account } from '../../protocol/generated/tron.js';
import {
  bandwidthLimit,
  callEnergyLimit,
  leftBandwidth,
  leftEnergy,
  stakeV1Of,
  stakeV2Of,
} from '../../resources/limits.js';
import { BANDWIDTH, type MeteredResource, usageWindow } from '../../resources/metered-account.js';
import { recovered, recoveredInOwnWindow } from '../../resources/recovery.js';
import { resourceTotals } from '../../resources/rules.js';
import type { StakeLimit } from '../model/explanation.js';

export function stakeLimitOf(ledger: Ledger, account: Account, resource: MeteredResource): StakeLimit {
  const totals = resourceTotals((name) => ledger.long(name));
  const rules = rulesOf(ledger);
  const now = ledger.headSlot;
  const window = usageWindow(account, resource);
  const [limit, used, left] =
    resource === BANDWIDTH
      ? [
          bandwidthLimit(account, totals, rules),
          recovered(window, now, rules),
          leftBandwidth(account, totals, now, rules),
        ]
      : [
          callEnergyLimit(account, totals, rules),
          recoveredInOwnWindow(window, now, rules),
          leftEnergy(account, totals, now, rules),
        ];
  return {
    limit,
    used,
    left: left < 0n ? 0n : left,
    ownStakeSun: stakeV1Of(account, resource) + stakeV2Of(account, resource),
    delegated: lendersOf(ledger, account.address as Address, resource).map(([from, sun]) => ({
      from: toBase58(from),
      stakeSun: sun,
    })),
    networkLimit: resource === BANDWIDTH ? totals.netLimit : totals.energyLimit,
    networkStakeCoins: resource === BANDWIDTH ? totals.netWeight : totals.energyWeight,
  };
}

/** The accounts that delegate to the account, with both kinds of staking together; the largest first. */
function lendersOf(ledger: Ledger, to: Address, resource: MeteredResource): readonly (readonly [Address, Sun])[] {
  const delegated = new Map<Address, Sun>();
  const add = (from: Address, key: string) => {
    const amount = delegatedAmount(recordAt(ledger, key), resource);
    if (amount > 0n) delegated.set(from, (delegated.get(from) ?? 0n) + amount);
  };
  const lenders = (version: StakeVersion) => partnersOf(ledger, version, 'from', to).map(({ address }) => address);
  for (const from of lenders(2)) {
    add(from, delegationKey.unlocked(from, to));
    add(from, delegationKey.locked(from, to));
  }
  const oldLists = ledger.state.tables.delegationLists.get(to)?.fromAccounts ?? [];
  for (const from of new Set([...lenders(1), ...(oldLists as readonly Address[])]))
    add(from, delegationKey.v1(from, to));
  return [...delegated].sort(([a, x], [b, y]) => (x === y ? (a < b ? -1 : 1) : x > y ? -1 : 1));
}
