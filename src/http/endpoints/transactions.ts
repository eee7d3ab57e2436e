/**
 * Transactions, receipts and the pending pool; broadcasting and the multi-signature helpers
 * (protocol/http.md#broadcast-sign-helpers-calls, #blocks-and-transactions).
 */

import { illegalArgumentException } from '../../errors/java-exception.js';
import { hexToBytes, hexToUtf8 } from '../../primitives/hex.js';
import {
  BytesMessage,
  EmptyMessage,
  NumberMessage,
  Return,
  Return_response_code_type,
  TransactionApprovedList,
  TransactionExtention,
  TransactionIdList,
  TransactionInfoList,
  TransactionSignWeight,
} from '../../protocol/generated/api.js';
import { ResourceReceipt, Transaction, TransactionInfo } from '../../protocol/generated/tron.js';
import { readHex } from '../../protocol/json/hex-text.js';
import {
  compactMembers,
  compactObject,
  type Member,
  printCompact,
  printLong,
  printMessage,
} from '../../protocol/json/message-printer.js';
import {
  packTransaction,
  printTransaction,
  printTransactionInfo,
  printTransactionInfoCompact,
} from '../../protocol/json/transaction-json.js';
import { fastjsonString, textMember } from '../../protocol/json/value.js';
import type { MessageCodec } from '../../protocol/message-type.js';
import { SignedTransaction } from '../../protocol/transaction.js';
import { getTransactionCountByBlockNum } from '../../wallet/blocks.js';
import type { WalletContext } from '../../wallet/context.js';
import { getTransactionApprovedList, getTransactionSignWeight } from '../../wallet/signatures.js';
import {
  type BroadcastAnswer,
  broadcastArrived,
  getPendingSize,
  getTransactionById,
  getTransactionFromPending,
  getTransactionInfoByBlockNum,
  getTransactionInfoById,
  getTransactionListFromPending,
} from '../../wallet/transactions.js';
import { printWithConsole } from '../console-json.js';
import { inSlices } from '../long-answers.js';
import { CONFIRMED, type HttpEndpoint, queryEndpoint, SOLIDITY, WALLET } from '../table.js';
import type { WireRequest } from '../wire-request.js';

function readTransaction(request: WireRequest): { transaction: SignedTransaction; visible: boolean } {
  const { object, visible } = request.bodyOrForm;
  return { transaction: packTransaction(object, visible), visible };
}

async function broadcastJson(view: WalletContext, request: WireRequest): Promise<string> {
  const { transaction, visible } = readTransaction(request);
  const outcome = await broadcastArrived(view, transaction);
  const members = [...compactMembers(Return, outcome, visible), ['txid', `"${transaction.txId}"`] satisfies Member];
  return `${compactObject([...members, ...printedMembers(outcome, visible)])}\n`;
}

function printedMembers({ printed }: BroadcastAnswer, visible: boolean): readonly Member[] {
  if (printed === undefined) return [];
  const json = printWithConsole(printed.internalTransactions, printed.consoleCalls, visible);
  return [['internal_transactions', json]];
}

async function broadcastHex(view: WalletContext, request: WireRequest): Promise<string> {
  const hex = readHex(textMember(request.body.object, 'transaction') ?? '');
  const transaction = SignedTransaction.decode(hexToBytes(hex));
  const outcome = await broadcastArrived(view, transaction);
  const code = Return_response_code_type.nameOf(outcome.code) ?? 'UNRECOGNIZED';
  return `${compactObject([
    ['result', String(outcome.result)],
    ['code', `"${code}"`],
    ['txid', `"${transaction.txId}"`],
    ['message', fastjsonString(hexToUtf8(outcome.message))],
    ['transaction', fastjsonString(printMessage(Transaction, transaction.message, true))],
  ])}\n`;
}

/** getsignweight and getapprovedlist: prints the transaction of their `transaction` member as everywhere. */
function signatureQuery<A extends { readonly transaction: TransactionExtention | undefined }>(
  name: string,
  codec: MessageCodec<A>,
  operation: (view: WalletContext, transaction: SignedTransaction) => A,
): HttpEndpoint<WalletContext> {
  return {
    name,
    services: WALLET,
    get: 'empty',
    post: 'answers',
    callers: 'anyone',
    request: Transaction.type,
    response: codec.type,
    answer: (view, request) => {
      const { transaction, visible } = readTransaction(request);
      const answer = operation(view, transaction);
      const members = compactMembers(codec, answer, visible).map(
        (member): Member =>
          member[0] === 'transaction'
            ? ['transaction', printExtention(answer.transaction!, transaction, visible)]
            : member,
      );
      return `${compactObject(members)}\n`;
    },
  };
}

