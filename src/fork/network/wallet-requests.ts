/**
 * Requests of a fork to a node's Wallet service, one entry each. gRPC answers with a message, HTTP with its JSON, so
 * an entry has the gRPC method, the path of its HTTP twin, and differences of the twin's JSON. Both lead to the same
 * message.
 */

import { NEGATIVES, type Negatives } from '../../chain-file/negative-numbers.js';
import { type Hex, hexToBytes, isHex, utf8ToHex } from '../../primitives/hex.js';
import { type Address, type BlockId, isAddress, type TxId } from '../../primitives/ids.js';
import { deployedContractAddress } from '../../protocol/address.js';
import { ownerOf, unpackContract } from '../../protocol/contract-types.js';
import { BlockExtention } from '../../protocol/generated/api.js';
import { Wallet_service } from '../../protocol/generated/services.js';
import {
  BlockHeader,
  Transaction_Contract_ContractType as ContractType,
  Transaction,
} from '../../protocol/generated/tron.js';
import { type JsonObject, type JsonValue, textMember } from '../../protocol/json/value.js';
import { message } from '../../protocol/message-codec.js';
import { type MessageCodec, repeated, singular } from '../../protocol/message-type.js';
import type { MethodType } from '../../protocol/service-type.js';
import { SignedTransaction } from '../../protocol/transaction.js';
import { badAnswer, messageOf, objectOf, type RequestContext } from './answers.js';

type Methods = (typeof Wallet_service)['methods'];
type RequestOf<Name extends keyof Methods> = Methods[Name] extends MethodType<infer Request, infer _> ? Request : never;
type AnswerOf<Name extends keyof Methods> = Methods[Name] extends MethodType<infer _, infer Answer> ? Answer : never;

export interface WalletRequest<Parameters, Answer> {
  /** Below `/wallet/`. */
  readonly path: string;
  /** Of `protocol.Wallet`. */
  readonly method: string;
  /** Of the HTTP twin: a JSON text. */
  readonly body: (parameters: Parameters) => string;
  readonly request: (parameters: Parameters) => Uint8Array;
  /** @throws RemoteError */
  readonly ofJson: (json: JsonObject, asked: RequestContext) => Answer;
  /** @throws JavaException if it is not such a message */
  readonly ofBytes: (bytes: Uint8Array) => Answer;
  /** Meaning of an empty answer, if it has one. */
  readonly empty: Answer;
  /** The member of the message that the HTTP twin returns alone: a list. */
  readonly list?: string;
  /** Whether a refusal means that the object does not exist. */
  readonly saysNone?: (text: string) => boolean;
  /** Numbers of the answer that may be negative. */
  readonly negatives: Negatives;
}

interface Differences<Parameters, Answer> {
  /** Members of the HTTP twin's request, if they differ from the message. */
  readonly body?: (parameters: Parameters) => object;
  /** Converts the twin's JSON to the message's, if they differ. */
  readonly json?: (json: JsonObject) => JsonObject;
  readonly saysNone?: WalletRequest<Parameters, Answer>['saysNone'];
  readonly list?: string;
  readonly negatives?: Negatives;
}

function question<Name extends keyof Methods, Parameters>(
  path: string,
  method: Name,
  request: (parameters: Parameters) => Partial<RequestOf<Name>>,
  {
    body = request,
    json = (same) => same,
    saysNone,
    list,
    negatives = [],
  }: Differences<Parameters, AnswerOf<Name>> = {},
): WalletRequest<Parameters, AnswerOf<Name>> {
  const type = Wallet_service.methods[method] as unknown as MethodType<RequestOf<Name>, AnswerOf<Name>>;
  const codec = type.request as unknown as MessageCodec<object>;
  return {
    path,
    method,
    body: (parameters) => JSON.stringify(body(parameters)),
    request: (parameters) => codec.encode(codec.create(request(parameters))),
    ofJson: (answer, asked) => messageOf(type.response, json(answer), asked),
    ofBytes: (bytes) => type.response.decode(bytes) as AnswerOf<Name>,
    empty: type.response.empty as AnswerOf<Name>,
    ...(saysNone && { saysNone }),
    ...(list !== undefined && { list }),
    negatives,
  };
}

const nothing = () => ({});
const value = (hex: string) => ({ value: hex });
const byAddress = (address: string) => ({ address: address as Address });
const byNumber = (number: number) => ({ value: BigInt(number).toString(16).padStart(16, '0') });
const fromTo = (pair: { readonly from: string; readonly to: string }) => ({
  fromAddress: pair.from,
  toAddress: pair.to,
});
const pairOf = (pair: { readonly sell_token_id: string; readonly buy_token_id: string }) => pair;

