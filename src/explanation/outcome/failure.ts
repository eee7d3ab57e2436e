/**
 * The reason why a contract failed: the error in its REVERT, by the ABIs on the chain, and its origin.
 *
 * In two steps: names need the state, which is available now; values need a decoder, which is loaded later on demand.
 */

import { type AbiItem, type ContractAbi, errorOf, functionOf, hasFallback, hasReceive } from '../../abi/items.js';
import type { AppliedTransaction } from '../../ledger/apply-transaction.js';
import type { Ledger } from '../../ledger/ledger.js';
import { type ContractNames, namesOn } from '../../ledger/smart-contracts/names.js';
import { bytesToHex, type Hex } from '../../primitives/hex.js';
import type { Address } from '../../primitives/ids.js';
import type { CreateSmartContract, TriggerSmartContract } from '../../protocol/generated/smart-contract.js';
import {
  Transaction_Result_contractResult as ContractResult,
  Transaction_Contract_ContractType as ContractType,
} from '../../protocol/generated/tron.js';
import { allFrames, type FrameRecord } from '../../tracing/frames.js';
import { type CreatedContract, contractsCreatedIn } from '../model/created-contracts.js';
import type { ContractRef, FailureReason } from '../model/explanation.js';
import { contractRef } from './action.js';

/** A failure with undecoded values. */
export interface FailureFacts {
  readonly item?: AbiItem | undefined;
  /** The revert data. */
  readonly data: Hex;
  readonly raisedBy?: ContractRef | undefined;
  readonly exception?: string | undefined;
  readonly lackedCoin?: FailureReason['lackedCoin'];
  readonly hint?: FailureReason['hint'];
  readonly stack?: FailureReason['stack'];
}

/** Results of another run of the failure, if there are artifacts. */
export interface FailureDetails {
  /** The stack trace; undefined if no source covers it. */
  readonly stack: FailureReason['stack'];
  /** Contracts that the failed transaction created: they are not on the chain. */
  readonly created: ReadonlyMap<Address, CreatedContract>;
}

export interface Failed {
  /** The call; undefined for a deployment, whose ABI is `ownAbi`. */
  readonly call: Pick<TriggerSmartContract, 'data' | 'call_value'> | undefined;
  readonly ownAbi: ContractAbi | undefined;
  /** The return data of the top frame. */
  readonly data: Hex;
  /** Whether it ended with REVERT instead of an exception. */
  readonly reverted: boolean;
  /** Contracts that took part; their ABIs may have the error. */
  readonly others: readonly Address[];
  readonly frames?: FrameRecord | undefined;
  /** Contracts that the failed transaction created. */
  readonly created?: FailureDetails['created'] | undefined;
}

/**
 * @param frames the recorded frames, if any: they show the origin of the failure and the contracts that took part
 * @param created contracts that it created, if known from elsewhere
 */
export function failureOf(
  ledger: Ledger,
  { transaction, contractRet, info }: Pick<AppliedTransaction, 'transaction' | 'contractRet' | 'info'>,
  frames?: FrameRecord,
  created?: FailureDetails['created'],
): FailureFacts {
  const names = namesOn(ledger);
  const call =
    transaction.contractType === ContractType.TriggerSmartContract
      ? (transaction.contract as TriggerSmartContract)
      : undefined;
  const took =
    frames === undefined
      ? info.internal_transactions.map(({ transferTo_address }) => transferTo_address as Address)
      : [...allFrames(frames)].map(({ context }) => context);
  return failureFacts(names, {
    call,
    ownAbi: call
      ? names.abiOf(info.contract_address as Address)
      : (transaction.contract as CreateSmartContract).new_contract?.abi,
    data: info.contractResult[0] ?? '',
    reverted: contractRet === ContractResult.REVERT,
    others: took.reverse(),
    frames,
    created: created ?? (frames && contractsCreatedIn(ledger, frames, undefined)),
  });
}

export function failureFacts(names: ContractNames, failed: Failed): FailureFacts {
  const { ownAbi, others, data, reverted, frames, call, created } = failed;
  const origin = frames && originOf(frames);
  const raisedBy = origin?.raisedBy && contractRef(names, origin.raisedBy, created?.get(origin.raisedBy)?.name);
  const exception = origin?.exception;
  if (!reverted) return { data: '', raisedBy, exception };
  const lackedCoin = origin?.lacking && lackedCoinOf(names, origin.lacking);
  if (data === '') {
    const known = raisedBy ?? exception ?? lackedCoin;
    return { data, raisedBy, exception, lackedCoin, hint: known === undefined ? hintOf(ownAbi, call) : undefined };
  }
  const abis = [
    ownAbi,
    ...others.map((address) => created?.get(address)?.abi ?? names.abiOf(address)),
    // In another run of a call without a transaction, new contracts may have other addresses.
    ...[...(created?.values() ?? [])].map(({ abi }) => abi),
  ].filter((abi) => abi !== undefined);
  return { data, raisedBy, exception, lackedCoin, item: errorOf(abis, data) };
}

/** Follows the failure from the top frame down, as long as the last action of a frame is a failed call. */
function originOf(top: FrameRecord): {
  readonly raisedBy?: Address;
  readonly exception?: string;
  readonly lacking?: FrameRecord;
} {
  let lacking = top.lackedCoin === undefined ? undefined : top;
  let raisedBy: Address | undefined;
  let exception: string | undefined;
  let passedOn = top.reverted;
  const message = bytesToHex(top.output);
  for (let frame = top.children.at(-1); frame !== undefined; frame = frame.children.at(-1)) {
    if (!frame.reverted && frame.exception === undefined) break;
    if (frame.exception !== undefined) exception = frame.exception.message;
    passedOn &&= frame.reverted && bytesToHex(frame.output) === message;
    if (frame.lackedCoin !== undefined) lacking = frame;
    if (passedOn || frame.exception !== undefined) raisedBy = frame.context;
  }
  return {
    ...(raisedBy !== undefined && raisedBy !== top.context && { raisedBy }),
    ...(exception !== undefined && { exception }),
    ...(lacking !== undefined && { lacking }),
  };
}

function lackedCoinOf(names: ContractNames, { context, lackedCoin }: FrameRecord): FailureReason['lackedCoin'] {
  if (lackedCoin === undefined) return undefined;
  const { balanceSun, valueSun } = lackedCoin;
  return {
    contract: contractRef(names, context),
    balanceSun,
    valueSun,
  };
}

/**
 * Compilers emit a REVERT without data for an unknown function, and for value sent to a function that is not payable.
 */
export function hintOf(abi: ContractAbi | undefined, call: Failed['call']): FailureReason['hint'] {
  if (abi === undefined || call === undefined) return undefined;
  const { data, call_value } = call;
  if (data === '' && hasReceive(abi)) return undefined;
  if (data === '') return call_value > 0n ? 'takes-no-coin' : 'no-such-function';
  const method = functionOf(abi, data);
  if (method !== undefined) return call_value > 0n && !method.payable ? 'not-payable' : undefined;
  return hasFallback(abi) ? undefined : 'no-such-function';
}

export async function reasonOf({ item, data, ...rest }: FailureFacts): Promise<FailureReason> {
  const known = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined));
  if (data === '') return known;
  if (item === undefined) return { ...known, data };
  const { decodeValues } = await import('../../abi/values.js');
  const values = decodeValues(item.inputs, data.slice(8));
  if (values === undefined) return { ...known, data };
  const args = values.map((value, at) => ({
    name: item.inputs[at]?.name ?? '',
    type: item.inputs[at]?.type ?? '',
    value,
  }));
  return { ...known, error: item.name, arguments: args, data };
}
