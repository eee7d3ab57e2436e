/**
 * What the `bytes` fields of the protocol mean: which are addresses, which are names. The .proto files say only `bytes`,
 * and stay as the network has them; so it is declared here, once, and the generated tables and types carry it.
 */

/** How JSON writes a field when a request says `visible`: base58, or text. Every other is hex in either mode. */
export type VisibleForm = 'address' | 'name';

/** Of every contract message. */
const CONTRACT_ADDRESSES = new Set([
  'owner_address',
  'to_address',
  'receiver_address',
  'account_address',
  'contract_address',
]);

function fieldNames(text: string): Set<string> {
  return new Set(text.split(/\s+/).map((name) => `protocol.${name}`));
}

/**
 * protocol/http-requests.md#bytes-fields-and-visible (java-tron HttpSelfFormatFieldName); a new address of a contract message is
 * covered by its name.
 */
const ADDRESSES = fieldNames(
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
   NfTRC20Parameters.shielded_TRC20_contract_address`,
);

const NAMES = fieldNames(
  `Return.message TransactionInfo.resMessage Account.account_name Account.asset_issued_name Account.asset_issued_ID
   Account.account_id AccountUpdateContract.account_name SetAccountIdContract.account_id AccountId.name
   WitnessCreateContract.url WitnessUpdateContract.update_url AssetIssueContract.name AssetIssueContract.abbr
   AssetIssueContract.description AssetIssueContract.url UpdateAssetContract.description UpdateAssetContract.url
   TransferAssetContract.asset_name ParticipateAssetIssueContract.asset_name ExchangeCreateContract.first_token_id
   ExchangeCreateContract.second_token_id ExchangeInjectContract.token_id ExchangeWithdrawContract.token_id
   ExchangeTransactionContract.token_id Exchange.first_token_id Exchange.second_token_id
   MarketSellAssetContract.sell_token_id MarketSellAssetContract.buy_token_id MarketOrder.sell_token_id
   MarketOrder.buy_token_id MarketOrderPair.sell_token_id MarketOrderPair.buy_token_id MarketPriceList.sell_token_id
   MarketPriceList.buy_token_id Address.host authority.permission_name Transaction.Contract.ContractName Note.memo`,
);

/** Rows of the state: what the ledger keeps there has been checked, or made by it. */
const ROWS = fieldNames(
  `Account Key Vote Votes Witness SmartContract Proposal Exchange DelegatedResource DelegatedResourceAccountIndex
   MarketAccountOrder MarketOrder`,
);

/** Contracts whose check lets anything pass there: a receiver does not count while lending is off. */
const UNCHECKED = fieldNames('FreezeBalanceContract.receiver_address UnfreezeBalanceContract.receiver_address');

function isContract(message: string): boolean {
  return message.endsWith('Contract');
}

/** @example visibleForm('protocol.TransferContract', 'to_address') // 'address' */
export function visibleForm(message: string, field: string): VisibleForm | undefined {
  const name = `${message}.${field}`;
  if (ADDRESSES.has(name) || (isContract(message) && CONTRACT_ADDRESSES.has(field))) return 'address';
  return NAMES.has(name) ? 'name' : undefined;
}

/**
 * Whether the field is an address wherever the message is what it should be: a row of the state, or a contract that has
 * passed its check. The same message from a client is `Sent<…>`, where it may be any bytes.
 */
export function isAddressField(message: string, field: string): boolean {
  if (visibleForm(message, field) !== 'address' || UNCHECKED.has(`${message}.${field}`)) return false;
  return ROWS.has(message) || isContract(message) || isContract(message.slice(0, message.lastIndexOf('.')));
}
