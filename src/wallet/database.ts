/** Queries of a chain follower (protocol/grpc.md#other-services, `protocol.Database`; there is no HTTP twin). */

import { blockIdAt } from '../ledger/blocks/block-ids.js';
import type { BlockReference, EmptyMessage } from '../protocol/generated/api.js';
import type { DynamicProperties } from '../protocol/generated/tron.js';
import type { WalletContext } from './context.js';

/** Number and id of the view's newest block. */
export function getBlockReference({ ledger }: WalletContext, _request: EmptyMessage): BlockReference {
  return { block_num: BigInt(ledger.headNumber), block_hash: blockIdAt(ledger, ledger.headNumber) ?? '' };
}

export function getDynamicProperties({ ledger }: WalletContext, _request: EmptyMessage): DynamicProperties {
  return { last_solidity_block_num: ledger.long('LATEST_SOLIDIFIED_BLOCK_NUM') };
}
