/**
 * Blocks, without ids, and with ids in methods with the suffix `2` (protocol/grpc.md#protocolwallet,
 * #ext-transactionextention).
 */

import type { JavaException } from '../../errors/java-exception.js';
import type { Wallet_service } from '../../protocol/generated/services.js';
import {
  getBlock,
  getBlockById,
  getBlockByLatestNum,
  getBlockByLimitNext,
  getBlockByNum,
  getNowBlock,
  getTransactionCountByBlockNum,
} from '../../wallet/blocks.js';
import { encodedBlock, encodedBlockExtention, encodedBlockList, encodedBlockListExtention } from '../encoded.js';
import { Status, StatusError } from '../status.js';
import { encodedQuery, type MethodsOf, query } from '../table.js';

/** The only refusals of the API with a status of their own. */
function invalidArgument(exception: JavaException): StatusError {
  return new StatusError(Status.INVALID_ARGUMENT, exception.javaMessage ?? '');
}

const NO_SUCH_BLOCK = { num: -1n };

export const blockMethods = {
  GetNowBlock: encodedQuery(getNowBlock, encodedBlock),
  GetNowBlock2: encodedQuery(getNowBlock, encodedBlockExtention),
  GetBlock: encodedQuery(getBlock, encodedBlockExtention, invalidArgument),
  GetBlockByNum: encodedQuery(getBlockByNum, encodedBlock),
  GetBlockByNum2: encodedQuery(getBlockByNum, encodedBlockExtention),
  GetBlockById: encodedQuery(getBlockById, encodedBlock),
  GetBlockByLimitNext: encodedQuery(getBlockByLimitNext, encodedBlockList),
  GetBlockByLimitNext2: encodedQuery(getBlockByLimitNext, encodedBlockListExtention),
  GetBlockByLatestNum: encodedQuery(getBlockByLatestNum, encodedBlockList),
  GetBlockByLatestNum2: encodedQuery(getBlockByLatestNum, encodedBlockListExtention),
  GetTransactionCountByBlockNum: query(
    (view, request) => getTransactionCountByBlockNum(view, request) ?? NO_SUCH_BLOCK,
  ),
} satisfies MethodsOf<typeof Wallet_service>;
