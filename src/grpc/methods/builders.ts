/**
 * Methods that build an unsigned transaction (protocol/grpc.md#return-codes, #unsigned-transactions-built-by-the-node):
 * alone, or in `TransactionExtention` for methods with the suffix `2` and newer ones.
 */

import { nullPointerException } from '../../errors/java-exception.js';
import type { Wallet_service } from '../../protocol/generated/services.js';
import type { SignedTransaction } from '../../protocol/transaction.js';
import type { WalletContext } from '../../wallet/context.js';
import { createTransaction } from '../../wallet/transactions.js';
import { applicationError } from '../status.js';
import {
  builder,
  extentionBuilder,
  extentionFailure,
  extentionOf,
  type MethodsOf,
  transactionQuery,
} from '../table.js';

/** A contract of any type, wrapped in a transaction. Everything else in the transaction is ignored. */
function createCommonTransaction(view: WalletContext, given: SignedTransaction) {
  if (given.raw.contract.length === 0) throw applicationError();
  const { contractType, contract } = given;
  if (contract === undefined) throw nullPointerException();
  return extentionOf(createTransaction(view, contractType, contract));
}

export const builderMethods = {
  CreateTransaction: builder('TransferContract'),
  CreateTransaction2: extentionBuilder('TransferContract'),
  CreateAccount: builder('AccountCreateContract'),
  CreateAccount2: extentionBuilder('AccountCreateContract'),
  UpdateAccount: builder('AccountUpdateContract'),
  UpdateAccount2: extentionBuilder('AccountUpdateContract'),
  SetAccountId: builder('SetAccountIdContract'),
  AccountPermissionUpdate: extentionBuilder('AccountPermissionUpdateContract'),

  FreezeBalance: builder('FreezeBalanceContract'),
  FreezeBalance2: extentionBuilder('FreezeBalanceContract'),
  FreezeBalanceV2: extentionBuilder('FreezeBalanceV2Contract'),
  UnfreezeBalance: builder('UnfreezeBalanceContract'),
  UnfreezeBalance2: extentionBuilder('UnfreezeBalanceContract'),
  UnfreezeBalanceV2: extentionBuilder('UnfreezeBalanceV2Contract'),
  WithdrawExpireUnfreeze: extentionBuilder('WithdrawExpireUnfreezeContract'),
  CancelAllUnfreezeV2: extentionBuilder('CancelAllUnfreezeV2Contract'),
  DelegateResource: extentionBuilder('DelegateResourceContract'),
  UnDelegateResource: extentionBuilder('UnDelegateResourceContract'),

  VoteWitnessAccount: builder('VoteWitnessContract'),
  VoteWitnessAccount2: extentionBuilder('VoteWitnessContract'),
  CreateWitness: builder('WitnessCreateContract'),
  CreateWitness2: extentionBuilder('WitnessCreateContract'),
  UpdateWitness: builder('WitnessUpdateContract'),
  UpdateWitness2: extentionBuilder('WitnessUpdateContract'),
  WithdrawBalance: builder('WithdrawBalanceContract'),
  WithdrawBalance2: extentionBuilder('WithdrawBalanceContract'),
  UpdateBrokerage: extentionBuilder('UpdateBrokerageContract'),
  ProposalCreate: extentionBuilder('ProposalCreateContract'),
  ProposalApprove: extentionBuilder('ProposalApproveContract'),
  ProposalDelete: extentionBuilder('ProposalDeleteContract'),

  CreateAssetIssue: builder('AssetIssueContract'),
  CreateAssetIssue2: extentionBuilder('AssetIssueContract'),
  UpdateAsset: builder('UpdateAssetContract'),
  UpdateAsset2: extentionBuilder('UpdateAssetContract'),
  TransferAsset: builder('TransferAssetContract'),
  TransferAsset2: extentionBuilder('TransferAssetContract'),
  ParticipateAssetIssue: builder('ParticipateAssetIssueContract'),
  ParticipateAssetIssue2: extentionBuilder('ParticipateAssetIssueContract'),
  UnfreezeAsset: builder('UnfreezeAssetContract'),
  UnfreezeAsset2: extentionBuilder('UnfreezeAssetContract'),

  ExchangeCreate: extentionBuilder('ExchangeCreateContract'),
  ExchangeInject: extentionBuilder('ExchangeInjectContract'),
  ExchangeWithdraw: extentionBuilder('ExchangeWithdrawContract'),
  ExchangeTransaction: extentionBuilder('ExchangeTransactionContract'),
  MarketSellAsset: extentionBuilder('MarketSellAssetContract'),
  MarketCancelOrder: extentionBuilder('MarketCancelOrderContract'),

  UpdateSetting: extentionBuilder('UpdateSettingContract'),
  UpdateEnergyLimit: extentionBuilder('UpdateEnergyLimitContract'),
  ClearContractABI: extentionBuilder('ClearABIContract'),

  CreateCommonTransaction: transactionQuery(createCommonTransaction, extentionFailure),
} satisfies MethodsOf<typeof Wallet_service>;
