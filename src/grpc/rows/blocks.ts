/** Blocks, plain and with the ids that `…2` adds (grpc.md 1.3, 5.3). */

import type { JavaException } from '../../errors/java-exception.js';
import { blockIdOfHeader } from '../../protocol/block.js';
import { BlockExtention, type BlockList, type BlockListExtention } from '../../protocol/messages/api.js';
import type { Wallet_service } from '../../protocol/messages/services.js';
import { type Block, BlockHeader_raw } from '../../protocol/messages/tron.js';
import {
  getBlock,
  getBlockById,
  getBlockByLatestNum,
  getBlockByLimitNext,
  getBlockByNum,
  getNowBlock,
  getTransactionCountByBlockNum,
} from '../../wallet/blocks.js';
import type { WalletContext } from '../../wallet/context.js';
import { Status, StatusError } from '../status.js';
import { extentionOf, query, type RowsOf } from '../table.js';

function blockExtention({ block_header, transactions }: Block): BlockExtention {
  return BlockExtention.create({
    transactions: transactions.map(extentionOf),
    block_header,
    blockid: blockIdOfHeader(block_header?.raw_data ?? BlockHeader_raw.empty),
  });
}

function blockListExtention({ block }: BlockList): BlockListExtention {
  return { block: block.map(blockExtention) };
}

/** An operation whose answer, if there is one, is shown in another form. */
function shown<Q, From, To>(operation: (view: WalletContext, request: Q) => From | undefined, as: (found: From) => To) {
  return (view: WalletContext, request: Q): To | undefined => {
    const found = operation(view, request);
    return found === undefined ? undefined : as(found);
  };
}

/** The only refusals of the API that are a status of their own. */
function invalidArgument(exception: JavaException): StatusError {
  return new StatusError(Status.INVALID_ARGUMENT, exception.javaMessage ?? '');
}

const NO_SUCH_BLOCK = { num: -1n };

export const blockRows = {
  GetNowBlock: query(getNowBlock),
  GetNowBlock2: query(shown(getNowBlock, blockExtention)),
  GetBlock: query(shown(getBlock, blockExtention), invalidArgument),
  GetBlockByNum: query(getBlockByNum),
  GetBlockByNum2: query(shown(getBlockByNum, blockExtention)),
  GetBlockById: query(getBlockById),
  GetBlockByLimitNext: query(getBlockByLimitNext),
  GetBlockByLimitNext2: query(shown(getBlockByLimitNext, blockListExtention)),
  GetBlockByLatestNum: query(getBlockByLatestNum),
  GetBlockByLatestNum2: query(shown(getBlockByLatestNum, blockListExtention)),
  GetTransactionCountByBlockNum: query(
    (view, request) => getTransactionCountByBlockNum(view, request) ?? NO_SUCH_BLOCK,
  ),
} satisfies RowsOf<typeof Wallet_service>;
