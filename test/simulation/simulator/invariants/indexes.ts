/**
 * Lists that an index answers are what a scan over all blocks finds: transactions of an account and of a contract, internal
 * transactions, token transfers, events, logs. All pages are read, in either order, of all blocks or of a span.
 */

import { blockTimeMs } from '../../../../src/ledger/blocks/blocks.js';
import type { Ledger } from '../../../../src/ledger/ledger.js';
import type { Hex } from '../../../../src/primitives/hex.js';
import { type Address, isAddress } from '../../../../src/primitives/ids.js';
import type { Choices } from '../../wild-messages.js';
import type { Cold } from '../disk/stored-rows.js';
import { Violation } from '../run/violation.js';
import { DIALECTS, resultOf } from '../users/asker.js';
import { DECREED } from '../users/places.js';
import type { SharedHost } from '../users/user.js';
import { contractsWereCreated } from './created-contracts.js';
import { type Found, type IndexedList, type Item, listsAbout, listsWithin } from './history-lists.js';
import { logsIn, type ScannedLog, transactionsIn } from './scan.js';

const NAME = 'an index is a scan';

export async function indexesAreScans(host: SharedHost, cold: () => Promise<Cold>): Promise<void> {
  // A fork also lists what its network has.
  if (host.world.shape.isFork) return;
  const stored = await cold();
  const { ledger } = stored;
  const { choices } = host.world;
  const transactions = [...transactionsIn(ledger)];
  contractsWereCreated(transactions, [...host.people.addresses, ...DECREED], stored);
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
  const lists = [
    ...chosen.flatMap((address) => listsAbout(address, transactions, logs)),
    ...(transactions.length === 0 ? [] : listsWithin(choices.of(transactions), logs)),
    ...(logs.length === 0 ? [] : listsWithin(choices.of(logs).of, logs)),
  ];
  const filled = lists.filter(({ scanned }) => scanned().length > 0);
  await isScan(host, choices.of(lists), ledger);
  for (let i = 0; i < 3 && filled.length > 0; i++) await isScan(host, choices.of(filled), ledger);
  await logsAreScanned(host, logs);
}

/** What of a list is asked for. */
interface Span {
  readonly query: string;
  readonly has: (block: number) => boolean;
  readonly isAscending: boolean;
}

const ALL: Span = { query: '', has: () => true, isAscending: false };

/** Of all blocks, or of those between the times of two blocks, both included, or beside them by a millisecond. */
async function spanOf(
  { world: { choices }, asker }: SharedHost,
  found: readonly Found[],
  ledger: Ledger,
): Promise<Span> {
  const isAscending = choices.chance(0.4);
  const order = isAscending ? '&order_by=block_timestamp,asc' : '';
  const answer = await asker.get('/event/contract/latestSolidifiedBlockNum');
  const solid = Number(answer?.slice(4));
  // Seldom is anything at this border, unless it lags.
  const isAtBorder = solid < ledger.headNumber && found.some(({ block }) => block === solid || block === solid + 1);
  const way = isAtBorder ? choices.of([0, 1, 1, 2]) : choices.below(4);
  if (way === 0 && found.length > 0) {
    const [one, other] = [choices.of(found).block, choices.of(found).block];
    const [from, to] = [Math.min(one, other), Math.max(one, other)];
    const minMs = Number(blockTimeMs(ledger, from)) + choices.below(2);
    const maxMs = Number(blockTimeMs(ledger, to)) - choices.below(2);
    const query = `${order}&min_timestamp=${minMs}&max_timestamp=${maxMs}`;
    const timeMs = (block: number) => Number(blockTimeMs(ledger, block));
    return { query, has: (block) => timeMs(block) >= minMs && timeMs(block) <= maxMs, isAscending };
  }
  if (way === 1) {
    const isConfirmed = choices.chance(0.5);
    const query = `${order}&only_${isConfirmed ? '' : 'un'}confirmed=true`;
    return { query, has: (block) => block <= solid === isConfirmed, isAscending };
  }
  return { ...ALL, query: order, isAscending };
}

