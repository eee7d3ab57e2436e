/** A transaction as soon as it has run, without running it again: what it did, how it ended, what it cost. */

import type { AppliedTransaction } from '../../ledger/apply-transaction.js';
import type { Ledger } from '../../ledger/ledger.js';
import { abiAt } from '../../ledger/smart-contracts/names.js';
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
import { type FailureFound, failureFacts, failureOf, reasonOf } from '../outcome/failure.js';

/** Who sends what: known before a transaction has run. */
export interface TransactionHead {
  readonly txid: string;
  /** The contract's type as the protocol names it, e.g. `TransferContract`. */
  readonly type: string;
  /** Base58check. */
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
    action: actionOf(ledger, transaction),
  };
}

/** What a run left behind. */
export type Ran = Pick<AppliedTransaction, 'transaction' | 'contractRet' | 'info' | 'charges'>;

/**
 * Names are looked up now, in the state that the transaction left; a failure's values are decoded when awaited.
 *
 * @param found of its failure, where somebody has looked
 */
export function transactionSummary(
  ledger: Ledger,
  applied: Ran,
  found: FailureFound | undefined,
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

/** A call without a transaction that failed. */
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
  found: FailureFound | undefined,
): Promise<FailedCall> {
  const contract = call.contract_address as Address;
  const abi = abiAt(ledger, contract);
  const head = {
    caller: toBase58(call.owner_address),
    contract: contractRef(ledger, contract),
    method: methodRef(abi, call.data),
  };
  const facts = failureFacts(ledger, {
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
