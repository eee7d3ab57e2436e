/**
 * Lists that an index answers are what a scan over all blocks finds: transactions of an account and of a contract, internal
 * transactions, token transfers, events, logs. All pages are read, and the order is the chain's.
 */

import { type Address, isAddress } from '../../../../src/primitives/ids.js';
import { toBase58 } from '../../../../src/protocol/address.js';
import type { Cold } from '../disk/stored-rows.js';
import { Violation } from '../run/violation.js';
import { DIALECTS } from '../users/asker.js';
import { BLANKS } from '../users/instruments.js';
import type { SharedHost } from '../users/user.js';
import { contractsWereCreated } from './created-contracts.js';
import { logsIn, type ScannedLog, type ScannedTransaction, transactionsIn } from './scan.js';

const NAME = 'an index is a scan';
const TRANSFERS = new Set([
  'ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
  '8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925',
]);

/** A list of an interface: where it is read, and what a scan finds, in the order of the chain. */
interface IndexedList {
  readonly path: string;
  /** Of an item, what is compared. */
  readonly shown: (item: Item) => string;
  readonly scanned: () => readonly string[];
}

interface Item {
  readonly txID?: string;
  readonly internal_tx_id?: string;
  readonly transaction_id?: string;
  readonly event_index?: number;
  readonly value?: string;
}

export async function indexesAreScans(host: SharedHost, cold: () => Promise<Cold>): Promise<void> {
  // A fork also lists what its network has.
  if (host.world.shape.isFork) return;
  const stored = await cold();
  const { ledger } = stored;
  const { choices } = host.world;
  const transactions = [...transactionsIn(ledger)];
  contractsWereCreated(transactions, [...host.people.addresses, ...BLANKS], stored);
  const logs = [...logsIn(ledger)];
  const people = Array.from({ length: 6 }, (_, i) => host.people.address(i));
  const emitters = logs.map(({ address }) => `41${address}` as Address);
  const inside = transactions.flatMap(({ info }) =>
    info.internal_transactions.flatMap(({ caller_address: from, transferTo_address: to }) => [from, to] as Address[]),
  );
  const contracts = [...new Set([...emitters, ...inside])].filter(
    (address) => isAddress(address) && !people.includes(address),
  );
  const chosen = [choices.of(people), choices.of(contracts.length === 0 ? people : contracts)] as const;
  const lists = chosen.flatMap((address) => [
    ...accountLists(address, transactions, logs),
    ...contractLists(address, transactions, logs),
  ]);
  const filled = lists.filter(({ scanned }) => scanned().length > 0);
  await isScan(host, choices.of(lists));
  for (let i = 0; i < 3 && filled.length > 0; i++) await isScan(host, choices.of(filled));
  await logsAreScanned(host, logs);
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
  const idsOf = (some: readonly ScannedTransaction[]) => some.map(({ txId }) => txId);
  const byId = ({ txID }: Item) => String(txID);
  return [
    {
      path: `${path}/transactions?only_from=true`,
      shown: byId,
      scanned: () => idsOf(transactions.filter(isSender)),
    },
    {
      path: `${path}/transactions?only_to=true`,
      shown: byId,
      scanned: () => idsOf(transactions.filter(isReceiver)),
    },
    {
      path: `${path}/transactions?`,
      shown: byId,
      scanned: () => idsOf(transactions.filter((one) => isSender(one) || isReceiver(one))),
    },
    {
      path: `${path}/internal-transactions?`,
      shown: ({ internal_tx_id: id }) => String(id),
      scanned: () => transactions.flatMap((one) => internalOf(one, account)),
    },
    {
      path: `${path}/transactions/trc20?`,
      shown: ({ transaction_id: id, value }) => `${id} ${value}`,
      scanned: () => logs.flatMap((log) => transferOf(log, account)),
    },
  ];
}

function contractLists(
  contract: Address,
  transactions: readonly ScannedTransaction[],
  logs: readonly ScannedLog[],
): readonly IndexedList[] {
  const path = `/v1/contracts/${toBase58(contract)}`;
  return [
    {
      path: `${path}/transactions?`,
      shown: ({ txID }) => String(txID),
      scanned: () =>
        transactions
          .filter(({ transaction, info }) => {
            const { contract_address: named } = (transaction.contract ?? {}) as { readonly contract_address?: string };
            return (named ?? info.contract_address) === contract;
          })
          .map(({ txId }) => txId),
    },
    {
      path: `${path}/internal-transactions?`,
      shown: ({ internal_tx_id: id }) => String(id),
      scanned: () => transactions.flatMap((one) => internalOf(one, contract)),
    },
    {
      path: `${path}/events?`,
      shown: ({ transaction_id: id, event_index: index }) => `${id} ${index}`,
      scanned: () =>
        logs.filter(({ address }) => `41${address}` === contract).map(({ of, entry }) => `${of.txId} ${entry}`),
    },
  ];
}

