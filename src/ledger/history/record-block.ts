/** Rows of a block in the history index: the same for a new block and for one read from the store. */

import { type Address, isAddress } from '../../primitives/ids.js';
import type { TransactionInfo } from '../../protocol/generated/tron.js';
import type { SignedTransaction } from '../../protocol/transaction.js';
import {
  callsOf,
  encodePlaces,
  internalFrom,
  internalTo,
  type List,
  listKey,
  logsOf,
  logsOfEvent,
  ownedBy,
  receivedBy,
  tokenFrom,
  tokenTo,
} from './lists.js';
import { tokenEventOf } from './token-events.js';

/** A transaction of the block with its receipt. */
export interface RecordedTransaction {
  readonly transaction: SignedTransaction;
  readonly info: TransactionInfo;
}

export interface HistoryEndpoint {
  readonly key: string;
  readonly value: Uint8Array;
}

/** The rows of a block. Their keys contain its number, so no other block writes them. */
export function historyOfBlock(block: number, transactions: readonly RecordedTransaction[]): HistoryEndpoint[] {
  if (transactions.length === 0) return [];
  const lists = new Map<List, number[]>();
  transactions.forEach(({ transaction, info }, index) => {
    const put = (list: List, entry = 0): void => {
      const places = lists.get(list);
      if (places === undefined) lists.set(list, [index, entry]);
      else places.push(index, entry);
    };
    recordParties(put, transaction, info);
    recordInternal(put, info);
    recordLogs(put, info);
  });
  const rows: HistoryEndpoint[] = [];
  for (const [list, places] of lists) rows.push({ key: listKey(list, block), value: encodePlaces(places) });
  return rows;
}

type Put = (list: List, entry?: number) => void;

/**
 * Fields of a contract that name an account other than its owner (protocol/v1.md#get-v1accountsaddresstransactions).
 */
const COUNTERPARTS = ['to_address', 'account_address', 'receiver_address'] as const;

function recordParties(put: Put, { owner, contract }: SignedTransaction, info: TransactionInfo): void {
  if (owner !== undefined && isAddress(owner)) put(ownedBy(owner));
  const fields = contract as Readonly<Record<string, unknown>> | undefined;
  for (const field of COUNTERPARTS) {
    const address = fields?.[field];
    if (typeof address === 'string' && isAddress(address)) put(receivedBy(address));
  }
  const called = fields?.contract_address ?? info.contract_address;
  if (typeof called === 'string' && isAddress(called)) put(callsOf(called));
}

/** `call` in hex: the note of a plain internal call. */
const CALL_NOTE = '63616c6c';

/** A call without a transfer is no payment and would dominate the index; it is shown with its transaction. */
function isListedInternal({ note, callValueInfo }: TransactionInfo['internal_transactions'][number]): boolean {
  return note !== CALL_NOTE || callValueInfo.some(({ callValue }) => callValue !== 0n);
}

function recordInternal(put: Put, { internal_transactions }: TransactionInfo): void {
  internal_transactions.forEach((internal, entry) => {
    if (!isListedInternal(internal)) return;
    const { caller_address: from, transferTo_address: to } = internal;
    if (isAddress(from)) put(internalFrom(from), entry + 1);
    if (isAddress(to)) put(internalTo(to), entry + 1);
  });
}

function recordLogs(put: Put, { log }: TransactionInfo): void {
  log.forEach((one, entry) => {
    const contract = `41${one.address}` as Address;
    put(logsOf(contract), entry);
    if (one.topics[0] !== undefined) put(logsOfEvent(contract, one.topics[0]), entry);
    const event = tokenEventOf(one);
    if (event === undefined) return;
    put(tokenFrom(event.from, contract), entry);
    put(tokenTo(event.to, contract), entry);
  });
}
