/** `sunup run` in its other formats, `--what-if` on threads, `sunup merge`: with the published command. */

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildIfStale } from '../../scripts/build.mjs';

const folder = mkdtempSync(path.join(tmpdir(), 'sunup-what-if-'));
const file = path.join(folder, 'day.scenario.yaml');
let command: string;

beforeAll(async () => {
  command = await buildIfStale();
  writeFileSync(
    file,
    `
accounts:
  issuer: 1 TRX
  shop: { balance: 1_000 TRX, tokens: { dollar: 1_000_000 }, stake: { energy: 5_000 TRX } }
  old: { balance: 1 TRX, tokens: { dollar: 1 } }
contracts:
  dollar: { fixture: Dollar, deployer: issuer, args: [1_000_000_000_000, Dollar, USD, 6], energyFactor: 2000 }
steps:
  - repeat:
      times: 12
      steps:
        - label: payouts & <more>
          call: { from: shop, contract: dollar, method: transfer, args: [old, 1] }
        - advance: 1h
about: A shop pays out, hour by hour.
`,
  );
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function sunup(...words: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [command, ...words], {
    encoding: 'utf8',
    cwd: folder,
  });
  return { status, stdout, stderr };
}

const SWEEP = ['--what-if', 'getEnergyFee=100,210', '--what-if', 'accounts.shop.stake.energy=0..20_000 TRX/3'];

it('gives the same with one thread, with several, and in parts', () => {
  const alone = sunup('run', file, ...SWEEP, '--threads', '1', '--json');
  expect(alone).toMatchObject({ status: 0, stderr: '' });
  expect(sunup('run', file, ...SWEEP, '--threads', '3', '--json').stdout).toBe(alone.stdout);
  const parts = [1, 2].map((part) => {
    const name = path.join(folder, `${part}.json`);
    writeFileSync(name, sunup('run', file, ...SWEEP, '--shard', `${part}/2`, '--json').stdout);
    return name;
  });
  expect(sunup('merge', ...parts, '--json').stdout).toBe(alone.stdout);
  expect(sunup('merge', parts[0]!)).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('part 2 of 2 is missing'),
  });
  const table = sunup('merge', ...parts).stdout;
  expect(table).toContain('lowest fee: getEnergyFee=100 accounts.shop.stake.energy=20000 TRX');
  expect(table).toContain('with the keys of the file');
  expect(sunup('merge', ...parts, '--html').stdout).toMatch(
    /A shop pays out, hour by hour\..*The cheapest of 7 settings is getEnergyFee=100 accounts\.shop\.stake\.energy=20000 TRX: /s,
  );
});

it('prints the output in docs/how-to/what-if.md', () => {
  const root = path.resolve(import.meta.dirname, '../..');
  const page = readFileSync(path.join(root, 'docs/how-to/what-if.md'), 'utf8');
  const [, line = '', output = ''] = /```sh\nnpx sunup (run fixtures.*)\n```\n```\n(.*?)```/s.exec(page) ?? [];
  const words = [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
  const shown = spawnSync(process.execPath, [command, ...words], { encoding: 'utf8', cwd: root });
  expect(shown.stdout.trimEnd()).toBe(output.trimEnd());
});

it('draws plots', () => {
  const { stdout: svg } = sunup('run', file, ...SWEEP, '--svg');
  expect(svg).toMatch(/^<svg [^>]*xmlns="http:\/\/www\.w3\.org\/2000\/svg".*<\/svg>\n$/s);
  expect(svg).toContain('along accounts.shop.stake.energy');
  expect(svg).toContain('getEnergyFee 210');
});

it('writes one page with plots and without external resources', () => {
  const { stdout: html } = sunup('run', file, file, '--html');
  expect(html.match(/<div class="wide"><svg /g)).toHaveLength(8);
  expect(html).toContain('payouts &amp; &lt;more&gt;');
  expect(html).not.toMatch(/<script|<link|src=|href="http/);
  expect(sunup('run', file, ...SWEEP, '--html').stdout).toMatch(/The cheapest of \d+ settings is .*lowest fee.*<svg /s);
});

it('writes CSV and Markdown', () => {
  const [head, ...rows] = sunup('run', file, '--csv').stdout.trimEnd().split('\r\n');
  expect(head).toMatch(/^file,section,step,what,times,/);
  expect(rows.filter((row) => row.includes(',By payer,'))).toHaveLength(1);
  const markdown = sunup('run', file, '--markdown').stdout;
  expect(markdown).toContain('| shop | 12 |');
  expect(markdown).toContain('payouts & \\<more\\>');
});

it('reports errors', () => {
  expect(sunup('run', file, '--what-if', 'getEnergyFees=1')).toMatchObject({
    status: 2,
    stdout: '',
    stderr: expect.stringContaining('did you mean getEnergyFee?'),
  });
  expect(sunup('run', file, file, ...SWEEP)).toMatchObject({ status: 2, stderr: expect.stringContaining('one file') });
  expect(sunup('merge', file)).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('is not a part of a sweep by this version'),
  });
  expect(sunup('run', file, ...SWEEP, '--threads', '0')).toMatchObject({ status: 2 });
});
