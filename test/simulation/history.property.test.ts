/**
 * Every list of the history interface, every filter and every page of it, against a scan of all blocks: while blocks
 * are made and taken back, with a solidified block that lags behind.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { historyRoutes } from '../../src/history/routes.js';
import { endpointRoutes } from '../../src/http/endpoint-routes.js';
import { httpEndpoints } from '../../src/http/endpoints.js';
import { type HttpServer, startHttpServer } from '../../src/http/server.js';
import { type LevelDatabase, LevelStore } from '../../src/node/storage/level-store.js';
import { openLevelDb } from '../../src/platform/leveldb.js';
import { toBase58 } from '../../src/protocol/address.js';
import { MemoryStore } from '../../src/state/memory-store.js';
import type { Store } from '../../src/state/store.js';
import { fullContext } from '../../src/wallet/context.js';
import { BEGINNING, contractCall, EVENTFUL, type Operation, operation, perform } from './operations.js';
import { SimulatedChain } from './simulated-chain.js';

const folder = mkdtempSync(path.join(tmpdir(), 'sunup-history-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let databases = 0;

const stores: Readonly<Record<string, () => Promise<Store>>> = {
  'in memory': async () => new MemoryStore(),
  'on LevelDB': async () =>
    new LevelStore((await openLevelDb(path.join(folder, String(++databases)))) as unknown as LevelDatabase),
};

/** Something that a list may have, as the scan finds it. */
interface Found {
  readonly block: number;
  readonly timestampMs: number;
  /** Says what it is, in the same way for the scan and for an answer. */
  readonly id: string;
  readonly from: readonly string[];
  readonly to: readonly string[];
  readonly contract?: string;
  readonly name?: string;
}

interface Scan {
  readonly transactions: readonly Found[];
  readonly internals: readonly Found[];
  readonly transfers: readonly Found[];
  readonly events: readonly Found[];
  readonly head: number;
  readonly solid: number;
}

// biome-ignore lint/suspicious/noExplicitAny: JSON as a client reads it
type Json = any;

class Client {
  constructor(private readonly url: string) {}

  async get(pathAndQuery: string): Promise<Json> {
    const response = await fetch(pathAndQuery.startsWith('http') ? pathAndQuery : this.url + pathAndQuery);
    return response.json();
  }

  /** Pages of a list until there is none behind; follows `links.next` and `fingerprint` in turns. */
  async pages(pathAndQuery: string): Promise<Json[][]> {
    const pages: Json[][] = [];
    for (let next: string | undefined = pathAndQuery; next !== undefined; ) {
      const answer = await this.get(next);
      expect(answer).toMatchObject({ success: true, meta: { page_size: answer.data.length } });
      pages.push(answer.data);
      const { fingerprint, links } = answer.meta;
      expect(links === undefined).toBe(fingerprint === undefined);
      const byHand = `${pathAndQuery}&fingerprint=${fingerprint}`;
      next = fingerprint === undefined ? undefined : pages.length % 2 === 0 ? links.next : byHand;
      if (pages.length > 5_000) throw new Error('a list without an end');
    }
    return pages;
  }
}

const TRANSFER = 'ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
const APPROVAL = '8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925';

/** By what the node's own interface says of each block: nothing of the index is used. */
async function scan(client: Client, chain: SimulatedChain): Promise<Scan> {
  const found = { transactions: [], internals: [], transfers: [], events: [] } as {
    [List in 'transactions' | 'internals' | 'transfers' | 'events']: Found[];
  };
  const { headNumber: head } = chain.node.chain;
  const withTransactions = new Set<number>();
  for (const { txId } of chain.sent) {
    const info = await client.get(`/wallet/gettransactioninfobyid?value=${txId}`);
    if (info.blockNumber !== undefined) withTransactions.add(info.blockNumber);
  }
  for (const number of [...withTransactions].sort((a, b) => a - b)) {
    const block = await client.get(`/wallet/getblockbynum?num=${number}`);
    const infos = await client.get(`/wallet/gettransactioninfobyblocknum?num=${number}`);
    const timestampMs = block.block_header.raw_data.timestamp;
    for (const [index, { txID, raw_data }] of block.transactions.entries()) {
      const at = { block: number, timestampMs };
      const info = infos[index];
      const { value } = raw_data.contract[0].parameter;
      const to = [value.to_address, value.account_address, value.receiver_address, value.contract_address];
      if (raw_data.contract[0].type === 'CreateSmartContract') to.push(info.contract_address);
      found.transactions.push({ ...at, id: txID, from: [value.owner_address], to: to.filter(Boolean) });
      for (const internal of info.internal_transactions ?? []) {
        const moved = (internal.callValueInfo ?? []).some((one: Json) => (one.callValue ?? 0) !== 0);
        if (internal.note === '63616c6c' && !moved) continue;
        const [from, to] = [[internal.caller_address], [internal.transferTo_address]];
        found.internals.push({ ...at, id: `${txID} ${internal.hash}`, from, to });
      }
      for (const [entry, log] of (info.log ?? []).entries()) {
        const contract = `41${log.address}`;
        const [topic, ...more] = log.topics ?? [];
        found.events.push({ ...at, id: `${txID} ${entry}`, from: [contract], to: [], contract, name: topic });
        if (topic !== TRANSFER && topic !== APPROVAL) continue;
        const words = [...more, ...((log.data ?? '').match(/.{64}/g) ?? [])].map((word: string) => word);
        if (words.length !== 3) continue;
        const [from, to] = words.map((word: string) => `41${word.slice(24)}`) as [string, string];
        found.transfers.push({ ...at, id: `${txID} ${BigInt(`0x${words[2]}`)}`, from: [from], to: [to], contract });
      }
    }
  }
  const solid = chain.node.chain.confirmedHeight;
  return { ...found, head, solid };
}

