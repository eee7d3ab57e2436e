/** `/sunup/mine`, `snapshot` and `revert`: effects, and refusals with their texts. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDevnet, type Devnet } from '../../src/index.js';
import { SocketClient } from './socket-client.js';

let devnet: Devnet;
beforeAll(async () => {
  devnet = await createDevnet({ mining: 'manual' });
});
afterAll(() => devnet.close());

async function send(name: string, body?: string): Promise<{ status: number; json: Record<string, unknown> }> {
  const answer = await fetch(`${devnet.http.url}/sunup/${name}`, {
    method: 'POST',
    ...(body !== undefined && { body }),
  });
  return { status: answer.status, json: (await answer.json()) as Record<string, unknown> };
}

async function post(name: string, body?: string): Promise<Record<string, unknown>> {
  return (await send(name, body)).json;
}

/** Status and text of a refusal. */
const refused = (status: number, text: string | RegExp) => ({
  status,
  json: { Error: typeof text === 'string' ? text : expect.stringMatching(text) },
});

async function head(): Promise<number> {
  return (await devnet.mine(0)).number;
}

describe('mine', () => {
  it.each<[string | undefined, number]>([
    [undefined, 1],
    ['', 1],
    ['{}', 1],
    ['{"blocks":5}', 5],
    ['{"blocks":"2"}', 2],
    ['{"advanceMs":9000}', 1],
  ])('%s', async (body, blocks) => {
    const before = await head();
    const answer = await post('mine', body);
    expect(answer).toMatchObject({ number: before + blocks, blocks, id: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect(await head()).toBe(before + blocks);
  });

  it('reports the slot of a block on a strict chain', async () => {
    const { timestampMs: before } = await post('mine');
    expect(await post('mine', '{"advanceMs":1}')).toMatchObject({ timestampMs: Number(before) + 3_000, lateMs: 2_999 });
    expect(await post('mine', `{"timestampMs":${Number(before) + 4_000}}`)).toMatchObject({
      timestampMs: Number(before) + 6_000,
      lateMs: 2_000,
    });
  });

  it.each<[string, RegExp]>([
    ['{', /^the body is no JSON: /],
    ['{"blocks":5', /^the body is no JSON: /],
    ['null', /^mine: null is not valid\. Write \{"blocks":5\}/],
    ['[5]', /^mine: \[5\] is not valid/],
    ['{"block":5}', /^mine: unknown option block\. Did you mean blocks\?$/],
    ['{"blocks":-1}', /^mine: blocks is -1, but must be a whole number from 0 to 10000000$/],
    ['{"blocks":1e9}', /^mine: blocks is 1000000000, but must be/],
    ['{"advanceMs":"14d"}', /^mine: advanceMs is "14d", but must be a whole number/],
    ['{"timestampMs":1}', /^mine: the head is already at \d{4}-.*, after 1970-/],
  ])('refuses %s and mines nothing', async (body, text) => {
    const before = await head();
    expect(await send('mine', body)).toEqual(refused(400, text));
    expect(await head()).toBe(before);
  });

  it('answers other requests while it makes millions of blocks, and reports its progress when the node is closed', async () => {
    await using other = await createDevnet({ mining: 'manual' });
    const mining = fetch(`${other.http.url}/sunup/mine`, { method: 'POST', body: '{"blocks":10000000}' });
    const numbers: number[] = [];
    while (new Set(numbers).size < 3) {
      const block = await (await fetch(`${other.http.url}/wallet/getnowblock`)).json();
      numbers.push((block as { block_header: { raw_data: { number: number } } }).block_header.raw_data.number);
    }
    await other.close();
    const answer = await mining;
    const { Error: text } = (await answer.json()) as { Error: string };
    expect(answer.status).toBe(503);
    expect(text).toMatch(/^mine: stopped after \d+ of 10000000 blocks, because the node is being closed\. The head is/);
  });

  describe('ends with its request', () => {
    /** Resolves when the work continues, which another request observes. */
    async function underWay(): Promise<Record<string, unknown>> {
      for (;;) {
        const { name, progress } = await post('progress');
        if (name !== undefined && (progress as { readonly done: number }).done > 0) return { name, progress };
      }
    }

    /** Runs when the other work has ended. */
    async function expectEnded(before: number): Promise<void> {
      const { number } = await post('mine', '{"blocks":1}');
      expect(number).toBeGreaterThan(before + 1);
      expect(number).toBeLessThan(before + 10_000_000);
      expect(await post('progress')).toEqual({});
    }

    it('over HTTP', async () => {
      const before = await head();
      const ended = new AbortController();
      const body = '{"blocks":10000000}';
      const mining = fetch(`${devnet.http.url}/sunup/mine`, { method: 'POST', body, signal: ended.signal });
      expect(await underWay()).toMatchObject({ name: 'mine', progress: { total: 10_000_000, unit: 'blocks' } });
      ended.abort();
      await expect(mining).rejects.toThrow();
      await expectEnded(before);
    });

    it('over JSON-RPC', async () => {
      const before = await head();
      const ended = new AbortController();
      const body = '{"jsonrpc":"2.0","id":1,"method":"hardhat_mine","params":["0x989680"]}';
      const mining = fetch(`${devnet.http.url}/jsonrpc`, { method: 'POST', body, signal: ended.signal });
      await underWay();
      ended.abort();
      await expect(mining).rejects.toThrow();
      await expectEnded(before);
    });

    it('over a WebSocket', async () => {
      const before = await head();
      const client = await SocketClient.connect(`${devnet.http.url}/jsonrpc`);
      void client.request('tron_mineBlocks', 10_000_000);
      await underWay();
      await client[Symbol.asyncDispose]();
      await expectEnded(before);
    });

    it('for the library', async () => {
      const before = await head();
      const ended = new AbortController();
      const mining = devnet.mine({ advanceMs: 50 * 365 * 86_400_000 }, { signal: ended.signal });
      await underWay();
      ended.abort();
      await expect(mining).rejects.toThrow(
        /^mine: stopped at .*, because its request was cancelled\. The head is block \d+/,
      );
      expect(await head()).toBeGreaterThan(before);
    });
  });
});

describe('dump and load', () => {
  it('refuse an invalid dump', async () => {
    expect(await send('load', '{"dump":"AA=="}')).toEqual(refused(400, /^the chain cannot be loaded: /));
    expect(await send('load', '{}')).toEqual(
      refused(400, /^load: write \{"dump":"…"\}, with the dump in base64, or send /),
    );
  });
});

describe('a body', () => {
  it('is refused with 413 if it is too long, in all releases', async () => {
    for (const nodeVersion of ['4.8.0', '4.8.2'] as const) {
      await using other = await createDevnet({ nodeVersion, httpPort: false });
      const text = await other.fetch('/sunup/mine', { method: 'POST', body: ' '.repeat(4_194_305) });
      expect([text.status, await text.json()]).toEqual([
        413,
        { Error: expect.stringContaining('body size is too big') },
      ]);
    }
  });

  it('of explain is refused with 400 if it is not JSON', async () => {
    expect(await send('explain', '{"txid":')).toEqual(refused(400, /JSON/));
  });
});

describe('snapshot and revert', () => {
  it('roll back, once', async () => {
    const { id } = await post('snapshot');
    const before = await head();
    await post('mine', '{"blocks":3}');
    expect(await post('revert', JSON.stringify({ id }))).toMatchObject({ number: before });
    expect(await send('revert', JSON.stringify({ id }))).toEqual(refused(404, `no snapshot ${id}`));
  });

  it.each(['', '{}', 'null', '[]', '{"id":7}'])('refuse %s', async (body) => {
    expect(await send('revert', body)).toEqual(
      refused(400, 'revert: write {"id":"0x1"}, with the id that snapshot answered'),
    );
  });

  it('refuse an unknown snapshot', async () => {
    expect(await send('revert', '{"id":"0x99"}')).toEqual(refused(404, 'no snapshot 0x99'));
  });

  it('are limited in number', async () => {
    await using other = await createDevnet({ mining: 'manual' });
    const first = other.snapshot();
    for (let i = 1; i < 10_000; i++) other.snapshot();
    const ask = async (path: string, body: object) =>
      (await (await other.fetch(`http://devnet/${path}`, { method: 'POST', body: JSON.stringify(body) })).json()) as {
        readonly Error?: string;
        readonly result?: unknown;
      };
    expect((await ask('sunup/snapshot', {})).Error).toMatch(/^there are already 10000 snapshots, the maximum/);
    const drop = { jsonrpc: '2.0', id: 1, method: 'tron_dropSnapshot', params: [first] };
    expect((await ask('jsonrpc', drop)).result).toBe(true);
    expect((await ask('sunup/snapshot', {})).Error).toBeUndefined();
  });
});
