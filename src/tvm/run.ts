/**
 * One smart-contract transaction or constant call, from its Energy limit to its result
 * (protocol/contract-runs.md#deployment, #call, #constant-calls; java-tron VMActuator.create, call, execute).
 *
 * `host.ts` describes the interface to the ledger. All code runs through these two functions: blocks, constant calls,
 * estimates and traces differ only in host and context.
 */

import type { Address } from '../primitives/ids.js';
import { CODE_DEPOSIT } from './energy-cost.js';
import { ContractResult, invalidCode, notEnoughDepositEnergy, REVERT_MESSAGE, type TvmException } from './errors.js';
import { Execution, type ExecutionContext } from './execution.js';
import { Frame, NO_BYTES } from './frame.js';
import type { Host } from './host.js';
import type { InternalTransaction } from './internal-transactions.js';
import { runFrames } from './machine.js';
import type { Log } from './substate.js';
import { wordOfAddress } from './words.js';

interface Payment {
  /** The signer. */
  readonly owner: Address;
  readonly callValueSun: bigint;
  /** 0 if there is no token. */
  readonly tokenId: bigint;
  readonly tokenValue: bigint;
  /** Maximum Energy, a number far below 2^53. */
  readonly energyLimit: number;
}

export interface CallParameters extends Payment {
  readonly contract: Address;
  readonly data: Uint8Array;
}

export interface CreationParameters extends Payment {
  /** Address at which account and contract record already exist. */
  readonly contract: Address;
  readonly initCode: Uint8Array;
}

export interface ExecutionResult {
  /** The value of `receipt.result` and `contractRet`. */
  readonly contractResult: ContractResult;
  /** Including the penalty; the whole limit after most exceptions. */
  readonly energyUsed: number;
  /** Part of it due to dynamic energy factors, without frames that a Java error interrupted. */
  readonly energyPenalty: number;
  /** `contractResult[0]` of the TransactionInfo: return data, revert data, or the code of a creation. */
  readonly output: Uint8Array;
  /** Empty after a failure, except one that ends the transaction at once: java-tron does not clear them then. */
  readonly logs: readonly Log[];
  /** Logs at the end of the execution, also if a failure then discarded them. */
  readonly emittedLogs: readonly Log[];
  readonly internalTransactions: readonly InternalTransaction[];
  /** Of calls that were running when the transaction was ended at once: no receipt contains them. */
  readonly lostInternalTransactions: readonly InternalTransaction[];
  /** Contracts that destroyed themselves; the host was called to remove them. */
  readonly deletedContracts: readonly Address[];
  /** `resMessage`; `undefined` after a success. */
  readonly runtimeError: string | undefined;
  /** The exception that ended it; `undefined` for success and REVERT. Constant calls return its class and message. */
  readonly exception: TvmException | undefined;
}

/**
 * Runs a contract's code for a TriggerSmartContract or a constant call.
 *
 * The contract has code, and the balances cover the values (`transfers.ts`). A failure leaves the host unchanged.
 *
 * @example
 * const result = runCall(host, { flags, block, txid }, {
 *   owner, contract, data, callValueSun: 0n, tokenId: 0n, tokenValue: 0n, energyLimit: 1_000_000,
 * });
 */
export function runCall(host: Host, context: ExecutionContext, call: CallParameters): ExecutionResult {
  const execution = new Execution(host, context, call.owner);
  const version = context.flags.compatibleEvm ? (host.contract(call.contract)?.version ?? 0) : 0;
  const top = topFrame(execution, call, host.code(call.contract), call.data, version);
  runFrames(top);
  return conclude(execution, top);
}

/**
 * Runs the init code of a CreateSmartContract, or of a constant call without a contract, and stores the returned code.
 */
export function runCreate(host: Host, context: ExecutionContext, creation: CreationParameters): ExecutionResult {
  const execution = new Execution(host, context, creation.owner);
  const version = context.flags.compatibleEvm ? 1 : 0;
  const top = topFrame(execution, creation, creation.initCode, NO_BYTES, version);
  execution.substate.create(creation.contract);
  runFrames(top);
  deposit(top);
  return conclude(execution, top);
}

function topFrame(
  execution: Execution,
  payment: Payment & { readonly contract: Address },
  code: Uint8Array,
  input: Uint8Array,
  contractVersion: number,
): Frame {
  const { host, flags, substate } = execution;
  const hostMark = host.mark();
  const mark = substate.mark();
  const { owner, contract, callValueSun } = payment;
  const tokenValue = flags.transferTrc10 ? payment.tokenValue : 0n;
  const tokenId = flags.transferTrc10 ? payment.tokenId : 0n;
  if (callValueSun > 0n) host.transfer(owner, contract, callValueSun);
  if (tokenValue > 0n) host.transferToken(owner, contract, tokenId, tokenValue);
  return new Frame({
    execution,
    parent: undefined,
    origin: { hash: execution.txid },
    deliver: undefined,
    code,
    context: contract,
    caller: wordOfAddress(owner),
    callValue: callValueSun,
    tokenValue,
    tokenId,
    input,
    isStatic: false,
    depth: 0,
    contractVersion,
    energyLimit: payment.energyLimit,
    hostMark,
    mark,
  });
}

/** Charges the returned code per byte. Code that cannot be stored stays in the output. */
function deposit(top: Frame): void {
  if (top.failed) return;
  const { flags, host } = top.execution;
  const code = top.output;
  const cost = code.length * CODE_DEPOSIT;
  let exception: TvmException | undefined;
  if (flags.london && code[0] === 0xef) exception = invalidCode();
  else if (cost > top.energyLeft) {
    exception = notEnoughDepositEnergy('save just created contract code', cost, top.energyLeft);
  }
  if (exception !== undefined) {
    top.fail(exception);
    top.output = code;
    return;
  }
  top.energyLeft -= cost;
  // Before, the ledger stored the runtime code from the init code, but the returned code was still paid.
  if (flags.constantinople) host.setCode(top.context, code);
}

function conclude(execution: Execution, top: Frame): ExecutionResult {
  const { host, substate } = execution;
  const { exception } = top;
  const emittedLogs = top.failed ? [...substate.logs] : substate.logs;
  const logs = exception?.endsTransaction === true ? emittedLogs : substate.logs;
  if (top.failed) {
    host.revert(top.hostMark);
    const keepsRecords = execution.isConstant && exception === undefined;
    const { internalTransactions } = keepsRecords ? substate.mark() : top.mark;
    substate.revert({ ...top.mark, internalTransactions });
  } else {
    substate.commit();
  }
  const result: ExecutionResult = {
    contractResult: exception?.contractResult ?? (top.reverted ? ContractResult.REVERT : ContractResult.SUCCESS),
    energyUsed: top.energyUsed,
    energyPenalty: top.energyPenalty,
    output: top.output,
    logs,
    emittedLogs,
    internalTransactions: substate.internalTransactions,
    lostInternalTransactions: substate.lostInternalTransactions,
    deletedContracts: [...substate.destroyed],
    runtimeError: exception?.message ?? (top.reverted ? REVERT_MESSAGE : undefined),
    exception,
  };
  top.release();
  return result;
}
