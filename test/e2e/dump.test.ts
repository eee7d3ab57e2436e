/**
 * A whole chain in a file: written by the command; loaded at the start and while running, by the command and the
 * library.
 */

import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { buildIfStale } from '../../scripts/build.mjs';
import { checkDirectory } from '../../src/devnet/database/check-database.js';
import { OperationError } from '../../src/errors/operation-error.js';
import { createDevnet, type DevAccount, type Devnet, OptionError } from '../../src/index.js';

/** Ends only what would never end. */
const ENDS_MS = 300_000;
const folder = mkdtempSync(path.join(tmpdir(), 'sunup-dump-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function ask(devnet: Devnet, request: string, body: object = {}): Promise<unknown> {
  const answer = await devnet.fetch(`http://devnet/${request}`, { method: 'POST', body: JSON.stringify(body) });
  return answer.json();
}

/** A devnet with some history. */
async function lived(): Promise<Devnet> {
  const devnet = await createDevnet({ balance: 500 });
  await devnet.mine({ advanceMs: 86_400_000 });
  await devnet.setBalance(devnet.accounts[1]!.address, 77_000_000);
  await devnet.mine(1_000);
  return devnet;
}

const head = (devnet: Devnet) => ask(devnet, 'wallet/getnowblock');
const account = (devnet: Devnet) =>
  ask(devnet, 'wallet/getaccount', { address: devnet.accounts[1]!.address, visible: true });

describe('a dump', () => {
  it('starts a devnet, in memory and in a directory that continues it', async () => {
    const first = await lived();
    const file = path.join(folder, 'chain.dump');
    writeFileSync(file, await first.dump());
    const db = path.join(folder, 'db');
    for (const options of [{ loadState: file }, { loadState: readFileSync(file), db }, { db, balance: 500 }]) {
      const again = await createDevnet(options);
      expect(await head(again)).toEqual(await head(first));
      expect(await account(again)).toEqual(await account(first));
      expect(again.chainId).toBe(first.chainId);
      await again.close();
    }
    await expect(createDevnet({ loadState: file, db })).rejects.toThrow(
      /option loadState creates a chain, but .* already has one/,
    );
    await first.close();
  });

  it('leaves no connection that keeps the command running until the node closes it', async () => {
    await using devnet = await lived();
    const answer = await (await devnet.fetch('http://devnet/sunup/dump', { method: 'POST', body: '{}' })).text();
    // The end of the answer comes when the dump has been read. This node keeps connections for an hour.
    let said = answer.slice(0, -1);
    const node = createServer((_, response) =>
      response.write(said, () => setImmediate(setImmediate, () => response.end('}'))),
    );
    node.keepAliveTimeout = 3_600_000;
    await once(node.listen(0, '127.0.0.1'), 'listening');
    const at = `127.0.0.1:${(node.address() as AddressInfo).port}`;
    const command = await buildIfStale();
    const dumped = (file: string) =>
      promisify(execFile)(process.execPath, [command, 'dump', file, '--url', at], { timeout: ENDS_MS });
    await dumped(path.join(folder, 'command.dump'));
    if (existsSync('/dev/full')) await expect(dumped('/dev/full')).rejects.toMatchObject({ code: 1, killed: false });
    said = '{"no head" "dump":"';
    await expect(dumped(path.join(folder, 'none.dump'))).rejects.toMatchObject({
      ...{ code: 1, killed: false },
      stderr: expect.stringContaining('is it a Sunup node'),
    });
    node.closeAllConnections();
    node.close();
  });

  it('can be loaded into a running devnet, also over HTTP; another chain refuses it', async () => {
    const first = await lived();
    const dump = await first.dump();
    const then = await head(first);
    await first.mine(5);
    const snapshot = first.snapshot();
    await first.load(dump);
    expect(await head(first)).toEqual(then);
    await expect(first.revert(snapshot)).rejects.toThrow('no snapshot');

    const { dump: text } = (await ask(first, 'sunup/dump')) as { dump: string };
    expect(gunzipSync(Buffer.from(text, 'base64')).toString()).toMatch(/^\{"sunup":"chain","version":1,/);
    await first.mine(1);
    expect(await ask(first, 'sunup/load', { dump: text })).toMatchObject({ number: expect.any(Number) });
    expect(await head(first)).toEqual(then);

    const other = await createDevnet({ balance: 501 });
    await expect(other.load(dump)).rejects.toThrow(
      /the chain cannot be loaded: it is the chain with genesis .* --load-state FILE instead/,
    );
    expect(await ask(other, 'sunup/load', { dump: 'AAAA' })).toEqual({
      Error: 'the chain cannot be loaded: it is not a chain file (it is no JSON)',
    });
    await Promise.all([first.close(), other.close()]);
  });

  it('restores contracts of the genesis, unsigned transactions and rollbacks, with an intact database', async () => {
    const db = path.join(folder, 'eventful');
    const options = { mining: 'manual', predeploy: ['usdt'] } as const;
    const first = await createDevnet({ ...options, db });
    const [{ addressHex: from }, { addressHex: to }] = first.accounts as [DevAccount, DevAccount];
    await first.impersonate(from);
    const transfer = { from: `0x${from.slice(2)}`, to: `0x${to.slice(2)}`, value: '0x10' };
    const body = { jsonrpc: '2.0', id: 1, method: 'eth_sendTransaction', params: [transfer] };
    expect(await ask(first, 'eth', body)).toMatchObject({ result: expect.stringMatching(/^0x[0-9a-f]{64}$/) });
    await first.setStake(to, { energy: 5_000_000 });
    await first.mine(3);
    await first.reorg(2);
    await first.rollback(1);
    const [then, load] = [await head(first), await first.dump()];
    await first.close();
    expect(await checkDirectory(db, { replay: true })).toMatchObject({ replayed: true, findings: [] });
    for (const again of [await createDevnet({ ...options, db }), await createDevnet({ ...options, loadState: load })]) {
      expect(await head(again)).toEqual(then);
      expect(again.predeployed.map(({ name }) => name)).toEqual(['USDT']);
      await again.close();
    }
  });

  it('is refused if options contradict it, and if it is not a dump', async () => {
    const first = await lived();
    const load = await first.dump();
    await first.close();
    await expect(createDevnet({ loadState: load, balance: 400 })).rejects.toThrow(
      'option balance differs from the dump, whose chain was created with 500000000',
    );
    const mnemonic = 'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about';
    await expect(createDevnet({ loadState: load, mnemonic })).rejects.toThrow(
      /whose chain was created with another mnemonic/,
    );
    const other = await createDevnet({ balance: 500, networkStake: 'none' });
    await expect(other.load(load)).rejects.toThrow(/it is a chain with other initial chain parameters, net/);
    await other.close();
    await expect(createDevnet({ loadState: path.join(folder, 'nothing') })).rejects.toThrow(OptionError);
    await expect(createDevnet({ loadState: new Uint8Array(5) })).rejects.toThrow(
      /option loadState cannot be loaded: it is not a chain file/,
    );
  });

  it('is refused by name for an overlong line, without reading it to its end', async () => {
    const devnet = await lived();
    const [first] = gunzipSync(await devnet.dump())
      .toString()
      .split('\n');
    const long = Buffer.alloc(66 * 1024 * 1024, 'x');
    await expect(devnet.load(gzipSync(long, { level: 1 }))).rejects.toThrow(
      'the chain cannot be loaded: line 1 is longer than 64 MB',
    );
    await expect(devnet.load(gzipSync(Buffer.concat([Buffer.from(`${first}\n`), long]), { level: 1 }))).rejects.toThrow(
      'the chain cannot be loaded: line 2 is longer than 64 MB',
    );
    await devnet.close();
  });

  it('is refused with a reason if a line is doubled, missing or changed', async () => {
    const devnet = await createDevnet({ accounts: 1 });
    await devnet.mine(3);
    await devnet.setBalance(devnet.accounts[0]!.address, 77_000_000);
    await devnet.mine(1);
    const lines = gunzipSync(await devnet.dump())
      .toString()
      .trimEnd()
      .split('\n');
    const said = async (changed: readonly string[]) => {
      const refusal = await devnet.load(gzipSync(changed.join('\n'))).then(
        () => undefined,
        (error: unknown) => error,
      );
      return refusal === undefined || refusal instanceof OperationError ? undefined : refusal;
    };
    const wrong: unknown[] = [];
    for (const [at, line] of lines.entries()) {
      const with_ = (...others: readonly string[]) => [...lines.slice(0, at), ...others, ...lines.slice(at + 1)];
      wrong.push(await said(with_(line, line)), await said(with_()));
      for (const place of placesIn(JSON.parse(line)))
        for (const value of WILD)
          wrong.push(await said(with_(JSON.stringify(changedAt(JSON.parse(line), place, value)))));
    }
    expect(wrong.filter((error) => error !== undefined)).toEqual([]);
    await devnet.close();
  });

  it('is refused by name at the start for any invalid initial settings', async () => {
    const devnet = await createDevnet({ accounts: 1, predeploy: ['usdt'] });
    const [first = '', ...others] = gunzipSync(await devnet.dump())
      .toString()
      .trimEnd()
      .split('\n');
    await devnet.close();
    const head = JSON.parse(first);
    const { begun } = head;
    // The first few entries of each list suffice.
    for (const list of [begun.longs, begun.texts, begun.contracts?.[0]?.storage ?? []])
      expect(list).toBeInstanceOf(Array);
    const places = placesIn(begun).filter((place) => place.every((part) => !(Number(part) > 1)));
    for (const place of places)
      for (const value of [null, {}, 'x', 'ff']) {
        const changed = JSON.stringify({ ...head, begun: changedAt(begun, place, value) });
        const load = gzipSync([changed, ...others].join('\n'));
        const refusal = await createDevnet({ accounts: 1, predeploy: ['usdt'], loadState: load }).then(
          (loaded) => loaded.close(),
          (error: unknown) => error,
        );
        if (refusal !== undefined) expect([place, value, refusal]).toEqual([place, value, expect.any(OptionError)]);
      }
  });

  it('is refused for a run of empty blocks that is too long, without applying it', async () => {
    const devnet = await createDevnet({ accounts: 1 });
    await devnet.mine(3);
    const lines = gunzipSync(await devnet.dump())
      .toString()
      .trimEnd()
      .split('\n');
    const [first = '', one = ''] = lines;
    const { end } = JSON.parse(lines.at(-1)!);
    const number = 1_000_000_000_000;
    const run = { produceEmpty: { blocks: number - 1, id: end.head.id } };
    const last = { end: { ...end, steps: 2, head: { ...end.head, number } } };
    const dump = [first, one, JSON.stringify(run), JSON.stringify(last)].join('\n');
    await expect(devnet.load(gzipSync(dump))).rejects.toThrow(/empty blocks cannot be made at once from block 1 on/);
    await devnet.close();
  });
});

const WILD: readonly unknown[] = [null, -1, 1e15, 'x', 'ff', [], {}, '__proto__'];

type Place = readonly (string | number)[];

function placesIn(value: unknown, place: Place = []): Place[] {
  if (typeof value !== 'object' || value === null) return [place];
  return [place, ...Object.entries(value).flatMap(([name, one]) => placesIn(one, [...place, name]))];
}

function changedAt(value: unknown, [name, ...rest]: Place, other: unknown): unknown {
  if (name === undefined) return other;
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<string | number, unknown>;
  copy[name] = changedAt(copy[name], rest, other);
  return copy;
}
