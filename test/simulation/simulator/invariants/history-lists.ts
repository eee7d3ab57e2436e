/** The lists of `/v1` that an index answers: where each is read, and what a scan over all blocks finds. */

import type { Address } from '../../../../src/primitives/ids.js';
import { toBase58 } from '../../../../src/protocol/address.js';
import type { ScannedLog, ScannedTransaction } from './scan.js';

const TRANSFER = 'ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
const APPROVAL = '8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925';

/** A list of an interface. */
export interface IndexedList {
  readonly path: string;
  /** Of an item, what is compared. */
  readonly shown: (item: Item) => string;
  /** In the order of the chain. */
  readonly scanned: () => readonly Found[];
  /** Whether its order and the span of its blocks can be chosen. */
  readonly isSpanned: boolean;
}

export interface Item {
  readonly txID?: string;
  readonly internal_tx_id?: string;
  readonly transaction_id?: string;
  readonly event_index?: number;
  readonly value?: string;
}

/** What a scan finds. */
export interface Found {
  readonly block: number;
  readonly shown: string;
}

const byId = ({ txID }: Item) => String(txID);
const byInternalId = ({ internal_tx_id: id }: Item) => String(id);
const byTransfer = ({ transaction_id: id, value }: Item) => `${id} ${value}`;
const byEvent = ({ transaction_id: id, event_index: index }: Item) => `${id} ${index}`;

/** All lists about an account or a contract. */
export function listsAbout(
  address: Address,
  transactions: readonly ScannedTransaction[],
  logs: readonly ScannedLog[],
): readonly IndexedList[] {
  return [...accountLists(address, transactions, logs), ...contractLists(address, transactions, logs)];
}

function accountLists(
  account: Address,
  transactions: readonly ScannedTransaction[],
  logs: readonly ScannedLog[],
): readonly IndexedList[] {
  const path = `/v1/accounts/${toBase58(account)}`;
  const isSender = ({ transaction }: ScannedTransaction) => transaction.owner === account;
  const isReceiver = ({ transaction, info }: ScannedTransaction) => {
    const fields = (transaction.contract ?? {}) as Readonly<Record<string, unknown>>;
    const called = fields.contract_address ?? info.contract_address;
    return [fields.to_address, fields.account_address, fields.receiver_address, called].includes(account);
  };
  const sent = (from: boolean, to: boolean) => () =>
    transactions.filter((one) => (from && isSender(one)) || (to && isReceiver(one))).map(foundTransaction);
  const internal = (from: boolean, to: boolean) => () =>
    transactions.flatMap((one) => internalOf(one, account, from, to));
  const transfers = (from: boolean, to: boolean) => () => logs.flatMap((log) => transferOf(log, account, from, to));
  const own = transfers(true, true)();
  const token = logs.find((log) => transferOf(log, account, true, true).length > 0)?.address;
  const ofToken = () =>
    logs.filter((log) => log.address === token).flatMap((log) => transferOf(log, account, true, true));
  const isSpanned = true;
  return [
    { path: `${path}/transactions?only_from=true`, shown: byId, isSpanned, scanned: sent(true, false) },
    { path: `${path}/transactions?only_to=true`, shown: byId, isSpanned, scanned: sent(false, true) },
    { path: `${path}/transactions?`, shown: byId, isSpanned, scanned: sent(true, true) },
    {
      path: `${path}/internal-transactions?only_from=true`,
      shown: byInternalId,
      isSpanned,
      scanned: internal(true, false),
    },
    {
      path: `${path}/internal-transactions?only_to=true`,
      shown: byInternalId,
      isSpanned,
      scanned: internal(false, true),
    },
    { path: `${path}/internal-transactions?`, shown: byInternalId, isSpanned, scanned: internal(true, true) },
    {
      path: `${path}/transactions/trc20?only_from=true`,
      shown: byTransfer,
      isSpanned,
      scanned: transfers(true, false),
    },
    { path: `${path}/transactions/trc20?only_to=true`, shown: byTransfer, isSpanned, scanned: transfers(false, true) },
    { path: `${path}/transactions/trc20?`, shown: byTransfer, isSpanned, scanned: () => own },
    ...(token === undefined
      ? []
      : [
          {
            path: `${path}/transactions/trc20?contract_address=41${token}`,
            ...{ shown: byTransfer, isSpanned, scanned: ofToken },
          },
        ]),
  ];
}

