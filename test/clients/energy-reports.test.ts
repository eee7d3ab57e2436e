/** Energy of contracts in a test run: recorded by the fixtures, summed up, and compared with the last run. */

import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { runEnergyReportCommand } from '../../src/cli/energy-report-command.js';
import EnergyReporter from '../../src/energy-reporter.js';
import { type EnergyRecord, type EnergyReport, energyReport } from '../../src/explanation/summary/energy-by-method.js';
import { markdownTable, textTable } from '../../src/testing/energy/tables.js';
import { type Hooks, useDevnet } from '../../src/testing.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'sunup-energy-test-'));
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

const record = (some: Partial<EnergyRecord>): EnergyRecord => ({
  contract: 'Token',
  method: 'transfer(address,uint256)',
  succeeded: true,
  energy: 14_650n,
  penalty: 0n,
  burnedSun: 1_465_000n,
  codeBytes: undefined,
  ...some,
});
const DEPLOYMENT = record({ method: undefined, energy: 700_000n, burnedSun: 70_000_000n, codeBytes: 2_345 });
const RUN = [
  record({}),
  record({ energy: 29_650n, burnedSun: 2_965_000n }),
  record({ energy: 64_460n, penalty: 49_810n, burnedSun: 6_446_000n }),
  record({ energy: 1_000_000n, succeeded: false }),
  DEPLOYMENT,
];

describe('a report', () => {
  it('has the deployment and methods of each contract, and counts failures separately', () => {
    const report = energyReport(RUN);
    expect(report).toMatchObject({ transactions: 5, energy: 1_808_760n, penalty: 49_810n });
    expect(report.rows).toEqual([
      {
        contract: 'Token',
        ...{ calls: 1, failed: 0, min: 700_000n, average: 700_000n, max: 700_000n },
        ...{ penaltyShare: 0, averageBurnedSun: 70_000_000n, codeBytes: 2_345 },
      },
      {
        contract: 'Token',
        method: 'transfer(address,uint256)',
        ...{ calls: 3, failed: 1, min: 14_650n, average: 36_253n, max: 64_460n },
        ...{ penaltyShare: 49_810 / 108_760, averageBurnedSun: 3_625_333n },
      },
    ]);
    expect(energyReport([...RUN].reverse())).toEqual(report);
  });

  it('is a table, also in Markdown, with the changes', () => {
    const last = energyReport([
      record({}),
      { ...DEPLOYMENT, codeBytes: 2_400 },
      record({ method: 'burn(uint256)' }),
      record({ contract: 'Gone', method: undefined }),
    ]);
    const report = energyReport([...RUN, record({ contract: '', method: 'a|b' })]);
    expect(textTable(report, last).split('\n')).toEqual([
      '6 transactions: Energy 1,823,410 (+1,079,460, +145.1 %), of which 2.7 % penalty; burned 83.806 TRX',
      '',
      'Contract   Method                     Calls  Failed      Min  Average      Max  Penalty        Burned             Change',
      '(no name)  a|b                            1       0   14,650   14,650   14,650    0.0 %     1.465 TRX                new',
      'Token      deployment, 2,345 bytes        1       0  700,000  700,000  700,000    0.0 %        70 TRX       =, -55 bytes',
      'Token      transfer(address,uint256)      3       1   14,650   36,253   64,460   45.8 %  3.625333 TRX  +21,603, +147.5 %',
      '',
      'Not in this run: Gone deployment, Token burn(uint256)',
      '',
    ]);
    const markdown = markdownTable(report, last).split('\n');
    expect(markdown[4]).toBe(
      '| Contract | Method | Calls | Failed | Min | Average | Max | Penalty | Burned | Change |',
    );
    expect(markdown[6]).toContain('| (no name) | `a\\|b` | 1 |');
    expect(textTable(energyReport([record({ succeeded: false })]))).toMatch(/ 0 +1 +– +– +– +0\.0 % +0 TRX\n$/);
  });
});

