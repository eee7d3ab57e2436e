/** What a devnet tells of blocks and transactions: plain values for listeners, logs and programs, made from what ran. */

import type { JavaException } from '../errors/java-exception.js';
import { chargeReport } from '../explanation/charges.js';
import type { ChargeReport } from '../explanation/explanation.js';
import type { AppliedBlock, DroppedTransaction } from '../ledger/apply-block.js';
import type { AppliedTransaction } from '../ledger/apply-transaction.js';
import { consoleLines } from '../node/console-log.js';
import type { Mined } from '../node/control.js';
import type { MineRequest } from '../node/mine-request.js';
import { toBase58 } from '../protocol/address.js';
import {
  Transaction_Contract_ContractType_type,
  Transaction_Result_contractResult_type,
} from '../protocol/generated/tron.js';
import type { SignedTransaction } from '../protocol/transaction.js';

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

/** A transaction that was not accepted, with the network's reason. */
export interface RefusedReport {
  readonly txid: string;
  readonly type: string;
  /** Base58check. */
  readonly owner: string;
  readonly reason: string;
}

/** Blocks were made on demand, or time was let pass. */
export interface MinedReport extends Mined {
  readonly asked: MineRequest;
}

/** A snapshot that was taken or gone back to, and the head of then. */
export interface SnapshotReport {
  readonly snapshot: string;
  readonly number: number;
  readonly timestampMs: number;
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
  return {
    ...naming(transaction),
    result: Transaction_Result_contractResult_type.nameOf(contractRet) ?? String(contractRet),
    charges: charges.map(chargeReport),
    consoleLines: consoleLines(consoleCalls),
  };
}

function naming({ contractType, txId, owner }: SignedTransaction): Pick<TransactionReport, 'txid' | 'type' | 'owner'> {
  return {
    txid: txId,
    type: Transaction_Contract_ContractType_type.nameOf(contractType) ?? String(contractType),
    owner: toBase58(owner ?? ''),
  };
}

const DROPPED_BECAUSE = {
  'block-full': 'it did not fit into the block any more',
  'permission-changed-in-block':
    'its owner changed permissions earlier in the same block, which takes no more of theirs',
  'second-shielded-transfer': 'a block takes one shielded transfer, and another came first',
} as const;

export function droppedReport({ transaction, reason }: DroppedTransaction): DroppedReport {
  const text = typeof reason === 'string' ? DROPPED_BECAUSE[reason] : String(reason.javaMessage);
  return { txid: transaction.txId, reason: text };
}

export function refusedReport(transaction: SignedTransaction, { javaMessage }: JavaException): RefusedReport {
  return { ...naming(transaction), reason: String(javaMessage) };
}
