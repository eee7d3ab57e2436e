/** Blocks (http-api.md 1.9, 5.16). */

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
import { printBlock } from '../../protocol/json/transaction-json.js';
import {
  getBlock,
  getBlockById,
  getBlockByLatestNum,
  getBlockByLimitNext,
  getBlockByNum,
  getNowBlock,
} from '../../wallet/blocks.js';
import type { WalletContext } from '../../wallet/context.js';
import { errorBody } from '../errors.js';
import { BOTH, type HttpRow, queryRow, readBody } from '../table.js';

function printBlocks({ block: blocks }: BlockList, visible: boolean): string {
  return compactObject([['block', `[${blocks.map((block) => printBlock(block, visible)).join(',')}]`]]);
}

/** Refusals of getblock itself, as against those of its parser, carry no class name. */
function withBareRefusals(row: HttpRow<WalletContext>): HttpRow<WalletContext> {
  return {
    ...row,
    answer: (view, request) => {
      try {
        return row.answer(view, request);
      } catch (error) {
        if (error instanceof JavaException && error.javaClass === 'java.lang.IllegalArgumentException') {
          return errorBody(String(error.javaMessage));
        }
        throw error;
      }
    },
  };
}

export const blockRows: readonly HttpRow<WalletContext>[] = [
  queryRow({
    name: 'getnowblock',
    services: BOTH,
    body: 'ignored',
    request: EmptyMessage,
    query: {},
    operation: getNowBlock,
    response: Block,
    print: printBlock,
  }),
  withBareRefusals(
    queryRow({
      name: 'getblock',
      services: BOTH,
      body: 'form',
      request: BlockReq,
      query: { id_or_num: 'text', detail: 'bool' },
      readPost: (request) =>
        request.bodyOrForm === '' ? { message: BlockReq.empty, visible: false } : readBody(BlockReq, request, 'form'),
      operation: getBlock,
      response: Block,
      print: printBlock,
    }),
  ),
  queryRow({
    name: 'getblockbynum',
    services: BOTH,
    body: 'form',
    request: NumberMessage,
    query: { num: 'i64?' },
    operation: getBlockByNum,
    response: Block,
    print: printBlock,
  }),
  queryRow({
    name: 'getblockbyid',
    services: BOTH,
    body: 'form',
    request: BytesMessage,
    query: { value: 'hex' },
    operation: getBlockById,
    response: Block,
    print: printBlock,
  }),
  queryRow({
    name: 'getblockbylimitnext',
    services: BOTH,
    body: 'form',
    request: BlockLimit,
    query: { startNum: 'i64', endNum: 'i64' },
    operation: getBlockByLimitNext,
    response: BlockList,
    print: printBlocks,
  }),
  queryRow({
    name: 'getblockbylatestnum',
    services: BOTH,
    body: 'form',
    request: NumberMessage,
    query: { num: 'i64' },
    operation: getBlockByLatestNum,
    response: BlockList,
    print: printBlocks,
  }),
];
