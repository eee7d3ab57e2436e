/**
 * The triggers of java-tron's event subscription in their wire form (protocol/events.md#fields): a topic, and JSON
 * with every field of java-tron's objects, null included. Fields are in java-tron's order: base class first.
 */

import { type Hex, hexToUtf8 } from '../../primitives/hex.js';
import { toBase58 } from '../../protocol/address.js';
import type { TransferAssetContract } from '../../protocol/generated/asset-issue-contract.js';
import type {
  DelegateResourceContract,
  FreezeBalanceV2Contract,
  TransferContract,
  UnfreezeBalanceContract,
  UnfreezeBalanceV2Contract,
} from '../../protocol/generated/balance-contract.js';
import type { CreateSmartContract, TriggerSmartContract } from '../../protocol/generated/smart-contract.js';
import {
  type InternalTransaction,
  Transaction_Contract_ContractType_type,
  Transaction_Result_contractResult_type,
  Transaction_Contract_ContractType as Type,
} from '../../protocol/generated/tron.js';
import type { BlockOutline } from '../../wallet/blocks.js';
import type { HistoricTransaction } from '../../wallet/history/transactions.js';
import type { TriggerLog } from '../../wallet/triggers.js';
import { dataValues, topicValues } from './abi-values.js';

/** The topic, also `triggerName` of the object. */
export type TriggerName =
  | 'blockTrigger'
  | 'transactionTrigger'
  | 'contractEventTrigger'
  | 'contractLogTrigger'
  | 'solidityTrigger'
  | 'solidityEventTrigger'
  | 'solidityLogTrigger';

export interface Trigger {
  readonly topic: TriggerName;
  readonly text: string;
}

/** Chain data in a trigger. */
export interface Moment {
  readonly block: BlockOutline;
  /** `latestSolidifiedBlockNumber` */
  readonly solidified: number;
  /** Whether the block was rolled back; absent for blocks and transactions in releases without it. */
  readonly removed?: boolean;
}

function trigger(topic: TriggerName, { block }: Pick<Moment, 'block'>, fields: object): Trigger {
  const { timestamp } = block.header;
  return { topic, text: jsonOf({ timeStamp: Number(timestamp), triggerName: topic, ...fields }) };
}

/** Java's longs are JSON numbers, also beyond 2^53. */
function jsonOf(value: unknown): string {
  if (typeof value === 'bigint') return String(value);
  if (Array.isArray(value)) return `[${value.map(jsonOf).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([name, member]) => `${JSON.stringify(name)}:${jsonOf(member)}`)
    .join(',')}}`;
}

export function blockTrigger({ block, solidified, removed }: Moment): Trigger {
  const { number, id, transactionIds } = block;
  return trigger(
    'blockTrigger',
    { block },
    {
      blockNumber: number,
      blockHash: id,
      transactionSize: transactionIds.length,
      latestSolidifiedBlockNumber: solidified,
      transactionList: transactionIds,
      ...(removed !== undefined && { removed }),
    },
  );
}

/** @param block the newly solidified one */
export function solidityTrigger(block: BlockOutline): Trigger {
  return trigger('solidityTrigger', { block }, { latestSolidifiedBlockNumber: block.number });
}

export interface LogMoment extends Moment {
  readonly transaction: HistoricTransaction;
  readonly removed: boolean;
}

function contractFields(log: TriggerLog, { block, solidified, transaction, removed }: LogMoment): object {
  const { txId, transaction: signed } = transaction;
  const owner = toBase58(signed.owner ?? '');
  return {
    uniqueId: `${txId}_${log.number}`,
    transactionId: txId,
    contractAddress: toBase58(log.contract),
    callerAddress: '',
    originAddress: owner,
    creatorAddress: log.creator === '' ? owner : toBase58(log.creator),
    blockNumber: block.number,
    blockHash: block.id,
    removed,
    latestSolidifiedBlockNumber: solidified,
    logInfo: null,
    rawData: { address: log.address, topics: log.topics, data: log.data },
    abi: null,
  };
}

export function logTrigger(
  topic: 'contractLogTrigger' | 'solidityLogTrigger',
  log: TriggerLog,
  at: LogMoment,
): Trigger {
  return trigger(topic, at, { ...contractFields(log, at), topicList: log.topics, data: log.data });
}

/** Undefined if the log is no event of its contract's ABI. */
export function eventTrigger(
  topic: 'contractEventTrigger' | 'solidityEventTrigger',
  log: TriggerLog,
  at: LogMoment,
): Trigger | undefined {
  const { event, topics, data } = log;
  if (event === undefined) return undefined;
  const parameters = event.inputs.map(({ type, name }) => (name === '' ? type : `${type} ${name}`));
  return trigger(topic, at, {
    ...contractFields(log, at),
    eventSignature: event.signature,
    eventSignatureFull: `${event.name}(${parameters.join(',')})`,
    eventName: event.name,
    topicMap: topicValues(event, topics),
    dataMap: dataValues(event, topics, data),
  });
}

/** Fields of Ethereum's receipts, with `ethCompatible`. */
export interface EthereumFields {
  readonly energyPriceSun: bigint;
  /** Energy and number of logs of the block's transactions before this one. */
  readonly energyBefore: bigint;
  readonly logsBefore: number;
}

