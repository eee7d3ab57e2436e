/**
 * Examples that work: requests with the accounts and blocks of this chain. A test sends all of them to a chain that
 * has unstakings, votes, exchanges and so on.
 */

import { fromBase58 } from '../protocol/address.js';

type Values = Readonly<Record<string, unknown>>;

/** Data of examples. Base58; ids as hex. */
export interface Facts {
  readonly owner: string;
  readonly other: string;
  readonly witness: string;
  /** A contract of the chain; the other account if there is none. */
  readonly contract: string;
  readonly block: { readonly number: number; readonly id: string };
  readonly txid: string;
  /** A transaction of the chain: its id, its JSON, its bytes. */
  readonly transaction: Values;
  readonly transactionHex: string;
}

type Example = (facts: Facts) => Values;

const TRX = 1_000_000;
const BYTECODE = '600580600b6000396000f3600160005500';

const ofOwner: Example = ({ owner }) => ({ owner_address: owner, visible: true });
const ofAddress: Example = ({ owner }) => ({ address: owner, visible: true });
const ofContract: Example = ({ contract }) => ({ value: contract, visible: true });
const ofTransaction: Example = ({ txid }) => ({ value: txid });
const ofBlock: Example = ({ block }) => ({ num: block.number });
const page: Example = () => ({ offset: 0, limit: 10 });
const nothing: Example = () => ({});

const with_ =
  (values: (facts: Facts) => Values, base: Example = ofOwner): Example =>
  (facts) => ({ ...base(facts), ...values(facts) });

const stake = with_(() => ({ frozen_balance: 10 * TRX, resource: 'ENERGY' }));
const delegation = with_(({ other }) => ({ receiver_address: other, balance: TRX, resource: 'ENERGY' }));

