/**
 * Logs as events: of a contract, a transaction, a block, decoded with the ABI that the contract has on the chain
 * (protocol/v1.md#get-v1contractsaddressevents, #get-v1transactionstxidevents,
 * #get-v1blocksnumberevents-and-v1blockslatestevents, #decoding-of-events).
 */

import { type AbiItem, type ContractAbi, eventOf, eventTopics } from '../../abi/items.js';
import { callsOf, type List, logsOf, logsOfEvent } from '../../ledger/history/lists.js';
import { abiAt } from '../../ledger/smart-contracts/names.js';
import type { Hex } from '../../primitives/hex.js';
import type { Address, TxId } from '../../primitives/ids.js';
import type { CreateSmartContract } from '../../protocol/generated/smart-contract.js';
import { Transaction_Contract_ContractType as ContractType } from '../../protocol/generated/tron.js';
import type { WalletContext } from '../context.js';
import type { Span } from './account-history.js';
import { type Page, placesIn, readPage } from './pages.js';
import {
  contractOfLog,
  type HistoricTransaction,
  historicTransaction,
  TransactionLoader,
  transactionAt,
  transactionsOfBlock,
} from './transactions.js';

export interface ContractEvent {
  readonly transaction: HistoricTransaction;
  readonly contract: Address;
  /** Index within the transaction. */
  readonly index: number;
  readonly topics: readonly Hex[];
  readonly data: Hex;
  /** Undefined if neither the contract's ABI nor the standards have it. */
  readonly event: AbiItem | undefined;
}

/** ABIs by contract, for one answer. */
class Abis {
  readonly #known = new Map<Address, ContractAbi | undefined>();

  constructor(private readonly context: WalletContext) {}

  async of(contract: Address): Promise<ContractAbi | undefined> {
    if (!this.#known.has(contract)) this.#known.set(contract, await abiOf(this.context, contract));
    return this.#known.get(contract);
  }
}

/**
 * A contract's present or former ABI: a cleared one is read from the deployment transaction, so that its history stays
 * readable.
 */
async function abiOf(context: WalletContext, contract: Address): Promise<ContractAbi | undefined> {
  const { ledger, node } = context;
  const abi = abiAt(ledger, contract);
  if (abi !== undefined || !ledger.state.tables.contracts.has(contract)) return abi;
  const query = { lists: [callsOf(contract)], from: 0, to: ledger.headNumber, descending: false };
  for await (const place of placesIn(node.chain.store, query)) {
    const { transaction } = transactionAt(context, place) ?? {};
    if (transaction?.contractType !== ContractType.CreateSmartContract) return undefined;
    const deployed = (transaction.contract as CreateSmartContract | undefined)?.new_contract?.abi;
    return deployed === undefined || deployed.entrys.length === 0 ? undefined : deployed;
  }
  return undefined;
}

/** Events of a contract; with a name, only events known to have it. */
export async function contractEvents(
  context: WalletContext,
  contract: Address,
  name: string | undefined,
  { limit, ...span }: Span,
): Promise<Page<ContractEvent>> {
  const abi = await abiOf(context, contract);
  const lists: List[] =
    name === undefined ? [logsOf(contract)] : eventTopics(abi, name).map((topic) => logsOfEvent(contract, topic));
  const loader = new TransactionLoader(context);
  return readPage(context.node.chain.store, { lists, ...span }, limit, (place) => {
    const transaction = loader.at(place);
    const log = transaction?.info.log[place.entry];
    if (transaction === undefined || log === undefined) return undefined;
    const event = eventOf(abi, log.topics);
    if (name !== undefined && event?.name !== name) return undefined;
    return { transaction, contract, index: place.entry, topics: log.topics, data: log.data, event };
  });
}

/** All events of a transaction; none if no block contains it. */
export async function transactionEvents(context: WalletContext, txId: TxId): Promise<readonly ContractEvent[]> {
  const found = historicTransaction(context, txId);
  return found === undefined ? [] : eventsOf(found, new Abis(context));
}

/** All events of a block, in order. */
export async function blockEvents(context: WalletContext, number: number): Promise<readonly ContractEvent[]> {
  const abis = new Abis(context);
  const events: ContractEvent[] = [];
  for (const transaction of transactionsOfBlock(context, number)) events.push(...(await eventsOf(transaction, abis)));
  return events;
}

async function eventsOf(transaction: HistoricTransaction, abis: Abis): Promise<ContractEvent[]> {
  const events: ContractEvent[] = [];
  for (const [index, log] of transaction.info.log.entries()) {
    const contract = contractOfLog(log);
    const event = eventOf(await abis.of(contract), log.topics);
    events.push({ transaction, contract, index, topics: log.topics, data: log.data, event });
  }
  return events;
}
