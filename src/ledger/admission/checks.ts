/**
 * Checks before any charge: reference block, size, expiration, duplicate
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

/**
 * Types that later releases refuse. Exchange trades were closed because of their doubles, and are open again with
 * exact arithmetic.
 */
export function checkTypeIsOpen(ledger: Ledger, { contractType }: SignedTransaction, inBlock: boolean): void {
  if (contractType === ContractType.ShieldedTransferContract && !inBlock && hasRule(ledger, 'shieldedTransfersRefused'))
    throw contractValidateException('ShieldedTransferContract is not supported.');
  if (contractType !== ContractType.ExchangeTransactionContract || !hasRule(ledger, 'exchangeTradesRefused')) return;
  if (!ledger.on('ALLOW_HARDEN_EXCHANGE_CALCULATION')) {
    throw contractValidateException('ExchangeTransactionContract is rejected');
  }
}

/**
 * `ref_block_bytes` are the last two bytes of a block number; the latest such block's id must contain
 * `ref_block_hash`. java-tron overwrites 65,536 entries of a ring; here the id is read from the chain, of the same
 * block. @param isTrial a run without effect may also refer to the block before a fork's first one: nobody can send it
 * elsewhere
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

/** `inBlock`: java-tron applies these rules to broadcasts, and to blocks with CONSENSUS_LOGIC_OPTIMIZATION. */
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

/** A transaction that expires before the next block is refused at once. */
export function checkNextSlot(ledger: Ledger, transaction: SignedTransaction): void {
  if (transaction.raw.expiration < nextBlockTimeMs(ledger)) {
    throw transactionExpiration(`Transaction expiration, transaction expiration time is ${transaction.raw.expiration}`);
  }
}

/** Pending transactions are in the same table, so duplicates of them are found, too. */
export function checkDuplicate(ledger: Ledger, transaction: SignedTransaction): void {
  if (ledger.state.tables.transactions.has(transaction.txId)) throw dupTransaction();
}
