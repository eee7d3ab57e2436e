/**
 * Fees in TRX and their destination. All payments for bytes, for Energy and of fixed prices go through `disposeOfFee`:
 * burned, to the Blackhole account, or into the block producers' pool (protocol/fixed-fees.md#burning,
 * protocol/fixed-fees.md). Mirrors the fee handling of Manager and of the actuators. Owns the two fixed fees of any
 * transaction, for several signatures and for a memo (protocol/bandwidth.md#multi-signature-fee, #memo-fee); other
 * fixed fees are in the files of their contract types.
 */

import { accountResourceInsufficient } from '../../errors/refusals.js';
import type { Address, Sun } from '../../primitives/ids.js';
import { toBase58 } from '../../protocol/address.js';
import type { SignedTransaction } from '../../protocol/transaction.js';
import { adjustBalance } from '../accounts/coin.js';
import type { Ledger } from '../ledger.js';
import type { Charge, ChargeReason, ChargeSource } from './charges.js';

/**
 * Sends a fee to its destination and returns the destination.
 *
 * @param poolable true for bytes, and for Energy unless the call ran out of time; false for fixed fees
 */
export function disposeOfFee(
  ledger: Ledger,
  amount: Sun,
  poolable: 'poolable' | 'not-poolable' = 'not-poolable',
): ChargeSource {
  if (poolable === 'poolable' && ledger.on('ALLOW_TRANSACTION_FEE_POOL')) {
    ledger.addToLong('TRANSACTION_FEE_POOL', amount);
    return 'fee-pool';
  }
  if (ledger.on('ALLOW_BLACKHOLE_OPTIMIZATION')) {
    if (amount > 0n) ledger.addToLong('BURN_TRX_AMOUNT', amount);
    return 'burned';
  }
  adjustBalance(ledger, ledger.config.blackhole, amount);
  return 'blackhole';
}

/** Charges a fixed fee to `payer`. A fee of 0 leaves no charge. */
export function payFee(ledger: Ledger, charges: Charge[], payer: Address, amount: Sun, reason: ChargeReason): void {
  adjustBalance(ledger, payer, -amount);
  const source = disposeOfFee(ledger, amount);
  if (amount !== 0n) charges.push({ payer, resource: 'coin', source, amount, reason });
}

function payFromOwner(
  ledger: Ledger,
  transaction: SignedTransaction,
  charges: Charge[],
  feeSun: Sun,
  reason: ChargeReason,
  purpose: string,
): void {
  const { owner } = transaction;
  const account = owner === undefined ? undefined : ledger.state.tables.accounts.get(owner);
  if (owner === undefined || account === undefined) return;
  if (account.balance < feeSun) {
    throw accountResourceInsufficient(`account ${toBase58(owner)} insufficient balance[${feeSun}] to ${purpose}`);
  }
  payFee(ledger, charges, owner, feeSun, reason);
}

export function payMultiSignatureFee(ledger: Ledger, transaction: SignedTransaction, charges: Charge[]): void {
  if (transaction.signatures.length <= 1) return;
  payFromOwner(ledger, transaction, charges, ledger.long('MULTI_SIGN_FEE'), 'multi-signature', 'multiSign');
}

export function payMemoFee(ledger: Ledger, transaction: SignedTransaction, charges: Charge[]): void {
  const feeSun = ledger.long('MEMO_FEE');
  // Of what came through `/eth` it is no memo but the data of a call that nobody reads.
  if (transaction.raw.data.length === 0 || feeSun <= 0n || transaction.ethereum !== undefined) return;
  payFromOwner(ledger, transaction, charges, feeSun, 'memo', 'memo fee');
}
