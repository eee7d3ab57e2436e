/**
 * Data of a block for java-tron's event subscription (protocol/events.md): its transactions, and their logs with
 * events by the contract's ABI on the chain. Artifacts are not used: java-tron has none.
 */

import { type AbiItem, eventsWithTopic } from '../abi/items.js';
import type { Hex } from '../primitives/hex.js';
import type { Address } from '../primitives/ids.js';
import type { BlockOutline } from './blocks.js';
import type { WalletContext } from './context.js';
import { contractOfLog, type HistoricTransaction, historicTransaction } from './history/transactions.js';

export interface TriggerLog {
  /** From 1, within the transaction. */
  readonly number: number;
  readonly contract: Address;
  /** The contract's deployer; empty if it was destroyed. */
  readonly creator: Hex;
  /** 20 bytes. */
  readonly address: Hex;
  readonly topics: readonly Hex[];
  readonly data: Hex;
  /** Undefined if the ABI does not have it. */
  readonly event: AbiItem | undefined;
}

/** The transactions of a block, in order. */
export function triggerTransactions(context: WalletContext, { transactionIds }: BlockOutline): HistoricTransaction[] {
  return transactionIds.flatMap((txId) => historicTransaction(context, txId) ?? []);
}

/** ABIs and deployers are the present ones: call it while the block is the newest. */
export function triggerLogs({ ledger }: WalletContext, { info }: HistoricTransaction): readonly TriggerLog[] {
  const { abis, contracts } = ledger.state.tables;
  return info.log.map(({ address, topics, data }, at) => {
    const contract = contractOfLog({ address });
    const [signature] = topics;
    const abi = abis.get(contract);
    // Of two entries with the same signature java-tron uses the later one.
    const event = abi && signature !== undefined ? eventsWithTopic(abi, signature).at(-1) : undefined;
    const creator = contracts.get(contract)?.origin_address ?? '';
    return { number: at + 1, contract, creator, address, topics, data, event };
  });
}
