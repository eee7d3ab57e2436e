/**
 * Smart contracts: reading them, building their transactions, calling them without one
 * (protocol/http-endpoints.md#triggersmartcontract, #deploycontract, #getcontract-getcontractinfo). Mirrors the
 * contract half of java-tron's Wallet.
 */

import { JavaException } from '../errors/java-exception.js';
import { contractValidateException } from '../errors/refusals.js';
import { simulatedContract } from '../ledger/smart-contracts/constant-call.js';
import { checkPercent } from '../ledger/smart-contracts/deployment.js';
import { contractEnergyState } from '../ledger/smart-contracts/dynamic-energy.js';
import { internalTransactionMessage } from '../ledger/smart-contracts/internal-transactions.js';
import { slotValue } from '../ledger/smart-contracts/storage-slots.js';
import { bytesToHex, type Hex, utf8ToHex } from '../primitives/hex.js';
import type { Address } from '../primitives/ids.js';
import {
  type BytesMessage,
  EstimateEnergyMessage,
  Return,
  Return_response_code,
  TransactionExtention,
} from '../protocol/generated/api.js';
import {
  ContractState,
  CreateSmartContract,
  SmartContract_ABI_Entry_EntryType as EntryType,
  SmartContract_ABI_Entry_StateMutabilityType as Mutability,
  type SmartContract,
  SmartContract_ABI,
  SmartContractDataWrapper,
  type TriggerSmartContract,
} from '../protocol/generated/smart-contract.js';
import {
  Transaction_Contract_ContractType as ContractType,
  type Transaction,
  Transaction_Result,
  Transaction_Result_code,
  TransactionInfo_Log,
} from '../protocol/generated/tron.js';
import { keccak256OfHex } from '../protocol/hashes.js';
import type { Sent } from '../protocol/message-type.js';
import { SignedTransaction } from '../protocol/transaction.js';
import { ContractResult, type TvmException } from '../tvm/errors.js';
import type { ExecutionResult } from '../tvm/run.js';
import { callContract, estimateCall } from './calls.js';
import type { WalletContext } from './context.js';
import { type BuildOptions, builtTransaction, enclosedTransaction } from './transactions.js';

/** The contract's record with its ABI. */
export function getContract({ ledger }: WalletContext, { value: address }: BytesMessage): SmartContract | undefined {
  const contract = ledger.state.tables.contracts.get(address);
  if (contract === undefined || !ledger.state.tables.accounts.has(address)) return undefined;
  return { ...contract, abi: ledger.state.tables.abis.get(address) ?? SmartContract_ABI.empty };
}

/** The runtime code of a contract; undefined if there is no contract, or it has no code. */
export function getCode(context: WalletContext, address: Address): Uint8Array | undefined {
  if (getContract(context, { value: address }) === undefined) return undefined;
  return context.ledger.state.tables.codes.get(address);
}

/** The word at a slot of a contract's storage, 0 if never written; undefined if there is no contract. */
export function getStorageAt(context: WalletContext, address: Address, slot: bigint): bigint | undefined {
  const contract = getContract(context, { value: address });
  if (contract === undefined) return undefined;
  return slotValue(context.ledger, address, slot, contract);
}

/** Record, runtime code, and the dynamic-energy state brought to the current cycle. */
export function getContractInfo(context: WalletContext, request: BytesMessage): SmartContractDataWrapper | undefined {
  const smart_contract = getContract(context, request);
  if (smart_contract === undefined) return undefined;
  const { ledger } = context;
  const address = request.value as Address;
  const code = ledger.state.tables.codes.get(address);
  return SmartContractDataWrapper.create({
    smart_contract,
    runtimecode: code === undefined ? '' : bytesToHex(code),
    contract_state: ContractState.create(contractEnergyState(ledger, address)),
  });
}

/** Only the percentage is checked before the transaction runs. @throws JavaException ContractValidateException */
export function deployContract(
  context: WalletContext,
  contract: Sent<CreateSmartContract>,
  options: BuildOptions,
): Transaction {
  checkPercent(contract.new_contract?.consume_user_resource_percent ?? 0n);
  return builtTransaction(context, ContractType.CreateSmartContract, contract, options);
}

/**
 * A transaction that calls a contract; view functions of the ABI are run at once instead.
 *
 * @throws JavaException for a contract that does not exist, and the exceptions of `triggerConstantContract`
 */