/** `json` with a member renamed as in the message. */
const renamed = (json: JsonObject, from: string, to: string): JsonObject =>
  new Map([...json].map(([key, member]) => [key === from ? to : key, member]));
const numberIn = (member: string) => ({ json: (json: JsonObject) => renamed(json, member, 'num') });

/** getaccount prints the issued token's id as text; other ids are hex. */
function withIssuedIdInHex(json: JsonObject): JsonObject {
  const id = json.get('asset_issued_ID');
  return typeof id === 'string' ? new Map(json).set('asset_issued_ID', utf8ToHex(id)) : json;
}

export const WALLET = {
  /** By number; undefined: the head. */
  block: question(
    'getblock',
    'GetBlock',
    (number: number | undefined) => ({ ...(number !== undefined && { id_or_num: String(number) }), detail: false }),
    { json: (json) => renamed(json, 'blockID', 'blockid'), negatives: 'any' },
  ),
  /** With its transactions. */
  wholeBlock: wholeBlock(),
  receipts: question(
    'gettransactioninfobyblocknum',
    'GetTransactionInfoByBlockNum',
    (number: number) => ({ num: BigInt(number) }),
    {
      body: (number) => ({ num: number }),
      list: 'transactionInfo',
      negatives: 'any',
    },
  ),
  receipt: question('gettransactioninfobyid', 'GetTransactionInfoById', value, { negatives: 'any' }),
  account: question('getaccount', 'GetAccount', byAddress, { json: withIssuedIdInHex, negatives: NEGATIVES.account }),
  accountById: question('getaccountbyid', 'GetAccountById', (account_id: string) => ({ account_id }), {
    json: withIssuedIdInHex,
    negatives: NEGATIVES.account,
  }),
  accountResource: question('getaccountresource', 'GetAccountResource', byAddress, { negatives: NEGATIVES.totals }),
  contract: question('getcontractinfo', 'GetContractInfo', value, { negatives: NEGATIVES.contract }),
  delegationsV1: question('getdelegatedresource', 'GetDelegatedResource', fromTo),
  delegationsV2: question('getdelegatedresourcev2', 'GetDelegatedResourceV2', fromTo),
  partnersV1: question('getdelegatedresourceaccountindex', 'GetDelegatedResourceAccountIndex', value),
  partnersV2: question('getdelegatedresourceaccountindexv2', 'GetDelegatedResourceAccountIndexV2', value),
  reward: question('getReward', 'GetRewardInfo', value, { body: byAddress, ...numberIn('reward') }),
  brokerage: question('getBrokerage', 'GetBrokerageInfo', value, { body: byAddress, ...numberIn('brokerage') }),
  asset: question('getassetissuebyid', 'GetAssetIssueById', (id: string) => value(utf8ToHex(id)), {
    body: value,
    negatives: NEGATIVES.token,
  }),
  exchange: question('getexchangebyid', 'GetExchangeById', byNumber, { body: (id: number) => ({ id }) }),
  proposal: question('getproposalbyid', 'GetProposalById', byNumber, {
    body: (id: number) => ({ id }),
    negatives: NEGATIVES.proposal,
  }),
  /** For a missing one java-tron returns an error. */
  marketOrder: question('getmarketorderbyid', 'GetMarketOrderById', value, {
    saysNone: (text) => /not found/.test(text),
  }),
  marketPairs: question('getmarketpairlist', 'GetMarketPairList', nothing),
  marketSide: question('getmarketorderlistbypair', 'GetMarketOrderListByPair', pairOf),
  parameters: question('getchainparameters', 'GetChainParameters', nothing, { negatives: ['value'] }),
  nextMaintenance: question('getnextmaintenancetime', 'GetNextMaintenanceTime', nothing),
  energyPrices: question('getenergyprices', 'GetEnergyPrices', nothing),
  bandwidthPrices: question('getbandwidthprices', 'GetBandwidthPrices', nothing),
  memoFees: question('getmemofee', 'GetMemoFee', nothing),
  burned: question('getburntrx', 'GetBurnTrx', nothing, numberIn('burnTrxAmount')),
  witnesses: question('listwitnesses', 'ListWitnesses', nothing),
  /** With the votes of the current epoch. */
  witnessesNow: question(
    'getpaginatednowwitnesslist',
    'GetPaginatedNowWitnessList',
    ({ offset, limit }: { readonly offset: number; readonly limit: number }) => ({
      offset: BigInt(offset),
      limit: BigInt(limit),
    }),
    { body: (page) => page },
  ),
  proposals: question('listproposals', 'ListProposals', nothing, { negatives: NEGATIVES.proposal }),
  exchanges: question('listexchanges', 'ListExchanges', nothing),
  assets: question('getassetissuelist', 'GetAssetIssueList', nothing, { negatives: NEGATIVES.token }),
  /** A contract in the head block; undefined: none. */
  calledContract: calledContract(),
} as const;

