/**
 * Pending transactions in the form of Ethereum's nodes. TRON's transactions have no nonce: their position among those
 * of the sender, from 0, serves as nonce. Transactions from `/eth` have their nonce, and are queued behind a gap.
 */

import type { Address, TxId } from '../../primitives/ids.js';
import { text } from '../arguments.js';
import { shownQueued } from '../ethereum/shown.js';
import { shownTransactionById } from '../objects.js';
import { AnswerTooLong, type Method, RawJson, type RpcContext } from '../table.js';
import { quantity, readAddress, shownAddress } from '../values.js';

/** JSON of pending transactions by sender and nonce. */
type ByNonce = ReadonlyMap<Address, ReadonlyMap<string, string>>;

/** Serialised one by one, so that a too long answer is stopped early. */
function pending({ wallet, dialect, roomLeft }: RpcContext, show: (txId: TxId) => unknown, sender?: Address): ByNonce {
  const placed = new Map<Address, Map<string, string>>();
  const room = { left: roomLeft };
  for (const { transaction } of wallet.node.chain.pool.members()) {
    const { owner, txId, ethereum } = transaction;
    if (owner === undefined || (sender !== undefined && owner !== sender)) continue;
    const ofSender = placed.get(owner) ?? new Map<string, string>();
    placed.set(owner, ofSender);
    const nonce = dialect.ethereum ? ethereum?.nonce : undefined;
    ofSender.set(String(nonce ?? ofSender.size), serialise(show(txId), room));
  }
  return placed;
}

/** @throws AnswerTooLong */
function serialise(shown: unknown, room: { left: number }): string {
  const text = JSON.stringify(shown);
  room.left -= text.length;
  if (room.left < 0) throw new AnswerTooLong();
  return text;
}

/** Transactions that wait for lower nonces. */
function queued(
  { wallet, dialect, roomLeft }: RpcContext,
  show: (shown: object) => unknown,
  sender?: Address,
): ByNonce {
  const room = { left: roomLeft };
  const entries = dialect.ethereum ? wallet.node.chain.pool.queued.entries() : [];
  return new Map(
    entries
      .filter(([owner]) => sender === undefined || owner === sender)
      .map(([owner, waiting]) => [
        owner,
        new Map(
          waiting.map(({ hash, ethereum }) => [
            String(ethereum.nonce),
            serialise(show(shownQueued(wallet, shownAddress(owner), hash, ethereum)), room),
          ]),
        ),
      ]),
  );
}

function nonceObject(shown: ReadonlyMap<string, string> = new Map()): string {
  return `{${[...shown].map(([place, text]) => `"${place}":${text}`).join(',')}}`;
}

function bySender(placed: ByNonce): string {
  return `{${[...placed].map(([owner, shown]) => `"${shownAddress(owner)}":${nonceObject(shown)}`).join(',')}}`;
}

const answered = (pending: string, queued: string) => new RawJson(`{"pending":${pending},"queued":${queued}}`);
const asIs = (shown: object) => shown;

interface Shown {
  readonly to: string | null;
  readonly value: string;
  readonly gas: string;
  readonly gasPrice: string;
}

/** `0x…: 5 wei + 0 gas × 100 wei`, as in geth. */
function summary({ to, value, gas, gasPrice }: Shown): string {
  const target = to ?? 'contract creation';
  return `${target}: ${BigInt(value)} wei + ${BigInt(gas)} gas × ${BigInt(gasPrice === '0x' ? 0 : gasPrice)} wei`;
}

const shownBy =
  ({ wallet, dialect }: RpcContext) =>
  (txId: TxId) =>
    shownTransactionById(wallet, dialect, txId);

const queuedIn = ({ wallet, dialect }: RpcContext) => (dialect.ethereum ? wallet.node.chain.pool.queued.size : 0);

const entry = (name: string, parameters: Method['parameters'], answer: Method['answer']): Method => ({
  name,
  forDevelopers: true,
  callers: 'anyone',
  parameters,
  answer,
});

export const poolMethods: readonly Method[] = [
  entry('txpool_status', [], (context: RpcContext) => ({
    pending: quantity(context.wallet.node.chain.pool.size),
    queued: quantity(queuedIn(context)),
  })),
  entry('txpool_content', [], (context: RpcContext) =>
    answered(bySender(pending(context, shownBy(context))), bySender(queued(context, asIs))),
  ),
  entry('txpool_contentFrom', [text], (context: RpcContext, address: string | null) => {
    const sender = readAddress(address);
    return answered(
      nonceObject(pending(context, shownBy(context), sender).get(sender)),
      nonceObject(queued(context, asIs, sender).get(sender)),
    );
  }),
  entry('txpool_inspect', [], (context: RpcContext) => {
    const show = shownBy(context);
    return answered(
      bySender(pending(context, (txId) => summary(show(txId) as Shown))),
      bySender(queued(context, (shown) => summary(shown as Shown))),
    );
  }),
];
