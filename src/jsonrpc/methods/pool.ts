/**
 * Transactions that wait for a block, as Ethereum's nodes show theirs. Those of TRON have no nonce: one is known by its
 * place among those of its sender, from 0. What came through `/eth` is known by its nonce, or is queued behind a gap.
 */

import type { Address, TxId } from '../../primitives/ids.js';
import { text } from '../arguments.js';
import { shownQueued } from '../ethereum/shown.js';
import { shownTransactionById } from '../objects.js';
import { AnswerTooLong, type Method, RawJson, type RpcContext } from '../table.js';
import { quantity, readAddress, shownAddress } from '../values.js';

/** By sender and nonce, the JSON of what waits of it. */
type Placed = ReadonlyMap<Address, ReadonlyMap<string, string>>;

/** Put into words one by one, so that an answer that is too long is given up before it is there. */
function pending({ wallet, dialect, roomLeft }: RpcContext, show: (txId: TxId) => unknown, sender?: Address): Placed {
  const placed = new Map<Address, Map<string, string>>();
  const room = { left: roomLeft };
  for (const { transaction } of wallet.node.chain.pool.members()) {
    const { owner, txId, ethereum } = transaction;
    if (owner === undefined || (sender !== undefined && owner !== sender)) continue;
    const ofSender = placed.get(owner) ?? new Map<string, string>();
    placed.set(owner, ofSender);
    const nonce = dialect.ethereum ? ethereum?.nonce : undefined;
    ofSender.set(String(nonce ?? ofSender.size), texted(show(txId), room));
  }
  return placed;
}

/** @throws AnswerTooLong */
function texted(shown: unknown, room: { left: number }): string {
  const text = JSON.stringify(shown);
  room.left -= text.length;
  if (room.left < 0) throw new AnswerTooLong();
  return text;
}

/** What waits for the nonces before its own. */
function queued({ wallet, dialect, roomLeft }: RpcContext, show: (shown: object) => unknown, sender?: Address): Placed {
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
            texted(show(shownQueued(wallet, shownAddress(owner), hash, ethereum)), room),
          ]),
        ),
      ]),
  );
}

function byPlace(shown: ReadonlyMap<string, string> = new Map()): string {
  return `{${[...shown].map(([place, text]) => `"${place}":${text}`).join(',')}}`;
}

function bySender(placed: Placed): string {
  return `{${[...placed].map(([owner, shown]) => `"${shownAddress(owner)}":${byPlace(shown)}`).join(',')}}`;
}

const answered = (pending: string, queued: string) => new RawJson(`{"pending":${pending},"queued":${queued}}`);
const asIs = (shown: object) => shown;

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
      byPlace(pending(context, shownBy(context), sender).get(sender)),
      byPlace(queued(context, asIs, sender).get(sender)),
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
