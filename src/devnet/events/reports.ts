/** Reports of blocks and transactions as plain values, for listeners, logs and programs. */

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

/** A transaction in a block: action, outcome with reason, and all costs. */
export interface TransactionReport extends TransactionSummary {
  /** `SUCCESS`, or the failure in java-tron's receipt, e.g. `OUT_OF_ENERGY`. */
  readonly result: string;
  /** Output of the contract with `console.log`. */
  readonly consoleLines: readonly string[];
  /** For a call or a deployment: all Energy, whoever paid, and the dynamic part of it. */
  readonly energy?: { readonly total: bigint; readonly penalty: bigint };
  /** For a successful deployment: the length of the code. */
  readonly codeBytes?: number;
  /** With the option `trace`, for transactions that run a contract. */
  readonly trace?: TracedCall;
}

/** The new head, which the store has accepted. */
export interface BlockReport {
  readonly number: number;
  readonly id: string;
  readonly timestampMs: number;
  /** Base58check (T…). */
  readonly witness: string;
  readonly transactions: readonly TransactionReport[];
  /** The number of epochs that end with it: several after a jump in time, with a single maintenance. */
  readonly epochs: number;
  /** Whether it was made on demand: then `mined` reports the whole request. */
  readonly asked: boolean;
}

/** An accepted transaction that will be in no block. java-tron drops such transactions silently. */
export interface DroppedReport {
  readonly txid: string;
  /** As in the answer to a broadcast, e.g. `CONTRACT_VALIDATE_ERROR`; or `BLOCK_FULL`, `PENDING_TIMEOUT`, … */
  readonly code: string;
  /** A sentence. */
  readonly reason: string;
}

/** A refused transaction: its action, and the network's reason. */
export interface RefusedReport extends TransactionHead {
  /** As in the answer to the broadcast, e.g. `CONTRACT_VALIDATE_ERROR`. */
  readonly code: string;
  /** Including details that the answer omits. */
  readonly reason: string;
}

/** Blocks were made on demand, or time was advanced. */
export interface MinedReport extends Mined {
  readonly asked: MiningRequest;
}

/** A change of the chain by an operation, without a transaction. */
export interface ChangedReport {
  /** The method's name in `Devnet`, e.g. `setBalance`. */
  readonly operation: string;
  /** By name; addresses are base58check, whole numbers are `bigint`. */
  readonly values: Readonly<Record<string, unknown>>;
  /** The number of the block below the change. */
  readonly number: number;
}

/** The chain was replaced by another with the same genesis; `number` is the new head. */
export type BranchedReport = Branching & { readonly number: number; readonly timestampMs: number };

/** A snapshot was taken, or reverted to; with its head. */
export interface SnapshotReport {
  readonly snapshot: string;
  readonly number: number;
  readonly timestampMs: number;
}

/**
 * @param ledger the ledger with the block as head: names are looked up in it
 * @param asked whether the block was made on demand
 * @param stacks stack traces of failed transactions, by their positions in the block
 * @returns a promise if values of a failure must be decoded first
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

/** A failed call without a transaction. */
export interface FailedCallReport extends FailedCall {
  /** With `trace`, if code ran. */
  readonly trace?: TracedCall;
}

/** @param traces of the block's transactions, in order */
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
