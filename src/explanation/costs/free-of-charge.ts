/** What the sender would have to have staked, so that a transaction had burned nothing for bandwidth and Energy. */

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

/** Sun to stake beside what an account has, so that nothing of `need` is bought. */
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
