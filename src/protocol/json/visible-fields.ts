/**
 * How a `bytes` field is written when a request says `visible` (http-api.md 2.5; java-tron HttpSelfFormatFieldName):
 * addresses as base58check, names as text, everything else as hex in either mode. The lists are java-tron's; a new
 * address field of a contract message is covered by its name.
 */

import type { FieldType, MessageType } from '../message-type.js';

export type BytesForm = 'address' | 'name' | 'hex';

const CONTRACT_ADDRESS_FIELDS = new Set([
  'owner_address',
  'to_address',
  'receiver_address',
  'account_address',
  'contract_address',
]);

const ADDRESSES = new Set(
  `VoteWitnessContract.Vote.vote_address Vote.vote_address Votes.address Account.address Key.address Witness.address
   BlockHeader.raw.witness_address SmartContract.origin_address SmartContract.contract_address
   TransactionInfo.contract_address TransactionInfo.Log.address InternalTransaction.caller_address
   InternalTransaction.transferTo_address Proposal.proposer_address Proposal.approvals Exchange.creator_address
   DelegatedResource.from DelegatedResource.to DelegatedResourceMessage.fromAddress DelegatedResourceMessage.toAddress
   DelegatedResourceAccountIndex.account DelegatedResourceAccountIndex.fromAccounts
   DelegatedResourceAccountIndex.toAccounts TransactionSignWeight.approved_list TransactionApprovedList.approved_list
   GetAvailableUnfreezeCountRequestMessage.owner_address CanDelegatedMaxSizeRequestMessage.owner_address
   CanWithdrawUnfreezeAmountRequestMessage.owner_address AccountIdentifier.address AccountId.address
   TransactionBalanceTrace.Operation.address MarketOrder.owner_address
   ShieldedTransferContract.transparent_from_address ShieldedTransferContract.transparent_to_address
   PrivateShieldedTRC20Parameters.transparent_to_address
   PrivateShieldedTRC20Parameters.shielded_TRC20_contract_address
   PrivateShieldedTRC20ParametersWithoutAsk.transparent_to_address
   PrivateShieldedTRC20ParametersWithoutAsk.shielded_TRC20_contract_address
   IvkDecryptTRC20Parameters.shielded_TRC20_contract_address OvkDecryptTRC20Parameters.shielded_TRC20_contract_address
   NfTRC20Parameters.shielded_TRC20_contract_address`
    .split(/\s+/)
    .map((name) => `protocol.${name}`),
);

const NAMES = new Set(
  `Return.message TransactionInfo.resMessage Account.account_name Account.asset_issued_name Account.asset_issued_ID
   Account.account_id AccountUpdateContract.account_name SetAccountIdContract.account_id AccountId.name
   WitnessCreateContract.url WitnessUpdateContract.update_url AssetIssueContract.name AssetIssueContract.abbr
   AssetIssueContract.description AssetIssueContract.url UpdateAssetContract.description UpdateAssetContract.url
   TransferAssetContract.asset_name ParticipateAssetIssueContract.asset_name ExchangeCreateContract.first_token_id
   ExchangeCreateContract.second_token_id ExchangeInjectContract.token_id ExchangeWithdrawContract.token_id
   ExchangeTransactionContract.token_id Exchange.first_token_id Exchange.second_token_id
   MarketSellAssetContract.sell_token_id MarketSellAssetContract.buy_token_id MarketOrder.sell_token_id
   MarketOrder.buy_token_id MarketOrderPair.sell_token_id MarketOrderPair.buy_token_id MarketPriceList.sell_token_id
   MarketPriceList.buy_token_id Address.host authority.permission_name Transaction.Contract.ContractName Note.memo`
    .split(/\s+/)
    .map((name) => `protocol.${name}`),
);

const forms = new WeakMap<FieldType, BytesForm>();

export function bytesForm(message: MessageType, field: FieldType): BytesForm {
  let form = forms.get(field);
  if (form === undefined) {
    const fullName = `${message.fullName}.${field.name}`;
    const isAddress =
      ADDRESSES.has(fullName) || (message.fullName.endsWith('Contract') && CONTRACT_ADDRESS_FIELDS.has(field.name));
    form = isAddress ? 'address' : NAMES.has(fullName) ? 'name' : 'hex';
    forms.set(field, form);
  }
  return form;
}
