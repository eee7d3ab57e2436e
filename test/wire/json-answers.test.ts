/**
 * Recorded answers, read into messages and printed again, are equal to the recorded text: layout, order of members,
 * omitted defaults, escapes, `visible`, ids and contract addresses.
 */

import { describe, expect, test } from 'vitest';

import { utf8ToHex } from '../../src/primitives/hex.js';
import { BlockHeader, TransactionInfo } from '../../src/protocol/generated/tron.js';
import { readObject, readValue } from '../../src/protocol/json/lenient-reader.js';
import { printCompact, printMessage } from '../../src/protocol/json/message-printer.js';
import { readMessage } from '../../src/protocol/json/message-reader.js';
import {
  packTransaction,
  printBlock,
  printBuiltTransaction,
  printTransaction,
  printTransactionInfoCompact,
} from '../../src/protocol/json/transaction-json.js';
import { type JsonObject, type JsonValue, writeCompact } from '../../src/protocol/json/value.js';
import { messageTypes } from '../unit/protocol/message-types.js';
import { endpointOf, errorOf, type RecordedForm, recordedForms, wireRequestOf } from './http-forms.js';

/** Endpoints whose answer is one message. */
const ANSWER_OF: Readonly<Record<string, string>> = {
  estimateenergy: 'EstimateEnergyMessage',
  getaccount: 'Account',
  getaccountbalance: 'AccountBalanceResponse',
  getaccountbyid: 'Account',
  getaccountnet: 'AccountNetMessage',
  getaccountresource: 'AccountResourceMessage',
  getassetissuebyaccount: 'AssetIssueList',
  getassetissuebyid: 'AssetIssueContract',
  getassetissuebyname: 'AssetIssueContract',
  getassetissuelistbyname: 'AssetIssueList',
  getavailableunfreezecount: 'GetAvailableUnfreezeCountResponseMessage',
  getblockbalance: 'BlockBalanceTrace',
  getcandelegatedmaxsize: 'CanDelegatedMaxSizeResponseMessage',
  getcanwithdrawunfreezeamount: 'CanWithdrawUnfreezeAmountResponseMessage',
  getchainparameters: 'ChainParameters',
  getcontract: 'SmartContract',
  getcontractinfo: 'SmartContractDataWrapper',
  getdelegatedresource: 'DelegatedResourceList',
  getdelegatedresourceaccountindex: 'DelegatedResourceAccountIndex',
  getdelegatedresourceaccountindexv2: 'DelegatedResourceAccountIndex',
  getdelegatedresourcev2: 'DelegatedResourceList',
  getenergyprices: 'PricesResponseMessage',
  getexchangebyid: 'Exchange',
  getmarketorderbyaccount: 'MarketOrderList',
  getmarketorderlistbypair: 'MarketOrderList',
  getmarketpricebypair: 'MarketPriceList',
  getpaginatedproposallist: 'ProposalList',
  getproposalbyid: 'Proposal',
  gettransactioninfobyid: 'TransactionInfo',
};
/** A name with `\\"` is hex in a visible answer, so it cannot be read back (tested in message-printer.test.ts). */
const NAME_AS_HEX = '7a77c3b66c66205c2231325c22';
const COMPACT = new Set(['getcontract', 'getcontractinfo']);
const codecs = new Map(messageTypes.map((type) => [type.fullName, type.codec]));

function visibleOfRequest(form: RecordedForm): boolean {
  const request = wireRequestOf(form);
  return form.method === 'GET' ? request.visibleParameter : request.bodyOrForm.visible;
}

/** Names of issuers' tokens are text in an answer that otherwise is hex. */
function withIdAsHex(answer: JsonObject): JsonObject {
  const id = answer.get('asset_issued_ID');
  return typeof id === 'string' && /^\d+$/.test(id) ? new Map(answer).set('asset_issued_ID', utf8ToHex(id)) : answer;
}

