/** Words to a node that is running: where it is looked for, what it answers, what is said of words that make no sense. */

import { TronWeb } from 'tronweb';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { nodeUrl } from '../../../src/cli/node-client.js';
import { runRemote } from '../../../src/cli/remote.js';
import { createDevnet, type Devnet } from '../../../src/index.js';
import { said } from './said.js';

let devnet: Devnet;
beforeAll(async () => {
  devnet = await createDevnet();
});
afterAll(() => devnet.close());
afterEach(() => vi.unstubAllEnvs());

const say = (...words: string[]) => said((speaker) => runRemote(words, speaker));

/** To the devnet of this file. */
function ask(...words: string[]) {
  return say(...words, '--url', devnet.http.url);
}

describe('where the node is', () => {
  it.each([
    [undefined, {}, 'http://127.0.0.1:9090'],
    [undefined, { SUNUP_HTTP_PORT: '8090' }, 'http://127.0.0.1:8090'],
    [undefined, { SUNUP_HOST: '0.0.0.0', SUNUP_HTTP_PORT: '8090' }, 'http://127.0.0.1:8090'],
    [undefined, { SUNUP_HOST: '::1' }, 'http://[::1]:9090'],
    [undefined, { SUNUP_URL: 'devnet.internal:81', SUNUP_HTTP_PORT: '8090' }, 'http://devnet.internal:81'],
    ['localhost:81', { SUNUP_URL: 'devnet.internal' }, 'http://localhost:81'],
    ['8091', {}, 'http://127.0.0.1:8091'],
    [':8091', {}, 'http://127.0.0.1:8091'],
    ['https://devnet.example/', {}, 'https://devnet.example'],
  ])('%s with %j', (typed, environment, origin) => {
    expect(nodeUrl(typed, environment).origin).toBe(origin);
  });

  it.each(['http://', 'ftp://localhost', 'a b'])('not %j', async (url) => {
    const { code, err } = await say('snapshot', '--url', url);
    expect([code, err]).toEqual([
      2,
      `error: "${url}" is not the address of a node\n(Write http://127.0.0.1:9090, localhost:9090 or 9090)\n`,
    ]);
  });

  it('is told by the environment', async () => {
    vi.stubEnv('SUNUP_HTTP_PORT', String(devnet.http.port));
    expect(await say('mine')).toMatchObject({ code: 0, err: '', out: expect.stringMatching(/^block \d+ {2}2025-/) });
    vi.stubEnv('SUNUP_URL', '127.0.0.1:1');
    expect(await say('mine')).toEqual({
      code: 1,
      out: '',
      err: 'error: no answer from http://127.0.0.1:1: is a node running there?\n(Use --url or SUNUP_URL for another node)\n',
    });
  });

  it('is no other server', async () => {
    await using plain = await createDevnet({ devMethods: false });
    const { code, err } = await say('snapshot', '--url', plain.http.url);
    expect([code, err]).toEqual([1, expect.stringMatching(/answers 40\d to \/sunup\/snapshot: is it a Sunup node/)]);
  });
});

describe('what is said', () => {
  it('mine, and how late a block is that had to wait for its slot', async () => {
    await using strict = await createDevnet({ mining: 'manual' });
    const { out } = await say('mine', '--advance', '1ms', '--url', strict.http.url);
    expect(out).toMatch(/^block 3 {2}2025-01-01T00:00:15\.000Z {2}[0-9a-f]{64} {2}\(in the next slot, 2\.999 s later/);
  });

  it('mine, and that an interval chain waits until the clock has caught up', async () => {
    await using interval = await createDevnet({ mining: 'interval', clock: 'wall' });
    const { out } = await say('mine', '100', '--url', interval.http.url);
    // 102, or more where a slot of the wall clock came first.
    expect(out).toMatch(/^block 1\d\d .*\nThe next block comes in \d+ min.*, when the clock has caught up/);
    expect((await say('mine', '--advance', '0s', '--url', interval.http.url)).out).not.toContain('The next block');
  });

  it('mine until a moment', async () => {
    const { out } = await ask('mine', '--until', '2026-01-01T00:00:00.001Z');
    expect(out).toMatch(/^block \d+ {2}2026-01-01T00:00:00\.001Z {2}/);
    expect((await ask('mine', '--until', '2025-12-31')).err).toMatch(
      /^error: mine: the head is already at 2026-.*, after 2025-/,
    );
  });

  it('snapshot and revert', async () => {
    const { out: id } = await ask('snapshot');
    expect(id).toMatch(/^0x[0-9a-f]+\n$/);
    const { out } = await ask('revert', id.trim());
    expect(out).toMatch(/^block \d+/);
    expect(await ask('revert', '0x99')).toEqual({ code: 1, out: '', err: 'error: no snapshot 0x99\n' });
  });

  it('explain', async () => {
    const tronWeb = new TronWeb({ fullHost: devnet.http.url, privateKey: devnet.accounts[0]!.privateKey });
    const { txid } = await tronWeb.trx.sendTransaction(devnet.accounts[1]!.address, 5);
    expect(await ask('explain', `0x${txid.toUpperCase()}`)).toMatchObject({
      code: 0,
      out: expect.stringContaining('bandwidth'),
    });
  });

  it.each<[string[], RegExp]>([
    [['mine', 'many'], /^error: mine: blocks is "many", but must be a whole number/],
    [['mine', '--advance', '5'], /^error: option '--advance' is "5", which is not a time span\n\(Add a unit: 5s, 5h\)/],
    [['mine', '--advance', '5 parsecs'], /not a time span\n\(Write 500ms, 90s, 6h, 14d or 1h30m\)/],
    [['mine', '--until', 'tomorrow'], /^error: option '--until' is "tomorrow", which is not a time/],
    [['mine', '5', '--advance', '6h'], /^error: use one of: a number of blocks, --advance, --until/],
    [['mine', '--advnce', '6h'], /unknown option '--advnce'\n\(Did you mean --advance\?\)/],
    [['explain', '00'], /^error: 00 is not a txid: a txid has 64 hex digits/],
    [['explain'], /missing required argument 'txid'/],
    [['explain', 'ff'.repeat(32)], /^error: transaction ffff/],
  ])('refuses %j', async (words, text) => {
    const { code, out, err } = await ask(...words);
    expect(err).toMatch(text);
    expect([code > 0, out]).toEqual([true, '']);
  });
});

it('a dump that cannot be written is refused in a sentence', async () => {
  const { code, err } = await ask('dump', '/nowhere/at/all');
  expect(code).not.toBe(0);
  expect(err).toMatch(/^error: \/nowhere\/at\/all cannot be written: ENOENT/);
});
