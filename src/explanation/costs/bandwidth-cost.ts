/** The possible payers of a transaction's bandwidth, with the remaining limits of each. */

import { bandwidthTerms, chargedBytes, createsAccount } from '../../ledger/charging/bandwidth.js';
import type { Charge } from '../../ledger/charging/charges.js';
import type { Ledger } from '../../ledger/ledger.js';
import type { Address } from '../../primitives/ids.js';
import type { SignedTransaction } from '../../protocol/transaction.js';
import { payBandwidth } from '../../resources/bandwidth.js';
import { BANDWIDTH } from '../../resources/metered-account.js';
import type { BandwidthCost } from '../model/explanation.js';
import { stakeLimitOf } from './stake-limit.js';

/**
 * @param before the state before the transaction
 * @returns undefined for shielded transfers, the only type that pays no bandwidth
 */
export function bandwidthCostOf(
  before: Ledger,
  transaction: SignedTransaction,
  charges: readonly Charge[],
): BandwidthCost | undefined {
  const charge = charges.find(({ reason }) => reason === 'bandwidth' || reason === 'account-creation-bandwidth');
  const { owner } = transaction;
  const sender = owner && before.state.tables.accounts.get(owner as Address);
  if (charge === undefined || sender === undefined) return undefined;
  const terms = bandwidthTerms(before);
  const creating = createsAccount(before, transaction);
  const bytes = BigInt(chargedBytes(before, transaction));
  const cost = { bytes, createsAccount: creating, bytePriceSun: terms.bytePriceSun };
  if (charge.source === 'issuer') return cost;
  const { left } = payBandwidth({ bytes, sender, createsAccount: creating, nowSlot: before.headSlot }, terms);
  return {
    ...cost,
    staked: stakeLimitOf(before, sender, BANDWIDTH),
    ...(left.free !== undefined && {
      free: { limit: terms.freeLimit, left: left.free },
    }),
  };
}
