/** Valid and invalid directories for `--db`, and what remains of directories after shutdown or a crash. */

import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildIfStale } from '../../scripts/build.mjs';
import { checkDirectory } from '../../src/devnet/database/check-database.js';
import { createDevnet, type DevnetOptions, OptionError } from '../../src/index.js';
import { openLevelDb } from '../../src/platform/leveldb.js';
import { RunningCommand } from './command.js';

const folder = mkdtempSync(path.join(tmpdir(), 'sunup-directories-'));
const mounts: string[] = [];
afterAll(() => {
  for (const mount of mounts) spawnSync('umount', [mount]);
  rmSync(folder, { recursive: true, force: true });
});
let command: string;
beforeAll(async () => {
  command = await buildIfStale();
});

/** A separate file system; undefined if this user cannot mount one. */
function mounted(name: string, options: string): string | undefined {
  const directory = path.join(folder, name);
  mkdirSync(directory);
  if (
    process.platform !== 'linux' ||
    spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', directory]).status !== 0
  )
    return undefined;
  mounts.push(directory);
  return directory;
}

async function refusal(db: string): Promise<OptionError> {
  const error = await createDevnet({ db }).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(OptionError);
  expect((error as OptionError).option).toBe('db');
  return error as OptionError;
}

describe('an unusable directory is refused with a message', () => {
  it('if it is a file, or below a file', async () => {
    const file = path.join(folder, 'file');
    writeFileSync(file, 'text');
    for (const db of [file, path.join(file, 'below')]) {
      expect((await refusal(db)).problem).toBe(`is ${db}, which is a file, or is inside one`);
    }
    const { status, stderr } = spawnSync(process.execPath, [command, '--db', file], { encoding: 'utf8' });
    expect(status).toBe(1);
    expect(stderr).toBe(
      `error: option '--db' is ${file}, which is a file, or is inside one\n(Use another directory)\n`,
    );
  });

  it.runIf(process.platform === 'linux')('if its file system does not store files', async () => {
    for (const db of ['/proc', '/proc/sunup', '/sys', '/sys/sunup']) {
      expect((await refusal(db)).problem).toMatch(
        new RegExp(`^is ${db}, which (is on a file system|is not writable|is on a read-only)`),
      );
    }
  });

  it('if it is not writable', async ({ skip }) => {
    const db = mounted('read-only', 'ro,size=1m');
    if (db === undefined) return skip();
    expect((await refusal(db)).problem).toBe(`is ${db}, which is on a read-only file system`);
  });

  it('if the disk is full', async ({ skip }) => {
    const db = mounted('tiny', 'size=16k');
    if (db === undefined) return skip();
    expect((await refusal(db)).problem).toMatch(/^is .*tiny, which (has no disk space left|is on a full file system)/);
  });

  it('if its database is invalid', async () => {
    const db = path.join(folder, 'nonsense');
    mkdirSync(path.join(db, 'chain'), { recursive: true });
    writeFileSync(path.join(db, 'chain', 'CURRENT'), 'nonsense');
    expect((await refusal(db)).problem).toMatch(/^is damaged: chain\/CURRENT does not name a manifest/);
  });
});

describe('a directory with other files', () => {
  const withFiles = (name: string, ...files: readonly string[]) => {
    const db = path.join(folder, name);
    for (const file of files) {
      mkdirSync(path.dirname(path.join(db, file)), { recursive: true });
      writeFileSync(path.join(db, file), 'text');
    }
    return db;
  };

  it('is refused by name for a new chain, and stays unchanged', async () => {
    const db = withFiles('project', 'package.json', 'src/index.ts', 'README.md', 'test.js');
    const { problem, hint } = await refusal(db);
    expect(problem).toBe(`is ${db}, which has no chain, but other files: README.md, package.json, src and 1 more`);
    expect(hint).toBe(`Use a new or empty directory, for example ${path.join(db, 'sunup-chain')}`);
    expect(readdirSync(db).sort()).toEqual(['README.md', 'package.json', 'src', 'test.js']);
    await (await createDevnet({ db: path.join(db, 'sunup-chain') })).close();
  });

  it('is refused by the command, and for the chain of a scenario', async () => {
    const db = withFiles('notes', 'notes.txt');
    const scenario = path.join(folder, 'empty.scenario.yaml');
    writeFileSync(scenario, 'steps: []\n');
    const started = spawnSync(process.execPath, [command, '--db', db], { encoding: 'utf8' });
    expect([started.status, started.stderr]).toEqual([
      1,
      `error: option '--db' is ${db}, which has no chain, but other files: notes.txt\n(Use a new or empty directory, for example ${path.join(db, 'sunup-chain')})\n`,
    ]);
    const run = spawnSync(process.execPath, [command, 'run', scenario, '--db', db], { encoding: 'utf8' });
    expect([run.status, run.stderr]).toEqual([2, expect.stringContaining('other files: notes.txt')]);
    expect(readdirSync(db)).toEqual(['notes.txt']);
  });

  it('is refused if the files are in a folder with the name of the database', async () => {
    const sources = withFiles('sources', 'chain/main.go');
    expect((await refusal(sources)).problem).toMatch(/other files: chain\/main\.go$/);
    const file = withFiles('file-chain', 'chain');
    expect((await refusal(file)).problem).toMatch(/other files: chain$/);
  });

  it('is opened if it has a chain', async () => {
    const db = path.join(folder, 'beside');
    await (await createDevnet({ db })).close();
    withFiles('beside', 'notes.txt');
    const devnet = await createDevnet({ db });
    expect((await devnet.mine(1)).number).toBe(3);
    await devnet.close();
  });

  it('is opened if the files are from the system or from a chain that was killed at its start', async () => {
    const volume = withFiles('volume', 'lost+found/x', '.gitignore', '.DS_Store');
    await (await createDevnet({ db: volume })).close();
    // LevelDB writes the first manifest before the file that names it.
    const begun = [
      withFiles('begun', 'chain/LOCK', 'chain/LOG'),
      withFiles('begun-manifest', 'chain/LOCK', 'chain/LOG', 'chain/MANIFEST-000001', 'chain/000001.dbtmp'),
    ];
    for (const db of begun) {
      await (await createDevnet({ db })).close();
      expect((await checkDirectory(db, { replay: true })).findings).toEqual([]);
    }
  });

  it('is refused if only a later manifest is left of a chain', async () => {
    const rest = withFiles('rest', 'chain/LOCK', 'chain/LOG', 'chain/MANIFEST-000002');
    expect((await refusal(rest)).problem).toBe('is damaged: chain/CURRENT is missing');
  });
});

