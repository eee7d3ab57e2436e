/**
 * Stake 2.0: staking, unstaking over a waiting time, taking it out, changing one's mind; and what each does to the
 * network's weights, to votes and to the old tron power (ledger.md 3.2, fees-and-resources.md 9.1 and 9.4 to 9.6).
 *
 * Mirrors the effects of java-tron's FreezeBalanceV2, UnfreezeBalanceV2, WithdrawExpireUnfreeze and CancelAllUnfreezeV2
 * actuators. Does not own validation (`contracts/`), lending (`delegation.ts`) or stake 1.0 (`stake-v1.ts`).
 */

import type { Address, Sun } from '../primitives/ids.js';
import { maxLong } from '../primitives/java-math.js';
import { ResourceCode } from '../protocol/messages/resource-code.js';
import type { Account } from '../protocol/messages/tron.js';
import { existingAccount, putAccount } from './coin.js';
import type { Ledger } from './ledger.js';
import { addStakeV2, OLD_TRON_POWER_INVALID, ONE_TRX_SUN, tronPower, weighedStakeV2 } from './stakes.js';

const WEIGHTS = {
  [ResourceCode.BANDWIDTH]: 'TOTAL_NET_WEIGHT',
  [ResourceCode.ENERGY]: 'TOTAL_ENERGY_WEIGHT',
  [ResourceCode.TRON_POWER]: 'TOTAL_TRON_POWER_WEIGHT',
} as const;

function weightName(resource: ResourceCode) {
  const name = WEIGHTS[resource as keyof typeof WEIGHTS];
  if (name === undefined) throw new Error(`resource ${resource} has no weight: validation should have refused`);
  return name;
}

/** Adds whole coins to a resource's total. The new reward rules keep it from falling below 0. */
export function addWeight(ledger: Ledger, resource: ResourceCode, deltaTrx: bigint): void {
  if (deltaTrx === 0n) return;
  const name = weightName(resource);
  const total = ledger.long(name) + deltaTrx;
  ledger.setLong(name, ledger.on('ALLOW_NEW_REWARD') ? maxLong(0n, total) : total);
}

/** The network's total weight of a resource, in whole coins. */
export function totalWeight(ledger: Ledger, resource: ResourceCode): bigint {
  return ledger.long(weightName(resource));
}

/** Changes an account's stake 2.0; the weight moves by the difference of whole coins, own and lent together. */
function changeStakeV2(ledger: Ledger, account: Account, resource: ResourceCode, delta: Sun): Account {
  const changed = addStakeV2(account, resource, delta);
  const before = weighedStakeV2(account, resource) / ONE_TRX_SUN;
  addWeight(ledger, resource, weighedStakeV2(changed, resource) / ONE_TRX_SUN - before);
  return changed;
}

/**
 * Fixes the tron power of the time before the new resource model, at the first staking, unstaking or vote under it:
 * what the account has staked then, or "invalid" when that is nothing (ledger.md 4.4).
 */
export function withOldTronPower(ledger: Ledger, account: Account): Account {
  if (!ledger.on('ALLOW_NEW_RESOURCE_MODEL') || account.old_tron_power !== 0n) return account;
  const power = tronPower(account);
  return { ...account, old_tron_power: power === 0n ? OLD_TRON_POWER_INVALID : power };
}

/** Every unstaking ends the old tron power. */
export function withoutOldTronPower(ledger: Ledger, account: Account): Account {
  return ledger.on('ALLOW_NEW_RESOURCE_MODEL') ? { ...account, old_tron_power: OLD_TRON_POWER_INVALID } : account;
}

/** Moves `amountSun` from the balance to the stake for `resource` (`ResourceCode`). */
export function freezeV2(ledger: Ledger, owner: Address, amountSun: Sun, resource: ResourceCode): void {
  const account = withOldTronPower(ledger, existingAccount(ledger, owner));
  const paid = { ...account, balance: account.balance - amountSun };
  putAccount(ledger, changeStakeV2(ledger, paid, resource, amountSun));
}
