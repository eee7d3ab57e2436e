/** What a devnet tells of blocks and transactions: plain values for listeners, logs and programs, made from what ran. */

import type { JavaException } from '../../errors/java-exception.js';
import type { CallTree, TracedCall } from '../../explanation/calls/call-tree.js';
import type { FailureDetails } from '../../explanation/outcome/failure.js';
import { dropped, heldText, refusal } from '../../explanation/outcome/refusal.js';
import {
  type FailedCall,
  type TransactionHead,
  type TransactionSummary,
  transactionHead,
  transactionSummary,
} from '../../explanation/summary/summary.js';
import type { AppliedBlock, DroppedTransaction } from '../../ledger/apply-block.js';
import type { AppliedTransaction } from '../../ledger/apply-transaction.js';
import type { Ledger } from '../../ledger/ledger.js';
import type { Operation } from '../../ledger/operations/registry.js';
import { heldDelegation } from '../../ledger/stake/held-delegation.js';
import { consoleLines } from '../../node/chain/console-log.js';
import type { MiningRequest } from '../../node/clock/mine-request.js';
import type { Branching, Mined } from '../../node/control.js';
import { type Address, isAddress } from '../../primitives/ids.js';
import { toBase58 } from '../../protocol/address.js';
import { Transaction_Contract_ContractType as ContractType } from '../../protocol/generated/tron.js';
import type { SignedTransaction } from '../../protocol/transaction.js';

/** A transaction in a block: what it does, how it ended and why, and all that it cost. */
export interface TransactionReport extends TransactionSummary {
  /** `SUCCESS`, or the name of the failure as java-tron's receipt has it, e.g. `OUT_OF_ENERGY`. */
  readonly result: string;
  /** What the contract printed with `console.log`. */
  readonly consoleLines: readonly string[];
  /** Of a call or a deployment: what it took, whoever paid, and what of it dynamic Energy added. */
  readonly energy?: { readonly total: bigint; readonly penalty: bigint };
  /** Of a deployment that succeeded: how long the code is that stands on the chain. */
  readonly codeBytes?: number;
  /** With the option `trace`, for transactions that run a contract. */
  readonly trace?: TracedCall;
}

/** A block that has just become the head and is in the store. */
export interface BlockReport {
  readonly number: number;
  readonly id: string;
  readonly timestampMs: number;
  /** Base58check. */
  readonly witness: string;
  readonly transactions: readonly TransactionReport[];
  /** How many epochs ended with it: after a jump in time several, with one maintenance for all of them. */
  readonly epochs: number;
  /** Whether somebody asked for it: `mined` tells what came of that. */
  readonly asked: boolean;
}

/** A transaction that was accepted and will be in no block: java-tron loses such ones without a word. */
export interface DroppedReport {
  readonly txid: string;
  /** As a broadcast would answer it, e.g. `CONTRACT_VALIDATE_ERROR`, or `BLOCK_FULL`, `PENDING_TIMEOUT`, … */
  readonly code: string;
  /** A sentence. */
  readonly reason: string;
}

/** A transaction that was not accepted: what it was to do, and the network's reason. */
export interface RefusedReport extends TransactionHead {
  /** As the broadcast was answered, e.g. `CONTRACT_VALIDATE_ERROR`. */
  readonly code: string;
  /** With the detail that the answer leaves out. */
  readonly reason: string;
}

/** Blocks were made on demand, or time was let pass. */
export interface MinedReport extends Mined {
  readonly asked: MiningRequest;
}

/** A change of the chain from outside, without a transaction. */
export interface ChangedReport {
  /** As the method of `Devnet` is named, e.g. `setBalance`. */
  readonly operation: string;
  /** By name; addresses base58check, whole numbers `bigint`. */
  readonly values: Readonly<Record<string, unknown>>;
  /** The block after which it was made. */
  readonly number: number;
}

/** The chain was left for another with the same genesis; the head of now. */
export type BranchedReport = Branching & { readonly number: number; readonly timestampMs: number };

/** A snapshot that was taken or gone back to, and the head of then. */
export interface SnapshotReport {
  readonly snapshot: string;
  readonly number: number;
  readonly timestampMs: number;
}

/**
 * @param ledger on which the block is the head: the names are of this moment
 * @param asked whether somebody asked for the block
 * @param stacks what was found of transactions that failed, by their places in the block
 * @returns a promise where there is a failure whose values have to be decoded first
 */
export function blockReport(
  ledger: Ledger,
  block: AppliedBlock,
  asked: boolean,
  stacks: ReadonlyMap<number, FailureDetails>,
): BlockReport | Promise<BlockReport> {
  const report = (transactions: readonly TransactionReport[]): BlockReport => ({
    number: block.number,
    id: block.id,
    timestampMs: Number(block.timestampMs),
    witness: toBase58(block.producer),
    transactions,
    epochs: block.epochs,
    asked,
  });
  const transactions = block.transactions.map((applied, at) => transactionReport(ledger, applied, stacks.get(at)));
  if (transactions.some((transaction) => transaction instanceof Promise)) return Promise.all(transactions).then(report);
  return report(transactions as readonly TransactionReport[]);
}

/** @param traces of the block's transactions, in order */
/** A call without a transaction that failed. */
export interface FailedCallReport extends FailedCall {
  /** With `trace`, where a program ran. */
  readonly trace?: TracedCall;
}

export function withTraces(block: BlockReport, traces: readonly CallTree[]): BlockReport {
  const transactions = block.transactions.map((transaction, at) => {
    const trace = traces[at]?.call;
    return trace === undefined ? transaction : { ...transaction, trace };
  });
  return { ...block, transactions };
}

function transactionReport(
  ledger: Ledger,
  applied: AppliedTransaction,
  found: FailureDetails | undefined,
): TransactionReport | Promise<TransactionReport> {
  const { info, budget, transaction, consoleCalls } = applied;
  const isDeployment = transaction.contractType === ContractType.CreateSmartContract;
  const code = isDeployment ? ledger.state.tables.codes.get(info.contract_address as Address) : undefined;
  const { energy_usage_total: total = 0n, energy_penalty_total: penalty = 0n } = info.receipt ?? {};
  const whole = (summary: TransactionSummary): TransactionReport => ({
    ...summary,
    result: summary.outcome.result,
    consoleLines: consoleLines(consoleCalls),
    ...(budget !== undefined && { energy: { total, penalty } }),
    ...(code !== undefined && summary.outcome.succeeded && { codeBytes: code.length }),
  });
  const summary = transactionSummary(ledger, applied, found);
  return summary instanceof Promise ? summary.then(whole) : whole(summary);
}

export function refusedReport(ledger: Ledger, transaction: SignedTransaction, exception: JavaException): RefusedReport {
  const { code, message } = refusal(exception);
  const held = heldText(heldDelegation(ledger, transaction, exception));
  return { ...transactionHead(ledger, transaction), code, reason: held === '' ? message : `${message}; ${held}` };
}

export function changedReport({ name, arguments: given }: Operation, number: number): ChangedReport {
  const plain = (value: unknown): unknown => {
    if (typeof value === 'string') return isAddress(value) ? toBase58(value) : value;
    if (Array.isArray(value)) return value.map(plain);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, plain(member)]));
  };
  return { operation: name, values: plain(given) as ChangedReport['values'], number };
}

export function droppedReport({ transaction, reason }: DroppedTransaction): DroppedReport {
  const { code, message } = dropped(reason);
  return { txid: transaction.txId, code, reason: message };
}
