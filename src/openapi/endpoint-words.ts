/** One line about each endpoint of the HTTP API, by its name, the last part of its path. */

const WORDS: Readonly<Record<string, string>> = {
  getaccount: 'An account: balance, stakes, votes, permissions, tokens',
  getaccountbyid: 'An account by the account id that setaccountid gave it',
  getaccountresource: 'Bandwidth and Energy of an account: usage and limits',
  getaccountnet: 'Bandwidth of an account: usage and limits',
  getaccountbalance: 'The balance of an account at a block',
  getblockbalance: 'The balance changes that each transaction of a block made',
  validateaddress: 'Checks whether a text is a valid address, and names its format',

  getassetissuebyaccount: 'The TRC-10 tokens that an account has issued',
  getassetissuebyid: 'A TRC-10 token by its id',
  getassetissuebyname: 'A TRC-10 token by its name, if no other token has the same name',
  getassetissuelistbyname: 'All TRC-10 tokens with a name',
  getassetissuelist: 'All TRC-10 tokens',
  getpaginatedassetissuelist: 'One page of the TRC-10 tokens',

  getnowblock: 'The newest block',
  getblock: 'A block by its number or id (default: the newest), with its transactions or as a header only',
  getblockbynum: 'A block by its number',
  getblockbyid: 'A block by its id',
  getblockbylimitnext: 'The blocks from startNum up to, but not including, endNum; at most 100',
  getblockbylatestnum: 'The newest blocks, at most 99',

  createtransaction: 'Builds a Transfer transaction: sends TRX',
  createaccount: 'Builds an AccountCreate transaction: activates an account at the cost of the sender',
  updateaccount: 'Builds an AccountUpdate transaction: changes the name of an account',
  setaccountid: 'Builds a SetAccountId transaction: gives an account the id for getaccountbyid; possible once',
  accountpermissionupdate:
    'Builds an AccountPermissionUpdate transaction: sets the keys, weights and thresholds of an account',
  freezebalance:
    'Builds a FreezeBalance transaction: stakes TRX in Stake 1.0, which the main network no longer accepts',
  unfreezebalance: 'Builds an UnfreezeBalance transaction: ends a stake of Stake 1.0',
  freezebalancev2: 'Builds a FreezeBalanceV2 transaction: stakes TRX for Energy or Bandwidth, and for voting power',
  unfreezebalancev2:
    'Builds an UnfreezeBalanceV2 transaction: unstakes TRX, which are available after 14 days on the main network',
  cancelallunfreezev2:
    'Builds a CancelAllUnfreezeV2 transaction: stakes pending unstakings again and pays out expired ones',
  withdrawexpireunfreeze: 'Builds a WithdrawExpireUnfreeze transaction: pays out the TRX of expired unstakings',
  delegateresource: 'Builds a DelegateResource transaction: delegates staked Energy or Bandwidth to another account',
  undelegateresource: 'Builds an UnDelegateResource transaction: ends a delegation, or a part of it',
  votewitnessaccount: 'Builds a VoteWitness transaction: replaces the votes of an account',
  createwitness: 'Builds a WitnessCreate transaction: makes an account a witness',
  updatewitness: 'Builds a WitnessUpdate transaction: changes the URL of a witness',
  updateBrokerage: 'Builds an UpdateBrokerage transaction: sets the percentage of rewards that a witness keeps',
  withdrawbalance: 'Builds a WithdrawBalance transaction: pays out rewards, at most once a day',
  proposalcreate: 'Builds a ProposalCreate transaction: proposes new values of chain parameters',
  proposalapprove: 'Builds a ProposalApprove transaction: approves a proposal, or revokes the approval',
  proposaldelete: 'Builds a ProposalDelete transaction: cancels a proposal of the sender',
  transferasset: 'Builds a TransferAsset transaction: sends a TRC-10 token',
  participateassetissue:
    'Builds a ParticipateAssetIssue transaction: buys a TRC-10 token from its issuer during the sale',
  createassetissue: 'Builds an AssetIssue transaction: issues a TRC-10 token, for 1,024 TRX on the main network',
  updateasset: 'Builds an UpdateAsset transaction: changes the description, URL and bandwidth limits of a TRC-10 token',
  unfreezeasset: 'Builds an UnfreezeAsset transaction: releases frozen supply of a TRC-10 token to its issuer',
  exchangecreate: 'Builds an ExchangeCreate transaction: creates an exchange of two TRC-10 tokens, or of one and TRX',
  exchangeinject: 'Builds an ExchangeInject transaction: adds tokens to an exchange of the sender',
  exchangewithdraw: 'Builds an ExchangeWithdraw transaction: takes tokens out of an exchange of the sender',
  exchangetransaction: 'Builds an ExchangeTransaction transaction: trades on an exchange',
  marketsellasset: 'Builds a MarketSellAsset transaction: places an order to sell one token for another',
  marketcancelorder: 'Builds a MarketCancelOrder transaction: cancels a market order',
  updatesetting: 'Builds an UpdateSetting transaction: sets the percentage of Energy that callers of a contract pay',
  updateenergylimit:
    'Builds an UpdateEnergyLimit transaction: sets the maximum Energy per call that the deployer of a contract pays',
  clearabi: 'Builds a ClearABI transaction: removes the ABI of a contract from the chain',
  createCommonTransaction: 'Builds a transaction of any type from the fields of its contract',
  deploycontract: 'Builds a CreateSmartContract transaction: deploys a contract',
  triggersmartcontract:
    'Builds a TriggerSmartContract transaction; a view function runs at once, without a transaction',

  triggerconstantcontract: 'Runs a call or a deployment without a transaction: result, Energy, logs',
  estimateenergy: 'The lowest Energy limit with which a call or a deployment succeeds',
  getcontract: 'A contract: bytecode, ABI, deployer, Energy settings',
  getcontractinfo: 'A contract with its runtime code and its dynamic Energy state',

  getchainparameters: 'All chain parameters that proposals can change, with their values',
  getnextmaintenancetime: 'The time of the next maintenance, in Unix milliseconds',
  getenergyprices: 'The Energy price history: prices in sun, each with its start time',
  getbandwidthprices: 'The bandwidth price history: prices per byte in sun, each with its start time',
  getmemofee: 'The memo fee history: fees in sun, each with its start time',
  getburntrx: 'The amount burned since the genesis block, in sun',
  getnodeinfo: 'The node: version, settings, head block, machine',
  getstatsinfo: 'Statistics of the node, as its monitor reports them',
  listnodes: 'The peers of the node; a devnet has none',

  mine: 'Produces blocks, or advances time',
  progress: 'The progress of the running operation (mine, reorg, load, …); an empty object if there is none',
  snapshot: 'Saves the chain in memory: state, clock, pending transactions',
  revert: 'Restores a snapshot, which is then deleted',
  dump: 'The whole chain with its history, as a file',
  load: 'Replaces the chain by a dump',
  contracts:
    'The contracts of the chain by page, sorted or searched by name, method or address: deployer, Energy used in this epoch, Energy factor',
  contractepochs:
    'Energy used by a contract and its Energy factor, in the running epoch and in past epochs, beside the threshold',
  explain: 'Why a transaction cost what it did: outcome, charges, limits, Energy by contract',
  storage: 'The storage of a contract by variable, with the storage layout of its artifact (--artifacts)',
  trace: 'The call tree of a transaction with names, or its Energy by source line',
  fork: 'On a fork: its network, changed chain parameters, and whether an account or contract is of the network, changed, or of the fork only',
  pools: 'The pools of Energy and Bandwidth: what all stakes share in a day, and the accounts with the largest shares',
  steps: 'The steps of a transaction with their source lines, for a debugger',

  listexchanges: 'All exchanges',
  getpaginatedexchangelist: 'One page of the exchanges',
  getexchangebyid: 'An exchange by its number',

  getReward: 'The rewards that an account can withdraw, in sun',
  getBrokerage: 'The percentage of rewards that a witness keeps',
  listwitnesses: 'All witnesses, with their votes as of the last maintenance',
  getpaginatednowwitnesslist: 'One page of the witnesses, sorted by their current votes',
  listproposals: 'All proposals',
  getpaginatedproposallist: 'One page of the proposals',
  getproposalbyid: 'A proposal by its number',

  getmarketorderbyaccount: 'The market orders of an account',
  getmarketorderbyid: 'A market order by its id',
  getmarketpricebypair: 'The prices of the market orders that sell one token for another',
  getmarketorderlistbypair: 'All market orders that sell one token for another',
  getmarketpairlist: 'The token pairs that have market orders',

  getdelegatedresource: 'The Stake 1.0 delegation from one account to another',
  getdelegatedresourcev2: 'The delegation from one account to another: staked TRX and lock times',
  getdelegatedresourceaccountindex: 'The accounts to and from which an account has Stake 1.0 delegations',
  getdelegatedresourceaccountindexv2: 'The accounts to and from which an account has delegations',
  getcandelegatedmaxsize:
    'The stake that an account can still delegate for Energy (type 1) or Bandwidth (type 0), in sun',
  getavailableunfreezecount: 'How many more unstakings an account can start; at most 32 can be pending',
  getcanwithdrawunfreezeamount: 'The amount of unstakings that have expired at a given time, in sun',

  broadcasttransaction: 'Adds a signed transaction to the pool',
  broadcasthex: 'Adds a signed transaction in hex to the pool',
  getsignweight: "The total weight of a transaction's signatures, and whether it reaches the threshold",
  getapprovedlist: 'The accounts that have signed a transaction',
  gettransactionbyid: 'A transaction by its id',
  gettransactioninfobyid: 'The receipt of a transaction: fee, resources, logs, internal transactions',
  gettransactionreceiptbyid: "The resource part of a transaction's receipt",
  gettransactioninfobyblocknum: 'The receipts of all transactions of a block',
  gettransactioncountbyblocknum: 'The number of transactions in a block',
  gettransactionfrompending: 'A pending transaction by its id',
  gettransactionlistfrompending: 'The ids of the pending transactions',
  getpendingsize: 'The number of pending transactions',
  totaltransaction: 'An empty object: java-tron no longer counts transactions',
};

/** @throws for an endpoint without a line above */
export function wordsFor(endpoint: string): string {
  const words = WORDS[endpoint];
  if (words === undefined) throw new Error(`${endpoint} has no description in endpoint-words.ts`);
  return words;
}
