/** `/sunup/events` as pages and scripts read it: with `EventSource`, and with `devnet.fetch` without a socket. */

import { mkdtemp, rm } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { EventSource } from 'eventsource';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Devnet } from '../../src/index.js';
import { createDevnet } from '../../src/index.js';
import { toJson } from '../../src/primitives/amount-json.js';
import { Shop } from './shop.js';

type Told = { readonly event: string; readonly data: Record<string, unknown>; readonly id: string };

const NAMES = ['block', 'transaction', 'pending', 'dropped', 'removed'];
const TRANSFER = { to: '', amountSun: 5 };

let open: Shop;
let devnet: Devnet;
const sources = new Set<EventSource>();

beforeAll(async () => {
  open = await Shop.open();
  ({ devnet } = open.chain);
});
afterEach(() => {
  for (const source of sources) source.close();
  sources.clear();
});
afterAll(() => devnet.close());

/** The events that a page receives, in order. */
class Listener {
  readonly #told: Told[] = [];
  #wake: (() => void) | undefined;
  readonly source: EventSource;

  constructor(query = '', lastEventId?: string, node = devnet.http.url) {
    this.source = new EventSource(`${node}/sunup/events${query}`, {
      fetch: (url, init) =>
        fetch(url, {
          ...init,
          headers: { ...init.headers, ...(lastEventId !== undefined && { 'last-event-id': lastEventId }) },
        }),
    });
    sources.add(this.source);
    for (const name of NAMES) {
      this.source.addEventListener(name, ({ data, lastEventId: id }) => {
        this.#told.push({ event: name, data: JSON.parse(data), id });
        this.#wake?.();
      });
    }
  }

  async opened(): Promise<this> {
    await new Promise((resolve) => this.source.addEventListener('open', resolve, { once: true }));
    return this;
  }

