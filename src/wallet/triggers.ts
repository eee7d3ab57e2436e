/**
 * What java-tron's event subscription tells of a block (protocol/events.md): its transactions, and their logs with the
 * event that the contract's ABI on the chain has for them. Names from artifacts are not asked: java-tron has none.
 */

import { type AbiItem, eventsWithTopic } from '../abi/items.js';
import type { Hex } from '../primitives/hex.js';
import type { Address } from '../primitives/ids.js';
import type { BlockOutline } from './blocks.js';
import type { WalletContext } from './context.js';
import { contractOfLog, type HistoricTransaction, historicTransaction } from './history/transactions.js';

export interface TriggerLog {
  /** From 1, counted within the transaction. */
  readonly number: number;
  readonly contract: Address;
  /** Who deployed the contract; empty for one that is no more. */
  readonly creator: Hex;
  /** 20 bytes. */
  readonly address: Hex;
  readonly topics: readonly Hex[];
  readonly data: Hex;
  /** Undefined where the ABI does not know it. */
  readonly event: AbiItem | undefined;
}

/** The transactions of a block, in order. */
export function triggerTransactions(context: WalletContext, { transactionIds }: BlockOutline): HistoricTransaction[] {
  return transactionIds.flatMap((txId) => historicTransaction(context, txId) ?? []);
}

/** ABIs and creators are those of now: to be asked while the block is the newest. */
export function triggerLogs({ ledger }: WalletContext, { info }: HistoricTransaction): readonly TriggerLog[] {
  const { abis, contracts } = ledger.state.tables;
  return info.log.map(({ address, topics, data }, at) => {
    const contract = contractOfLog({ address });
    const [signature] = topics;
    const abi = abis.get(contract);
    // Of two entries with the same signature java-tron keeps the later one.
    const event = abi && signature !== undefined ? eventsWithTopic(abi, signature).at(-1) : undefined;
    const creator = contracts.get(contract)?.origin_address ?? '';
    return { number: at + 1, contract, creator, address, topics, data, event };
  });
}
