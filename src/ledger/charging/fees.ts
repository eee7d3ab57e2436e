/** The fees beside bandwidth that every transaction may owe: several signatures, a memo (fees-and-resources.md 2.8, 2.9). */

import type { Sun } from '../../primitives/ids.js';
import { toBase58 } from '../../protocol/address.js';
import type { SignedTransaction } from '../../protocol/transaction.js';
import { payFee } from '../accounts/coin.js';
import { accountResourceInsufficient } from '../admission/refusals.js';
import type { Ledger } from '../ledger.js';
import type { Charge, ChargeReason } from './charges.js';

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
  if (transaction.raw.data.length === 0 || feeSun <= 0n) return;
  payFromOwner(ledger, transaction, charges, feeSun, 'memo', 'memo fee');
}