export function transactionTrigger(
  found: HistoricTransaction,
  { block, solidified, removed }: Moment,
  ethereum: EthereumFields | undefined,
): Trigger {
  const { txId, transaction, info, place } = found;
  const { contractType } = transaction;
  const receipt = info.receipt;
  const ret = transaction.ret[0]?.contractRet ?? 0;
  const energy = receipt?.energy_usage_total ?? 0n;
  const hidesContract = ethereum !== undefined && contractType !== Type.CreateSmartContract;
  const logs = info.log.map(({ address, topics, data }, at) => ({
    address,
    blockHash: block.id,
    blockNumber: block.number,
    data,
    logIndex: (ethereum?.logsBefore ?? 0) + at,
    topicList: topics,
    transactionHash: txId,
    transactionIndex: place.transaction,
  }));
  return trigger(
    'transactionTrigger',
    { block },
    {
      transactionId: txId,
      blockHash: block.id,
      blockNumber: block.number,
      energyUsage: receipt?.energy_usage ?? 0n,
      energyFee: receipt?.energy_fee ?? 0n,
      originEnergyUsage: receipt?.origin_energy_usage ?? 0n,
      energyUsageTotal: energy,
      netUsage: receipt?.net_usage ?? 0n,
      netFee: receipt?.net_fee ?? 0n,
      result: Transaction_Result_contractResult_type.nameOf(ret) ?? String(ret),
      contractAddress: info.contract_address === '' || hidesContract ? null : toBase58(info.contract_address),
      contractType: Transaction_Contract_ContractType_type.nameOf(contractType) ?? String(contractType),
      feeLimit: transaction.raw.fee_limit,
      contractCallValue: callValueOf(found),
      contractResult: info.contractResult[0] ? info.contractResult[0] : null,
      ...moved(found),
      latestSolidifiedBlockNumber: solidified,
      internalTransactionList: info.internal_transactions.map(internalTransaction),
      data: transaction.raw.data,
      transactionIndex: ethereum === undefined ? 0 : place.transaction,
      cumulativeEnergyUsed: ethereum === undefined ? 0 : ethereum.energyBefore + energy,
      preCumulativeLogCount: ethereum?.logsBefore ?? 0,
      logList: ethereum === undefined ? null : logs,
      energyUnitPrice: ethereum?.energyPriceSun ?? 0,
      extMap:
        contractType === Type.CancelAllUnfreezeV2Contract ? Object.fromEntries(info.cancel_unfreezeV2_amount) : null,
      ...(removed !== undefined && { removed }),
    },
  );
}

function callValueOf({ transaction: { contractType, contract } }: HistoricTransaction): bigint {
  if (contractType === Type.TriggerSmartContract) return (contract as TriggerSmartContract).call_value;
  if (contractType === Type.CreateSmartContract)
    return (contract as CreateSmartContract).new_contract?.call_value ?? 0n;
  return 0n;
}

interface Moved {
  readonly fromAddress: string | null;
  readonly toAddress: string | null;
  readonly assetName: string | null;
  readonly assetAmount: bigint;
}

const NOTHING: Moved = { fromAddress: null, toAddress: null, assetName: null, assetAmount: 0n };

/** Sender, receiver and asset, for the types for which java-tron has them. */
function moved({ transaction, info }: HistoricTransaction): Moved {
  const { contractType, contract } = transaction;
  const fromAddress = toBase58(transaction.owner ?? '');
  const coin = (assetAmount: bigint, to: Hex = ''): Moved => ({
    fromAddress,
    toAddress: to === '' ? null : toBase58(to),
    assetName: 'trx',
    assetAmount,
  });
  switch (contractType) {
    case Type.TransferContract: {
      const { to_address, amount } = contract as TransferContract;
      return coin(amount, to_address);
    }
    case Type.TransferAssetContract: {
      const { to_address, amount, asset_name } = contract as TransferAssetContract;
      return { ...coin(amount, to_address), assetName: hexToUtf8(asset_name) };
    }
    case Type.TriggerSmartContract:
      return { ...NOTHING, fromAddress, toAddress: toBase58((contract as TriggerSmartContract).contract_address) };
    case Type.CreateSmartContract:
    case Type.CancelAllUnfreezeV2Contract:
      return { ...NOTHING, fromAddress };
    case Type.UnfreezeBalanceContract:
      return coin(info.unfreeze_amount, (contract as UnfreezeBalanceContract).receiver_address);
    case Type.FreezeBalanceV2Contract:
      return coin((contract as FreezeBalanceV2Contract).frozen_balance);
    case Type.UnfreezeBalanceV2Contract:
      return coin((contract as UnfreezeBalanceV2Contract).unfreeze_balance);
    case Type.WithdrawExpireUnfreezeContract:
      return coin(info.withdraw_expire_amount);
    case Type.DelegateResourceContract:
    case Type.UnDelegateResourceContract: {
      const { balance, receiver_address } = contract as DelegateResourceContract;
      return coin(balance, receiver_address);
    }
    default:
      return NOTHING;
  }
}

function internalTransaction(internal: InternalTransaction): object {
  const { hash, caller_address, transferTo_address, callValueInfo, note, rejected, extra } = internal;
  const tokens = callValueInfo.filter(({ tokenId }) => tokenId !== '');
  return {
    hash,
    callValue: callValueInfo.find(({ tokenId }) => tokenId === '')?.callValue ?? 0n,
    tokenInfo: Object.fromEntries(tokens.map(({ tokenId, callValue }) => [tokenId, callValue])),
    transferTo_address,
    data: null,
    caller_address,
    rejected,
    note: hexToUtf8(note),
    extra,
  };
}
