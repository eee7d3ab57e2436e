/**
 * Transactions that came signed, on a chain that they were not signed for: what a what-if makes of a recording. Their keys
 * are not there, so they get another reference where their own is not on the chain, and count without their signatures
 * being checked. These stay where they are, because their bytes are paid for.
 */

import { JavaException } from '../../errors/java-exception.js';
import { impersonates } from '../../ledger/accounts/impersonation.js';
import { checkTapos } from '../../ledger/admission/checks.js';
import type { Node } from '../../node/node.js';
import { SignedTransaction } from '../../protocol/transaction.js';

/** The transaction as it counts on this chain; the same object where it counts as it is. */
export function replayable(node: Node, transaction: SignedTransaction): SignedTransaction {
  const { ledger } = node.chain;
  const { owner, raw, signatures } = transaction;
  if (isReferenceHere(node, transaction)) return transaction;
  if (owner !== undefined && !impersonates(ledger, owner)) node.operations.apply('impersonate', { accounts: [owner] });
  const { headNumber, headId } = node.chain;
  return SignedTransaction.fromRaw({
    ...raw,
    ref_block_bytes: (headNumber & 0xffff).toString(16).padStart(4, '0'),
    ref_block_hash: headId.slice(16, 32),
  }).withSignatures(signatures);
}

function isReferenceHere(node: Node, transaction: SignedTransaction): boolean {
  try {
    checkTapos(node.chain.ledger, transaction);
    return true;
  } catch (error) {
    if (error instanceof JavaException) return false;
    throw error;
  }
}
