/**
 * The message of each contract type, and how it is unpacked from `parameter` (protocol/transactions.md#messages,
 * protocol/grpc.md#any-and-contract-types). java-tron unpacks nothing for types without an executor (3, 20, 32).
 */

import { JavaException } from '../errors/java-exception.js';
import type { Hex } from '../primitives/hex.js';
import {
  AccountCreateContract,
  AccountPermissionUpdateContract,
  AccountUpdateContract,
  SetAccountIdContract,
} from './generated/account-contract.js';
import type { Any } from './generated/any.js';
import {
  AssetIssueContract,
  ParticipateAssetIssueContract,
  TransferAssetContract,
  UnfreezeAssetContract,
  UpdateAssetContract,
} from './generated/asset-issue-contract.js';
import {
  CancelAllUnfreezeV2Contract,
  DelegateResourceContract,
  FreezeBalanceContract,
  FreezeBalanceV2Contract,
  TransferContract,
  UnDelegateResourceContract,
  UnfreezeBalanceContract,
  UnfreezeBalanceV2Contract,
  WithdrawBalanceContract,
  WithdrawExpireUnfreezeContract,
} from './generated/balance-contract.js';
import {
  ExchangeCreateContract,
  ExchangeInjectContract,
  ExchangeTransactionContract,
  ExchangeWithdrawContract,
} from './generated/exchange-contract.js';
import { MarketCancelOrderContract, MarketSellAssetContract } from './generated/market-contract.js';
import {
  ProposalApproveContract,
  ProposalCreateContract,
  ProposalDeleteContract,
} from './generated/proposal-contract.js';
import { ShieldedTransferContract } from './generated/shield-contract.js';
import {
  ClearABIContract,
  CreateSmartContract,
  TriggerSmartContract,
  UpdateEnergyLimitContract,
  UpdateSettingContract,
} from './generated/smart-contract.js';
import { UpdateBrokerageContract } from './generated/storage-contract.js';
import {
  Transaction_Contract_ContractType as ContractType,
  type Transaction_Contract,
  Transaction_Contract_ContractType_type,
} from './generated/tron.js';
import { VoteWitnessContract, WitnessCreateContract, WitnessUpdateContract } from './generated/witness-contract.js';
import type { MessageCodec, MessageType, Sent } from './message-type.js';

const TYPE_URL_PREFIX = 'type.googleapis.com/';

/** The message of each type with an executor, by the type's name, which is also the message's. */
const messages = {
  AccountCreateContract,
  TransferContract,
  TransferAssetContract,
  VoteWitnessContract,
  WitnessCreateContract,
  AssetIssueContract,
  WitnessUpdateContract,
  ParticipateAssetIssueContract,
  AccountUpdateContract,
  FreezeBalanceContract,
  UnfreezeBalanceContract,
  WithdrawBalanceContract,
  UnfreezeAssetContract,
  UpdateAssetContract,
  ProposalCreateContract,
  ProposalApproveContract,
  ProposalDeleteContract,
  SetAccountIdContract,
  CreateSmartContract,
  TriggerSmartContract,
  UpdateSettingContract,
  ExchangeCreateContract,
  ExchangeInjectContract,
  ExchangeWithdrawContract,
  ExchangeTransactionContract,
  UpdateEnergyLimitContract,
  AccountPermissionUpdateContract,
  ClearABIContract,
  UpdateBrokerageContract,
  ShieldedTransferContract,
  MarketSellAssetContract,
  MarketCancelOrderContract,
  FreezeBalanceV2Contract,
  UnfreezeBalanceV2Contract,
  WithdrawExpireUnfreezeContract,
  DelegateResourceContract,
  UnDelegateResourceContract,
  CancelAllUnfreezeV2Contract,
} as const;

/** Any contract message as sent, not validated. */
export type ContractMessage = ReturnType<(typeof messages)[keyof typeof messages]['decode']>;

/** Shared by all chains: filled here and never changed. */
const codecs = new Map<number, MessageCodec<ContractMessage>>();
for (const [name, codec] of Object.entries(messages)) {
  const number = Transaction_Contract_ContractType_type.numberOf(name);
  if (number !== undefined) codecs.set(number, codec as MessageCodec<ContractMessage>);
}

/** The codec of a contract type's message; `undefined` for a type without an executor. */
export function contractCodec(type: number): MessageCodec<ContractMessage> | undefined {
  return codecs.get(type);
}

/** Numbers of all types with a message, ascending. */
export function contractTypesWithMessage(): readonly number[] {
  return [...codecs.keys()].sort((a, b) => a - b);
}

/** `type.googleapis.com/protocol.TransferContract` for its codec. */
export function typeUrlOf(codec: { readonly type: MessageType }): string {
  return TYPE_URL_PREFIX + codec.type.fullName;
}

/** Packs a message as all encoders of the network do. */
export function packAny<M>(codec: MessageCodec<M>, message: M | Sent<M>): Any {
  return { type_url: typeUrlOf(codec), value: codec.encodeHex(message) };
}

/**
 * The message in an Any if it is that of `codec`; `undefined` if the url names another message, or the bytes are
 * invalid. Only the part after the last slash of the url counts, and a url without a slash matches nothing.
 */
export function unpackAny<M>(codec: MessageCodec<M>, any: Any | undefined): Sent<M> | undefined {
  if (any === undefined) return undefined;
  const slash = any.type_url.lastIndexOf('/');
  if (slash < 0 || any.type_url.slice(slash + 1) !== codec.type.fullName) return undefined;
  try {
    return codec.decodeHex(any.value);
  } catch (error) {
    if (error instanceof JavaException) return undefined;
    throw error;
  }
}

/** The message of a contract, if it is the one of its type. */
export function unpackContract(contract: Transaction_Contract): ContractMessage | undefined {
  const codec = codecs.get(contract.type);
  return codec === undefined ? undefined : unpackAny(codec, contract.parameter);
}

/**
 * The account that a contract acts for: its `owner_address` as sent, which may be invalid; for a shielded transfer the
 * transparent sender. Empty if it cannot be read (protocol/pipeline.md#signature-and-permission-check).
 */
export function ownerOf(message: ContractMessage | undefined): Hex {
  if (message === undefined) return '';
  return 'owner_address' in message ? message.owner_address : message.transparent_from_address;
}

/** Whether a transaction of this type runs the virtual machine. */
export function isSmartContractType(type: number): boolean {
  return type === ContractType.CreateSmartContract || type === ContractType.TriggerSmartContract;
}
