/** `sunup check` finds changed data; `sunup upgrade` converts an old database into the same chain. */

import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  watch,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildIfStale } from '../../scripts/build.mjs';
import { openDatabase } from '../../src/devnet/database/chain-database.js';
import { checkDirectory } from '../../src/devnet/database/check-database.js';
import { upgradeDirectory } from '../../src/devnet/database/upgrade-database.js';
import { createDevnet, OptionError } from '../../src/index.js';
import { blockIdAt } from '../../src/ledger/blocks/block-ids.js';
import { NETWORK_SETTINGS } from '../../src/ledger/config.js';
import { withoutPlaces } from '../../src/ledger/history/log-index.js';
import { type LevelDatabase, LevelStore } from '../../src/node/storage/level-store.js';
import { type LevelDb, openLevelDb } from '../../src/platform/leveldb.js';
import { withChecksum, withoutChecksum } from '../../src/state/row-checksum.js';
import { TABLES } from '../../src/state/tables.js';
import { BEGINNING, operation, perform } from '../simulation/operations.js';
import { SimulatedChain } from '../simulation/simulated-chain.js';
import { isTracing, RENAMES, strace } from '../simulation/simulator/real/system-calls.js';
import { storeDigest } from '../simulation/store-digest.js';

const folder = mkdtempSync(path.join(tmpdir(), 'sunup-check-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let command: string;
beforeAll(async () => {
  command = await buildIfStale();
});

async function level(directory: string): Promise<LevelStore> {
  return new LevelStore((await openLevelDb(directory)) as unknown as LevelDatabase);
}

/** A copy of a database for changes. */
async function changed(from: string, name: string, change: (database: LevelDb) => Promise<void>): Promise<string> {
  const directory = path.join(folder, name);
  rmSync(directory, { recursive: true, force: true });
  cpSync(from, directory, { recursive: true });
  const database = await openLevelDb(directory);
  await change(database);
  await database.close();
  return directory;
}

const check = (directory: string, replay = false) => checkDirectory(directory, { replay });

describe('check', () => {
  const whole = path.join(folder, 'whole');
  let head: { number: number; id: string };

  beforeAll(async () => {
    const chain = await SimulatedChain.open({ store: await level(whole), witnessVotes: [100, 60] });
    chain.node.mine(2);
    for (const one of [...BEGINNING, ...fc.sample(operation, { numRuns: 80, seed: 5 })]) perform(chain, one);
    chain.node.mine(2_000);
    // Removed blocks leave no rows and no counts.
    const before = chain.node.snapshot();
    for (let i = 0; i < 3; i++) {
      chain.transfer(i, chain.address(i + 1), 1n);
      chain.node.mine(1);
    }
    chain.node.revert(before);
    chain.transfer(0, chain.address(1), 5n);
    chain.node.producer.mineNow();
    head = { number: chain.node.chain.headNumber, id: chain.node.chain.headId };
    await chain.close();
  });

  it('reports no fault for an intact database, and --replay gives the same state', async () => {
    const progress: string[] = [];
    const report = await checkDirectory(whole, {
      replay: true,
      progress: (phase, done, total) => {
        expect(done).toBeLessThanOrEqual(total);
        if (progress.at(-1) !== phase) progress.push(phase);
      },
    });
    expect(report).toMatchObject({ blocks: head.number + 1, headId: head.id, replayed: true, findings: [] });
    expect(report.transactions).toBeGreaterThan(40);
    expect(progress).toEqual(['rows', 'blocks', 'changes', 'replay']);
  });

  const withRows = Object.values(TABLES).filter(({ name }) => !['tallies'].includes(name));

  it('finds a missing or changed row in each table', async () => {
    let tried = 0;
    for (const { name, prefix } of withRows) {
      const database = await openLevelDb(whole);
      const keys = await database.keys({ gte: prefix, lt: `${prefix.slice(0, -1)};` }).all();
      await database.close();
      const key = keys[keys.length >> 1];
      if (key === undefined) continue;
      tried++;
      const gone = await check(await changed(whole, 'gone', (database) => database.del(key)));
      expect(gone.findings, `${key} is gone`).not.toEqual([]);
      // A flipped bit in a key: the value is valid for another row.
      const renamed = await changed(whole, 'renamed', async (database) => {
        const value = database.getSync(key)!;
        await database.del(key);
        await database.put(`${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`, value);
      });
      expect((await check(renamed)).findings, `${key} is renamed`).not.toEqual([]);
      const damaged = await changed(whole, 'damaged', async (database) => {
        const value = Buffer.from(database.getSync(key)!);
        value[value.length >> 1]! ^= 1;
        await database.put(key, value);
      });
      expect((await check(damaged)).findings).toContainEqual({
        table: name,
        key: key.slice(prefix.length),
        what: 'is corrupt: its checksum is wrong',
      });
    }
    expect(tried).toBeGreaterThan(15);
  });

  // Found by the simulator with real nodes and seed 410002: the check ended with a stack.
  it('finds a change of the very first row', async () => {
    let first = '';
    const broken = await changed(whole, 'first', async (database) => {
      first = (await database.keys({ limit: 1 }).all())[0]!;
      const value = Buffer.from(database.getSync(first)!);
      value[0]! ^= 1;
      await database.put(first, value);
    });
    expect((await check(broken)).findings).toContainEqual({
      table: 'accounts',
      key: first.slice(2),
      what: 'is corrupt: its checksum is wrong',
    });
  });

  it('finds a missing or changed row of the history index', async () => {
    const firstRow = async (database: LevelDb) => {
      for await (const row of (database as unknown as LevelDatabase).iterator({ gte: 'h:', limit: 1 })) return row;
      throw new Error('there is no row');
    };
    const gone = await changed(whole, 'history-gone', async (database) => database.del((await firstRow(database))[0]));
    expect((await check(gone)).findings.map(({ what }) => what)).toEqual([
      'is missing from the index',
      expect.stringMatching(/^the index has \d+ rows, and should have \d+$/),
    ]);
    const other = await changed(whole, 'history-other', async (database) => {
      const [key] = await firstRow(database);
      await database.put(key, Buffer.from(withChecksum(key, Buffer.alloc(6, 1))));
    });
    expect((await check(other)).findings.map(({ what }) => what)).toEqual(['is not what its block says']);
  });

  it('finds a missing or changed row of the index of changes', async () => {
    const key = 'ch:pl:latest_block_header_number';
    const gone = await changed(whole, 'changes-gone', async (database) => database.del(key));
    expect((await check(gone)).findings.map(({ what }) => what)).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^does not say that block \d+ changed the row$/),
        expect.stringMatching(/^the index has \d+ changes, and should have \d+$/),
      ]),
    );
    const more = await rewritten('changes-more', key, (page) => Buffer.concat([page, Buffer.from([2])]));
    expect((await check(more)).findings.map(({ what }) => what)).toEqual([
      expect.stringMatching(/^the index has \d+ changes, and should have \d+$/),
    ]);
  });

  it('finds missing pre-images', async () => {
    const directory = await changed(whole, 'pre', async (database) => {
      const keys = await database.keys({ gte: 'pre:', lt: 'pre;' }).all();
      await database.del(keys[5]!);
    });
    expect((await check(directory)).findings).toMatchObject([{ table: 'pre-images' }]);
  });

  /** A wrong row with a valid checksum, as a bug would write it. */
  async function rewritten(name: string, key: string, change: (value: Buffer) => Buffer): Promise<string> {
    return changed(whole, name, async (database) => {
      const value = withoutChecksum(key, database.getSync(key)!)!;
      await database.put(key, withChecksum(key, change(Buffer.from(value))));
    });
  }

  it('finds a block with a changed header', async () => {
    const directory = await rewritten('header', 'b:000000000005', (value) => {
      const timestamp = 40;
      value[timestamp]! ^= 1;
      return value;
    });
    expect((await check(directory)).findings[0]).toMatchObject({ table: 'blocks' });
  });

  it('finds a wrong balance by applying the blocks again', async () => {
    const directory = await rewritten('balance', 'pl:TOTAL_NET_WEIGHT', () => Buffer.from('123456'));
    expect((await check(directory)).findings).toEqual([]);
    expect((await check(directory, true)).findings).toContainEqual({
      table: 'longs',
      key: 'TOTAL_NET_WEIGHT',
      what: 'differs from the result of applying the blocks again',
    });
  });

  it('reports damaged files, and does not open them with LevelDB', async () => {
    const directory = path.join(folder, 'files');
    cpSync(whole, directory, { recursive: true });
    const chain = path.join(directory, 'chain');
    rmSync(path.join(chain, 'CURRENT'));
    expect(await check(directory)).toMatchObject({
      findings: [{ table: 'files', key: 'CURRENT', what: 'is missing' }],
    });
    await expect(createDevnet({ db: directory })).rejects.toThrow(/option db is damaged: chain\/CURRENT is missing/);
  });

  it('has text output for people and JSON for programs', async () => {
    const run = (...words: string[]) => spawnSync(process.execPath, [command, ...words], { encoding: 'utf8' });
    const good = run('check', whole, '--replay');
    expect(good).toMatchObject({ status: 0, stderr: '' });
    expect(good.stdout).toMatch(
      new RegExp(
        `^OK: \\d+ rows, ${head.number + 1} blocks, \\d+ transactions; the head is ${head.id}\\. Applying every block again`,
      ),
    );
    const broken = await changed(whole, 'command', (database) => database.del('pl:TOTAL_NET_WEIGHT'));
    const bad = run('check', broken, '--json');
    expect(bad.status).toBe(1);
    expect(JSON.parse(bad.stdout)).toMatchObject({ whole: false, findingCount: 1, findings: [{ table: 'longs' }] });
    expect(run('check', broken).stdout).toMatch(
      /^Damaged, 1 finding:\n {2}longs: table longs has \d+ rows, and should have \d+\n$/,
    );
    const nothing = run('check', path.join(folder, 'nothing'));
    expect(nothing).toMatchObject({ status: 1, stdout: '' });
    expect(nothing.stderr).toMatch(
      /^error: the directory is .*, which has no chain\n\(Use the directory that --db named\)\n$/,
    );
    const file = path.join(folder, 'dump.ndjson');
    writeFileSync(file, '');
    expect(run('check', file).stderr).toBe(
      `error: the directory is ${file}, which is a file\n(To replay a recording or a dump and compare every block, use sunup run ${file})\n`,
    );
    expect(existsSync(path.join(folder, 'nothing'))).toBe(false);
  });
});

