/** V8's code cache of the command (`src/cli/sunup.ts`). */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  watch,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { buildIfStale } from '../../scripts/build.mjs';
import { RunningCommand } from './command.js';

const caches = mkdtempSync(path.join(tmpdir(), 'sunup-caches-'));
afterAll(() => rmSync(caches, { recursive: true, force: true }));

const env = { XDG_CACHE_HOME: caches, LOCALAPPDATA: caches, HOME: caches };
const folder = path.join(caches, process.platform === 'darwin' ? 'Library/Caches/sunup' : 'sunup');

const kept = () => readdirSync(folder).filter((name) => name.endsWith('.code'));

/** Starts the command, and waits until it has written the cache file. */
async function startUntilKept(): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const watcher = watch(folder);
  const stored = new Promise<void>((resolve) => {
    watcher.on('change', () => {
      if (kept().length > 0) resolve();
    });
  });
  await using command = await RunningCommand.start(['--json'], undefined, { env });
  await command.ready();
  await stored;
  watcher.close();
}

async function startAndStop(): Promise<void> {
  await using command = await RunningCommand.start(['--json'], undefined, { env });
  await command.ready();
  await command.end('SIGTERM');
}

test('the first start writes the cache, later ones use it, and a damaged one is replaced', async () => {
  await startUntilKept();
  const [name] = kept();
  const file = path.join(folder, name as string);
  const { ino, mtimeMs } = statSync(file);

  await startAndStop();
  expect(statSync(file)).toMatchObject({ ino, mtimeMs });

  const bytes = readFileSync(file);
  bytes[bytes.length >> 1]! ^= 1;
  writeFileSync(file, bytes);
  await startAndStop();
  expect(kept()).toEqual([name]);
  expect(readFileSync(file)).not.toEqual(bytes);
});

test('the caches of the last builds stay, those of older ones are removed', async () => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  const suffix = `-${process.version}-${process.arch}.code`;
  for (const [age, build] of ['b', 'd', 'a', 'c', 'e'].entries()) {
    const file = path.join(folder, build + suffix);
    writeFileSync(file, '');
    utimesSync(file, 1_000 - age, 1_000 - age);
  }
  await startAndStop();
  expect(kept()).toHaveLength(4);
  expect(kept()).toEqual(expect.arrayContaining(['b', 'd', 'a'].map((build) => build + suffix)));
});

test('a start that is stopped at once writes the cache, another subcommand does not', async () => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  const mine = spawn(process.execPath, [await buildIfStale(), 'mine', '--url', 'http://127.0.0.1:1'], {
    env: { ...process.env, ...env },
    stdio: 'ignore',
  });
  expect(await once(mine, 'exit')).toEqual([1, null]);
  expect(kept()).toEqual([]);

  await startAndStop();
  expect(kept()).toHaveLength(1);
});