function contractLists(
  contract: Address,
  transactions: readonly ScannedTransaction[],
  logs: readonly ScannedLog[],
): readonly IndexedList[] {
  const path = `/v1/contracts/${toBase58(contract)}`;
  const own = logs.filter(({ address }) => `41${address}` === contract);
  const transfers = own.filter(({ topics }) => topics[0] === TRANSFER);
  // With another number of topics it is another event of the same name, which the contract's ABI may not have.
  const isOneEvent = new Set(transfers.map(({ topics }) => topics.length)).size === 1;
  const isSpanned = true;
  return [
    {
      path: `${path}/transactions?`,
      shown: byId,
      isSpanned,
      scanned: () =>
        transactions
          .filter(({ transaction, info }) => {
            const { contract_address: named } = (transaction.contract ?? {}) as { readonly contract_address?: string };
            return (named ?? info.contract_address) === contract;
          })
          .map(foundTransaction),
    },
    {
      path: `${path}/internal-transactions?`,
      shown: byInternalId,
      isSpanned,
      scanned: () => transactions.flatMap((one) => internalOf(one, contract, true, true)),
    },
    { path: `${path}/events?`, shown: byEvent, isSpanned, scanned: () => own.map(foundEvent) },
    ...(isOneEvent && [3, 4].includes(transfers[0]?.topics.length ?? 0)
      ? [
          {
            path: `${path}/events?event_name=Transfer`,
            ...{ shown: byEvent, isSpanned, scanned: () => transfers.map(foundEvent) },
          },
        ]
      : []),
  ];
}

/** Lists about one block or one transaction, of those that have something to show. */
export function listsWithin(
  { block, txId, info }: ScannedTransaction,
  logs: readonly ScannedLog[],
): readonly IndexedList[] {
  const isSpanned = false;
  return [
    {
      path: `/v1/blocks/${block}/events?`,
      ...{ shown: byEvent, isSpanned, scanned: () => logs.filter(({ of }) => of.block === block).map(foundEvent) },
    },
    {
      path: `/v1/transactions/${txId}/events?`,
      ...{ shown: byEvent, isSpanned, scanned: () => logs.filter(({ of }) => of.txId === txId).map(foundEvent) },
    },
    {
      path: `/v1/transactions/${txId}/internal-transactions?`,
      shown: byInternalId,
      isSpanned,
      scanned: () => info.internal_transactions.map(({ hash }) => ({ block, shown: hash })),
    },
  ];
}

function foundTransaction({ block, txId }: ScannedTransaction): Found {
  return { block, shown: txId };
}

function foundEvent({ of: { block, txId }, entry }: ScannedLog): Found {
  return { block, shown: `${txId} ${entry}` };
}

/** A call without a transfer is shown with its transaction only. */
function internalOf(
  { info, block }: ScannedTransaction,
  account: Address,
  from: boolean,
  to: boolean,
): readonly Found[] {
  return info.internal_transactions
    .filter(({ note, callValueInfo }) => note !== '63616c6c' || callValueInfo.some(({ callValue }) => callValue !== 0n))
    .filter(
      ({ caller_address: caller, transferTo_address: target }) =>
        (from && caller === account) || (to && target === account),
    )
    .map(({ hash }) => ({ block, shown: hash }));
}

/** Transfers and approvals have three words, in topics and data together. */
function transferOf({ topics, data, of }: ScannedLog, account: Address, from: boolean, to: boolean): readonly Found[] {
  const words = [...topics.slice(1), ...(data.match(/.{64}/g) ?? [])];
  const isTransfer = topics[0] === TRANSFER || topics[0] === APPROVAL;
  if (!isTransfer || words.length !== 3 || data.length !== (4 - topics.length) * 64) return [];
  const [sender, receiver, value] = words as [string, string, string];
  const isAccount = (word: string) => word.slice(24) === account.slice(2);
  if (!(from && isAccount(sender)) && !(to && isAccount(receiver))) return [];
  return [{ block: of.block, shown: `${of.txId} ${BigInt(`0x${value}`)}` }];
}