async function isScan(
  host: SharedHost,
  { path, shown, scanned, isSpanned }: IndexedList,
  ledger: Ledger,
): Promise<void> {
  const { asker, world } = host;
  const found = scanned();
  const { query, has, isAscending } = isSpanned ? await spanOf(host, found, ledger) : ALL;
  const expected = found.filter(({ block }) => has(block)).map((one) => one.shown);
  // Events of a block are listed in the order of the chain.
  if (!isAscending && isSpanned) expected.reverse();
  // Small pages, so that their borders are among what is compared.
  const limit = Math.min(200, Math.max(world.choices.of([1, 3]), Math.ceil(expected.length / 12)));
  // Pending transactions are in no block.
  const waiting = await asker.post('/wallet/gettransactionlistfrompending', {});
  const pending = new Set(Array.from((waiting ?? '').matchAll(/[0-9a-f]{64}/g), ([txId]) => txId));
  const listed: string[] = [];
  for (let fingerprint = ''; ; ) {
    const answer = await asker.get(`${path}&limit=${limit}${query}${fingerprint}`);
    if (answer === undefined) return;
    const { data, meta } = JSON.parse(answer.slice(4)) as {
      readonly data?: readonly Item[];
      readonly meta?: { readonly fingerprint?: string };
    };
    for (const item of data ?? []) if (!pending.has(item.txID ?? '')) listed.push(shown(item));
    if (meta?.fingerprint === undefined) break;
    fingerprint = `&fingerprint=${encodeURIComponent(meta.fingerprint)}`;
  }
  if (listed.join() === expected.join()) return;
  const at = [...expected, ''].findIndex((one, i) => one !== listed[i]);
  throw new Violation(
    NAME,
    `${path}${query} lists ${listed.length} items, a scan finds ${expected.length}; item ${at} is ${listed[at]}, and should be ${expected[at]}`,
  );
}

/** Some of them, the first one always among them. */
function alternatives<Value>(choices: Choices, first: Value, all: readonly Value[]): readonly Value[] {
  const others = Array.from({ length: choices.below(3) }, () => choices.of(all));
  return choices.chance(0.5) ? [first, ...others] : [...others, first];
}

/** `eth_getLogs` with addresses and topics of some log, one or several at each place; a filter with them says the same. */
async function logsAreScanned({ world, asker }: SharedHost, logs: readonly ScannedLog[]): Promise<void> {
  const { choices } = world;
  if (logs.length === 0) return;
  const like = choices.of(logs);
  const emitters = logs.map(({ address }) => address);
  const known = logs.flatMap(({ topics }) => topics);
  const addresses = choices.chance(0.5) ? alternatives(choices, like.address, emitters) : [];
  const topics = like.topics.map((topic) => (choices.chance(0.5) ? alternatives(choices, topic, known) : []));
  const from = Math.max(0, like.of.block - choices.below(100));
  const to = like.of.block + choices.below(100);
  const dialect = choices.of(DIALECTS);
  const hex = (values: readonly string[]) => values.map((value) => `0x${value}`);
  const place = (values: readonly string[]) =>
    values.length === 0 ? null : values.length === 1 && choices.chance(0.5) ? `0x${values[0]}` : hex(values);
  const filter = {
    fromBlock: `0x${from.toString(16)}`,
    toBlock: `0x${to.toString(16)}`,
    ...(addresses.length > 0 && { address: place(addresses) }),
    topics: topics.map(place),
  };
  const scanned = logs
    .filter(({ of: { block } }) => block >= from && block <= to)
    .filter((log) => addresses.length === 0 || addresses.includes(log.address))
    .filter((log) => log.topics.length >= topics.length)
    .filter((log) => topics.every((some, i) => some.length === 0 || some.includes(log.topics[i] as Hex)))
    .map(({ of, logIndex, data }) => `${of.block} ${logIndex} 0x${data}`)
    .join();
  const compare = (method: string, answer: string | undefined) => {
    const result = resultOf<readonly Readonly<Record<string, string>>[]>(answer);
    const shown = result?.map((log) => `${Number(log.blockNumber)} ${Number(log.logIndex)} ${log.data}`).join();
    if (answer !== undefined && shown !== scanned)
      throw new Violation(NAME, `${method} of ${JSON.stringify(filter)} gives ${shown ?? answer}; a scan ${scanned}`);
  };
  compare('eth_getLogs', await asker.rpc(dialect, 'eth_getLogs', [filter]));
  const id = resultOf<string>(await asker.rpc(dialect, 'eth_newFilter', [filter]));
  if (id === undefined) return;
  compare('eth_getFilterLogs', await asker.rpc(dialect, 'eth_getFilterLogs', [id]));
  await asker.rpc(dialect, 'eth_uninstallFilter', [id]);
}