describe('the directory of a chain', () => {
  it('is readable only by its owner', async () => {
    const db = path.join(folder, 'mode', 'below');
    await (await createDevnet({ db })).close();
    if (process.platform !== 'win32') expect(statSync(db).mode & 0o777).toBe(0o700);
  });

  /** The log of a node that opens a directory. */
  async function said(options: DevnetOptions): Promise<string[]> {
    const warnings: string[] = [];
    const log = {
      warn: (message: string) => void warnings.push(message),
      error: (message: string) => void warnings.push(message),
    };
    await (await createDevnet({ ...options, log })).close();
    return warnings;
  }

  it('recommends a check after a crash, and only then', async () => {
    const db = path.join(folder, 'killed');
    await using node = await RunningCommand.start(['--json', '--manual', '--db', db]);
    await node.ready();
    node.process.kill('SIGKILL');
    await once(node.process, 'exit');
    const advice = [
      `the chain in ${db} was not closed properly, for example after a crash. It continues from block 2. Check the database with sunup check ${db}`,
    ];
    expect(await said({ db })).toEqual(advice);
    expect(await said({ db })).toEqual([]);
    expect(await said({ db: path.join(folder, 'new') })).toEqual([]);
    expect((await checkDirectory(db, { replay: true })).findings).toEqual([]);
  });

  it('is refused if it is shorter than at its shutdown', async () => {
    const db = path.join(folder, 'shorter');
    await (await createDevnet({ db })).close();
    cpSync(path.join(db, 'chain'), path.join(folder, 'before'), { recursive: true });
    const devnet = await createDevnet({ db });
    await devnet.mine(3);
    await devnet.close();
    rmSync(path.join(db, 'chain'), { recursive: true });
    cpSync(path.join(folder, 'before'), path.join(db, 'chain'), { recursive: true });
    for (let start = 0; start < 2; start++) {
      expect((await refusal(db)).problem).toMatch(/ends with block 2 [0-9a-f]{64}, but it was closed with block 5 /);
    }
  });

  it('without a row begins a chain, unless one was closed there', async () => {
    const db = path.join(folder, 'empty');
    // What a kill, or a loss of power, in the first moments leaves.
    const beginEmpty = async () => {
      rmSync(path.join(db, 'chain'), { recursive: true, force: true });
      await (await openLevelDb(db, 'chain')).close();
    };
    mkdirSync(db);
    await beginEmpty();
    const devnet = await createDevnet({ db });
    expect(await devnet.mine(1)).toMatchObject({ blocks: 1 });
    const loadState = await devnet.dump();
    await devnet.close();
    const other = path.join(folder, 'empty-for-a-dump');
    mkdirSync(other);
    await (await openLevelDb(other, 'chain')).close();
    const loaded = await createDevnet({ db: other, loadState });
    expect(await loaded.mine(1)).toMatchObject({ number: 4 });
    await loaded.close();
    await expect(createDevnet({ db: other, loadState })).rejects.toThrow('already has one');
    await beginEmpty();
    for (let start = 0; start < 3; start++) {
      // All its files are gone.
      if (start === 2) rmSync(path.join(db, 'chain'), { recursive: true });
      expect((await refusal(db)).problem).toMatch(/has no block, but it was closed with block 3 /);
    }
  });
});

describe('a temporary directory', () => {
  it('is removed with its node, or after a crash by the next node', async () => {
    const home = path.join(folder, 'tmp');
    mkdirSync(home);
    // Belongs to something else, although it looks similar.
    mkdirSync(path.join(home, 'sunup-abc123'));
    const start = async () => {
      const running = await RunningCommand.start(['--json', '--manual'], undefined, { env: { TMPDIR: home } });
      return { running, directory: (await running.ready()).dataDirectory.path };
    };
    await using first = await start().then(disposable);
    await using second = await start().then(disposable);
    expect(path.dirname(first.directory)).toBe(home);
    first.running.process.kill('SIGKILL');
    await once(first.running.process, 'exit');
    expect(existsSync(first.directory)).toBe(true);
    await using third = await start().then(disposable);
    expect((await third.running.end('SIGTERM')).code).toBe(0);
    // The directory of the killed node is removed, that of the running one is not.
    expect(readdirSync(home).sort()).toEqual([path.basename(second.directory), 'sunup-abc123'].sort());
    expect((await second.running.end('SIGTERM')).code).toBe(0);
    expect(readdirSync(home)).toEqual(['sunup-abc123']);
  });

  function disposable(started: { running: RunningCommand; directory: string }) {
    return { ...started, [Symbol.asyncDispose]: () => started.running[Symbol.asyncDispose]() };
  }
});