interface Question {
  readonly list: 'transactions' | 'trc20' | 'internal' | 'contract' | 'contract-internal' | 'events' | 'named';
  readonly who: number;
  readonly side: 'only_from' | 'only_to' | 'both' | 'neither';
  readonly state: 'only_confirmed' | 'only_unconfirmed' | 'any';
  readonly order: 'asc' | 'desc';
  readonly limit: number;
  /** Places in the list of all times, in per mille. */
  readonly min: number | undefined;
  readonly max: number | undefined;
  readonly token: boolean;
  readonly camel: boolean;
}

const bound = fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: fc.nat(1_000) });

const question: fc.Arbitrary<Question> = fc.record({
  list: fc.constantFrom('transactions', 'trc20', 'internal', 'contract', 'contract-internal', 'events', 'named'),
  who: fc.nat(999),
  side: fc.constantFrom('only_from', 'only_to', 'both', 'neither'),
  state: fc.constantFrom('only_confirmed', 'only_unconfirmed', 'any', 'any'),
  order: fc.constantFrom('asc', 'desc'),
  limit: fc.constantFrom(1, 2, 3, 7, 200),
  min: bound,
  max: bound,
  token: fc.boolean(),
  camel: fc.boolean(),
});

/** What is asked, and what the scan says to it. */
function ask(asked: Question, scanned: Scan, nameOf: (topic: string | undefined) => string | undefined) {
  const { list, side, state, order, limit, camel } = asked;
  const source = {
    ...{ transactions: scanned.transactions, trc20: scanned.transfers, internal: scanned.internals },
    ...{ contract: scanned.transactions, 'contract-internal': scanned.internals },
    ...{ events: scanned.events, named: scanned.events },
  }[list];
  const contracts = [...new Set(scanned.events.map(({ contract }) => contract as string))].sort();
  // By what they took part in, so that those with long lists are asked for more often.
  const people = source.flatMap(({ from, to }) => [...from, ...to]);
  const known = list === 'contract' ? contracts : people;
  const who = known[asked.who % Math.max(1, known.length)] ?? `41${'ab'.repeat(20)}`;
  const times = source.map(({ timestampMs }) => timestampMs);
  const time = (at: number | undefined) =>
    at === undefined ? undefined : times[Math.floor((at * times.length) / 1_001)];
  const [min, max] = [time(asked.min), time(asked.max)];
  const sided = !['contract', 'contract-internal', 'events', 'named'].includes(list);
  const token = list === 'trc20' && asked.token ? contracts[asked.who % Math.max(1, contracts.length)] : undefined;
  const name =
    list === 'named' ? nameOf(scanned.events[asked.who % Math.max(1, scanned.events.length)]?.name) : undefined;
  const parameters: [string, string][] = [
    ['order_by', `block_timestamp,${order}`],
    ['limit', String(limit)],
  ];
  if (state !== 'any') parameters.push([state, 'true']);
  if (sided && (side === 'only_from' || side === 'both')) parameters.push(['only_from', 'true']);
  if (sided && (side === 'only_to' || side === 'both')) parameters.push(['only_to', 'true']);
  if (min !== undefined) parameters.push(['min_timestamp', String(min)]);
  if (max !== undefined) parameters.push(['max_block_timestamp', String(max)]);
  if (token !== undefined) parameters.push(['contract_address', token]);
  if (name !== undefined) parameters.push(['event_name', name]);
  const spelled = parameters.map(([key, value]): [string, string] => [
    camel ? key.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase()) : key,
    value,
  ]);
  const isParty = ({ from, to, contract }: Found): boolean => {
    if (list === 'events' || list === 'named') return contract === who;
    if (list === 'contract') return to.includes(who);
    const onlyFrom = sided && side === 'only_from';
    const onlyTo = sided && side === 'only_to';
    return (!onlyTo && from.includes(who)) || (!onlyFrom && to.includes(who));
  };
  const expected = source.filter(
    (one) =>
      isParty(one) &&
      (state !== 'only_confirmed' || one.block <= scanned.solid) &&
      (state !== 'only_unconfirmed' || one.block > scanned.solid) &&
      (min === undefined || one.timestampMs >= min) &&
      (max === undefined || one.timestampMs <= max) &&
      (token === undefined || one.contract === token) &&
      (list !== 'named' || (name !== undefined && nameOf(one.name) === name)),
  );
  if (order === 'desc') expected.reverse();
  const base = { transactions: 'accounts', trc20: 'accounts', internal: 'accounts' }[list as string] ?? 'contracts';
  const tail = {
    ...{ transactions: 'transactions', trc20: 'transactions/trc20', internal: 'internal-transactions' },
    ...{ contract: 'transactions', 'contract-internal': 'internal-transactions', events: 'events', named: 'events' },
  }[list];
  const forms = [who, toBase58(who), `0x${who.slice(2)}`, `0x${who.toUpperCase()}`];
  const url = `/v1/${base}/${forms[asked.who % forms.length]}/${tail}?${new URLSearchParams(spelled)}`;
  return { url, expected, limit, asksForNothing: list === 'named' && name === undefined };
}

