/**
 * Transactions that wait for a block, as Ethereum's nodes show theirs. There is no nonce: a transaction is known by its
 * place among those of its sender, from 0, and none is queued behind a gap.
 */

import type { Address, TxId } from '../../primitives/ids.js';
import type { WalletContext } from '../../wallet/context.js';
import { text } from '../arguments.js';
import { shownTransactionById } from '../objects.js';
import type { Method, RpcContext } from '../table.js';
import { quantity, readAddress, shownAddress } from '../values.js';

type BySender<Shown> = Record<string, Record<string, Shown>>;

/** What waits, by its sender and its place there. */
function pending<Shown>({ node }: WalletContext, show: (txId: TxId) => Shown, sender?: Address): BySender<Shown> {
  const shown: BySender<Shown> = {};
  for (const { transaction } of node.chain.pool.members()) {
    const { owner, txId } = transaction;
    if (sender !== undefined && owner !== sender) continue;
    const name = shownAddress(owner) ?? '';
    const ofSender = shown[name] ?? {};
    ofSender[String(Object.keys(ofSender).length)] = show(txId);
    shown[name] = ofSender;
  }
  return shown;
}

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
  row('txpool_content', [], ({ wallet, voice }: RpcContext) => ({
    pending: pending(wallet, (txId) => shownTransactionById(wallet, voice, txId)),
    queued: {},
  })),
  row('txpool_contentFrom', [text], ({ wallet, voice }: RpcContext, address: string | null) => ({
    pending:
      Object.values(pending(wallet, (txId) => shownTransactionById(wallet, voice, txId), readAddress(address)))[0] ??
      {},
    queued: {},
  })),
  row('txpool_inspect', [], ({ wallet, voice }: RpcContext) => ({
    pending: pending(wallet, (txId) => summary(shownTransactionById(wallet, voice, txId) as Shown)),
    queued: {},
  })),
];
