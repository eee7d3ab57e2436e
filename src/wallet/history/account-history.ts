/**
 * Transactions, internal transactions and token transfers of an account or a contract
 * (protocol/v1.md#get-v1accountsaddresstransactions, #get-v1accountsaddressinternal-transactions,
 * #get-v1contractsaddresstransactions, #get-v1contractsaddressinternal-transactions). Each is a page of positions in
 * the index, loaded.
 */

import {
  callsOf,
  HISTORY_PREFIX,
  internalFrom,
  internalTo,
  type List,
  listOfKey,
  ownedBy,
  receivedBy,
  tokenFrom,
  tokensFrom,
  tokensTo,
  tokenTo,
} from '../../ledger/history/lists.js';
import { type TokenEvent, tokenEventOf } from '../../ledger/history/token-events.js';
import type { Address } from '../../primitives/ids.js';
import type { InternalTransaction } from '../../protocol/generated/tron.js';
import type { Store } from '../../state/store.js';
import type { WalletContext } from '../context.js';
import { type Page, type PlaceQuery, placesIn, readPage } from './pages.js';
import { type HistoricTransaction, TransactionLoader } from './transactions.js';

/** The side of the account. Both and neither mean the same. */
export interface Sides {
  readonly from: boolean;
  readonly to: boolean;
}

export type Span = Omit<PlaceQuery, 'lists'> & { readonly limit: number };

export interface InternalEntry {
  readonly kind: 'internal';
  readonly parent: HistoricTransaction;
  readonly internal: InternalTransaction;
}

export interface TransactionEntry {
  readonly kind: 'transaction';
  readonly transaction: HistoricTransaction;
}

/** @param withInternal also internal transactions of the account, as separate entries */
export function accountTransactions(
  context: WalletContext,
  account: Address,
  sides: Sides,
  span: Span,
  withInternal = false,
): Promise<Page<TransactionEntry | InternalEntry>> {
  const lists = [
    ...bySide(sides, [ownedBy(account)], [receivedBy(account), callsOf(account)]),
    ...(withInternal ? bySide(sides, [internalFrom(account)], [internalTo(account)]) : []),
  ];
  return entriesPage(context, lists, span);
}

const COUNTED_A_TURN = 1_000;

/**
 * Number of transactions of an account in the blocks up to `to`.
 *
 * @param pause gives others a turn
 */
export async function countTransactions(
  { node }: WalletContext,
  account: Address,
  to: number,
  pause: () => Promise<void>,
): Promise<number> {
  let count = 0;
  const query = { lists: [ownedBy(account)], from: 0, to, descending: false };
  for await (const _place of placesIn(node.chain.store, query)) if (++count % COUNTED_A_TURN === 0) await pause();
  return count;
}

/** Transactions that name the contract: calls, its deployment, changes of its settings. */
export function contractTransactions(
  context: WalletContext,
  contract: Address,
  span: Span,
): Promise<Page<TransactionEntry | InternalEntry>> {
  return entriesPage(context, [callsOf(contract)], span);
}

export function internalTransactions(
  context: WalletContext,
  account: Address,
  sides: Sides,
  span: Span,
): Promise<Page<TransactionEntry | InternalEntry>> {
  return entriesPage(context, bySide(sides, [internalFrom(account)], [internalTo(account)]), span);
}

function entriesPage(
  context: WalletContext,
  lists: readonly List[],
  { limit, ...span }: Span,
): Promise<Page<TransactionEntry | InternalEntry>> {
  const loader = new TransactionLoader(context);
  return readPage(context.node.chain.store, { lists, ...span }, limit, (place) => {
    const found = loader.at(place);
    if (found === undefined) return undefined;
    if (place.entry === 0) return { kind: 'transaction', transaction: found };
    const internal = found.info.internal_transactions[place.entry - 1];
    return internal && { kind: 'internal', parent: found, internal };
  });
}

export interface TokenTransfer extends TokenEvent {
  readonly transaction: HistoricTransaction;
}

/** Transfers and approvals of tokens by or to an account, of one token or of all. */
export async function tokenTransfers(
  context: WalletContext,
  account: Address,
  token: Address | undefined,
  sides: Sides,
  { limit, ...span }: Span,
): Promise<Page<TokenTransfer>> {
  const { store } = context.node.chain;
  const lists =
    token === undefined
      ? (
          await Promise.all(bySide(sides, [tokensFrom(account)], [tokensTo(account)]).map((all) => listsIn(store, all)))
        ).flat()
      : bySide(sides, [tokenFrom(account, token)], [tokenTo(account, token)]);
  const loader = new TransactionLoader(context);
  return readPage(store, { lists, ...span }, limit, (place) => {
    const transaction = loader.at(place);
    const log = transaction?.info.log[place.entry];
    const event = log && tokenEventOf(log);
    return event && transaction && { ...event, transaction };
  });
}

/** Tokens that an account ever sent or received, or may have had since the genesis, in order of their addresses. */
export async function tokensOf({ node }: WalletContext, account: Address): Promise<readonly Address[]> {
  const { store, config } = node.chain;
  const atGenesis = config.genesisAccounts.has(account) ? config.genesisContracts : [];
  const lists = await Promise.all([tokensFrom(account), tokensTo(account)].map((all) => listsIn(store, all)));
  return [...new Set([...atGenesis, ...lists.flat().map((list) => `41${list.slice(-40)}` as Address)])].sort();
}

function bySide<Item>({ from, to }: Sides, given: readonly Item[], got: readonly Item[]): Item[] {
  if (from === to) return [...given, ...got];
  return [...(from ? given : got)];
}

/** The lists with a prefix, one after another, each over all of its rows. */
async function listsIn(store: Store, beginning: string): Promise<List[]> {
  const lists: List[] = [];
  const prefix = HISTORY_PREFIX + beginning;
  for (let from: string | undefined = prefix; from !== undefined; ) {
    const start: string = from;
    from = undefined;
    for await (const { key } of store.rows(prefix, { from: start, limit: 1 })) {
      const list = listOfKey(key);
      lists.push(list);
      // Above every row of the list, and below those of the next.
      from = `${HISTORY_PREFIX}${list}g`;
    }
  }
  return lists;
}
