/** What a devnet tells of blocks and transactions: plain values for listeners, logs and programs, made from what ran. */

import { chargeReport } from '../explanation/charges.js';
import type { ChargeReport } from '../explanation/explanation.js';
import type { AppliedBlock, DroppedTransaction } from '../ledger/apply-block.js';
import type { AppliedTransaction } from '../ledger/apply-transaction.js';
import { consoleLines } from '../node/console-log.js';
import { toBase58 } from '../protocol/address.js';
import {
  Transaction_Contract_ContractType_type,
  Transaction_Result_contractResult_type,
} from '../protocol/generated/tron.js';

/** A transaction in a block, with all that it cost. */
export interface TransactionReport {
  readonly txid: string;
  /** The contract's type as the protocol names it, e.g. `TransferContract`. */
  readonly type: string;
  /** Base58check. */
  readonly owner: string;
  /** `SUCCESS`, or the name of the failure as java-tron's receipt has it, e.g. `OUT_OF_ENERGY`. */
  readonly result: string;
  readonly charges: readonly ChargeReport[];
  /** What the contract printed with `console.log`. */
  readonly consoleLines: readonly string[];
}

/** A block that has just become the head and is in the store. */
export interface BlockReport {
  readonly number: number;
  readonly id: string;
  readonly timestampMs: number;
  /** Base58check. */
  readonly witness: string;
  readonly transactions: readonly TransactionReport[];
}

/** A transaction that was accepted and will be in no block: java-tron loses such ones without a word. */
export interface DroppedReport {
  readonly txid: string;
  readonly reason: string;
}

export function blockReport(block: AppliedBlock): BlockReport {
  return {
    number: block.number,
    id: block.id,
    timestampMs: Number(block.timestampMs),
    witness: toBase58(block.producer),
    transactions: block.transactions.map(transactionReport),
  };
}

function transactionReport({ transaction, contractRet, charges, consoleCalls }: AppliedTransaction): TransactionReport {
  const { contractType, txId, owner } = transaction;
  return {
    txid: txId,
    type: Transaction_Contract_ContractType_type.nameOf(contractType) ?? String(contractType),
    owner: toBase58(owner ?? ''),
    result: Transaction_Result_contractResult_type.nameOf(contractRet) ?? String(contractRet),
    charges: charges.map(chargeReport),
    consoleLines: consoleLines(consoleCalls),
  };
}

export function droppedReport({ transaction, reason }: DroppedTransaction): DroppedReport {
  return { txid: transaction.txId, reason: typeof reason === 'string' ? reason : String(reason.javaMessage) };
}
