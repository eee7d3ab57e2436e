/** Loads a position of the history index: the transaction, its receipt and whether it is confirmed. */

import { blockOutline } from '../../ledger/blocks/blocks.js';
import type { Place } from '../../ledger/history/lists.js';
import type { Address, TxId } from '../../primitives/ids.js';
import { TransactionInfo } from '../../protocol/generated/tron.js';
import { SignedTransaction } from '../../protocol/transaction.js';
import type { WalletContext } from '../context.js';
import { knownBlockTimeMs, knownOutline, knownTransaction } from '../known-blocks.js';
import { latestConfirmed } from './window.js';

export interface HistoricTransaction {
  readonly place: Place;
  readonly txId: TxId;
  readonly transaction: SignedTransaction;
  readonly info: TransactionInfo;
  readonly timestampMs: number;
  readonly confirmed: boolean;
}

/** @returns undefined if the position was rolled back while the index was read */
export function transactionAt(context: WalletContext, place: Place): HistoricTransaction | undefined {
  const txId = blockOutline(context.ledger, place.block)?.transactionIds[place.transaction];
  return txId === undefined ? undefined : historicTransaction(context, txId, place.entry);
}

/** A transaction of a block by its id; undefined if it is unknown or pending. */
export function historicTransaction(context: WalletContext, txId: TxId, entry = 0): HistoricTransaction | undefined {
  const stored = knownTransaction(context, txId);
  if (stored === undefined || stored.info.length === 0) return undefined;
  const { blockNumber: block, index: transaction } = stored;
  return {
    place: { block, transaction, entry },
    txId,
    transaction: SignedTransaction.decode(stored.transaction),
    info: TransactionInfo.decode(stored.info),
    timestampMs: knownBlockTimeMs(context, block) ?? 0,
    confirmed: block <= latestConfirmed(context.node),
  };
}

/** Every transaction of a block, in order. */
export function transactionsOfBlock(context: WalletContext, number: number): readonly HistoricTransaction[] {
  const ids = knownOutline(context, number)?.transactionIds ?? [];
  return ids.flatMap((txId) => historicTransaction(context, txId) ?? []);
}

/** Loads each transaction of a page once, for all of its entries. */
export class TransactionLoader {
  readonly #loaded = new Map<string, HistoricTransaction | undefined>();

  constructor(private readonly context: WalletContext) {}

  at(place: Place): HistoricTransaction | undefined {
    const key = `${place.block}:${place.transaction}`;
    if (!this.#loaded.has(key)) this.#loaded.set(key, transactionAt(this.context, { ...place, entry: 0 }));
    const found = this.#loaded.get(key);
    return found && { ...found, place };
  }
}

/** The contract that a log, or an internal transaction, names in 20 bytes. */
export function contractOfLog({ address }: { readonly address: string }): Address {
  return `41${address}` as Address;
}
