/**
 * Makes signed transactions valid on another chain, for a what-if on a recording. Their keys are unknown. They get
 * another reference block if theirs is not on this chain, and their signatures are not checked. The signatures stay in
 * place, because their bytes are charged.
 */

import { JavaException } from '../../errors/java-exception.js';
import { impersonates } from '../../ledger/accounts/impersonation.js';
import { checkTapos } from '../../ledger/admission/checks.js';
import type { Node } from '../../node/node.js';
import { SignedTransaction } from '../../protocol/transaction.js';

/** The transaction for this chain; the same object if it needs no change. */
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
