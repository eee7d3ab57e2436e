/** The stake with which the sender would have burned nothing for bandwidth and Energy. */

import { bandwidthTerms, chargedBytes, createsAccount } from '../../ledger/charging/bandwidth.js';
import type { Charge } from '../../ledger/charging/charges.js';
import type { Ledger } from '../../ledger/ledger.js';
import type { Address } from '../../primitives/ids.js';
import type { Account } from '../../protocol/generated/tron.js';
import type { SignedTransaction } from '../../protocol/transaction.js';
import { leastStake } from '../../resources/least-stake.js';
import { stakeOf } from '../../resources/limits.js';
import { BANDWIDTH, ENERGY, type MeteredResource, usageWindow } from '../../resources/metered-account.js';
import { recovered, recoveredInOwnWindow } from '../../resources/recovery.js';
import { stakeWithDelegatedV2 } from '../../resources/staking.js';
import type { FreeOfCharge } from '../model/explanation.js';

const BANDWIDTH_REASONS: ReadonlySet<Charge['reason']> = new Set(['bandwidth', 'account-creation-bandwidth']);

/**
 * @param before the state before the transaction
 * @param callerEnergy the caller's part of the Energy; for an out-of-energy call, the part that it would have had
 * @returns undefined if nothing was burned that a stake could have paid
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
  const { accountCreationRate } = bandwidthTerms(before);
  const bytes = BigInt(chargedBytes(before, transaction));
  const others = coin.filter(({ reason }) => reason !== 'energy' && !BANDWIDTH_REASONS.has(reason));
  return {
    ...(burnsEnergy && { energyStakeSun: stakeThatPays(before, sender, ENERGY, callerEnergy) }),
    ...(burnsBandwidth && {
      bandwidthStakeSun: stakeThatPays(
        before,
        sender,
        BANDWIDTH,
        createsAccount(before, transaction) ? bytes * accountCreationRate : bytes,
      ),
    }),
    remainingFeeSun: others.reduce((sum, { amount }) => sum + amount, 0n),
  };
}

/** Additional sun to stake so that nothing of `need` is burned. */
export function stakeThatPays(
  ledger: Ledger,
  account: Account,
  resource: MeteredResource,
  need: bigint,
): bigint | 'more-than-there-is' {
  const { totals, rules } = bandwidthTerms(ledger);
  const window = usageWindow(account, resource);
  const used =
    resource === ENERGY
      ? recoveredInOwnWindow(window, ledger.headSlot, rules)
      : recovered(window, ledger.headSlot, rules);
  const stake = { countedSun: stakeOf(account, resource), weightedSun: stakeWithDelegatedV2(account, resource), used };
  const sun = leastStake(resource, need, stake, totals, rules);
  return sun === undefined ? 'more-than-there-is' : sun;
}
