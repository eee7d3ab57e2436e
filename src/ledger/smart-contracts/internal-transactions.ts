/** Internal transactions of the machine as the messages of a receipt. */

import { utf8ToHex } from '../../primitives/hex.js';
import { InternalTransaction, InternalTransaction_CallValueInfo } from '../../protocol/generated/tron.js';
import { javaCopiedMapCapacity, javaMapOrder } from '../../protocol/json/java-map-order.js';
import type { TokenAmount, InternalTransaction as VmInternalTransaction } from '../../tvm/internal-transactions.js';

/** Tokens in java-tron's record of an internal transaction: a HashMap copied from the account's map. */
function tokensInOrder({ tokens }: VmInternalTransaction): readonly TokenAmount[] {
  if (tokens.length < 2) return tokens;
  const order = javaMapOrder(
    tokens.map(([tokenId]) => tokenId),
    javaCopiedMapCapacity(tokens.length),
  );
  return order.map((at) => tokens[at] as TokenAmount);
}

export function internalTransactionMessage(internal: VmInternalTransaction): InternalTransaction {
  return InternalTransaction.create({
    hash: internal.hash,
    caller_address: internal.callerAddress,
    transferTo_address: internal.transferToAddress,
    callValueInfo: [
      InternalTransaction_CallValueInfo.create({ callValue: internal.callValueSun }),
      ...tokensInOrder(internal).map(([tokenId, callValue]) =>
        InternalTransaction_CallValueInfo.create({ tokenId, callValue }),
      ),
    ],
    note: utf8ToHex(internal.note),
    rejected: internal.rejected,
    extra: internal.extra,
  });
}
