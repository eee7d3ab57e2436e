/** A transaction of the chain, or a pending one, as data: from what was stored when it ran. */

import type { AppliedTransaction } from '../../ledger/apply-transaction.js';
import { coinTotal, decodeCharges } from '../../ledger/charging/charges.js';
import type { Chain } from '../../node/chain/chain.js';
import type { Sun, TxId } from '../../primitives/ids.js';
import { TransactionInfo } from '../../protocol/generated/tron.js';
import { SignedTransaction } from '../../protocol/transaction.js';
import { type TransactionHead, type TransactionSummary, transactionHead, transactionSummary } from './summary.js';

export interface StoredSummary extends TransactionSummary {
  readonly block: number;
  /** Its position in the block. */
  readonly index: number;
  /** All fees in sun. */
  readonly feeSun: Sun;
  /** For a call or a deployment: all Energy, whoever paid, and the dynamic part of it. */
  readonly energy?: { readonly total: bigint; readonly penalty: bigint };
}

/**
 * Names are current ones; a failure's values are decoded when awaited.
 *
 * @returns undefined for a transaction that is in no block
 */
export function storedSummary(chain: Chain, txId: TxId): StoredSummary | Promise<StoredSummary> | undefined {
  const { ledger } = chain;
  const stored = ledger.state.tables.transactions.get(txId);
  if (stored === undefined || stored.info.length === 0) return undefined;
  const transaction = SignedTransaction.decode(stored.transaction);
  const info = TransactionInfo.decode(stored.info);
  const charges = decodeCharges(stored.charges);
  const contractRet = transaction.ret[0]?.contractRet ?? 0;
  const { energy_usage_total: total = 0n, energy_penalty_total: penalty = 0n } = info.receipt ?? {};
  const whole = (summary: TransactionSummary): StoredSummary => ({
    ...summary,
    block: stored.blockNumber,
    index: stored.index,
    feeSun: coinTotal(charges),
    ...(total > 0n && { energy: { total, penalty } }),
  });
  const summary = transactionSummary(ledger, { transaction, contractRet, info, charges }, undefined);
  return summary instanceof Promise ? summary.then(whole) : whole(summary);
}

/** The action of a pending transaction. */
export function pendingHead(chain: Chain, { transaction }: AppliedTransaction): TransactionHead {
  return transactionHead(chain.ledger, transaction);
}
