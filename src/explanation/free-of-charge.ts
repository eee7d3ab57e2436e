/** What the sender would have to have staked, so that a transaction had burned nothing for bandwidth and Energy. */

import { bandwidthTerms, chargedBytes, createsAccount } from '../ledger/charging/bandwidth.js';
import type { Charge } from '../ledger/charging/charges.js';
import type { Ledger } from '../ledger/ledger.js';
import type { Address } from '../primitives/ids.js';
import type { SignedTransaction } from '../protocol/transaction.js';
import { leastStake } from '../resources/least-stake.js';
import { stakeOf } from '../resources/limits.js';
import { BANDWIDTH, ENERGY, type MeteredResource, usageWindow } from '../resources/metered-account.js';
import { recovered, recoveredInOwnWindow } from '../resources/recovery.js';
import { stakeWithDelegatedV2 } from '../resources/staking.js';
import { amountOf } from './amount.js';
import type { FreeOfCharge } from './explanation.js';

const BANDWIDTH_REASONS: ReadonlySet<Charge['reason']> = new Set(['bandwidth', 'account-creation-bandwidth']);

/**
 * @param before the state that the transaction came to
 * @param callerEnergy what the caller owes of the Energy: of a call that ran out of it, what it would have owed
 * @returns undefined where nothing was burned that a stake pays
 */
export function freeOfChargeOf(
  before: Ledger,
  transaction: SignedTransaction,
  charges: readonly Charge[],
  callerEnergy: bigint,
): FreeOfCharge | undefined {
  const sender = before.state.tables.accounts.get(transaction.owner as Address);
  const coin = charges.filter(({ resource }) => resource === 'coin');
  const burnsBandwidth = coin.some(({ reason }) => BANDWIDTH_REASONS.has(reason));
  const burnsEnergy = coin.some(({ reason }) => reason === 'energy');
  if (sender === undefined || !(burnsBandwidth || burnsEnergy)) return undefined;
  const { totals, rules, accountCreationRate } = bandwidthTerms(before);
  const least = (resource: MeteredResource, need: bigint) => {
    const window = usageWindow(sender, resource);
    const used =
      resource === ENERGY
        ? recoveredInOwnWindow(window, before.headSlot, rules)
        : recovered(window, before.headSlot, rules);
    const stake = { countsSun: stakeOf(sender, resource), weighsSun: stakeWithDelegatedV2(sender, resource), used };
    const sun = leastStake(resource, need, stake, totals, rules);
    return sun === undefined ? 'more-than-there-is' : amountOf(sun);
  };
  const bytes = BigInt(chargedBytes(before, transaction));
  const others = coin.filter(({ reason }) => reason !== 'energy' && !BANDWIDTH_REASONS.has(reason));
  return {
    ...(burnsEnergy && { energyStakeSun: least(ENERGY, callerEnergy) }),
    ...(burnsBandwidth && {
      bandwidthStakeSun: least(BANDWIDTH, createsAccount(before, transaction) ? bytes * accountCreationRate : bytes),
    }),
    remainingFeeSun: amountOf(others.reduce((sum, { amount }) => sum + amount, 0n)),
  };
}
