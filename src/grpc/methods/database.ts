/** Methods for followers of the chain (protocol/grpc.md#other-services), on every port, with the port's view. */

import type { Database_service } from '../../protocol/generated/services.js';
import { getBlockByNum, getNowBlock } from '../../wallet/blocks.js';
import { getBlockReference, getDynamicProperties } from '../../wallet/database.js';
import { encodedBlock } from '../encoded.js';
import { encodedQuery, type MethodsOf, query } from '../table.js';

export const databaseMethods = {
  getBlockReference: query(getBlockReference),
  GetDynamicProperties: query(getDynamicProperties),
  GetNowBlock: encodedQuery(getNowBlock, encodedBlock),
  GetBlockByNum: encodedQuery(getBlockByNum, encodedBlock),
} satisfies MethodsOf<typeof Database_service>;
