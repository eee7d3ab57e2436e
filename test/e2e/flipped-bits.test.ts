/**
 * After a bit flip in any file of a database, a reader gets the original data or an error with the file's name, never
 * wrong data.
 */

import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/devnet/database/chain-database.js';
import { createDevnet, OptionError } from '../../src/index.js';
import { LevelStore } from '../../src/node/storage/level-store.js';
import { verifiedFiles } from '../../src/platform/leveldb-files.js';
import { EVENTFUL, operation, perform } from '../simulation/operations.js';
import { SimulatedChain } from '../simulation/simulated-chain.js';
import { storeDigest } from '../simulation/store-digest.js';

const folder = mkdtempSync(path.join(tmpdir(), 'sunup-flips-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function open(directory: string): Promise<LevelStore> {
  const { database } = await openDatabase(directory);
  return new LevelStore(database, { place: directory });
}

const whole = path.join(folder, 'whole');
let digest: string;
let files: readonly string[];

/** Tables from two openings, and a log with later writes. */
beforeAll(async () => {
  const history = fc.sample(operation, { numRuns: 120, seed: 12 });
  for (const part of [history.slice(0, 50), history.slice(50, 100), history.slice(100)]) {
    const chain = await SimulatedChain.open({
      store: await open(whole),
      witnessVotes: [100, 60],
      parameters: EVENTFUL,
    });
    for (const one of part) perform(chain, one);
    chain.node.mine(5);
    await chain.close();
  }
  const store = await open(whole);
  digest = await storeDigest(store);
  await store.close();
  files = readdirSync(path.join(whole, 'chain')).filter((name) => /^(CURRENT|MANIFEST-\d+|\d+\.(ldb|log))$/.test(name));
});

/** All rows of a changed database, or the error. */
async function readAfter(name: string, change: (folder: string) => void): Promise<string> {
  const directory = path.join(folder, name);
  rmSync(directory, { recursive: true, force: true });
  cpSync(whole, directory, { recursive: true });
  change(path.join(directory, 'chain'));
  try {
    const store = await open(directory);
    try {
      return await storeDigest(store);
    } finally {
      await store.close();
    }
  } catch (error) {
    if (!(error instanceof OptionError)) throw error;
    expect(error.option).toBe('db');
    expect(error.problem).toMatch(/^is damaged: /);
    return 'refused';
  }
}

function flip(file: string, at: number, bit: number): void {
  const bytes = readFileSync(file);
  bytes[at]! ^= 1 << bit;
  writeFileSync(file, bytes);
}

interface Flip {
  readonly file: string;
  readonly at: number;
  readonly bit: number;
}

/** All files are equally likely, and the first and last hundred bytes of each as likely as all others. */
const place = fc.tuple(fc.nat(), fc.nat(), fc.nat(2), fc.nat(7)).map(([which, where, part, bit]): Flip => {
  const full = files.filter((name) => readFileSync(path.join(whole, 'chain', name)).length > 0);
  const file = full[which % full.length]!;
  const { length } = readFileSync(path.join(whole, 'chain', file));
  const near = where % Math.min(100, length);
  return { file, at: part === 0 ? where % length : part === 1 ? near : length - 1 - near, bit };
});

describe('files of a database with flipped bits', () => {
  it('include several tables, a log and a manifest', () => {
    expect(files.filter((name) => name.endsWith('.ldb')).length).toBeGreaterThan(1);
    expect(files.filter((name) => name.endsWith('.log')).length).toBe(1);
  });

  it('are read correctly, or refused', async () => {
    const seen = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(fc.array(place, { minLength: 1, maxLength: 3 }), async (flips) => {
        const read = await readAfter('flipped', (chain) => {
          for (const { file, at, bit } of flips) flip(path.join(chain, file), at, bit);
        });
        expect([digest, 'refused']).toContain(read);
        seen.set(read, (seen.get(read) ?? 0) + 1);
      }),
      { numRuns: 250, seed: 4 },
    );
    // Nearly all flips are detected or harmless; a few bytes at the end of a table do not matter.
    expect(seen.get('refused')).toBeGreaterThan(200);
  });

  it('are refused if one is missing or truncated', async () => {
    for (const file of files) {
      if (readFileSync(path.join(whole, 'chain', file)).length === 0) continue;
      expect(await readAfter('missing', (chain) => rmSync(path.join(chain, file))), `${file} missing`).toBe('refused');
      if (file.endsWith('.ldb')) {
        expect(await readAfter('cut', (chain) => truncateSync(path.join(chain, file), 1000)), `${file} cut`).toBe(
          'refused',
        );
      }
    }
  });

  it('are named in the error', async () => {
    const table = files.find((name) => name.endsWith('.ldb'))!;
    flip(path.join(whole, 'chain', table), 100, 3);
    const damage = async () => (await verifiedFiles(path.join(whole, 'chain'))).damaged;
    expect(await damage()).toEqual([{ file: table, what: 'has a damaged block at 0' }]);
    await expect(createDevnet({ db: whole })).rejects.toThrow(
      `option db is damaged: chain/${table} has a damaged block at 0`,
    );
    flip(path.join(whole, 'chain', table), 100, 3);
    expect(await damage()).toEqual([]);
  });
});
