/**
 * Fees in coin, and where they go. Whatever is paid in coin, for bytes, for Energy or as a fixed price, leaves through
 * `disposeOfFee`: burned, to the Blackhole account, or into the pool of the block producers
 * (protocol/fixed-fees.md#burning, protocol/fixed-fees.md). Mirrors the fee handling of Manager and of the actuators.
 *
 * Owns the two fixed fees that any transaction may owe, for several signatures and for a memo
 * (protocol/bandwidth.md#multi-signature-fee, #memo-fee); which of the others a contract type owes stands in its own
 * file.
 */

import { accountResourceInsufficient } from '../../errors/refusals.js';
import type { Address, Sun } from '../../primitives/ids.js';
import { toBase58 } from '../../protocol/address.js';
import type { SignedTransaction } from '../../protocol/transaction.js';
import { adjustBalance } from '../accounts/coin.js';
import { needsNoSignature } from '../accounts/impersonation.js';
import type { Ledger } from '../ledger.js';
import type { Charge, ChargeReason, ChargeSource } from './charges.js';

/**
 * Coin that was taken for a fee goes where the network has it go; the answer says where that was.
 *
 * @param poolable what is paid by the byte, and for Energy unless the call ran out of time. Fixed fees never are.
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

/** Takes a fixed fee from `payer`. A fee of 0 leaves no charge. */
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
  if (transaction.signatures.length <= 1 || needsNoSignature(ledger, transaction)) return;
  payFromOwner(ledger, transaction, charges, ledger.long('MULTI_SIGN_FEE'), 'multi-signature', 'multiSign');
}

export function payMemoFee(ledger: Ledger, transaction: SignedTransaction, charges: Charge[]): void {
  const feeSun = ledger.long('MEMO_FEE');
  // Of what came through `/eth` it is no memo but the data of a call that nobody reads.
  if (transaction.raw.data.length === 0 || feeSun <= 0n || transaction.ethereum !== undefined) return;
  payFromOwner(ledger, transaction, charges, feeSun, 'memo', 'memo fee');
}
