/** A summary of a transaction right after it ran, without another run: action, outcome, cost. */

import type { AppliedTransaction } from '../../ledger/apply-transaction.js';
import type { Ledger } from '../../ledger/ledger.js';
import { abiAt, namesOn } from '../../ledger/smart-contracts/names.js';
import { hexToUtf8 } from '../../primitives/hex.js';
import type { Address } from '../../primitives/ids.js';
import { toBase58 } from '../../protocol/address.js';
import type { TriggerSmartContract } from '../../protocol/generated/smart-contract.js';
import {
  Transaction_Result_contractResult as ContractResult,
  Transaction_Contract_ContractType_type,
  Transaction_Result_contractResult_type,
} from '../../protocol/generated/tron.js';
import type { Sent } from '../../protocol/message-type.js';
import type { SignedTransaction } from '../../protocol/transaction.js';
import type { ExecutionResult } from '../../tvm/run.js';
import { chargeReport } from '../costs/charges.js';
import type { Action, ChargeReport, ContractRef, MethodRef, Outcome } from '../model/explanation.js';
import { actionOf, contractRef, methodRef } from '../outcome/action.js';
import { type FailureDetails, failureFacts, failureOf, reasonOf } from '../outcome/failure.js';

/** Sender and action: known before a transaction runs. */
export interface TransactionHead {
  readonly txid: string;
  /** The contract type's name in the protocol, e.g. `TransferContract`. */
  readonly type: string;
  /** Base58check (T…). */
  readonly owner: string;
  readonly action: Action;
}

export interface TransactionSummary extends TransactionHead {
  readonly outcome: Outcome;
  readonly charges: readonly ChargeReport[];
}

export function typeName(contractType: number): string {
  return Transaction_Contract_ContractType_type.nameOf(contractType) ?? String(contractType);
}

export function resultName(contractRet: number): string {
  return Transaction_Result_contractResult_type.nameOf(contractRet) ?? String(contractRet);
}

export function transactionHead(ledger: Ledger, transaction: SignedTransaction): TransactionHead {
  return {
    txid: transaction.txId,
    type: typeName(transaction.contractType),
    owner: toBase58(transaction.owner ?? ''),
    action: actionOf(namesOn(ledger), transaction),
  };
}

/** The result of a run. */
export type RunResult = Pick<AppliedTransaction, 'transaction' | 'contractRet' | 'info' | 'charges'>;

/**
 * Names are looked up now, in the state after the transaction; a failure's values are decoded when awaited.
 *
 * @param found details of its failure from another run, if any
 */
export function transactionSummary(
  ledger: Ledger,
  applied: RunResult,
  found: FailureDetails | undefined,
): TransactionSummary | Promise<TransactionSummary> {
  const { transaction, contractRet, info, charges } = applied;
  const summary = {
    ...transactionHead(ledger, transaction),
    outcome: {
      succeeded: info.resMessage === '',
      result: resultName(contractRet),
      ...(info.resMessage !== '' && { message: hexToUtf8(info.resMessage) }),
    },
    charges: charges.map(chargeReport),
  };
  if (summary.outcome.succeeded) return summary;
  const facts = { ...failureOf(ledger, applied, undefined, found?.created), stack: found?.stack };
  return reasonOf(facts).then((reason) => ({ ...summary, outcome: { ...summary.outcome, reason } }));
}

/** A failed call without a transaction. */
export interface FailedCall {
  readonly caller: string;
  readonly contract: ContractRef;
  readonly method: MethodRef;
  readonly outcome: Outcome;
}

export async function failedCall(
  ledger: Ledger,
  call: Sent<TriggerSmartContract>,
  run: ExecutionResult,
  found: FailureDetails | undefined,
): Promise<FailedCall> {
  const contract = call.contract_address as Address;
  const abi = abiAt(ledger, contract);
  const head = {
    caller: toBase58(call.owner_address),
    contract: contractRef(namesOn(ledger), contract),
    method: methodRef(abi, call.data),
  };
  const facts = failureFacts(namesOn(ledger), {
    call,
    ownAbi: abi,
    data: Buffer.from(run.output).toString('hex'),
    reverted: run.contractResult === ContractResult.REVERT,
    others: [...run.internalTransactions, ...run.lostInternalTransactions]
      .map(({ transferToAddress }) => transferToAddress as Address)
      .reverse(),
    created: found?.created,
  });
  const message = run.runtimeError;
  const result = resultName(run.contractResult);
  const outcome = {
    succeeded: false,
    result,
    ...(message !== undefined && { message }),
    reason: await reasonOf({ ...facts, stack: found?.stack }),
  };
  return { ...head, outcome };
}
