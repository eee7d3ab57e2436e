import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { runRunCommand } from '../../../src/cli/run-command.js';
import { checkDirectory } from '../../../src/devnet/database/check-database.js';
import { said } from './said.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'sunup-run-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const TEXT = `
network: { preset: mainnet@2025-09 }
accounts: { alice: 100 TRX, bob: 1 TRX }
steps:
  - label: pays
    transfer: { from: alice, to: bob, amount: 1 TRX }
    expect: { fee: 0 }
`;

async function run(...words: string[]) {
  const { code: exitCode, ...heard } = await said((say) => runRunCommand(['run', ...words], say));
  return { exitCode, ...heard };
}

async function fileOf(text: string, name = 'day.scenario.yaml'): Promise<string> {
  const file = path.join(folder, name);
  await writeFile(file, text);
  return file;
}

it('shows who paid, and ends with the digest', async () => {
  const { exitCode, out, err } = await run(await fileOf(TEXT));
  expect({ exitCode, err }).toEqual({ exitCode: 0, err: '' });
  expect(out).toMatch(/pays +│ TransferContract/);
  expect(out).toMatch(/digest [0-9a-f]{64} \(rules \d+\)/);
});

it('prints an object for each file as JSON, and each result before it where that is asked for', async () => {
  const files = [await fileOf(TEXT), await fileOf(JSON.stringify({ steps: [{ mine: 2 }] }), 'short.json')];
  const { out } = await run(...files, '--json', '--results');
  const lines = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines.map((line) => Object.keys(line).slice(0, 2).join())).toEqual([
    'file,result',
    'file,digest',
    'file,result',
    'file,digest',
  ]);
  expect(lines[1]).toMatchObject({ digest: expect.stringMatching(/^[0-9a-f]{64}$/), totals: { transactions: 1 } });
});

it('keeps the chain in a directory, which must be empty, and comes to the same', async () => {
  const file = await fileOf(TEXT);
  const db = path.join(folder, 'chain');
  const [memory, disk] = [await run(file, '--json'), await run(file, '--json', '--db', db)];
  expect(disk).toEqual(memory);
  expect(await checkDirectory(db, { replay: true })).toMatchObject({ findings: [], replayed: true });
  expect(await run(file, '--db', db)).toMatchObject({
    exitCode: 2,
    err: expect.stringContaining('holds a chain already'),
  });
});

it('ends with 1 where an expectation does not hold, and says where', async () => {
  const file = await fileOf(TEXT.replace('fee: 0', 'fee: 1 TRX'));
  const { exitCode, err } = await run(file);
  expect(exitCode).toBe(1);
  expect(err).toBe(
    `${file}:7:20: steps[0] (pays), result 0: fee\n  expected 1 TRX (1,000,000 sun)\n  got      0 TRX (0 sun)\n`,
  );
});

it('writes a snapshot, compares with it, and writes it again', async () => {
  const file = await fileOf(TEXT);
  const snapshot = path.join(folder, 'day.scenario.snap.yaml');
  expect((await run(file, '--update')).exitCode).toBe(0);
  expect((await run(file)).exitCode).toBe(0);
  const stored = await readFile(snapshot, 'utf8');
  await writeFile(snapshot, stored.replace('bandwidth: 267', 'bandwidth: 268'));
  const { exitCode, err } = await run(file);
  expect(exitCode).toBe(1);
  expect(err).toContain(`${snapshot}: totals\n  expected bandwidth 268\n  got      bandwidth 267\n`);
  await run(file, '--update');
  expect(await readFile(snapshot, 'utf8')).toBe(stored);
});

it('ends with 2 for what is no scenario, and runs the others', async () => {
  const { exitCode, err, out } = await run(await fileOf('steps: 5', 'bad.yaml'), await fileOf(TEXT), '/no/such');
  expect(exitCode).toBe(2);
  expect(err).toMatch(/bad\.yaml:1:8: expected a list of steps\n/);
  expect(err).toContain('/no/such:1:1: cannot be read: ENOENT');
  expect(out).toContain('digest');
});

it('refuses what it would pass over in silence', async () => {
  const file = await fileOf(TEXT);
  const said = async (...words: string[]) => {
    const { exitCode, out, err } = await run(file, ...words);
    expect([exitCode, out]).toEqual([2, '']);
    return err.trimEnd();
  };
  expect(await said('--shard', '1/3')).toBe('--shard cannot be used without --what-if');
  expect(await said('--svg')).toBe('--svg cannot be used without --what-if');
  expect(await said('--what-if', 'getEnergyFee=1', '--update')).toBe('--update cannot be used with --what-if');
  expect(await said('--results')).toBe('--results needs --json');
  expect(await said('--json', '--csv')).toBe('--json and --csv cannot be combined');
});
