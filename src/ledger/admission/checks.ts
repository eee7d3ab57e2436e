/**
 * What a transaction must pass before anybody pays for it: reference block, size, expiration, duplicate
 * (protocol/transactions.md#reference-block-tapos, #duplicates). Mirrors Manager.validateTapos, validateCommon and
 * validateDup.
 */

import {
  contractValidateException,
  dupTransaction,
  taposException,
  tooBigTransaction,
  transactionExpiration,
} from '../../errors/refusals.js';
import { Transaction_Contract_ContractType as ContractType } from '../../protocol/generated/tron.js';
import type { SignedTransaction } from '../../protocol/transaction.js';
import { RESULT_ALLOWANCE_BYTES } from '../../resources/transaction-size.js';
import { blockIdAt } from '../blocks/block-ids.js';
import { oldestReference } from '../config.js';
import type { Ledger } from '../ledger.js';
import { hasRule } from '../release-rules.js';
import { nextBlockTimeMs } from '../schedule/schedule.js';

export const MAX_TRANSACTION_BYTES = 512_000;
const MAX_LIFETIME_MS = 86_400_000n;

export function checkContractCount(transaction: SignedTransaction): void {
  const count = transaction.raw.contract.length;
  if (count !== 1) {
    throw contractValidateException(
      `tx ${transaction.txId} contract size should be exactly 1, this is extend feature ,actual :${count}`,
    );
  }
}

/** What later releases refuse by its type. Trades were closed for their doubles, and are open again without those. */
export function checkTypeIsOpen(ledger: Ledger, { contractType }: SignedTransaction, inBlock: boolean): void {
  if (contractType === ContractType.ShieldedTransferContract && !inBlock && hasRule(ledger, 'shieldedTransfersRefused'))
    throw contractValidateException('ShieldedTransferContract is not supported.');
  if (contractType !== ContractType.ExchangeTransactionContract || !hasRule(ledger, 'exchangeTradesRefused')) return;
  if (!ledger.on('ALLOW_HARDEN_EXCHANGE_CALCULATION')) {
    throw contractValidateException('ExchangeTransactionContract is rejected');
  }
}

/**
 * `ref_block_bytes` names the latest block whose number ends in these two bytes; its id must hold `ref_block_hash`.
 * java-tron overwrites 65,536 entries of a ring; we ask the chain for the id, which is the same block.
 *
 * @param isTrial a run that is only looked at may also refer to the block that a fork began above: nobody can send it
 *   anywhere else
 */
export function checkTapos(ledger: Ledger, transaction: SignedTransaction, isTrial = false): void {
  const { ref_block_bytes: bytes, ref_block_hash: hash } = transaction.raw;
  if (bytes.length === 4 && hash.length === 16) {
    const low = Number.parseInt(bytes, 16);
    const head = ledger.headNumber;
    const number = head - ((head - low) & 0xffff);
    const oldest = isTrial ? ledger.config.beginsAt : oldestReference(ledger.config);
    if (number >= oldest && blockIdAt(ledger, number)?.slice(16, 32) === hash) return;
  }
  throw taposException('tapos failed');
}

/** `inBlock`: rules that java-tron applies to broadcasts, and to blocks with CONSENSUS_LOGIC_OPTIMIZATION. */
export function checkSizeAndExpiration(ledger: Ledger, transaction: SignedTransaction, inBlock: boolean): void {
  const asBroadcast = !inBlock || ledger.on('CONSENSUS_LOGIC_OPTIMIZATION');
  const withAllowance = transaction.sizeWithoutRet + 2 * RESULT_ALLOWANCE_BYTES;
  if (asBroadcast && withAllowance > MAX_TRANSACTION_BYTES) {
    throw tooBigTransaction(
      `Too big transaction with result, TxId ${transaction.txId}, the size is ${withAllowance} bytes, maxTxSize ${MAX_TRANSACTION_BYTES}`,
    );
  }
  if (transaction.size > MAX_TRANSACTION_BYTES) {
    throw tooBigTransaction(
      `Too big transaction, TxId ${transaction.txId}, the size is ${transaction.size} bytes, maxTxSize ${MAX_TRANSACTION_BYTES}`,
    );
  }
  const { expiration } = transaction.raw;
  const headTimeMs = ledger.headTimeMs;
  if (expiration <= headTimeMs || expiration > headTimeMs + MAX_LIFETIME_MS) {
    throw transactionExpiration(
      `Transaction expiration, transaction expiration time is ${expiration}, but headBlockTime is ${headTimeMs}`,
    );
  }
  if (inBlock && ledger.on('CONSENSUS_LOGIC_OPTIMIZATION')) checkNextSlot(ledger, transaction);
}

/** A transaction that expires before the next block can come is refused at once. */
export function checkNextSlot(ledger: Ledger, transaction: SignedTransaction): void {
  if (transaction.raw.expiration < nextBlockTimeMs(ledger)) {
    throw transactionExpiration(`Transaction expiration, transaction expiration time is ${transaction.raw.expiration}`);
  }
}

/** Pending transactions lie in the same table, so this sees them too. */
export function checkDuplicate(ledger: Ledger, transaction: SignedTransaction): void {
  if (ledger.state.tables.transactions.has(transaction.txId)) throw dupTransaction();
}
