/**
 * Transactions that wait for a block, as Ethereum's nodes show theirs. There is no nonce: a transaction is known by its
 * place among those of its sender, from 0, and none is queued behind a gap.
 */

import type { Address, TxId } from '../../primitives/ids.js';
import { text } from '../arguments.js';
import { shownTransactionById } from '../objects.js';
import { AnswerTooLong, type Method, RawJson, type RpcContext } from '../table.js';
import { quantity, readAddress, shownAddress } from '../values.js';

/** By sender, the JSON of what waits of it, in order. */
type Placed = ReadonlyMap<Address, readonly string[]>;

/** Put into words one by one, so that an answer that is too long is given up before it is there. */
function pending({ wallet, roomLeft }: RpcContext, show: (txId: TxId) => unknown, sender?: Address): Placed {
  const placed = new Map<Address, string[]>();
  let length = 0;
  for (const { transaction } of wallet.node.chain.pool.members()) {
    const { owner, txId } = transaction;
    if (owner === undefined || (sender !== undefined && owner !== sender)) continue;
    const ofSender = placed.get(owner) ?? [];
    placed.set(owner, ofSender);
    const text = JSON.stringify(show(txId));
    length += text.length;
    if (length > roomLeft) throw new AnswerTooLong();
    ofSender.push(text);
  }
  return placed;
}

function byPlace(shown: readonly string[] = []): string {
  return `{${shown.map((text, place) => `"${place}":${text}`).join(',')}}`;
}

function bySender(placed: Placed): string {
  return `{${[...placed].map(([owner, shown]) => `"${shownAddress(owner)}":${byPlace(shown)}`).join(',')}}`;
}

const answered = (waiting: string) => new RawJson(`{"pending":${waiting},"queued":{}}`);

interface Shown {
  readonly to: string | null;
  readonly value: string;
  readonly gas: string;
  readonly gasPrice: string;
}

/** `0x…: 5 wei + 0 gas × 100 wei`, as geth says it. */
function summary({ to, value, gas, gasPrice }: Shown): string {
  const target = to ?? 'contract creation';
  return `${target}: ${BigInt(value)} wei + ${BigInt(gas)} gas × ${BigInt(gasPrice === '0x' ? 0 : gasPrice)} wei`;
}

const shownBy =
  ({ wallet, dialect }: RpcContext) =>
  (txId: TxId) =>
    shownTransactionById(wallet, dialect, txId);

const row = (name: string, parameters: Method['parameters'], answer: Method['answer']): Method => ({
  name,
  forDevelopers: true,
  callers: 'anyone',
  parameters,
  answer,
});

export const poolMethods: readonly Method[] = [
  row('txpool_status', [], ({ wallet }: RpcContext) => ({
    pending: quantity(wallet.node.chain.pool.size),
    queued: '0x0',
  })),
  row('txpool_content', [], (context: RpcContext) => answered(bySender(pending(context, shownBy(context))))),
  row('txpool_contentFrom', [text], (context: RpcContext, address: string | null) => {
    const sender = readAddress(address);
    return answered(byPlace(pending(context, shownBy(context), sender).get(sender)));
  }),
  row('txpool_inspect', [], (context: RpcContext) => {
    const show = shownBy(context);
    return answered(bySender(pending(context, (txId) => summary(show(txId) as Shown))));
  }),
];
