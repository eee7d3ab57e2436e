/**
 * A database that is too large to be verified before the node starts: reads verify what they depend on, and the rest is
 * verified meanwhile. Whatever is damaged, an answer is right or an error, and the node reports the file.
 */

import {
  closeSync,
  cpSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildIfStale } from '../../scripts/build.mjs';
import { checkDirectory } from '../../src/devnet/database/check-database.js';
import { createDevnet, type Devnet } from '../../src/index.js';
import type { LevelDatabase } from '../../src/node/storage/level-store.js';
import { openLevelDb } from '../../src/platform/leveldb.js';
import { sha256OfHex } from '../../src/protocol/hashes.js';

const folder = mkdtempSync(path.join(tmpdir(), 'sunup-large-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const ACCOUNTS = 300;
const OPTIONS = { accounts: ACCOUNTS, mining: 'manual', httpPort: false } as const;
/** Parts of each table. At the end are its filter and its index. */
const DAMAGED_PARTS = [0.1, 0.35, 0.6, 0.85, 0.9875];
const CODES = 1_200;
const CODE_WORDS = 700;
const whole = path.join(folder, 'whole');
let addresses: readonly string[];
let right: readonly string[];

/** Text that does not compress. */
function code(seed: number): string {
  let text = '';
  for (let word = 0; word < CODE_WORDS; word++)
    text += sha256OfHex((seed * CODE_WORDS + word).toString(16).padStart(16, '0'));
  return text;
}

function addressOf(index: number): string {
  return `41${sha256OfHex(index.toString(16).padStart(8, '0')).slice(0, 40)}`;
}

async function accountOf(devnet: Devnet, address: string): Promise<string> {
  const answer = await devnet.fetch('http://devnet/wallet/getaccount', {
    method: 'POST',
    body: JSON.stringify({ address }),
  });
  return `${answer.status} ${await answer.text()}`;
}

async function allAccounts(devnet: Devnet): Promise<string[]> {
  const answers: string[] = [];
  for (const address of addresses) answers.push(await accountOf(devnet, address));
  return answers;
}

beforeAll(async () => {
  const devnet = await createDevnet({ ...OPTIONS, db: whole });
  addresses = devnet.accounts.map(({ addressHex }) => addressHex);
  for (let index = 0; index < CODES; index++) {
    await devnet.setCode(addressOf(index), code(index));
    if (index % 100 === 0) await devnet.mine(1);
  }
  await devnet.close();
  const again = await createDevnet({ ...OPTIONS, db: whole });
  right = await allAccounts(again);
  await again.close();
  // While LevelDB merges a damaged table, it may end the process (classic-level is built with its assertions).
  await merge(whole);
}, 120_000);

function copyOf(name: string): string {
  const db = path.join(folder, name);
  cpSync(whole, db, { recursive: true });
  return db;
}

function tablesOf(db: string): readonly string[] {
  const chain = path.join(db, 'chain');
  return readdirSync(chain)
    .filter((name) => name.endsWith('.ldb'))
    .map((name) => path.join(chain, name));
}

function flip(file: string, at: number): void {
  const descriptor = openSync(file, 'r+');
  const byte = Buffer.alloc(1);
  readSync(descriptor, byte, 0, 1, at);
  byte[0]! ^= 8;
  writeSync(descriptor, byte, 0, 1, at);
  closeSync(descriptor);
}

const unverified = (db: string) => path.join(db, 'chain.unverified');

describe('a database that is verified while the node runs', () => {
  it('answers from the start', async () => {
    const db = copyOf('intact');
    expect(tablesOf(db).reduce((sum, file) => sum + statSync(file).size, 0)).toBeGreaterThan(40e6);
    const devnet = await createDevnet({ ...OPTIONS, db });
    expect(existsSync(unverified(db))).toBe(true);
    expect(await allAccounts(devnet)).toEqual(right);
    await devnet.mine(1);
    await devnet.close();
    const report = await checkDirectory(db, { replay: false });
    expect(report.findings).toEqual([]);
    expect(existsSync(unverified(db))).toBe(false);
  });

  it.each(DAMAGED_PARTS)('reports a damaged table, and no answer is wrong (%d of each)', async (part) => {
    const db = copyOf(`damaged-${part}`);
    for (const table of tablesOf(db)) flip(table, Math.floor(statSync(table).size * part));
    const started = await createDevnet({ ...OPTIONS, db }).catch((error: unknown) => error as Error);
    // The damage may be in a row that every start reads.
    if (started instanceof Error) {
      expect(started.message).toMatch(/^option db (is damaged|cannot be opened): .*\.ldb has a damaged block at \d+/);
      return;
    }
    const failed = new Promise<Error>((resolve) => started.on('failed', resolve));
    for (const [at, answer] of (await allAccounts(started)).entries()) expect([right[at], '500 ']).toContain(answer);
    expect((await failed).message).toMatch(
      /^the database in .* is damaged: chain\/\d+\.ldb has a damaged block at \d+$/,
    );
    expect(new Set(await allAccounts(started))).toEqual(new Set(['500 ']));
    await started.close();
  });

  it('is verified first, if a node ended while it was verified: the damage may have ended it', async () => {
    const running = copyOf('running');
    const devnet = await createDevnet({ ...OPTIONS, db: running });
    const killed = path.join(folder, 'killed');
    cpSync(running, killed, { recursive: true });
    await devnet.close();
    const intact = path.join(folder, 'killed-intact');
    cpSync(killed, intact, { recursive: true });
    // Damage that no start reads: one of the codes.
    const table = tablesOf(killed)[tablesOf(killed).length >> 1]!;
    flip(table, statSync(table).size >> 1);
    await expect(createDevnet({ ...OPTIONS, db: killed })).rejects.toThrow(
      `chain/${path.basename(table)} has a damaged block at`,
    );
    const next = await createDevnet({ ...OPTIONS, db: intact });
    expect(existsSync(unverified(intact))).toBe(false);
    await next.close();
  });

  it('is verified on a thread by the built library, and damage in a table that nobody reads is reported', async () => {
    await buildIfStale();
    const library = (await import('../../dist/index.js' as string)) as { createDevnet: typeof createDevnet };
    const threads: unknown[] = [];
    const count = (worker: unknown) => threads.push(worker);
    process.on('worker', count);
    const db = copyOf('damaged-for-thread');
    const table = tablesOf(db)[tablesOf(db).length >> 1]!;
    flip(table, statSync(table).size >> 1);
    const devnet = await library.createDevnet({ ...OPTIONS, db });
    const failure = await new Promise<Error>((resolve) => devnet.on('failed', resolve));
    expect(failure.message).toContain(`chain/${path.basename(table)} has a damaged block at`);
    expect(threads.length).toBe(1);
    process.off('worker', count);
    await devnet.close();
  });

  it('is refused if LevelDB has merged a damaged table into others before it was verified', async () => {
    const probe = copyOf('probe');
    await merge(probe);
    const left = tablesOf(probe).map((file) => path.basename(file));
    const db = copyOf('merged');
    await (await createDevnet({ ...OPTIONS, db })).close();
    const merged = readdirSync(unverified(db)).find((file) => !left.includes(file))!;
    const file = path.join(unverified(db), merged);
    flip(file, statSync(file).size >> 1);
    await merge(db);
    expect(tablesOf(db).map((table) => path.basename(table))).not.toContain(merged);
    const refusal = `chain.unverified/${merged} has a damaged block at`;
    await expect(createDevnet({ ...OPTIONS, db })).rejects.toThrow(refusal);
    expect((await checkDirectory(db, { replay: false })).findingCount).toBeGreaterThan(0);
    await expect(createDevnet({ ...OPTIONS, db })).rejects.toThrow(refusal);
  });
});

/** As LevelDB does it on its own when rows of all tables change. */
async function merge(db: string): Promise<void> {
  const level = await openLevelDb(db);
  for (const reverse of [false, true]) {
    for (const [key, value] of await level.iterator({ reverse, limit: 1 }).all()) await level.put(key, value);
  }
  await (level as unknown as LevelDatabase).compactRange('', '~');
  await level.close();
}