/** By the endpoint's name: the body of a POST; its members are also the parameters of a GET. */
const EXAMPLES: Readonly<Record<string, Example>> = {
  createtransaction: with_(({ other }) => ({ to_address: other, amount: TRX })),
  createaccount: with_(() => ({ account_address: 'TXLAQ63Xg1NAzckPwKHvzw7CSEmLMEqcdj' })),
  updateaccount: with_(() => ({ account_name: 'shop' })),
  setaccountid: with_(({ other }) => ({ owner_address: other, account_id: 'cafe-account' })),
  accountpermissionupdate: with_(({ owner }) => {
    const keys = [{ address: owner, weight: 1 }];
    return {
      owner: { type: 0, permission_name: 'owner', threshold: 1, keys },
      actives: [
        {
          type: 2,
          permission_name: 'active',
          threshold: 1,
          operations: '7fff1fc0033e0300000000000000000000000000000000000000000000000000',
          keys,
        },
      ],
    };
  }),
  freezebalance: with_(() => ({ frozen_balance: 10 * TRX, frozen_duration: 3, resource: 'ENERGY' })),
  unfreezebalance: with_(() => ({ resource: 'ENERGY' })),
  freezebalancev2: stake,
  unfreezebalancev2: with_(() => ({ unfreeze_balance: TRX, resource: 'ENERGY' })),
  cancelallunfreezev2: ofOwner,
  withdrawexpireunfreeze: ofOwner,
  delegateresource: delegation,
  undelegateresource: delegation,
  votewitnessaccount: with_(({ witness }) => ({ votes: [{ vote_address: witness, vote_count: 1 }] })),
  createwitness: with_(({ other }) => ({ owner_address: other, url: 'https://example.org' })),
  updatewitness: with_(({ witness }) => ({ owner_address: witness, update_url: 'https://example.org' })),
  updateBrokerage: with_(({ witness }) => ({ owner_address: witness, brokerage: 20 })),
  withdrawbalance: with_(({ witness }) => ({ owner_address: witness })),
  proposalcreate: with_(({ witness }) => ({ owner_address: witness, parameters: [{ key: 11, value: 210 }] })),
  proposalapprove: with_(({ witness }) => ({ owner_address: witness, proposal_id: 1, is_add_approval: true })),
  proposaldelete: with_(({ witness }) => ({ owner_address: witness, proposal_id: 1 })),
  transferasset: with_(({ other }) => ({ to_address: other, asset_name: '1000001', amount: 1 })),
  participateassetissue: with_(({ owner, other }) => ({
    owner_address: other,
    to_address: owner,
    asset_name: '1000001',
    amount: 10,
  })),
  createassetissue: with_(({ other }) => ({
    owner_address: other,
    name: 'Points',
    abbr: 'PTS',
    total_supply: 1_000_000,
    trx_num: 1,
    num: 1,
    start_time: 4_000_000_000_000,
    end_time: 4_100_000_000_000,
    description: 'Points of a shop',
    url: 'https://example.org',
  })),
  updateasset: with_(() => ({ description: 'Points', url: 'https://example.org', new_limit: 0, new_public_limit: 0 })),
  unfreezeasset: ofOwner,
  exchangecreate: with_(() => ({
    first_token_id: '_',
    first_token_balance: TRX,
    second_token_id: '1000001',
    second_token_balance: 100,
  })),
  exchangeinject: with_(() => ({ exchange_id: 1, token_id: '_', quant: TRX })),
  exchangewithdraw: with_(() => ({ exchange_id: 1, token_id: '_', quant: TRX })),
  exchangetransaction: with_(() => ({ exchange_id: 1, token_id: '_', quant: TRX, expected: 1 })),
  marketsellasset: with_(() => ({
    sell_token_id: '_',
    sell_token_quantity: TRX,
    buy_token_id: '1000001',
    buy_token_quantity: 1,
  })),
  marketcancelorder: with_(() => ({ order_id: '00'.repeat(32) })),
  updatesetting: with_(({ contract }) => ({ contract_address: contract, consume_user_resource_percent: 50 })),
  updateenergylimit: with_(({ contract }) => ({ contract_address: contract, origin_energy_limit: 1_000_000 })),
  clearabi: with_(({ contract }) => ({ contract_address: contract })),
  createCommonTransaction: ({ owner, other }) => ({
    contractType: 'TransferContract',
    visible: true,
    owner_address: owner,
    to_address: other,
    amount: TRX,
  }),
  deploycontract: with_(() => ({ name: 'Nothing', abi: '[]', bytecode: BYTECODE, fee_limit: 100 * TRX })),
  triggersmartcontract: with_(({ contract, owner }) => ({
    contract_address: contract,
    function_selector: 'balanceOf(address)',
    parameter: word(owner),
    fee_limit: 100 * TRX,
  })),
  triggerconstantcontract: with_(({ contract, owner }) => ({
    contract_address: contract,
    function_selector: 'balanceOf(address)',
    parameter: word(owner),
  })),
  estimateenergy: with_(() => ({ data: BYTECODE })),

  broadcasttransaction: ({ transaction }) => transaction,
  broadcasthex: ({ transactionHex }) => ({ transaction: transactionHex }),
  getsignweight: ({ transaction }) => transaction,
  getapprovedlist: ({ transaction }) => transaction,

  getaccount: ofAddress,
  getaccountbyid: () => ({ account_id: 'shop-account', visible: true }),
  getaccountresource: ofAddress,
  getaccountnet: ofAddress,
  getassetissuebyaccount: ofAddress,
  getaccountbalance: ({ owner, block }) => ({
    account_identifier: { address: owner },
    block_identifier: { hash: block.id, number: block.number },
    visible: true,
  }),
  getblockbalance: ({ block }) => ({ hash: block.id, number: block.number }),
  validateaddress: ofAddress,
  getReward: ofAddress,
  getBrokerage: ofAddress,
  getassetissuebyid: () => ({ value: '1000001' }),
  getassetissuebyname: () => ({ value: 'Credits', visible: true }),
  getassetissuelistbyname: () => ({ value: 'Credits', visible: true }),
  getpaginatedassetissuelist: page,
  getpaginatedproposallist: page,
  getpaginatedexchangelist: page,
  getpaginatednowwitnesslist: page,
  getproposalbyid: () => ({ id: 1 }),
  getexchangebyid: () => ({ id: 1 }),
  getcontract: ofContract,
  getcontractinfo: ofContract,
  getblock: ({ block }) => ({ id_or_num: String(block.number), detail: true }),
  getblockbynum: ofBlock,
  gettransactioninfobyblocknum: ofBlock,
  gettransactioncountbyblocknum: ofBlock,
  getblockbyid: ({ block }) => ({ value: block.id }),
  getblockbylimitnext: ({ block }) => ({ startNum: block.number, endNum: block.number + 1 }),
  getblockbylatestnum: () => ({ num: 1 }),
  gettransactionbyid: ofTransaction,
  gettransactioninfobyid: ofTransaction,
  gettransactionreceiptbyid: ofTransaction,
  gettransactionfrompending: ofTransaction,
  getdelegatedresource: ({ owner, other }) => ({ fromAddress: owner, toAddress: other, visible: true }),
  getdelegatedresourcev2: ({ owner, other }) => ({ fromAddress: owner, toAddress: other, visible: true }),
  getdelegatedresourceaccountindex: ({ owner }) => ({ value: owner, visible: true }),
  getdelegatedresourceaccountindexv2: ({ owner }) => ({ value: owner, visible: true }),
  getcandelegatedmaxsize: with_(() => ({ type: 1 })),
  getavailableunfreezecount: ofOwner,
  getcanwithdrawunfreezeamount: with_(() => ({ timestamp: 4_000_000_000_000 })),
  getmarketorderbyaccount: ({ owner }) => ({ value: owner, visible: true }),
  getmarketorderbyid: () => ({ value: '00'.repeat(32) }),
  getmarketpricebypair: () => ({ sell_token_id: '_', buy_token_id: '1000001', visible: true }),
  getmarketorderlistbypair: () => ({ sell_token_id: '_', buy_token_id: '1000001', visible: true }),

  mine: () => ({ blocks: 1 }),
  revert: () => ({ id: '0x1' }),
  load: () => ({ dump: '' }),
  fork: () => ({}),
  pools: () => ({ limit: 10 }),
  contracts: () => ({ order: 'energy', limit: 10 }),
  contractepochs: ({ contract }) => ({ contract, limit: 10 }),
  explain: ({ txid }) => ({ txid }),
  storage: ({ contract }) => ({ contract }),
  trace: ({ txid }) => ({ txid }),
  steps: ({ txid }) => ({ txid }),
};