const forms = recordedForms().filter((form) => errorOf(form) === undefined && !form.response.includes('Error'));
const messages = forms.filter(
  (form) =>
    endpointOf(form) in ANSWER_OF &&
    // A visible name with escapes cannot be read back: JsonFormat does not decode its own escapes.
    !form.response.includes('\\'),
);

describe('answers with one message', () => {
  test('there are enough recordings', () => {
    expect(messages.length).toBeGreaterThan(200);
  });

  test.each(messages)('$method $path $body', (form) => {
    const codec = codecs.get(`protocol.${ANSWER_OF[endpointOf(form)]}`)!;
    const visible = visibleOfRequest(form);
    const text = form.response.trimEnd();
    const isIssuer = /^\{"\w+":[^ ]/.test(text) && !COMPACT.has(endpointOf(form));
    if (isIssuer) {
      const answer = withIdAsHex(readObject(text)!);
      const message = readMessage(codec, writeCompact(answer), visible);
      expect(printCompact(codec, message, visible)).toBe(
        text.replace(/("asset_issued_ID":)"(\d+)"/, (_, name, id) => `${name}"${utf8ToHex(id)}"`),
      );
      return;
    }
    const message = readMessage(codec, text, visible);
    const print = COMPACT.has(endpointOf(form)) ? printCompact : printMessage;
    expect(print(codec, message, visible)).toBe(text);
  });
});

function isTransaction(value: JsonValue | undefined): value is JsonObject {
  return value instanceof Map && value.has('raw_data') && value.has('txID');
}

describe('transactions and blocks', () => {
  const transactions = forms.filter(
    (form) => form.response.startsWith('{') && isTransaction(readObject(form.response)!),
  );
  const blocks = forms.filter(
    (form) => form.response.startsWith('{"blockID"') && !form.path.includes('getblockbynum?num=0'),
  );
  const infoLists = forms.filter((form) => form.response.startsWith('['));

  test('there are enough recordings', () => {
    expect(transactions.length).toBeGreaterThan(60);
    expect(blocks.length).toBeGreaterThan(20);
    expect(infoLists.length).toBeGreaterThan(5);
  });

  test.each(transactions.filter((form) => !form.response.includes('\\') && !form.response.includes(NAME_AS_HEX)))(
    'transaction $path $body',
    (form) => {
      const object = readObject(form.response)!;
      if (object.has('visible')) {
        const visible = object.get('visible') === true;
        expect(printBuiltTransaction(packTransaction(object, visible), visible)).toBe(form.response.trimEnd());
      } else {
        const visible = visibleOfRequest(form);
        expect(printTransaction(packTransaction(object, visible), visible)).toBe(form.response.trimEnd());
      }
    },
  );

  test.each(blocks)('block $path $body', (form) => {
    const request = wireRequestOf(form);
    const visible = endpointOf(form) === 'getnowblock' ? request.visibleParameter : visibleOfRequest(form);
    const object = readObject(form.response)!;
    const transactionList = (object.get('transactions') ?? []) as readonly JsonObject[];
    const header = object.get('block_header') as JsonObject;
    if (visible && !(header.get('raw_data') as JsonObject).has('number')) {
      // The genesis block's witness is a sentence, which base58check does not convert back to an address.
      return;
    }
    const block = {
      block_header: readMessage(BlockHeader, writeCompact(header), visible),
      transactions: transactionList.map((transaction) => packTransaction(transaction, visible).message),
    };
    expect(printBlock(block, visible)).toBe(form.response.trimEnd());
  });

  test.each(infoLists)('receipts $path $body', (form) => {
    const visible = visibleOfRequest(form);
    const infos = (readValue(form.response) as readonly JsonObject[]).map((info) => {
      const message = readMessage(TransactionInfo, writeCompact(info), visible);
      return visible
        ? { ...message, log: message.log.map((log) => ({ ...log, address: log.address.slice(2) })) }
        : message;
    });
    expect(`[${infos.map((info) => printTransactionInfoCompact(info, visible)).join(',')}]`).toBe(
      form.response.trimEnd(),
    );
  });
});
