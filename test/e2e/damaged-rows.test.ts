/** A damaged row stops the node that reads it: no answer and no block is based on it. */

import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildIfStale } from '../../scripts/build.mjs';
import { createDevnet, OptionError } from '../../src/index.js';
import { openLevelDb } from '../../src/platform/leveldb.js';
import { RunningCommand } from './command.js';

const folder = mkdtempSync(path.join(tmpdir(), 'sunup-damaged-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
beforeAll(async () => {
  await buildIfStale();
});

const STRANGER = `41${'ab'.repeat(20)}`;

/** A chain with a flipped bit in the row with this key. */
async function damaged(name: string, keyOf: (address: string) => string): Promise<{ db: string; address: string }> {
  const db = path.join(folder, name);
  const devnet = await createDevnet({ db });
  await devnet.mine(2);
  const address = devnet.accounts[3]!.addressHex;
  await devnet.close();
  const level = await openLevelDb(db);
  const value = Buffer.from(level.getSync(keyOf(address))!);
  value[value.length >> 1]! ^= 4;
  await level.put(keyOf(address), value);
  await level.close();
  return { db, address };
}

async function ask(url: string, name: string, body: object): Promise<{ status: number; text: string }> {
  const response = await fetch(`${url}/wallet/${name}`, { method: 'POST', body: JSON.stringify(body) });
  return { status: response.status, text: await response.text() };
}

describe('a database with a damaged row', () => {
  it('gives no answer based on it and makes no more blocks', async () => {
    const { db, address } = await damaged('asked', (account) => `a:${account}`);
    await using devnet = await createDevnet({ db, mining: 'manual' });
    const failed = new Promise<Error>((resolve) => devnet.on('failed', resolve));
    const head = await ask(devnet.http.url, 'getnowblock', {});
    expect(JSON.parse(head.text).blockID).toMatch(/^[0-9a-f]{64}$/);
    expect(await ask(devnet.http.url, 'getaccount', { address })).toEqual({ status: 500, text: '' });
    expect((await failed).message).toBe(
      `the database in ${db} is damaged: row ${address} of table accounts has changed`,
    );
    // Nor other answers: rows in memory come from the same database.
    expect(await ask(devnet.http.url, 'getnowblock', {})).toEqual({ status: 500, text: '' });
    const got = await fetch(`${devnet.http.url}/wallet/getnowblock`).then((response) => response.text());
    expect(got).not.toContain('blockID');
    await expect(devnet.mine(1)).rejects.toThrow('is damaged');
  });

  it('stops the command with a message', async () => {
    const { db, address } = await damaged('command', (account) => `a:${account}`);
    await using command = await RunningCommand.start(['--json', '--manual', '--db', db, '--accounts', '10']);
    const { http } = await command.ready();
    const exited = once(command.process, 'exit');
    await ask(http.url, 'getaccount', { address: STRANGER });
    await ask(http.url, 'getaccount', { address });
    expect(await exited).toEqual([1, null]);
    const { errors } = await command.end();
    expect(errors).toContain(`error: the database in ${db} is damaged: row ${address} of table accounts has changed\n`);
    expect(errors).toContain(`List all damage with sunup check ${db})`);
    expect(errors).not.toMatch(/\n {4}at /);
  });

  // Found by the simulator with real nodes and seed 744019.
  it('stops the command with a message also if only the banner reads it', async () => {
    const { db } = await damaged('banner', () => 'ps:TOTAL_ENERGY_WEIGHT');
    await using command = await RunningCommand.start(['--json', '--manual', '--db', db, '--accounts', '10']);
    expect(await once(command.process, 'exit')).toEqual([1, null]);
    const { errors } = await command.end();
    expect(errors).toContain(`error: the database in ${db} is damaged: row TOTAL_ENERGY_WEIGHT of table`);
    expect(errors).not.toMatch(/\n {4}at /);
  });

  it.each([
    ['the first row', 'a:'],
    ['a resident row', 'w:'],
    ['the head', 'pl:latest_block_header_number'],
    ['the format', 'meta:format'],
    ['the beginning', 'meta:begun'],
  ])('is not opened when it is %s that is damaged', async (what, prefix) => {
    const first = async (db: string) => {
      const level = await openLevelDb(db);
      const [key] = await level.keys({ gte: prefix, limit: 1 }).all();
      await level.close();
      return key!;
    };
    const clean = path.join(folder, `clean ${what}`);
    await (await createDevnet({ db: clean })).close();
    const key = await first(clean);
    const { db } = await damaged(what, () => key);
    const error = await createDevnet({ db }).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(OptionError);
    expect((error as OptionError).option).toBe('db');
    expect((error as OptionError).problem).toContain(`the database in ${db} is damaged`);
  });

  it.each([
    ['witnesses', 'w:'],
    ['longs', 'pl:latest_block_header_timestamp'],
    ['texts', 'pt:'],
    ['meta', 'meta:genesis'],
    ['meta', 'meta:begun'],
    ['meta', 'meta:stated'],
    // Without it the database would look empty.
    ['meta', 'meta:format'],
  ])('is not opened when a row of table %s is missing: %s', async (table, prefix) => {
    const db = path.join(folder, `missing ${prefix.replace(':', ' ')}`);
    const devnet = await createDevnet({ db, mining: 'manual' });
    await devnet.mine(1);
    await devnet.close();
    const level = await openLevelDb(db);
    const [key] = await level.keys({ gte: prefix, limit: 1 }).all();
    await level.del(key!);
    await level.close();
    await expect(createDevnet({ db })).rejects.toThrow(
      new RegExp(`is damaged: table ${table} has (\\d+ rows of \\d+|no row)`),
    );
  });
});
