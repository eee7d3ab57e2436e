/**
 * A node ends together with the npm or npx that started it, and continues if a shell has put it into the background.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildIfStale } from '../../scripts/build.mjs';

const NODE = 'sunup --json --http-port 0 --grpc-port 0 --grpc-solidity-port 0';

const folder = mkdtempSync(path.join(tmpdir(), 'sunup-npm-'));
const started: ChildProcess[] = [];
beforeAll(async () => {
  const bin = path.join(folder, 'node_modules', '.bin');
  mkdirSync(bin, { recursive: true });
  const command = await buildIfStale();
  writeFileSync(path.join(bin, 'sunup'), `#!/bin/sh\nexec "${process.execPath}" "${command}" "$@"\n`, { mode: 0o755 });
  const scripts = {
    start: NODE,
    // As before a test run: the script ends when the node is ready, and the node stays.
    background: `${NODE} > background.log & echo $! > background.pid; read line`,
    quoted: `${NODE} --mnemonic "legal winner thank year wave sausage worth useful legal winner thank yellow" 2>&1`,
  };
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ name: 'user', private: true, scripts }));
});
afterAll(() => {
  for (const one of started) one.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

/** Variables of vitest's own npm that would interfere. */
function environment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name)));
}

function run(file: string, ...words: readonly string[]): ChildProcess {
  const child = spawn(file, words, {
    cwd: folder,
    env: { ...environment(), npm_config_update_notifier: 'false' },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  started.push(child);
  return child;
}

interface Output {
  /** The node's URL, once it listens. */
  readonly url: string;
  /** Resolves when the output is closed, that is when the node has ended. */
  readonly ended: Promise<readonly string[]>;
}

async function listening(child: ChildProcess): Promise<Output> {
  const lines: string[] = [];
  const reader = createInterface({ input: child.stdout! });
  const ended = once(reader, 'close').then(() => lines);
  const url = await new Promise<string>((found, failed) => {
    reader.on('line', (line) => {
      lines.push(line);
      const event = line.startsWith('{"event":"ready"') ? (JSON.parse(line) as { http: { url: string } }) : undefined;
      if (event !== undefined) found(event.http.url);
    });
    reader.on('close', () => failed(new Error('it has ended')));
  });
  return { url, ended };
}

const isAnswering = (url: string) =>
  fetch(`${url}/healthcheck`).then(
    ({ ok }) => ok,
    () => false,
  );

describe.skipIf(process.platform === 'win32')('a node that npm started', () => {
  it.each<[what: string, signal: NodeJS.Signals, words: readonly string[]]>([
    ['npx is ended', 'SIGTERM', ['exec', '--', ...NODE.split(' ')]],
    ['npx is killed', 'SIGKILL', ['exec', '--', ...NODE.split(' ')]],
    ['npm start is ended', 'SIGTERM', ['start']],
    ['npm run is hung up', 'SIGHUP', ['run', 'quoted']],
  ])('ends in order when %s', async (_, signal, words) => {
    const npm = run('npm', ...words);
    const { url, ended } = await listening(npm);
    expect(await isAnswering(url)).toBe(true);
    npm.kill(signal);
    expect((await ended).at(-1)).toBe('{"event":"closed"}');
    expect(await isAnswering(url)).toBe(false);
  });

  it('continues if a script has put it into the background, and if a shell did so with npx', async () => {
    const script = run('npm', 'run', 'background');
    const log = path.join(folder, 'background.log');
    // The shell that put npx into the background ends, npx does not.
    const shell = run('sh', '-c', `npx ${NODE} & echo $! > npx.pid`);
    const { url, ended } = await listening(shell);
    let background: string | undefined;
    while (background === undefined) {
      background = existsSync(log) ? /"http":\{[^}]*"url":"([^"]+)"/.exec(readFileSync(log, 'utf8'))?.[1] : undefined;
      await new Promise(setImmediate);
    }
    script.stdin?.end('\n');
    await once(script, 'exit');
    // Another node is stopped afterwards: when it has noticed, these would have noticed, too.
    for (let round = 0; round < 2; round++) {
      const npm = run('npm', 'start');
      const other = await listening(npm);
      npm.kill('SIGTERM');
      await other.ended;
    }
    expect([await isAnswering(background), await isAnswering(url)]).toEqual([true, true]);
    process.kill(Number(readFileSync(path.join(folder, 'background.pid'), 'utf8')), 'SIGTERM');
    // npx in the background ends the node like any other.
    process.kill(Number(readFileSync(path.join(folder, 'npx.pid'), 'utf8')), 'SIGTERM');
    expect((await ended).at(-1)).toBe('{"event":"closed"}');
  });
});
