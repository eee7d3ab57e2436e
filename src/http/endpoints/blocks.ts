/** Blocks (protocol/http.md#blocks-and-transactions, protocol/http-endpoints.md#blocks-and-transactions). */

import { JavaException } from '../../errors/java-exception.js';
import {
  BlockLimit,
  BlockList,
  BlockReq,
  BytesMessage,
  EmptyMessage,
  NumberMessage,
} from '../../protocol/generated/api.js';
import { Block } from '../../protocol/generated/tron.js';
import { compactObject } from '../../protocol/json/message-printer.js';
import { printBlock, printBlockOf, printTransaction } from '../../protocol/json/transaction-json.js';
import type { Sent } from '../../protocol/message-type.js';
import {
  blocksByLatestNum,
  blocksByLimitNext,
  getBlock,
  getBlockById,
  getBlockByNum,
  getNowBlock,
} from '../../wallet/blocks.js';
import type { WalletContext } from '../../wallet/context.js';
import { errorBody } from '../errors.js';
import { inSlices } from '../long-answers.js';
import { CONFIRMED, type HttpEndpoint, queryEndpoint, readBody } from '../table.js';
import type { WireRequest } from '../wire-request.js';

/** Number of a block's transactions that are printed at once. */
const AT_ONCE = 200;

function printAnyBlock(block: Sent<Block>, visible: boolean, request: WireRequest): string | Promise<string> {
  const { transactions } = block;
  const { longs } = request;
  if (transactions.length <= AT_ONCE) return printBlock(block, visible, longs);
  const printed = inSlices(transactions, (transaction) => printTransaction(transaction, visible, longs), request);
  return printed.then((texts) => printBlockOf(block, texts, visible, longs));
}

async function printBlocks(blocks: Iterable<Sent<Block>>, visible: boolean, request: WireRequest): Promise<string> {
  const texts = await inSlices(blocks, (block) => printAnyBlock(block, visible, request), request);
  return compactObject([['block', `[${texts.join(',')}]`]]);
}

/** Errors of getblock itself have no class name, unlike those of its parser. */
function withBareRefusals(endpoint: HttpEndpoint<WalletContext>): HttpEndpoint<WalletContext> {
  return {
    ...endpoint,
    answer: (view, request) => {
      try {
        return endpoint.answer(view, request);
      } catch (error) {
        if (error instanceof JavaException && error.code === 'ILLEGAL_ARGUMENT') {
          return errorBody(String(error.javaMessage));
        }
        throw error;
      }
    },
  };
}

export const blockEndpoints: readonly HttpEndpoint<WalletContext>[] = [
  queryEndpoint({
    name: 'getnowblock',
    services: CONFIRMED,
    body: 'ignored',
    request: EmptyMessage,
    query: {},
    operation: getNowBlock,
    response: Block,
    print: printAnyBlock,
  }),
  withBareRefusals(
    queryEndpoint({
      name: 'getblock',
      services: CONFIRMED,
      body: 'form',
      request: BlockReq,
      query: { id_or_num: 'text', detail: 'bool' },
      readPost: (request) =>
        request.bodyOrForm.text === ''
          ? { message: BlockReq.empty, visible: false }
          : readBody(BlockReq, request, 'form'),
      operation: getBlock,
      response: Block,
      print: printAnyBlock,
    }),
  ),
  queryEndpoint({
    name: 'getblockbynum',
    services: CONFIRMED,
    body: 'form',
    request: NumberMessage,
    query: { num: 'i64?' },
    operation: getBlockByNum,
    response: Block,
    print: printAnyBlock,
  }),
  queryEndpoint({
    name: 'getblockbyid',
    services: CONFIRMED,
    body: 'form',
    request: BytesMessage,
    query: { value: 'hex' },
    operation: getBlockById,
    response: Block,
    print: printAnyBlock,
  }),
  queryEndpoint({
    name: 'getblockbylimitnext',
    services: CONFIRMED,
    body: 'form',
    request: BlockLimit,
    query: { startNum: 'i64', endNum: 'i64' },
    operation: blocksByLimitNext,
    shows: BlockList.type,
    print: printBlocks,
  }),
  queryEndpoint({
    name: 'getblockbylatestnum',
    services: CONFIRMED,
    body: 'form',
    request: NumberMessage,
    query: { num: 'i64' },
    operation: blocksByLatestNum,
    shows: BlockList.type,
    print: printBlocks,
  }),
];
