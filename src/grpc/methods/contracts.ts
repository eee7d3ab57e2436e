/**
 * Smart contracts: queries, deployments, calls (protocol/grpc.md#triggercontract-and-triggerconstantcontract,
 * #estimateenergy).
 */

import { isDeclaredByTron } from '../../errors/error-codes.js';
import type { JavaException } from '../../errors/java-exception.js';
import { EstimateEnergyMessage, Return_response_code, TransactionExtention } from '../../protocol/generated/api.js';
import type { Wallet_service } from '../../protocol/generated/services.js';
import type { TriggerSmartContract } from '../../protocol/generated/smart-contract.js';
import { Transaction_Contract_ContractType as ContractType } from '../../protocol/generated/tron.js';
import type { Sent } from '../../protocol/message-type.js';
import { SignedTransaction } from '../../protocol/transaction.js';
import type { WalletContext } from '../../wallet/context.js';
import {
  deployContract,
  estimateEnergy,
  getContract,
  getContractInfo,
  triggerConstantContract,
  triggerContract,
} from '../../wallet/contracts.js';
import { enclosedTransaction } from '../../wallet/transactions.js';
import { costly, extentionFailure, extentionOf, failure, type MethodsOf, query } from '../table.js';

/** Java's checked exceptions of a call; all others come from the virtual machine and have a code of their own. */
function callFailure(exception: JavaException) {
  const isChecked = isDeclaredByTron(exception.javaClass);
  return failure(exception, isChecked ? Return_response_code.OTHER_ERROR : Return_response_code.CONTRACT_EXE_ERROR);
}

const failedCall = (exception: JavaException) => TransactionExtention.create({ result: callFailure(exception) });

/** Adds the id of a call that is not executed: HTTP does not print it. */
function withTxId(answer: TransactionExtention): TransactionExtention {
  if (answer.txid !== '' || answer.transaction === undefined) return answer;
  return { ...answer, txid: SignedTransaction.of(answer.transaction).txId };
}

/**
 * Without a contract address, java-tron returns the transaction of a deployment, with the id of the requested call
 * (protocol/grpc.md#triggercontract-and-triggerconstantcontract).
 */
function constantCall(view: WalletContext, call: Sent<TriggerSmartContract>): TransactionExtention {
  const answer = triggerConstantContract(view, call);
  if (call.contract_address !== '') return answer;
  const asked = enclosedTransaction(view, ContractType.TriggerSmartContract, call);
  return { ...answer, txid: SignedTransaction.of(asked).txId };
}

export const contractMethods = {
  GetContract: query(getContract),
  GetContractInfo: query(getContractInfo),
  DeployContract: query((view, contract) => extentionOf(deployContract(view, contract, {})), extentionFailure),
  // It runs view functions only.
  TriggerContract: costly(
    query(
      (view: WalletContext, call: Sent<TriggerSmartContract>) => withTxId(triggerContract(view, call, {})),
      failedCall,
    ),
  ),
  TriggerConstantContract: costly(query(constantCall, failedCall)),
  EstimateEnergy: costly(
    query(estimateEnergy, (exception) => EstimateEnergyMessage.create({ result: callFailure(exception) })),
  ),
} satisfies MethodsOf<typeof Wallet_service>;