  /** Events up to and including the first match. */
  async until(last: (told: Told) => boolean): Promise<Told[]> {
    for (;;) {
      const at = this.#told.findIndex(last);
      if (at >= 0) return this.#told.splice(0, at + 1);
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}

const isBlock = (number: number) => (told: Told) => told.event === 'block' && told.data.number === number;

/** The block numbers in events; empty blocks that were made together share one. */
const numbersIn = (told: readonly Told[]): number[] =>
  told
    .filter(({ event }) => event === 'block')
    .flatMap(({ data: { number, emptyBlocks = 1 } }) => {
      const count = emptyBlocks as number;
      return Array.from({ length: count }, (_, at) => (number as number) - count + 1 + at);
    });
const isTransaction = (told: Told) => told.event === 'transaction';

async function headNumber(): Promise<number> {
  const answer = await fetch(`${devnet.http.url}/wallet/getnowblock`, { method: 'POST' });
  return ((await answer.json()) as { block_header: { raw_data: { number: number } } }).block_header.raw_data.number;
}

const transfer = () => open.chain.client(0).trx.sendTransaction(devnet.accounts[1]!.address, TRANSFER.amountSun);

describe('a page', () => {
  test('receives a pending transaction, its block, and its charges', async () => {
    const listener = await new Listener().opened();
    const { txid } = (await transfer()) as { txid: string };
    const told = await listener.until(isTransaction);
    expect(told.map(({ event }) => event)).toEqual(['pending', 'block', 'transaction']);
    const [pending, block, transaction] = told.map(({ data }) => data);
    const explanation = await devnet.explain(txid);
    const { address: owner } = devnet.accounts[0]!;
    expect(pending).toMatchObject({ txid, type: 'TransferContract', owner });
    expect(block).toMatchObject({ number: await headNumber(), transactions: [txid] });
    expect(transaction).toMatchObject({
      txid,
      block: block!.number,
      index: 0,
      outcome: { succeeded: true, result: 'SUCCESS' },
      action: { kind: 'transfer', to: devnet.accounts[1]!.address, amountSun: 5 },
      feeSun: Number(explanation.feeSun),
      charges: toJson(explanation.charges),
    });
  });

  test('receives the reason of a failed call, and the burned amount', async () => {
    const listener = await new Listener('?events=transaction').opened();
    const shop = open.chain.client(0).contract(await shopAbi(), open.address.replace('0x', '41'));
    const txid = (await shop.buy!(11).send({ feeLimit: 100_000_000 })) as string;
    const [{ data }] = (await listener.until(isTransaction)) as [Told];
    expect(data).toMatchObject({
      txid,
      outcome: {
        succeeded: false,
        result: 'REVERT',
        reason: { error: 'Error', arguments: [{ name: 'reason', type: 'string', value: 'too much' }] },
      },
    });
    const info = (await (
      await fetch(`${devnet.http.url}/wallet/gettransactioninfobyid`, {
        method: 'POST',
        body: JSON.stringify({ value: txid }),
      })
    ).json()) as { fee: number; receipt: { energy_usage_total: number } };
    expect(data.feeSun).toBe(info.fee);
    expect(data.energy).toEqual({ total: info.receipt.energy_usage_total, penalty: 0 });
  });

  test('receives a dropped transaction', async () => {
    await devnet.setMining('manual');
    const listener = await new Listener().opened();
    const { txid } = (await transfer()) as { txid: string };
    await devnet.dropTransaction(txid);
    const [pending, dropped] = await listener.until(({ event }) => event === 'dropped');
    // Before any expectation: otherwise later tests would wait for blocks for ever.
    await devnet.setMining('instant');
    expect(pending).toMatchObject({ event: 'pending', data: { txid } });
    expect(dropped!.data).toEqual({
      txid,
      code: 'REMOVED',
      reason: expect.stringContaining('removed it from the pending transactions'),
    });
  });

  test('that reconnects receives missed events once', async () => {
    const before = await headNumber();
    const first = await new Listener('?events=block').opened();
    await transfer();
    const [{ id }] = (await first.until(isBlock(before + 1))) as [Told];
    expect(Number.parseInt(id.slice(0, 16), 16)).toBe(before + 1);
    first.source.close();
    await devnet.mine(3);
    const second = new Listener('?events=block', id);
    const told = await second.until(isBlock(before + 4));
    expect(numbersIn(told)).toEqual([before + 2, before + 3, before + 4]);
  });

  test('that reconnects continues at its last position, not at its first', async () => {
    const before = await headNumber();
    const first = await new Listener(`?events=block&from=${before}`).opened();
    await devnet.mine(2);
    const [{ id }] = (await first.until(isBlock(before + 2))).slice(-1) as [Told];
    first.source.close();
    await devnet.mine(1);
    const told = await new Listener(`?events=block&from=${before}`, id).until(isBlock(before + 3));
    expect(numbersIn(told)).toEqual([before + 3]);
    // Its `from` may be above the head now.
    await devnet.rollback(2);
    const again = await new Listener(`?events=removed&from=${before + 3}`, id).until(() => true);
    expect(again).toMatchObject([{ event: 'removed', data: { from: 0, to: before + 2 } }]);
  });

  test('that knows blocks of another chain learns that they are removed, and receives the present ones', async () => {
    const other = 'ff'.repeat(24);
    const told = await new Listener('?events=block,removed', `00000000000003e8${other}`).until(
      isBlock(await headNumber()),
    );
    expect(told.slice(0, 2)).toMatchObject([
      { event: 'removed', data: { from: 0, to: 1_000 } },
      { event: 'block', data: { number: 0, id: devnet.genesisId } },
    ]);
    expect(numbersIn(told)).toEqual(Array.from({ length: (await headNumber()) + 1 }, (_, at) => at));
    // An invalid block id is ignored.
    const now = await new Listener('?events=block', 'yesterday').opened();
    await devnet.mine(1);
    expect(numbersIn(await now.until(() => true))).toEqual([await headNumber()]);
  });

  test('receives removed blocks, and continues from the common block', async () => {
    const before = await headNumber();
    const snapshot = devnet.snapshot();
    const listener = await new Listener('?events=block,removed').opened();
    await devnet.mine(30);
    await listener.until(isBlock(before + 30));
    await devnet.revert(snapshot);
    await devnet.mine(2);
    const told = await listener.until(isBlock(before + 2));
    const gone = told.filter(({ event }) => event === 'removed');
    const removed = gone.map(({ data }) => data);
    // In descending order without gaps.
    expect(removed[0]!.to).toBe(before + 30);
    expect(removed.at(-1)!.from).toBe(before + 1);
    for (const [at, { from }] of removed.slice(0, -1).entries()) expect(removed[at + 1]!.to).toBe((from as number) - 1);
    const blocks = told.filter(({ event }) => event === 'block');
    expect(numbersIn(blocks)).toEqual([before + 1, before + 2]);
    expect(Number.parseInt(gone.at(-1)!.id.slice(0, 16), 16)).toBe(before);
  });

  test('comes back with the id of its own block, also if the blocks below were being removed as well', async () => {
    const before = await headNumber();
    const listener = await new Listener(`?events=block,removed&from=${before}`).opened();
    // A deep rollback comes in steps.
    for (let i = 0; i < 45; i++) await devnet.mine(1);
    const ids = new Map((await listener.until(isBlock(before + 45))).map(({ data, id }) => [data.number, id]));
    await devnet.rollback(45);
    await devnet.mine(1);
    const gone = (await listener.until(isBlock(before + 1))).filter(({ event }) => event === 'removed');
    expect(gone.length).toBeGreaterThan(0);
    for (const { data, id } of gone) expect(id).toBe(ids.get((data.from as number) - 1));
  });

  test('of a fork comes back with the id of the block that was forked', async () => {
    const { blockID: forked } = JSON.parse((await devnet.post('/wallet/getnowblock', '{}')).text);
    await using fork = await createDevnet({ fork: devnet.http.url, accounts: 0, mining: 'manual' });
    const { number } = await fork.mine(2);
    const listener = await new Listener(`?events=block,removed&from=${number}`, undefined, fork.http.url).opened();
    await listener.until(isBlock(number));
    await fork.reset();
    const [removed] = (await listener.until(({ event }) => event === 'removed')).slice(-1);
    expect(removed?.id).toBe(forked);
  });

  test('can read the chain from a given block', async () => {
    const listener = new Listener('?from=0');
    const [genesis] = await listener.until(isBlock(0));
    // Its transactions have no events: nothing more follows about it.
    expect(genesis).toMatchObject({ id: devnet.genesisId, data: { id: devnet.genesisId } });
    const head = await headNumber();
    const told = await listener.until(isBlock(head));
    expect(head).toBeGreaterThan(10);
    expect(numbersIn(told)).toEqual(Array.from({ length: head }, (_, at) => at + 1));
  });

  test('can leave out older blocks with more transactions than it wants', async () => {
    const before = await headNumber();
    for (let count = 0; count < 3; count++) await transfer();
    await devnet.mine(2);
    const head = await headNumber();
    const firstFor = async (transactions: number, from = 0) => {
      const told = new Listener(`?events=block&from=${from}&transactions=${transactions}`);
      return numbersIn(await told.until(isBlock(head)))[0];
    };
    expect(head).toBe(before + 5);
    // Whole blocks, the empty ones among them, and the head block in any case.
    expect(await firstFor(2)).toBe(before + 2);
    expect(await firstFor(0)).toBe(before + 4);
    expect(await firstFor(2, before + 3)).toBe(before + 3);
    expect(await firstFor(1_000_000)).toBe(0);
    await transfer();
    expect(numbersIn(await new Listener('?events=block&from=0&transactions=0').until(() => true))).toEqual([head + 1]);
  });

  test('of another origin is refused', async () => {
    const headers = { origin: 'https://example.org' };
    expect((await fetch(`${devnet.http.url}/sunup/events`, { headers })).status).toBe(403);
  });

  test.for([
    ['?events=blocks', 'events: expected some of block,transaction,pending,dropped,removed, got blocks'],
    ['?from=-1', 'from: expected the number of a block'],
    ['?from=123456789', 'from: expected the number of a block'],
    ['?from=0&transactions=few', 'transactions: expected a number, got few'],
  ])('is told what is wrong with %s', async ([query, text]) => {
    const answer = await fetch(`${devnet.http.url}/sunup/events${query}`);
    expect(answer.status).toBe(400);
    expect(((await answer.json()) as { Error: string }).Error).toContain(text);
  });
});

test('that reads slowly receives everything, in order', async () => {
  const own = await createDevnet();
  try {
    // The socket is read only after there is a listener.
    const response = await new Promise<IncomingMessage>((resolve) =>
      get(`${own.http.url}/sunup/events?events=block&from=0`, resolve),
    );
    // Separate blocks: more data than the server's buffer holds.
    for (let block = 0; block < 5_000; block++) await own.mine(1);
    const { number: last } = await own.mine(1);
    const heard: number[] = [];
    for await (const line of createInterface(response)) {
      if (line.startsWith('data: ')) heard.push(JSON.parse(line.slice(6)).number);
      if (heard.at(-1) === last) break;
    }
    expect(heard).toEqual(Array.from({ length: last + 1 }, (_, at) => at));
    response.destroy();
  } finally {
    await own.close();
  }
});

test('continues after a restart of the node with the next block', async () => {
  const db = await mkdtemp(join(tmpdir(), 'sunup-events-'));
  const first = await createDevnet({ db });
  const { port, url } = first.http;
  const listener = new Listener('?events=block', undefined, url);
  await listener.opened();
  const { number } = await first.mine(1);
  await listener.until(isBlock(number));
  await first.close();
  const second = await createDevnet({ db, httpPort: port });
  try {
    await second.mine(2);
    const told = await listener.until(isBlock(number + 2));
    expect(numbersIn(told)).toEqual([number + 1, number + 2]);
  } finally {
    listener.source.close();
    await second.close();
    await rm(db, { recursive: true });
  }
});

test('HEAD is answered without a subscription', async () => {
  const answer = await fetch(`${devnet.http.url}/sunup/events`, { method: 'HEAD' });
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
});

test('works without a socket, until the devnet is closed', async () => {
  const own = await createDevnet({ httpPort: false });
  const answer = await own.fetch('/sunup/events?events=block');
  expect(answer.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  const [reader, forgotten] = [answer.body!, (await own.fetch('/sunup/events')).body!].map((body) => body.getReader());
  await own.mine(1);
  const text = new TextDecoder();
  let heard = '';
  while (!heard.includes('event: block')) heard += text.decode((await reader!.read()).value);
  await forgotten!.cancel();
  await own.close();
  for (let done = false; !done; ) ({ done } = await reader!.read());
});

async function shopAbi() {
  const answer = await fetch(`${devnet.http.url}/wallet/getcontract`, {
    method: 'POST',
    body: JSON.stringify({ value: open.address.replace('0x', '41') }),
  });
  return ((await answer.json()) as { abi: { entrys: never } }).abi.entrys;
}
