/**
 * Transactions, blocks and receipts as java-tron's HTTP API prints them (protocol/http-answers.md#visible-echo,
 * #transactioninfo-json): the contract unpacked from its `Any`, with ids and the raw bytes, all in the compact layout.
 * Also the reverse: transactions that clients broadcast as JSON.
 */

import { JavaException, nullPointerException } from '../../errors/java-exception.js';
import type { Hex } from '../../primitives/hex.js';
import type { Address } from '../../primitives/ids.js';
import { blockIdOfHeader } from '../block.js';
import { type ContractMessage, contractCodec, unpackAny } from '../contract-types.js';
import { deployedBy } from '../ethereum-form.js';
import { Any } from '../generated/any.js';
import type { CreateSmartContract } from '../generated/smart-contract.js';
import {
  type Block,
  BlockHeader,
  BlockHeader_raw,
  Transaction,
  Transaction_Contract,
  Transaction_Contract_ContractType,
  Transaction_Contract_ContractType_type,
  Transaction_raw,
  TransactionInfo,
} from '../generated/tron.js';
import type { Sent } from '../message-type.js';
import { SignedTransaction } from '../transaction.js';
import {
  compactMembers,
  compactObject,
  type Longs,
  type Member,
  printCompact,
  printMessage,
} from './message-printer.js';
import { readTree, readTreeWith } from './tree-reader.js';
import { fastjsonString, isJsonObject, type JsonObject, type JsonValue, textMember } from './value.js';

/** A transaction's members; a builder adds `visible`, a block does not. */
export function transactionMembers(
  given: Transaction | SignedTransaction,
  visible: boolean,
  longs: Longs = 'numbers',
): Member[] {
  const transaction = given instanceof SignedTransaction ? given : SignedTransaction.of(given);
  const { raw, rawHex, txId } = transaction;
  if (transaction.message.raw_data === undefined) {
    throw nullPointerException();
  }
  let created: Hex | undefined;
  const contracts: string[] = [];
  for (const contract of raw.contract) {
    const parameter = contract.parameter;
    const codec = contractCodec(contract.type);
    const parameterMembers: Member[] = [];
    if (codec !== undefined) {
      const message = unpackAny(codec, parameter);
      if (message === undefined) {
        continue;
      }
      parameterMembers.push(['value', printCompact(codec, message, visible, longs)]);
      if (contract.type === Transaction_Contract_ContractType.CreateSmartContract) {
        created = deployedBy(transaction, (message as CreateSmartContract).owner_address as Address);
      }
    }
    parameterMembers.push(['type_url', fastjsonString(parameter?.type_url ?? '')]);
    const contractMembers: Member[] = [
      ['parameter', compactObject(parameterMembers)],
      ['type', contractTypeText(contract.type)],
    ];
    if (contract.Permission_id > 0) {
      contractMembers.push(['Permission_id', String(contract.Permission_id)]);
    }
    contracts.push(compactObject(contractMembers));
  }
  const members: Member[] = [['raw_data', rawDataText(raw, contracts, visible, longs)]];
  // Signatures and results contain no addresses, so `visible` does not matter.
  members.push(...compactMembers(Transaction, { ...transaction.message, raw_data: undefined }, visible, longs));
  if (created !== undefined) {
    members.push(['contract_address', `"${created}"`]);
  }
  members.push(['raw_data_hex', `"${rawHex}"`], ['txID', `"${txId}"`]);
  return members;
}

export function printTransaction(
  transaction: Transaction | SignedTransaction,
  visible: boolean,
  longs?: Longs,
): string {
  return compactObject(transactionMembers(transaction, visible, longs));
}

/** With the `visible` member, which clients send back in the broadcast. */
export function printBuiltTransaction(transaction: Transaction | SignedTransaction, visible: boolean): string {
  return compactObject([...transactionMembers(transaction, visible), ['visible', String(visible)]]);
}

function contractTypeText(type: number): string {
  const name = Transaction_Contract_ContractType_type.nameOf(type);
  return name === undefined ? '"UNRECOGNIZED"' : `"${name}"`;
}

function rawDataText(raw: Transaction_raw, contracts: readonly string[], visible: boolean, longs: Longs): string {
  const list: Member = ['contract', `[${contracts.join(',')}]`];
  const members = compactMembers(Transaction_raw, { ...raw, contract: [] }, visible, longs);
  if (raw.contract.length === 0) {
    members.push(list);
    return compactObject(members);
  }
  // At the position of its field number (11): the insertion order decides within a bucket.
  const after = members.findIndex(([name]) => Transaction_raw.type.fieldByName.get(name)!.number > CONTRACT_FIELD);
  members.splice(after < 0 ? members.length : after, 0, list);
  return compactObject(members);
}

const CONTRACT_FIELD = 11;

export function printBlock(block: Block, visible: boolean, longs?: Longs): string {
  return printBlockOf(
    block,
    block.transactions.map((transaction) => printTransaction(transaction, visible, longs)),
    visible,
    longs,
  );
}