export function triggerContract(
  context: WalletContext,
  call: Sent<TriggerSmartContract>,
  options: BuildOptions,
): CallAnswer {
  const contract = getContract(context, { value: call.contract_address });
  if (contract === undefined) throw contractValidateException('No contract or not a valid smart contract');
  if (isConstant(contract, call.data.slice(0, 8))) return runConstant(context, call, options);
  const transaction = builtTransaction(context, ContractType.TriggerSmartContract, call, options);
  return TransactionExtention.create({ transaction, result: SUCCESS });
}

const SUCCESS = Return.create({ result: true });

function isConstant(contract: SmartContract, selector: Hex): boolean {
  if (selector.length < 8) return false;
  return (contract.abi?.entrys ?? []).some(
    (entry) =>
      entry.type === EntryType.Function &&
      (entry.constant || entry.stateMutability === Mutability.View || entry.stateMutability === Mutability.Pure) &&
      selector ===
        keccak256OfHex(utf8ToHex(`${entry.name}(${entry.inputs.map(({ type }) => type).join(',')})`)).slice(0, 8),
  );
}

/**
 * Runs a call, or with an empty contract address a deployment, on the node's state.
 *
 * @throws JavaException ContractValidateException, or the machine's exception other than a revert
 */
export function triggerConstantContract(
  context: WalletContext,
  call: Sent<TriggerSmartContract>,
  options: BuildOptions = {},
): CallAnswer {
  return runConstant(context, call, { ...options, feeLimitSun: 0n });
}

/** The transaction in the answer; for a deployment, the one that would deploy. */
function enclosing(context: WalletContext, call: Sent<TriggerSmartContract>, options: BuildOptions): SignedTransaction {
  const transaction =
    call.contract_address === ''
      ? enclosedTransaction(
          context,
          ContractType.CreateSmartContract,
          CreateSmartContract.create({
            owner_address: call.owner_address,
            new_contract: simulatedContract(call),
            call_token_value: call.call_token_value,
            token_id: call.token_id,
          }),
          options,
        )
      : enclosedTransaction(context, ContractType.TriggerSmartContract, call, options);
  return SignedTransaction.of(transaction);
}

/** The answer of a call, and its console output. */
export type CallAnswer = TransactionExtention & { readonly consoleCalls?: readonly Hex[] };

function runConstant(context: WalletContext, call: Sent<TriggerSmartContract>, options: BuildOptions): CallAnswer {
  const transaction = enclosing(context, call, options);
  const { run, consoleCalls } = callContract(context, call, {
    txId: transaction.txId,
    feeLimitSun: options.feeLimitSun ?? 0n,
  });
  if (run.exception !== undefined) throw thrownBy(run.exception);
  const failed = run.runtimeError !== undefined;
  const ret = Transaction_Result.create({
    ret: failed ? Transaction_Result_code.FAILED : Transaction_Result_code.SUCESS,
  });
  const answer = TransactionExtention.create({
    transaction: { ...transaction.message, ret: [ret] },
    txid: transaction.txId,
    constant_result: [bytesToHex(run.output)],
    result: failed ? { ...SUCCESS, message: utf8ToHex(run.runtimeError ?? '') } : SUCCESS,
    energy_used: BigInt(run.energyUsed),
    energy_penalty: BigInt(run.energyPenalty),
    logs: emittedLogs(run),
    internal_transactions: run.internalTransactions.map(internalTransactionMessage),
  });
  return consoleCalls.length === 0 ? answer : { ...answer, consoleCalls };
}

function thrownBy({ javaClass, message }: TvmException): JavaException {
  return new JavaException(javaClass, message);
}

/** A reverted call still lists its logs (protocol/http-endpoints.md#triggerconstantcontract). */
function emittedLogs(run: ExecutionResult): TransactionInfo_Log[] {
  return run.emittedLogs.map((log) => TransactionInfo_Log.create(log));
}

/** @throws JavaException ContractValidateException if the call cannot start */
export function estimateEnergy(context: WalletContext, call: Sent<TriggerSmartContract>): EstimateEnergyMessage {
  const { txId } = enclosing(context, call, {});
  const { run, energyRequired } = estimateCall(context, call, txId);
  // Only a run that took too long is an error instead of an answer (protocol/contract-runs.md#constant-calls).
  if (run.contractResult === ContractResult.OUT_OF_TIME && run.exception !== undefined) throw thrownBy(run.exception);
  if (energyRequired === undefined) {
    return EstimateEnergyMessage.create({
      result: Return.create({
        code: Return_response_code.CONTRACT_EXE_ERROR,
        message: utf8ToHex(run.runtimeError ?? ''),
      }),
    });
  }
  return EstimateEnergyMessage.create({ result: SUCCESS, energy_required: energyRequired });
}
