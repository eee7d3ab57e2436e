/**
 * The endpoints that build a transaction from a contract message
 * (protocol/http.md#transaction-builders-post-under-wallet, protocol/http-endpoints.md#common-transaction-builder).
 */

import { illegalArgumentException, nullPointerException } from '../../errors/java-exception.js';
import { contractCodec } from '../../protocol/contract-types.js';
import { Transaction, Transaction_Contract_ContractType_type } from '../../protocol/generated/tron.js';
import { readMessage } from '../../protocol/json/message-reader.js';
import { textMember } from '../../protocol/json/value.js';
import type { WalletContext } from '../../wallet/context.js';
import { builderRow, buildTransaction } from '../builder-row.js';
import { type HttpRow, WALLET } from '../table.js';
import type { WireRequest } from '../wire-request.js';

function createCommonTransaction(view: WalletContext, request: WireRequest): string {
  const body = request.bodyOrForm;
  const { object, visible } = body;
  const name = textMember(object, 'contractType');
  if (name === undefined) {
    throw nullPointerException('Name is null');
  }
  const type = Transaction_Contract_ContractType_type.numberOf(name);
  if (type === undefined) {
    throw illegalArgumentException(
      `No enum constant org.tron.protos.Protocol.Transaction.Contract.ContractType.${name}`,
    );
  }
  const codec = contractCodec(type);
  if (codec === undefined) {
    throw nullPointerException();
  }
  return buildTransaction(view, type, readMessage(codec, body.text, visible), body, false);
}

export const builderRows: readonly HttpRow<WalletContext>[] = [
  builderRow({ name: 'createtransaction', type: 'TransferContract', body: 'raw', extraData: true }),
  builderRow({ name: 'createaccount', type: 'AccountCreateContract', body: 'form', servlet: 'CreateAccountServlet' }),
  builderRow({ name: 'updateaccount', type: 'AccountUpdateContract', body: 'form' }),
  builderRow({ name: 'setaccountid', type: 'SetAccountIdContract', body: 'raw' }),
  builderRow({ name: 'accountpermissionupdate', type: 'AccountPermissionUpdateContract', body: 'form' }),

  builderRow({ name: 'freezebalance', type: 'FreezeBalanceContract', body: 'form', servlet: 'FreezeBalanceServlet' }),
  builderRow({ name: 'unfreezebalance', type: 'UnfreezeBalanceContract', body: 'form' }),
  builderRow({
    name: 'freezebalancev2',
    type: 'FreezeBalanceV2Contract',
    body: 'form',
    servlet: 'FreezeBalanceV2Servlet',
  }),
  builderRow({ name: 'unfreezebalancev2', type: 'UnfreezeBalanceV2Contract', body: 'form' }),
  builderRow({
    name: 'cancelallunfreezev2',
    type: 'CancelAllUnfreezeV2Contract',
    body: 'form',
    servlet: 'CancelAllUnfreezeV2Servlet',
  }),
  builderRow({ name: 'withdrawexpireunfreeze', type: 'WithdrawExpireUnfreezeContract', body: 'raw' }),
  builderRow({
    name: 'delegateresource',
    type: 'DelegateResourceContract',
    body: 'form',
    servlet: 'DelegateResourceServlet',
  }),
  builderRow({ name: 'undelegateresource', type: 'UnDelegateResourceContract', body: 'form' }),

  builderRow({ name: 'votewitnessaccount', type: 'VoteWitnessContract', body: 'raw' }),
  builderRow({ name: 'createwitness', type: 'WitnessCreateContract', body: 'form' }),
  builderRow({ name: 'updatewitness', type: 'WitnessUpdateContract', body: 'form' }),
  builderRow({
    name: 'updateBrokerage',
    type: 'UpdateBrokerageContract',
    body: 'form',
    servlet: 'UpdateBrokerageServlet',
  }),
  builderRow({ name: 'withdrawbalance', type: 'WithdrawBalanceContract', body: 'raw' }),
  builderRow({ name: 'proposalcreate', type: 'ProposalCreateContract', body: 'raw' }),
  builderRow({ name: 'proposalapprove', type: 'ProposalApproveContract', body: 'raw' }),
  builderRow({ name: 'proposaldelete', type: 'ProposalDeleteContract', body: 'raw' }),

  builderRow({ name: 'transferasset', type: 'TransferAssetContract', body: 'raw', extraData: true }),
  builderRow({ name: 'participateassetissue', type: 'ParticipateAssetIssueContract', body: 'raw' }),
  builderRow({ name: 'createassetissue', type: 'AssetIssueContract', body: 'form' }),
  builderRow({ name: 'updateasset', type: 'UpdateAssetContract', body: 'form' }),
  builderRow({ name: 'unfreezeasset', type: 'UnfreezeAssetContract', body: 'form' }),

  builderRow({
    name: 'exchangecreate',
    type: 'ExchangeCreateContract',
    body: 'form',
    servlet: 'ExchangeCreateServlet',
  }),
  builderRow({
    name: 'exchangeinject',
    type: 'ExchangeInjectContract',
    body: 'form',
    servlet: 'ExchangeInjectServlet',
  }),
  builderRow({
    name: 'exchangewithdraw',
    type: 'ExchangeWithdrawContract',
    body: 'form',
    servlet: 'ExchangeWithdrawServlet',
  }),
  builderRow({
    name: 'exchangetransaction',
    type: 'ExchangeTransactionContract',
    body: 'form',
    servlet: 'ExchangeTransactionServlet',
  }),
  builderRow({ name: 'marketsellasset', type: 'MarketSellAssetContract', body: 'raw', extraData: true }),
  builderRow({ name: 'marketcancelorder', type: 'MarketCancelOrderContract', body: 'form', extraData: true }),

  builderRow({ name: 'updatesetting', type: 'UpdateSettingContract', body: 'form' }),
  builderRow({ name: 'updateenergylimit', type: 'UpdateEnergyLimitContract', body: 'form' }),
  builderRow({ name: 'clearabi', type: 'ClearABIContract', body: 'form' }),
  {
    name: 'createCommonTransaction',
    services: WALLET,
    get: 'refused',
    post: 'answers',
    callers: 'anyone',
    servlet: 'CreateCommonTransactionServlet',
    response: Transaction.type,
    answer: createCommonTransaction,
  },
];