/** Runs one test like a test runner. */
async function runTest(work: (chain: ReturnType<typeof useDevnet>) => Promise<void>): Promise<void> {
  const steps: Record<string, () => Promise<void>> = {};
  const hook = (name: string) => (run: () => Promise<void>) => {
    steps[name] = run;
  };
  const hooks = Object.fromEntries(['before', 'after', 'beforeEach', 'afterEach'].map((name) => [name, hook(name)]));
  const chain = useDevnet({ hooks: hooks as unknown as Hooks });
  await steps.before!();
  await steps.beforeEach!();
  await work(chain);
  await steps.afterEach!();
  await steps.after!();
}

const sendTokens = (chain: ReturnType<typeof useDevnet>) => async () => {
  const token = await chain.devnet.deploy('fixtures/contracts/Token.json', { args: [1_000n], name: 'Token' });
  await token.write.transfer([chain.devnet.accounts[1], 5n]);
  await token.write.transfer([chain.devnet.accounts[1], 5_000n], { allowFailure: true });
};

describe('a run', () => {
  it('is recorded by the test fixtures, and read by the command', async () => {
    vi.stubEnv('SUNUP_ENERGY_REPORT', path.join(folder, 'run'));
    await runTest((chain) => sendTokens(chain)());
    expect(readdirSync(path.join(folder, 'run'))).toEqual([`${process.pid}.jsonl`]);
    const said: string[] = [];
    const say = { out: (text: string) => said.push(text), err: (text: string) => said.push(text), overwrite: () => {} };
    const [json, markdown] = [path.join(folder, 'energy.json'), path.join(folder, 'out', 'energy.md')];
    const words = ['energy-report', path.join(folder, 'run'), '--json', json, '--markdown', markdown];
    expect(await runEnergyReportCommand(words, say)).toBe(0);
    const { rows } = JSON.parse(readFileSync(json, 'utf8')) as EnergyReport;
    expect(rows).toEqual([
      expect.objectContaining({ contract: 'Token', calls: 1, codeBytes: expect.any(Number) }),
      expect.objectContaining({ method: 'transfer(address,uint256)', calls: 1, failed: 1, penaltyShare: 0 }),
    ]);
    expect(rows[0]!.codeBytes).toBeGreaterThan(500);
    expect(said[0]).toMatch(/^3 transactions: Energy [\d,]+, of which/);
    expect(readFileSync(markdown, 'utf8')).toContain('| Token | `transfer(address,uint256)` | 1 | 1 |');
    expect(await runEnergyReportCommand(words, say)).toBe(0);
    expect(said[1]).toMatch(/^3 transactions: Energy [\d,]+ \(=\), /);
    expect(await runEnergyReportCommand([...words, '--against', path.join(folder, 'none')], say)).toBe(1);
    writeFileSync(json, '[]');
    expect(await runEnergyReportCommand(words, say)).toBe(1);
    expect(said.at(-1)).toMatch(/energy\.json is not an Energy report of Sunup/);
    expect(await runEnergyReportCommand(['energy-report', folder], say)).toBe(0);
    expect(said.at(-1)).toContain('has no record of a contract call');
  });

  it('is shown by the reporter, and leaves no files', async () => {
    const reporter = new EnergyReporter({ rootDir: folder }, { markdown: 'energy.md' });
    reporter.onRunStart();
    const running = process.env.SUNUP_ENERGY_REPORT!;
    await runTest((chain) => sendTokens(chain)());
    const written = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    reporter.onRunComplete();
    expect(String(written.mock.calls[0]![0])).toMatch(/^\n3 transactions: Energy/);
    written.mockRestore();
    expect(() => readdirSync(running)).toThrow('ENOENT');
    expect(process.env.SUNUP_ENERGY_REPORT).toBeUndefined();
    expect(readdirSync(folder).sort()).toEqual(['energy-report.json', 'energy.md']);
  });
});
