/** Sends a transaction and answers with its receipt (EIP-7966), as soon as it is in a block. */

import { withRows } from '../../node/with-rows.js';
import type { Hex } from '../../primitives/hex.js';
import { txIdNamed } from '../../wallet/ethereum.js';
import { invalidParams, JsonRpcError } from '../errors.js';
import type { Json } from '../json-text.js';
import { shownReceipt } from '../objects.js';
import type { RpcContext } from '../table.js';
import { readQuantity } from '../values.js';
import { sendRawTransaction, sendTransaction } from './send.js';

const DEFAULT_MS = 10_000;
const MAX_MS = 60_000;

/** EIP-7966: sent, but not yet in a block. `data` is the hash. */
const TIMED_OUT = 4;

export async function sendRawTransactionSync(context: RpcContext, raw: string | null, timeout: Json): Promise<object> {
  const timeoutMs = readTimeout(timeout);
  return receiptOf(context, await sendRawTransaction(context, raw), timeoutMs);
}

export async function sendTransactionSync(context: RpcContext, given: Json, timeout: Json): Promise<object> {
  const timeoutMs = readTimeout(timeout);
  return receiptOf(context, await sendTransaction(context, given), timeoutMs);
}

/** Milliseconds, as a number or as hex. @throws JsonRpcError */
function readTimeout(timeout: Json): number {
  if (timeout === null) return DEFAULT_MS;
  const timeoutMs = typeof timeout === 'string' ? Number(readQuantity(timeout)) : timeout;
  if (typeof timeoutMs !== 'number' || !Number.isInteger(timeoutMs) || timeoutMs <= 0)
    throw invalidParams('timeout: expected milliseconds, 1 or more');
  return Math.min(timeoutMs, MAX_MS);
}

function receiptOf(context: RpcContext, hash: string, timeoutMs: number): Promise<object> {
  const id: Hex = hash.replace(/^0x/, '');
  const read = () => withRows(() => shownReceipt(context.wallet, context.dialect, txIdNamed(context.wallet, id)));
  return new Promise((resolve, reject) => {
    const stopListening = context.wallet.node.feed.listen('full', { blocksAdded: () => look });
    const timer = setTimeout(() => {
      stopListening();
      const text = `the transaction is pending, but was not in a block after ${timeoutMs} ms`;
      reject(new JsonRpcError(TIMED_OUT, text, `0x${id}`));
    }, timeoutMs).unref();
    const stop = () => {
      stopListening();
      clearTimeout(timer);
    };
    function look(): void {
      Promise.resolve()
        .then(read)
        .then(
          (receipt) => {
            if (receipt === null) return;
            stop();
            resolve(receipt);
          },
          (error) => {
            stop();
            reject(error);
          },
        );
    }
    look();
  });
}