describe.each([2, 3])('upgrade of format %i', (format) => {
  const fixture = path.resolve(import.meta.dirname, `../../fixtures/databases/format-${format}`);
  const expected = JSON.parse(readFileSync(path.join(fixture, 'expected.json'), 'utf8'));

  function old(name: string): string {
    const directory = path.join(folder, `${name}-${format}`);
    cpSync(fixture, directory, { recursive: true });
    return directory;
  }

  const upgrade = (directory: string) => upgradeDirectory(directory, NETWORK_SETTINGS, undefined);

  async function expectTheChain(directory: string): Promise<void> {
    const store = await level(directory);
    // The chain continues only with its initial options.
    const chain = await SimulatedChain.open({ store, witnessVotes: [100, 60, 40], accounts: 6 });
    const { ledger } = chain;
    expect(chain.node.chain).toMatchObject({ headNumber: expected.head, headId: expected.headId, strict: false });
    const ids = createHash('sha256');
    for (let number = 0; number <= expected.head; number++) ids.update(blockIdAt(ledger, number)!);
    expect(ids.digest('hex')).toBe(expected.idsSha256);
    for (const [name, digest] of Object.entries(expected.tables)) {
      // The index of accounts has another format now, and follows from the blocks.
      if (name === 'meta' || name === 'pre' || name === 'accountTransactions' || name === 'tallies') continue;
      const { prefix } = TABLES[name as keyof typeof TABLES];
      expect(await storeDigest(store, prefix, name === 'blocks' ? blockAsThen : undefined), name).toBe(digest);
    }
    chain.transfer(0, chain.address(1), 1n);
    chain.node.mine(1);
    await chain.close();
  }

  /** Its index of logs had no places of transactions. */
  function blockAsThen(value: Uint8Array): Uint8Array {
    const { id, header, transactionIds, logIndex } = TABLES.blocks.decode(value);
    return TABLES.blocks.encode({ id, header, transactionIds, logIndex: withoutPlaces(logIndex) });
  }

  it('gives the same blocks and the same state', async () => {
    const directory = old('format');
    await expect(createDevnet({ db: directory })).rejects.toThrow(`has format ${format}, this Sunup reads format 4`);
    expect(await upgrade(directory)).toEqual({
      from: format,
      to: 4,
      headNumber: expected.head,
      headId: expected.headId,
      kept: path.join(directory, `chain.format-${format}`),
    });
    expect((await checkDirectory(directory, { replay: true })).findings).toEqual([]);
    await expectTheChain(directory);
    // The current format needs no conversion.
    expect(await upgrade(directory)).toBeUndefined();
  });

  it('is completed by the next start if it was killed between its last two steps', async () => {
    const directory = old('killed');
    await upgrade(directory);
    renameSync(path.join(directory, 'chain'), path.join(directory, 'chain.upgrade'));
    await expectTheChainOpens(directory);
    await expectTheChain(directory);
  });

  it.runIf(isTracing())('says that its last move was refused, and the next command makes it', async () => {
    const directory = old('refused');
    const run = (tracer: readonly string[]) => {
      const [file = '', ...words] = [...tracer, process.execPath, command, 'upgrade', directory];
      const { status, stderr, stdout } = spawnSync(file, words, { encoding: 'utf8' });
      return { status, stderr, stdout };
    };
    const lastMove = [...strace(RENAMES, 'error=EIO'), '-P', path.join(directory, 'chain.upgrade')];
    expect(run(lastMove)).toEqual({
      status: 1,
      stderr: expect.stringMatching(/whose upgrade is not complete: EIO: .*\n\(Run sunup upgrade again\)\n$/),
      stdout: '',
    });
    expect(run([])).toMatchObject({ status: 0, stdout: 'The database already has the current format.\n' });
    await expectTheChainOpens(directory);
  });

  async function expectTheChainOpens(directory: string): Promise<void> {
    const { database, format: now } = await openDatabase(directory);
    expect(now).toBe(4);
    await database.close();
  }

  it('leaves everything unchanged if the result differs', async () => {
    const directory = old('other');
    const database = await openLevelDb(directory);
    const row = Buffer.from('7');
    await database.put('pl:TOTAL_NET_WEIGHT', format === 2 ? row : withChecksum('pl:TOTAL_NET_WEIGHT', row));
    await database.close();
    const error = await upgrade(directory).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(OptionError);
    expect((error as OptionError).problem).toMatch(/1 rows? differs?, the first is TOTAL_NET_WEIGHT of table longs/);
    expect(readdirSync(directory).sort()).toEqual(['chain', 'expected.json']);
    await expect(createDevnet({ db: directory })).rejects.toThrow(`has format ${format}`);
  });

  it('reports its result on the command line', () => {
    const directory = old('by-command');
    const run = () => spawnSync(process.execPath, [command, 'upgrade', directory], { encoding: 'utf8' });
    expect(run()).toMatchObject({
      status: 0,
      stdout:
        `Converted from format ${format} to 4. The head is block ${expected.head}, ${expected.headId}.\n` +
        `The old database is in ${directory}/chain.format-${format}. Delete it when you no longer need it.\n`,
    });
    expect(run().stdout).toBe('The database already has the current format.\n');
  });

  it.runIf(process.platform !== 'win32')('reports an interruption by a signal, and can be repeated', async () => {
    const directory = old('stopped');
    const begun = new Promise<void>((resolve) => {
      const watcher = watch(directory, () => {
        if (!existsSync(path.join(directory, 'chain.upgrade'))) return;
        watcher.close();
        resolve();
      });
    });
    const running = spawn(process.execPath, [command, 'upgrade', directory], { stdio: ['ignore', 'ignore', 'pipe'] });
    let said = '';
    running.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    const ended = once(running, 'close');
    await begun;
    running.kill('SIGHUP');
    expect(await ended).toEqual([129, null]);
    expect(said).toBe(
      `stopped; the database is unchanged. The next sunup upgrade ${directory} starts again from the first block\n`,
    );
    expect((await upgrade(directory))?.headId).toBe(expected.headId);
  });
});

it('opens a database with `networkLoad`, the former name of `networkStake`', async () => {
  const db = path.join(folder, 'network-load');
  cpSync(path.resolve(import.meta.dirname, '../../fixtures/databases/network-load'), db, { recursive: true });
  const options = { db, accounts: 1, httpPort: false } as const;
  {
    await using devnet = await createDevnet({ ...options, networkStake: 'mainnet@2025-12' });
    expect(devnet.networkStake.name).toBe('mainnet@2025-12');
  }
  await expect(createDevnet({ ...options, networkStake: 'none' })).rejects.toThrow(/networkStake is none/);
});
