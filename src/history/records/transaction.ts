/**
 * Transactions and internal transactions in the managed service's form
 * (protocol/v1.md#get-v1accountsaddresstransactions, #get-v1accountsaddressinternal-transactions).
 */

import { hexToUtf8 } from '../../primitives/hex.js';
import {
  Transaction_Contract_ContractType as ContractType,
  type InternalTransaction,
  Transaction_Result_contractResult_type,
} from '../../protocol/generated/tron.js';
import { transactionMembers } from '../../protocol/json/transaction-json.js';
import type { InternalEntry, TransactionEntry } from '../../wallet/history/account-history.js';
import type { HistoricTransaction } from '../../wallet/history/transactions.js';
import { type Json, JsonText } from '../json.js';

export function entryRecord(entry: TransactionEntry | InternalEntry): Json {
  return entry.kind === 'transaction'
    ? transactionRecord(entry.transaction)
    : internalRecord(entry.parent, entry.internal);
}

/** Unlike in a node's JSON, zero amounts are present. */
export function transactionRecord(found: HistoricTransaction): Json {
  const { info, transaction, place } = found;
  const { receipt } = info;
  const members = new Map(transactionMembers(transaction, false));
  const text = (name: string): Json | undefined => {
    const json = members.get(name);
    return json === undefined ? undefined : new JsonText(json);
  };
  return {
    ret: [{ contractRet: outcomeOf(found), fee: info.fee }],
    signature: text('signature') ?? [],
    txID: found.txId,
    net_usage: receipt?.net_usage ?? 0n,
    raw_data_hex: transaction.rawHex,
    net_fee: receipt?.net_fee ?? 0n,
    energy_usage: receipt?.energy_usage ?? 0n,
    blockNumber: place.block,
    block_timestamp: found.timestampMs,
    energy_fee: receipt?.energy_fee ?? 0n,
    energy_usage_total: receipt?.energy_usage_total ?? 0n,
    raw_data: new JsonText(withTokenIds(members.get('raw_data') ?? '{}', found)),
    internal_transactions: info.internal_transactions.map((internal) => nestedInternal(internal)),
    withdraw_amount: present(info.withdraw_amount),
    unfreeze_amount: present(info.unfreeze_amount),
    withdraw_expire_amount: present(info.withdraw_expire_amount),
    ...unconfirmed(found),
  };
}

/** `_unconfirmed` is true or absent. */
export function unconfirmed({ confirmed }: HistoricTransaction): { readonly _unconfirmed?: true } {
  return confirmed ? {} : { _unconfirmed: true };
}

function present(amount: bigint): bigint | undefined {
  return amount === 0n ? undefined : amount;
}

function outcomeOf({ transaction, info }: HistoricTransaction): string {
  const outcome = transaction.ret[0]?.contractRet ?? info.receipt?.result ?? 1;
  return Transaction_Result_contractResult_type.nameOf(outcome) ?? String(outcome);
}

const TOKEN_CONTRACTS: readonly number[] = [
  ContractType.TransferAssetContract,
  ContractType.ParticipateAssetIssueContract,
];

/** The id of a TRC-10 token is text here; a node shows the text's hex. */
function withTokenIds(rawData: string, { transaction }: HistoricTransaction): string {
  const contract = transaction.contract as { readonly asset_name?: string } | undefined;
  if (!TOKEN_CONTRACTS.includes(transaction.contractType) || contract?.asset_name === undefined) return rawData;
  const { asset_name: hex } = contract;
  return rawData.replace(`"asset_name":"${hex}"`, () => `"asset_name":${JSON.stringify(hexToUtf8(hex))}`);
}

/** As part of its transaction: the note in hex. */
function nestedInternal(internal: InternalTransaction): Json {
  return {
    internal_tx_id: internal.hash,
    data: { note: internal.note, rejected: internal.rejected, call_value: callValueOf(internal) },
    to_address: internal.transferTo_address,
    from_address: internal.caller_address,
  };
}

/** As an item of a list: the note as text, and the id of its transaction. */
export function internalRecord(parent: HistoricTransaction, internal: InternalTransaction): Json {
  return {
    internal_tx_id: internal.hash,
    data: { note: hexToUtf8(internal.note), rejected: internal.rejected, call_value: callValueOf(internal) },
    block_timestamp: parent.timestampMs,
    to_address: internal.transferTo_address,
    tx_id: parent.txId,
    from_address: internal.caller_address,
    ...unconfirmed(parent),
  };
}

/** `{"_": sun}` for TRX, `{"<token id>": amount}` for TRC-10; undefined if nothing moved. */
function callValueOf({ callValueInfo }: InternalTransaction): Json | undefined {
  const moved = callValueInfo.filter(({ callValue }) => callValue !== 0n);
  if (moved.length === 0) return undefined;
  return Object.fromEntries(moved.map(({ tokenId, callValue }) => [tokenId === '' ? '_' : tokenId, callValue]));
}