function calledContract(): WalletRequest<void, Address | undefined> {
  const block = question('getnowblock', 'GetNowBlock2', nothing, { negatives: 'any' });
  return {
    ...block,
    empty: undefined,
    ofJson: (json) => {
      const found = /"contract_address":"([0-9a-f]{42})"/.exec(JSON.stringify(plain(json.get('transactions') ?? [])));
      return addressOr(found?.[1]);
    },
    ofBytes: (bytes) => {
      for (const { transaction } of BlockOfBytes.decode(bytes).transactions) {
        const found = contractOf(SignedTransaction.decode(hexToBytes(transaction)));
        if (found !== undefined) return addressOr(found);
      }
      return undefined;
    },
  };
}

/** The contract that a transaction calls or creates, which HTTP prints beside it. */
function contractOf({ txId, raw }: SignedTransaction): string | undefined {
  for (const contract of raw.contract) {
    const message = unpackContract(contract);
    if (message !== undefined && 'contract_address' in message) return message.contract_address;
    if (contract.type === ContractType.CreateSmartContract && message !== undefined)
      return deployedContractAddress(txId, ownerOf(message) as Address);
  }
  return undefined;
}

interface BlockOfBytes {
  readonly transactions: readonly { readonly transaction: Hex }[];
  readonly block_header: BlockHeader | undefined;
  readonly blockid: Hex;
}

/**
 * `protocol.BlockExtention` with the original bytes of its transactions, including unknown fields, because ids depend
 * on them.
 */
const BlockOfBytes = /* @__PURE__ */ message<BlockOfBytes>('protocol.BlockExtention', () => [
  repeated('transactions', 1, TransactionOfBytes),
  singular('block_header', 2, BlockHeader),
  singular('blockid', 3, 'bytes'),
]);
const TransactionOfBytes = /* @__PURE__ */ message<{ readonly transaction: Hex }>(
  'protocol.TransactionExtention',
  () => [singular('transaction', 1, 'bytes')],
);

export interface WholeBlock {
  readonly id: BlockId;
  readonly header: BlockHeader;
  readonly transactions: readonly { readonly txId: TxId; readonly bytes: Uint8Array }[];
}

/** HTTP prints a transaction's bytes beside its fields: only the bytes give the same id. */
function wholeBlock(): WalletRequest<number, WholeBlock | undefined> {
  const block = question('getblock', 'GetBlock', (number: number) => ({ id_or_num: String(number), detail: true }), {
    negatives: 'any',
  });
  const whole = (id: string, header: BlockHeader | undefined, transactions: readonly SignedTransaction[]) =>
    header && {
      id: id as BlockId,
      header,
      transactions: transactions.map(({ txId, bytes }) => ({ txId, bytes })),
    };
  return {
    ...block,
    empty: undefined,
    ofJson: (json, asked) => {
      const { block_header: header } = messageOf(
        BlockExtention,
        new Map([...json].filter(([key]) => key === 'block_header')),
        asked,
      );
      const transactions = json.get('transactions') ?? [];
      if (!Array.isArray(transactions)) throw badAnswer(asked, 'its transactions are not a list');
      return whole(
        textMember(json, 'blockID') ?? '',
        header,
        transactions.map((one: JsonValue) => {
          const object = objectOf(one, asked);
          const raw = textMember(object, 'raw_data_hex') ?? '';
          if (!isHex(raw)) throw badAnswer(asked, 'a transaction has no raw_data_hex');
          const { signature, ret } = messageOf(
            Transaction,
            new Map([...object].filter(([key]) => key === 'signature' || key === 'ret')),
            asked,
          );
          return SignedTransaction.ofParts(hexToBytes(raw), signature, ret);
        }),
      );
    },
    ofBytes: (bytes) => {
      const { blockid, block_header, transactions } = BlockOfBytes.decode(bytes);
      return whole(
        blockid,
        block_header as BlockHeader | undefined,
        transactions.map(({ transaction }) => SignedTransaction.decode(hexToBytes(transaction))),
      );
    },
  };
}

const addressOr = (text: string | undefined): Address | undefined =>
  text !== undefined && isAddress(text) ? text : undefined;

function plain(json: JsonValue): unknown {
  if (json instanceof Map) return Object.fromEntries([...json].map(([key, member]) => [key, plain(member)]));
  if (Array.isArray(json)) return json.map(plain);
  return typeof json === 'bigint' ? String(json) : json;
}