function printExtention(extention: TransactionExtention, transaction: SignedTransaction, visible: boolean): string {
  const members = compactMembers(TransactionExtention, { ...extention, transaction: undefined }, visible);
  return compactObject([['transaction', printTransaction(transaction, visible)], ...members]);
}

export const transactionEndpoints: readonly HttpEndpoint<WalletContext>[] = [
  {
    name: 'broadcasttransaction',
    services: WALLET,
    get: 'refused',
    post: 'answers',
    callers: 'anyone',
    servlet: 'BroadcastServlet',
    request: Transaction.type,
    response: Return.type,
    isCostly: true,
    answer: broadcastJson,
  },
  {
    name: 'broadcasthex',
    services: WALLET,
    get: 'refused',
    post: 'answers',
    callers: 'anyone',
    servlet: 'BroadcastHexServlet',
    request: Transaction.type,
    response: Return.type,
    isCostly: true,
    answer: broadcastHex,
  },
  signatureQuery('getsignweight', TransactionSignWeight, getTransactionSignWeight),
  signatureQuery('getapprovedlist', TransactionApprovedList, getTransactionApprovedList),
  queryEndpoint({
    name: 'gettransactionbyid',
    services: CONFIRMED,
    body: 'form',
    request: BytesMessage,
    query: { value: 'hex' },
    operation: getTransactionById,
    print: (transaction, visible, { longs }) => printTransaction(transaction, visible, longs),
  }),
  queryEndpoint({
    name: 'gettransactioninfobyid',
    services: CONFIRMED,
    body: 'form',
    request: BytesMessage,
    query: { value: 'hex' },
    operation: getTransactionInfoById,
    response: TransactionInfo,
    print: (info, visible, { longs }) => printTransactionInfo(info, visible, longs),
  }),
  queryEndpoint({
    name: 'gettransactionreceiptbyid',
    body: 'form',
    request: BytesMessage,
    query: { value: 'hex' },
    operation: getTransactionInfoById,
    print: ({ receipt = ResourceReceipt.empty }, visible, { longs }) =>
      compactObject([['Receipt', printCompact(ResourceReceipt, receipt, visible, longs)]]),
  }),
  queryEndpoint({
    name: 'gettransactioninfobyblocknum',
    services: SOLIDITY,
    body: 'form',
    request: NumberMessage,
    query: { num: 'i64' },
    operation: (view, request) => (request.num > 0n ? getTransactionInfoByBlockNum(view, request) : undefined),
    response: TransactionInfoList,
    print: async ({ transactionInfo }, visible, request) => {
      const { longs } = request;
      const texts = await inSlices(
        transactionInfo,
        (info) => printTransactionInfoCompact(info, visible, longs),
        request,
      );
      return `[${texts.join(',')}]`;
    },
  }),
  queryEndpoint({
    name: 'gettransactioncountbyblocknum',
    services: CONFIRMED,
    body: 'form',
    request: NumberMessage,
    query: { num: 'i64' },
    operation: (view, request) => getTransactionCountByBlockNum(view, request) ?? NumberMessage.empty,
    print: (count, _visible, { longs }) => `{"count": ${printLong(count.num, longs)}}`,
  }),
  queryEndpoint({
    name: 'gettransactionfrompending',
    body: 'form',
    request: BytesMessage,
    query: { value: 'hex' },
    parameters: ['value'],
    readGet: (request) => {
      const text = request.parameter('value') ?? '';
      const value = readHex(text);
      // The pool searches for the exact text: upper case or a prefix matches nothing.
      return { message: { value: value === text ? value : '00' }, visible: request.visibleParameter };
    },
    operation: (view, request) => {
      if (request.value === '') {
        throw illegalArgumentException(null);
      }
      return getTransactionFromPending(view, request);
    },
    print: (transaction, visible, { longs }) => printTransaction(transaction, visible, longs),
  }),
  queryEndpoint({
    name: 'gettransactionlistfrompending',
    body: 'form',
    request: EmptyMessage,
    query: {},
    readPost: (request) => ({ message: EmptyMessage.empty, visible: request.bodyOrForm.visible }),
    operation: getTransactionListFromPending,
    response: TransactionIdList,
    print: 'compact',
  }),
  queryEndpoint({
    name: 'getpendingsize',
    body: 'ignored',
    request: EmptyMessage,
    query: {},
    operation: getPendingSize,
    print: (size, _visible, { longs }) => `{"pendingSize": ${printLong(size.num, longs)}}`,
  }),
  {
    name: 'totaltransaction',
    services: WALLET,
    get: 'answers',
    post: 'answers',
    callers: 'anyone',
    // java-tron's counter for it is always 0.
    answer: () => '{}\n',
  },
];
