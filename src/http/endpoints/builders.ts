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
import { builderEndpoint, buildTransaction } from '../builder-endpoint.js';
import { type HttpEndpoint, WALLET } from '../table.js';
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

export const builderEndpoints: readonly HttpEndpoint<WalletContext>[] = [
  builderEndpoint({ name: 'createtransaction', type: 'TransferContract', body: 'raw', extraData: true }),
  builderEndpoint({
    name: 'createaccount',
    type: 'AccountCreateContract',
    body: 'form',
    servlet: 'CreateAccountServlet',
  }),
  builderEndpoint({ name: 'updateaccount', type: 'AccountUpdateContract', body: 'form' }),
  builderEndpoint({ name: 'setaccountid', type: 'SetAccountIdContract', body: 'raw' }),
  builderEndpoint({ name: 'accountpermissionupdate', type: 'AccountPermissionUpdateContract', body: 'form' }),

  builderEndpoint({
    name: 'freezebalance',
    type: 'FreezeBalanceContract',
    body: 'form',
    servlet: 'FreezeBalanceServlet',
  }),
  builderEndpoint({ name: 'unfreezebalance', type: 'UnfreezeBalanceContract', body: 'form' }),
  builderEndpoint({
    name: 'freezebalancev2',
    type: 'FreezeBalanceV2Contract',
    body: 'form',
    servlet: 'FreezeBalanceV2Servlet',
  }),
  builderEndpoint({ name: 'unfreezebalancev2', type: 'UnfreezeBalanceV2Contract', body: 'form' }),
  builderEndpoint({
    name: 'cancelallunfreezev2',
    type: 'CancelAllUnfreezeV2Contract',
    body: 'form',
    servlet: 'CancelAllUnfreezeV2Servlet',
  }),
  builderEndpoint({ name: 'withdrawexpireunfreeze', type: 'WithdrawExpireUnfreezeContract', body: 'raw' }),
  builderEndpoint({
    name: 'delegateresource',
    type: 'DelegateResourceContract',
    body: 'form',
    servlet: 'DelegateResourceServlet',
  }),
  builderEndpoint({ name: 'undelegateresource', type: 'UnDelegateResourceContract', body: 'form' }),

  builderEndpoint({ name: 'votewitnessaccount', type: 'VoteWitnessContract', body: 'raw' }),
  builderEndpoint({ name: 'createwitness', type: 'WitnessCreateContract', body: 'form' }),
  builderEndpoint({ name: 'updatewitness', type: 'WitnessUpdateContract', body: 'form' }),
  builderEndpoint({
    name: 'updateBrokerage',
    type: 'UpdateBrokerageContract',
    body: 'form',
    servlet: 'UpdateBrokerageServlet',
  }),
  builderEndpoint({ name: 'withdrawbalance', type: 'WithdrawBalanceContract', body: 'raw' }),
  builderEndpoint({ name: 'proposalcreate', type: 'ProposalCreateContract', body: 'raw' }),
  builderEndpoint({ name: 'proposalapprove', type: 'ProposalApproveContract', body: 'raw' }),
  builderEndpoint({ name: 'proposaldelete', type: 'ProposalDeleteContract', body: 'raw' }),

  builderEndpoint({ name: 'transferasset', type: 'TransferAssetContract', body: 'raw', extraData: true }),
  builderEndpoint({ name: 'participateassetissue', type: 'ParticipateAssetIssueContract', body: 'raw' }),
  builderEndpoint({ name: 'createassetissue', type: 'AssetIssueContract', body: 'form' }),
  builderEndpoint({ name: 'updateasset', type: 'UpdateAssetContract', body: 'form' }),
  builderEndpoint({ name: 'unfreezeasset', type: 'UnfreezeAssetContract', body: 'form' }),

  builderEndpoint({
    name: 'exchangecreate',
    type: 'ExchangeCreateContract',
    body: 'form',
    servlet: 'ExchangeCreateServlet',
  }),
  builderEndpoint({
    name: 'exchangeinject',
    type: 'ExchangeInjectContract',
    body: 'form',
    servlet: 'ExchangeInjectServlet',
  }),
  builderEndpoint({
    name: 'exchangewithdraw',
    type: 'ExchangeWithdrawContract',
    body: 'form',
    servlet: 'ExchangeWithdrawServlet',
  }),
  builderEndpoint({
    name: 'exchangetransaction',
    type: 'ExchangeTransactionContract',
    body: 'form',
    servlet: 'ExchangeTransactionServlet',
  }),
  builderEndpoint({ name: 'marketsellasset', type: 'MarketSellAssetContract', body: 'raw', extraData: true }),
  builderEndpoint({ name: 'marketcancelorder', type: 'MarketCancelOrderContract', body: 'form', extraData: true }),

  builderEndpoint({ name: 'updatesetting', type: 'UpdateSettingContract', body: 'form' }),
  builderEndpoint({ name: 'updateenergylimit', type: 'UpdateEnergyLimitContract', body: 'form' }),
  builderEndpoint({ name: 'clearabi', type: 'ClearABIContract', body: 'form' }),
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