const A_STAKE = 'a stake of the account (freezebalancev2)';
const A_TOKEN = 'a TRC-10 token of the account (createassetissue)';
const AN_EXCHANGE = 'an exchange (exchangecreate)';
const A_PROPOSAL = 'a proposal (proposalcreate)';
const A_CONTRACT = 'a contract (--predeploy usdt)';
const THE_MARKET =
  'the market, which the main network has switched off (--param getAllowMarketTransaction=1), and an order';
const A_TRANSACTION = 'a transaction on the chain';

/** What the example of an endpoint needs and a fresh chain lacks: without it, the answer is the network's refusal. */
const NEEDS: Readonly<Record<string, string>> = {
  freezebalance: 'a chain that allows Stake 1.0 (--param getUnfreezeDelayDays=0)',
  unfreezebalance: 'a stake of Stake 1.0',
  unfreezebalancev2: A_STAKE,
  cancelallunfreezev2: 'a pending unstaking (unfreezebalancev2)',
  withdrawexpireunfreeze: 'an expired unstaking (unfreezebalancev2, 14 days)',
  delegateresource: A_STAKE,
  undelegateresource: 'a delegation to the other account (delegateresource)',
  votewitnessaccount: A_STAKE,
  withdrawbalance: 'a witness that is not in the genesis block, and a day',
  proposalapprove: A_PROPOSAL,
  proposaldelete: A_PROPOSAL,
  transferasset: A_TOKEN,
  participateassetissue: A_TOKEN,
  updateasset: A_TOKEN,
  unfreezeasset: `${A_TOKEN} with frozen supply`,
  exchangecreate: A_TOKEN,
  exchangeinject: AN_EXCHANGE,
  exchangewithdraw: AN_EXCHANGE,
  exchangetransaction: AN_EXCHANGE,
  getexchangebyid: AN_EXCHANGE,
  marketsellasset: THE_MARKET,
  marketcancelorder: THE_MARKET,
  getmarketorderbyid: THE_MARKET,
  updatesetting: A_CONTRACT,
  updateenergylimit: A_CONTRACT,
  clearabi: A_CONTRACT,
  contractepochs: A_CONTRACT,
  explain: A_TRANSACTION,
  storage: A_CONTRACT,
  trace: A_TRANSACTION,
  steps: A_TRANSACTION,
  load: 'a dump',
  revert: 'a snapshot of that id',
};

/** @returns what has to exist first; undefined: nothing */
export function neededFor(endpoint: string): string | undefined {
  return NEEDS[endpoint];
}

/** An address as an argument of a call. */
function word(base58: string): string {
  return (fromBase58(base58) ?? '').slice(2).padStart(64, '0');
}

export function bodyExample(endpoint: string, facts: Facts): Values {
  return (EXAMPLES[endpoint] ?? nothing)(facts);
}

export function parameterExample(endpoint: string, name: string, facts: Facts): unknown {
  return bodyExample(endpoint, facts)[name];
}
