/** Transaction costs of tests in a file, compared by the matcher and by the assertion. */

import { fork } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createDevnet, type DeployedContract, type Devnet } from '../../src/index.js';
import type { RunnerState } from '../../src/testing/current-test.js';
import { assertMatchesFeeSnapshot, matchers } from '../../src/testing.js';

let devnet: Devnet;
let token: DeployedContract;
let folder: string;
beforeAll(async () => {
  devnet = await createDevnet({ httpPort: false });
  token = await devnet.deploy('fixtures/contracts/Token.json', { args: [1_000_000n] });
});
afterAll(() => devnet.close());
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'sunup-fees-'));
  writeFileSync(path.join(folder, 'package.json'), '{}');
  mkdirSync(path.join(folder, 'test'));
  vi.spyOn(process, 'cwd').mockReturnValue(path.join(folder, 'test'));
  vi.stubEnv('CI', '');
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

const file = () => path.join(folder, '.fee-snapshot');
const lines = () => readFileSync(file(), 'utf8').trimEnd().split('\n').slice(1);
const transfer = (amount: bigint, to = 1) => token.write.transfer([devnet.accounts[to]!, amount]);

/** As called by a test runner. */
function ask(
  subject: unknown,
  { mode = 'new', ...state }: Partial<RunnerState> & { mode?: string } = {},
  options = {},
) {
  const runner = {
    testPath: path.join(folder, 'test', 'token.test.ts'),
    currentTestName: 'the token > is sent',
    snapshotState: { _updateSnapshot: mode },
    ...state,
  };
  return matchers.toMatchFeeSnapshot.call(runner, subject, options);
}

const LINE =
  /^test\/token\.test\.ts > the token > is sent: energy [\d,]+, penalty 0, bandwidth 3\d\d, burned \d\.\d+ TRX$/;

describe('a line', () => {
  it('is written for a new test, with the costs of the receipt', async () => {
    const receipt = await transfer(5n);
    expect((await ask(receipt)).pass).toBe(true);
    expect(lines()).toEqual([expect.stringMatching(LINE)]);
    expect(lines()[0]).toContain(`energy ${receipt.energy.toLocaleString('en-US')}, `);
    expect(lines()[0]).toContain(`burned ${Number(receipt.feeSun) / 1e6} TRX`);
    const before = readFileSync(file(), 'utf8');
    expect((await ask(receipt, { mode: 'none' })).pass).toBe(true);
    expect(readFileSync(file(), 'utf8')).toBe(before);
  });

  it('is compared, optionally with a tolerance in percent, and rewritten in update mode', async () => {
    await ask(transfer(5n, 2));
    // The receiver has a balance now, which makes the transfer cheaper.
    const { pass, message } = await ask(transfer(5n, 2));
    expect(pass).toBe(false);
    expect(message()).toMatch(
      /expected test\/token\.test\.ts > the token > is sent to cost what \.fee-snapshot says:\n {2}energy +\d\d,\d{3} → \d\d,\d{3} \(-\d\d\.\d %\)\n {2}burned .* → .* TRX \(-\d\d\.\d %\)\n\(to accept the new cost: -u of vitest and jest, or SUNUP_FEE_SNAPSHOT=all\)/,
    );
    // Followed by the explanation of the transaction.
    expect(message()).toContain('feeLimit');
    expect((await ask(transfer(5n, 2), {}, { tolerancePercent: 90 })).pass).toBe(true);
    expect((await ask(transfer(5n, 2), {}, { tolerancePercent: 1 })).pass).toBe(false);
    const [before] = lines();
    expect((await ask(transfer(5n, 2), { mode: 'all' })).pass).toBe(true);
    expect(lines()).not.toEqual([before]);
    expect((await ask(transfer(5n, 2), { mode: 'none' })).pass).toBe(true);
  });

  it('records a failure', async () => {
    await ask(transfer(10n ** 9n));
    expect(lines()[0]).toMatch(/ TRX, REVERT$/);
    expect((await ask(transfer(10n ** 9n), { mode: 'none' })).pass).toBe(true);
    const { message } = await ask(transfer(5n), { mode: 'none' });
    expect(message()).toContain('  result    REVERT → SUCCESS\n');
  });

  it('is not written in CI, or if the variable forbids it', async () => {
    const { pass, message } = await ask(transfer(5n), { mode: 'none' });
    expect(pass).toBe(false);
    expect(message()).toMatch(
      /is sent is not in \.fee-snapshot, and this run does not write it: it costs energy [\d,]+, /,
    );
    vi.stubEnv('SUNUP_FEE_SNAPSHOT', 'none');
    expect((await ask(transfer(5n), { mode: 'all' })).pass).toBe(false);
    vi.stubEnv('SUNUP_FEE_SNAPSHOT', 'everything');
    await expect(ask(transfer(5n))).rejects.toThrow('SUNUP_FEE_SNAPSHOT is everything; expected all, new or none');
    expect(() => lines()).toThrow('ENOENT');
  });

  it('is identified by its test and position, or by a given name', async () => {
    await ask(transfer(5n), { assertionCalls: 1 });
    await ask(transfer(5n), { assertionCalls: 2 });
    await ask(transfer(5n), { assertionCalls: 3 }, { name: 'once\nmore' });
    // A second run of the test.
    await ask(transfer(5n), { assertionCalls: 1 });
    await ask(transfer(5n), { currentTestName: 'another one', assertionCalls: 1 });
    expect(lines().map((line) => line.replace(/: energy.*/, ''))).toEqual([
      'test/token.test.ts > another one',
      'test/token.test.ts > the token > is sent',
      'test/token.test.ts > the token > is sent (2)',
      'test/token.test.ts > the token > is sent > once more',
    ]);
    await expect(ask(transfer(5n), { isNot: true })).rejects.toThrow('toMatchFeeSnapshot has no .not');
  });
});