/** A block with transactions already printed by {@link printTransaction}. */
export function printBlockOf(block: Block, transactions: readonly string[], visible: boolean, longs?: Longs): string {
  const header = block.block_header ?? BlockHeader.empty;
  const members: Member[] = [
    ['blockID', `"${blockIdOfHeader(header.raw_data ?? BlockHeader_raw.empty)}"`],
    ['block_header', printCompact(BlockHeader, header, visible, longs)],
  ];
  if (transactions.length > 0) {
    members.push(['transactions', `[${transactions.join(',')}]`]);
  }
  return compactObject(members);
}

/** `gettransactioninfobyid`, in JsonFormat's layout. */
export function printTransactionInfo(info: TransactionInfo, visible: boolean, longs?: Longs): string {
  return printMessage(TransactionInfo, withLogAddresses(info, visible), visible, longs);
}

/** One element of `gettransactioninfobyblocknum`. */
export function printTransactionInfoCompact(info: TransactionInfo, visible: boolean, longs?: Longs): string {
  return printCompact(TransactionInfo, withLogAddresses(info, visible), visible, longs);
}

/** Addresses of logs have 20 bytes; java-tron adds the prefix only if they are printed in base58. */
function withLogAddresses(info: TransactionInfo, visible: boolean): TransactionInfo {
  if (!visible || info.log.length === 0) {
    return info;
  }
  return { ...info, log: info.log.map((log) => ({ ...log, address: `41${log.address}` })) };
}

/**
 * The transaction in JSON of {@link printTransaction}'s form. Reads `raw_data` and `signature` only and ignores `txID`
 * and `raw_data_hex`; drops a contract that is not an object, has an unknown type or an unreadable value
 * (protocol/http-endpoints.md#broadcasttransaction; java-tron Util.packTransaction).
 *
 * @throws JavaException NullPointerException for other malformed content
 */
export function packTransaction(json: JsonObject, visible: boolean): SignedTransaction {
  const rawData = json.get('raw_data');
  const contractList = isJsonObject(rawData) ? rawData.get('contract') : undefined;
  if (!isJsonObject(rawData) || !Array.isArray(contractList)) {
    throw nullPointerException();
  }
  const contracts = (contractList as readonly JsonValue[]).flatMap((contract) => packContract(contract, visible));
  try {
    return SignedTransaction.of(
      clearTransaction(json, rawData, contracts, visible) ??
        readTree(Transaction, withContracts(json, rawData, contracts), visible),
    );
  } catch (error) {
    if (error instanceof JavaException) {
      throw nullPointerException();
    }
    throw error;
  }
}

/** A contract as sent, and the bytes of its message. */
interface PackedContract {
  readonly tree: JsonObject;
  readonly parameter: JsonObject;
  readonly value: Hex;
}

/** undefined: only the printed text decides ({@link withContracts}). */
function clearTransaction(
  json: JsonObject,
  rawData: JsonObject,
  packed: readonly PackedContract[],
  visible: boolean,
): Sent<Transaction> | undefined {
  const contract: Sent<Transaction_Contract>[] = [];
  for (const { tree, parameter, value } of packed) {
    const any = readTreeWith(Any, parameter, visible, 3, { value });
    const read = any && readTreeWith(Transaction_Contract, tree, visible, 2, { parameter: any });
    if (read === undefined) return undefined;
    contract.push(read);
  }
  const raw_data = readTreeWith(Transaction_raw, rawData, visible, 1, { contract });
  return raw_data && readTreeWith(Transaction, json, visible, 0, { raw_data });
}

/** The tree that java-tron reads: with the bytes of each message in its place. */
function withContracts(json: JsonObject, rawData: JsonObject, packed: readonly PackedContract[]): JsonObject {
  const contract = packed.map(({ tree, parameter, value }) =>
    new Map(tree).set('parameter', new Map(parameter).set('value', value)),
  );
  return new Map(json).set('raw_data', new Map(rawData).set('contract', contract));
}

/** @returns none if it is dropped */
function packContract(contract: JsonValue, visible: boolean): PackedContract | [] {
  const parameter = isJsonObject(contract) ? contract.get('parameter') : undefined;
  if (!isJsonObject(contract) || !isJsonObject(parameter)) {
    return [];
  }
  const typeName = textMember(contract, 'type');
  const value = parameter.get('value');
  const type = typeName === undefined ? undefined : Transaction_Contract_ContractType_type.numberOf(typeName);
  const codec = type === undefined ? undefined : contractCodec(type);
  if (codec === undefined || value === undefined || value === null) {
    return [];
  }
  let message: ContractMessage;
  try {
    message = readTree(codec, value, visible);
  } catch (error) {
    if (error instanceof JavaException) {
      return [];
    }
    throw error;
  }
  // The label stays as the client wrote it, even if it is missing.
  return { tree: contract, parameter, value: codec.encodeHex(message) };
}