function idOf(record: Json): string {
  if (record.txID !== undefined) return record.txID;
  if (record.internal_tx_id !== undefined) return `${record.tx_id} ${record.internal_tx_id}`;
  if (record.event_index !== undefined) return `${record.transaction_id} ${record.event_index}`;
  return `${record.transaction_id} ${record.value}`;
}

function flagOf(record: Json): unknown {
  return record._unconfirmed;
}

/** Calls of the fixture contracts weigh more here: they log, pay and create. */
const busy: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 3, arbitrary: operation },
  { weight: 2, arbitrary: contractCall },
);

describe.each(Object.entries(stores))('history %s', (where, openStore) => {
  const runs = where === 'in memory' ? 12 : 6;

  it('answers what a scan of the blocks finds', async () => {
    const asked = { records: 0, pages: 0, lists: new Set<string>() };
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('none', 'network', 'network'),
        fc.array(fc.tuple(fc.array(busy, { minLength: 10, maxLength: 30, size: 'max' }), fc.boolean()), {
          minLength: 1,
          maxLength: 3,
        }),
        fc.array(question, { minLength: 12, maxLength: 24 }),
        async (solidityLag, steps, questions) => {
          const chain = await SimulatedChain.open({
            store: await openStore(),
            solidityLag: solidityLag as 'none' | 'network',
            witnessVotes: [100, 90, 80],
            parameters: EVENTFUL,
          });
          const view = () => fullContext(chain.node);
          const server: HttpServer = await startHttpServer({
            port: 0,
            plugins: [
              endpointRoutes({ endpoints: httpEndpoints, views: { wallet: view } }),
              historyRoutes({ view, indexed: true }),
            ],
          });
          const client = new Client(server.url);
          for (const one of [{ what: 'mine', blocks: 2 } as const, ...BEGINNING]) perform(chain, one);
          for (const [operations, takenBack] of steps) {
            const snapshot = chain.node.snapshot();
            for (const one of operations) perform(chain, one);
            if (takenBack) {
              chain.node.mine(1);
              chain.node.revert(snapshot);
            }
          }
          chain.node.mine(1);
          const scanned = await scan(client, chain);
          const names = new Map<string, string>();
          for (const { id } of scanned.events) {
            const [txId, index] = id.split(' ');
            const { data } = await client.get(`/v1/transactions/${txId}/events`);
            const { event_name } = data[Number(index)];
            const topic = scanned.events.find((event) => event.id === id)?.name;
            if (topic !== undefined && event_name !== '') names.set(topic, event_name);
          }
          for (const one of questions) {
            const { url, expected, limit, asksForNothing } = ask(one, scanned, (topic) => names.get(topic ?? ''));
            if (asksForNothing) continue;
            const pages = await client.pages(url);
            expect(pages.flat().map(idOf), url).toEqual(expected.map(({ id }) => id));
            for (const page of pages.slice(0, -1)) expect(page).toHaveLength(limit);
            expect(pages.flat().map(flagOf), url).toEqual(
              expected.map(({ block }) => (block > scanned.solid ? true : undefined)),
            );
            asked.records += expected.length;
            asked.pages += pages.length;
            if (expected.length > 0) asked.lists.add(one.list);
          }
          await server.close();
          await chain.close();
        },
      ),
      { numRuns: runs, seed: 9 },
    );
    // Empty lists would prove nothing.
    expect(asked.lists.size).toBe(7);
    expect(asked.records).toBeGreaterThan(runs * 20);
    expect(asked.pages).toBeGreaterThan(runs * 20);
  });
});
