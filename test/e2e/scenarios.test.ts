/** The scenarios of fixtures/scenarios: all expectations hold, with the same results in every environment. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { buildIfStale } from '../../scripts/build.mjs';
import { endOf, file, folder, scenarioFiles } from '../../scripts/scenario-digests.js';
import type { RunEnd } from '../../src/scenario/results/result.js';
import { RULES_VERSION } from '../../src/scenario/results/rules-version.js';

const golden = JSON.parse(readFileSync(file, 'utf8')) as {
  readonly rulesVersion: number;
  readonly digests: Readonly<Record<string, string>>;
};

it('are the eleven of the documentation, with digests for this version of the rules', () => {
  expect(scenarioFiles()).toHaveLength(11);
  expect(Object.keys(golden.digests)).toEqual(scenarioFiles());
  expect(golden.rulesVersion).toBe(RULES_VERSION);
});

it('pass with the stored digests, in another time zone and locale', async () => {
  const files = scenarioFiles().map((name) => fileURLToPath(new URL(name, folder)));
  const command = spawn(process.execPath, [await buildIfStale(), 'run', ...files, '--json'], {
    env: { ...process.env, TZ: 'Pacific/Chatham', LC_ALL: 'tr_TR.UTF-8', LANG: 'tr_TR.UTF-8' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [out, err] = ['', ''];
  command.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  command.stderr.setEncoding('utf8').on('data', (text: string) => {
    err += text;
  });
  const [code] = await once(command, 'close');
  expect({ code, err }).toEqual({ code: 0, err: '' });
  const ends = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as RunEnd & { readonly file: string });
  expect(Object.fromEntries(ends.map((end) => [path.basename(end.file), end.digest]))).toEqual(golden.digests);
});

it('can be the output of another program', async () => {
  const command = spawn(process.execPath, [await buildIfStale(), 'run', '-', '--json'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  command.stdin.end(JSON.stringify({ accounts: { alice: '1 TRX' }, steps: [{ mine: 2 }] }));
  let out = '';
  command.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  const [code] = await once(command, 'close');
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({ file: '-', results: 1 });
});

it('give the stored digests on LevelDB', async () => {
  const digests: Record<string, string> = {};
  for (const name of scenarioFiles()) {
    const directory = await mkdtemp(path.join(tmpdir(), 'sunup-scenario-'));
    try {
      digests[name] = (await endOf(name, directory)).digest;
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  }
  expect(digests).toEqual(golden.digests);
});