/** A call without a transfer is shown with its transaction only. */
function internalOf({ info }: ScannedTransaction, account: Address): readonly string[] {
  return info.internal_transactions
    .filter(({ note, callValueInfo }) => note !== '63616c6c' || callValueInfo.some(({ callValue }) => callValue !== 0n))
    .filter(({ caller_address: from, transferTo_address: to }) => from === account || to === account)
    .map(({ hash }) => hash);
}

/** Transfers and approvals have three words, in topics and data together. */
function transferOf({ topics, data, of }: ScannedLog, account: Address): readonly string[] {
  const words = [...topics.slice(1), ...(data.match(/.{64}/g) ?? [])];
  if (!TRANSFERS.has(topics[0] ?? '') || words.length !== 3 || data.length !== (4 - topics.length) * 64) return [];
  const [from, to, value] = words as [string, string, string];
  if (![from, to].some((word) => word.slice(24) === account.slice(2))) return [];
  return [`${of.txId} ${BigInt(`0x${value}`)}`];
}

async function isScan({ asker }: SharedHost, { path, shown, scanned }: IndexedList): Promise<void> {
  const expected = scanned();
  // Small pages, so that their borders are among what is compared.
  const limit = Math.min(200, Math.max(3, Math.ceil(expected.length / 4)));
  // Pending transactions are in no block.
  const waiting = await asker.post('/wallet/gettransactionlistfrompending', {});
  const pending = new Set(Array.from((waiting ?? '').matchAll(/[0-9a-f]{64}/g), ([txId]) => txId));
  const listed: string[] = [];
  for (let fingerprint = ''; ; ) {
    const answer = await asker.get(`${path}&limit=${limit}${fingerprint}`);
    if (answer === undefined) return;
    const { data, meta } = JSON.parse(answer.slice(4)) as {
      readonly data?: readonly Item[];
      readonly meta?: { readonly fingerprint?: string };
    };
    for (const item of data ?? []) if (!pending.has(item.txID ?? '')) listed.push(shown(item));
    if (meta?.fingerprint === undefined) break;
    fingerprint = `&fingerprint=${encodeURIComponent(meta.fingerprint)}`;
  }
  listed.reverse();
  if (listed.join() === expected.join()) return;
  const at = [...expected, ''].findIndex((one, i) => one !== listed[i]);
  throw new Violation(
    NAME,
    `${path} lists ${listed.length} items, a scan finds ${expected.length}; item ${at} is ${listed[at]}, and should be ${expected[at]}`,
  );
}

/** `eth_getLogs` with an address and topics of some log. */
async function logsAreScanned({ world, asker }: SharedHost, logs: readonly ScannedLog[]): Promise<void> {
  const { choices } = world;
  if (logs.length === 0) return;
  const like = choices.of(logs);
  const address = choices.chance(0.5) ? like.address : undefined;
  const topics = like.topics.map((topic) => (choices.chance(0.5) ? topic : undefined));
  const from = Math.max(0, like.of.block - choices.below(100));
  const to = like.of.block + choices.below(100);
  const dialect = choices.of(DIALECTS);
  const answer = await asker.rpc(dialect, 'eth_getLogs', [
    {
      fromBlock: `0x${from.toString(16)}`,
      toBlock: `0x${to.toString(16)}`,
      ...(address !== undefined && { address: `0x${address}` }),
      topics: topics.map((topic) => (topic === undefined ? null : `0x${topic}`)),
    },
  ]);
  if (answer === undefined) return;
  const { result } = JSON.parse(answer.slice(4)) as { readonly result?: readonly Readonly<Record<string, string>>[] };
  const shown = result?.map((log) => `${Number(log.blockNumber)} ${Number(log.logIndex)} ${log.data}`).join();
  const scanned = logs
    .filter(({ of: { block } }) => block >= from && block <= to)
    .filter((log) => address === undefined || log.address === address)
    .filter((log) => log.topics.length >= topics.length)
    .filter((log) => topics.every((topic, i) => topic === undefined || log.topics[i] === topic))
    .map(({ of, logIndex, data }) => `${of.block} ${logIndex} 0x${data}`)
    .join();
  if (shown !== scanned)
    throw new Violation(
      NAME,
      `eth_getLogs of blocks ${from} to ${to}, ${address}, ${topics} gives ${shown}; a scan ${scanned}`,
    );
}