describe('without a test runner', () => {
  it('lines need names, and CI is detected by environment variables', async () => {
    await assertMatchesFeeSnapshot(transfer(5n), { name: 'a transfer' });
    expect(lines()[0]).toMatch(/^a transfer: energy /);
    await expect(assertMatchesFeeSnapshot(transfer(5n), {} as never)).rejects.toThrow('pass a name for the line');
    vi.stubEnv('CI', 'true');
    await expect(assertMatchesFeeSnapshot(transfer(5n), { name: 'another' })).rejects.toThrow(
      'this run does not write it',
    );
    vi.stubEnv('SUNUP_FEE_SNAPSHOT', 'all');
    await assertMatchesFeeSnapshot(transfer(5n, 3), { name: 'a transfer' });
    expect(lines()).toHaveLength(1);
  });
});

describe('the file', () => {
  it('keeps the lines of processes that write concurrently, and is sorted', async () => {
    const writer = path.join(folder, 'writer.mjs');
    const module = path.resolve(import.meta.dirname, '../../src/testing/fee-snapshot-file.ts');
    writeFileSync(
      writer,
      `import { changeFeeLines } from ${JSON.stringify(module)};
      const line = { energy: 1n, penalty: 0n, bandwidth: 2n, burnedSun: 1_000_001n, result: 'SUCCESS' };
      for (let i = 0; i < 25; i++)
        changeFeeLines(process.argv[2], (lines) => lines.set('line ' + process.argv[3] + '.' + i, line));`,
    );
    const ended = [1, 2, 3].map((one) => {
      const child = fork(writer, [file(), String(one)], { execArgv: ['--import', 'tsx'], cwd: import.meta.dirname });
      return new Promise((resolve) => child.once('exit', resolve));
    });
    expect(await Promise.all(ended)).toEqual([0, 0, 0]);
    expect(lines()).toHaveLength(75);
    const names = lines().map((line) => line.replace(/: .*/, ''));
    expect(names).toEqual([...names].sort());
    expect(lines()[0]).toBe('line 1.0: energy 1, penalty 0, bandwidth 2, burned 1.000001 TRX');
  });

  it('ignores the lock of a killed process, and names an invalid line', async () => {
    writeFileSync(`${file()}.lock`, '');
    utimesSync(`${file()}.lock`, 1, 1);
    await assertMatchesFeeSnapshot(transfer(5n), { name: 'a: transfer' });
    writeFileSync(file(), `${readFileSync(file(), 'utf8')}<<<<<<< HEAD\n`);
    await expect(assertMatchesFeeSnapshot(transfer(5n), { name: 'a: transfer' })).rejects.toThrow(
      /\.fee-snapshot:3 is not a line of a fee snapshot: <<<<<<< HEAD/,
    );
  });
});
