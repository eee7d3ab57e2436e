/** Texts of others (labels, names, reasons, file names, answers of networks) never control the terminal. */

import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildIfStale } from '../../scripts/build.mjs';
import { RunningCommand } from './command.js';

/**
 * Clears the screen, sets the title, sets colours, reverses the direction of text, returns to the start of the line.
 */
const EVIL = '\u001b[2J\u001b]0;owned\u0007\u009b31m\u202eevil\rforged\u007f';
const ON_A_LINE = '\u001b[2J\u009b31m\u202eevil';

const folder = mkdtempSync(path.join(tmpdir(), 'sunup-hostile-'));
const place = (name: string) => path.join(folder, name);
let command: string;
let node: RunningCommand;
let url: string;
let printed = '';
let network: Server;

/** The control characters in the output, except for line ends and tabs. */
function steering(text: string): readonly string[] {
  return text.replaceAll('\r\n', '\n').match(/[^\P{Cc}\n\t]|\p{Cf}|\p{Zl}|\p{Zp}/gu) ?? [];
}

interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

function sunup(...words: readonly string[]): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(process.execPath, [command, ...words], { encoding: 'utf8' }, (error, out, err) =>
      resolve({ code: error === null ? 0 : Number(error.code), out, err }),
    );
  });
}

async function rpc<Result>(method: string, ...params: readonly unknown[]): Promise<Result> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const { result, error } = (await (await fetch(`${url}/eth`, { method: 'POST', body })).json()) as {
    result: Result;
    error?: object;
  };
  expect(error).toBeUndefined();
  return result;
}

/** Code that reverts with `Error(text)`. */
function reverting(text: string): string {
  const bytes = Buffer.from(text, 'utf8');
  const word = (value: number) => value.toString(16).padStart(64, '0');
  const padded = bytes.toString('hex').padEnd(Math.ceil(bytes.length / 32) * 64, '0');
  const data = `08c379a0${word(32)}${word(bytes.length)}${padded}`;
  const length = (data.length / 2).toString(16).padStart(2, '0');
  // CODECOPY of the data after these 12 bytes, then REVERT.
  return `0x60${length}600c60003960${length}6000fd${data}`;
}

const CONTRACT = `0x${'5a'.repeat(20)}`;
const SCENARIO = `about: ${JSON.stringify(EVIL)}
accounts: { alice: 5_000 TRX, bob: 5 TRX }
steps:
  - { transfer: { from: alice, to: bob, amount: 1 TRX, memo: ${JSON.stringify(EVIL)} }, label: ${JSON.stringify(EVIL)} }
  - { transfer: { from: bob, to: alice, amount: 500 TRX }, label: ${JSON.stringify(`=cmd|'/c calc'${EVIL}`)} }
`;

beforeAll(async () => {
  command = await buildIfStale();
  network = createServer((_, response) => response.writeHead(500).end(`{"Error":${JSON.stringify(EVIL)}} ${EVIL}`));
  await new Promise<void>((listening) => network.listen(0, '127.0.0.1', listening));
  mkdirSync(place(ON_A_LINE));
  node = await RunningCommand.start([
    '--instant',
    '--trace',
    '--client-version',
    'anvil/v1',
    '--db',
    place(`${ON_A_LINE}/db`),
  ]);
  node.process.stdout?.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
  });
  for (let line = await node.line(); ; line = await node.line()) {
    url = /listening on (\S+)/.exec(line as string)?.[1] ?? '';
    if (url !== '') break;
  }
  for (const [at, label] of [EVIL, ON_A_LINE].entries())
    writeFileSync(place(`${at}${at === 1 ? label : ''}.scenario.yaml`), SCENARIO);
});
afterAll(async () => {
  await node.end('SIGTERM');
  network.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Passed by name, because the file names also contain control characters. */
const file = () => place(`1${ON_A_LINE}.scenario.yaml`);

describe('sunup run', () => {
  it.each([[], ['--csv'], ['--markdown'], ['--html'], ['--json'], ['--json', '--results']])(
    'prints labels, memos and file names with %j',
    async (...form) => {
      const { code, out, err } = await sunup('run', file(), ...form.flat());
      expect(code).toBe(0);
      expect(out).toMatch(/u001b\\?\[2J/);
      expect(steering(out + err)).toEqual([]);
    },
  );

  it('writes the same in JSON as the file', async () => {
    const { out } = await sunup('run', file(), '--json', '--results');
    const results = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(JSON.stringify(results)).toContain(JSON.stringify(EVIL).slice(1, -1));
    expect(results[0].file).toBe(file());
  });

  it('writes no label as a spreadsheet formula', async () => {
    const { out } = await sunup('run', file(), '--csv');
    expect(out).toContain("'=cmd");
    expect(out).not.toMatch(/(^|,)"?[=+@]/m);
  });

  it.each([[], ['--csv'], ['--markdown'], ['--html'], ['--svg'], ['--json']])(
    'with --what-if and %j',
    async (...form) => {
      const { code, out, err } = await sunup('run', file(), '--what-if', 'getTransactionFee=1000,2000', ...form.flat());
      expect(code).toBe(0);
      expect(steering(out + err)).toEqual([]);
    },
  );

  it.each([
    ['what is no scenario', 'steps: [{ transfer: { from: "\\e[2J", to: "\\e[2J" } }]'],
    ['a name that is not known', '"\\e[2J": 1'],
    ['a word of YAML', 'steps: [\u001b[2J'],
    [
      'an expectation that fails',
      'accounts: { a: 1 TRX }\nsteps: [{ transfer: { from: a, to: a, amount: 1 }, label: "\\e[2J", expect: { result: SUCCESS } }]',
    ],
  ])('refuses %s', async (_, text) => {
    writeFileSync(place('wrong.yaml'), text);
    const { code, out, err } = await sunup('run', place('wrong.yaml'));
    expect(code).toBeGreaterThan(0);
    expect(err).not.toBe('');
    expect(steering(out + err)).toEqual([]);
  });
});

describe('commands for a running node', () => {
  it('log, explain, trace and estimate show reasons, names and paths safely', async () => {
    const [from] = await rpc<string[]>('eth_accounts');
    await rpc('tron_setCode', CONTRACT, reverting(EVIL));
    await rpc('tron_setAccount', from, { account_name: EVIL });
    const sent = await rpc<string>('eth_sendTransaction', { from, to: CONTRACT, data: '0x12345678', gas: '0x10000' });
    const txid = sent.replace('0x', '');
    const to = ['--url', url];
    const answers = [
      await sunup('explain', txid, ...to),
      await sunup('explain', txid, '--json', ...to),
      await sunup('estimate', txid, '--what-if', 'getEnergyFee=1', ...to),
      await sunup('trace', txid, ...to),
      await sunup('estimate', CONTRACT, '', '--from', from as string, ...to),
    ];
    for (const { out, err } of answers) expect(steering(out + err)).toEqual([]);
    for (const at of [0, 3]) expect(answers[at]?.out).toContain('\\u001b[2J');
    await rpc('evm_mine');
    for (let line = await node.line(); !line?.startsWith('mined'); line = await node.line());
    expect(printed).toContain('\\u001b[2J');
    expect(steering(printed)).toEqual([]);
  });

  it.each([
    ['dump', () => ['dump', place(`${ON_A_LINE}/chain.dump`)]],
    ['load', () => ['load', place(`${ON_A_LINE}/chain.dump`)]],
    ['load of nothing', () => ['load', place(EVIL)]],
    ['record', () => ['record', place(`${ON_A_LINE}/chain.yaml`)]],
    ['explain of nonsense', () => ['explain', EVIL]],
    ['trace of nonsense', () => ['trace', `{${EVIL}`]],
    ['revert of nonsense', () => ['revert', EVIL]],
    ['mine until nonsense', () => ['mine', '--until', EVIL]],
    ['a control command', () => ['set-balance', EVIL, '1']],
    ['an answer of one', () => ['set-account', `0x${'77'.repeat(20)}`, JSON.stringify({ account_name: EVIL })]],
    ['an unknown command', () => [`x${EVIL}`]],
    ['an unknown option', () => ['mine', `--${EVIL}`]],
    ['control of nonsense', () => ['control', EVIL]],
    ['estimate of nonsense', () => ['estimate', EVIL, '--from', EVIL]],
  ])('%s', async (_, words) => {
    const { out, err } = await sunup(...words(), '--url', url);
    expect(out + err).not.toBe('');
    expect(steering(out + err)).toEqual([]);
  });
});

describe('other commands', () => {
  it.each([
    ['another node', () => ['mine', '--url', `http://127.0.0.1:${(network.address() as AddressInfo).port}/`]],
    ['a URL that is none', () => ['mine', '--url', EVIL]],
    [
      'a network that is forked',
      () => ['--fork', `http://127.0.0.1:${(network.address() as AddressInfo).port}/`, '--http-port', '0'],
    ],
    ['a directory that is none', () => ['--db', place('0.scenario.yaml')]],
    ['a directory with other files', () => ['--db', folder]],
    ['an option', () => ['--preset', EVIL]],
    ['a genesis', () => ['--genesis', place('genesis.json')]],
    ['check', () => ['check', place(ON_A_LINE)]],
    ['upgrade', () => ['upgrade', place(ON_A_LINE)]],
    ['merge', () => ['merge', place(`1${ON_A_LINE}.scenario.yaml`)]],
    ['record --from', () => ['record', place('x.yaml'), '--from', place(`1${ON_A_LINE}.scenario.yaml`)]],
    ['energy-report', () => ['energy-report', place(ON_A_LINE)]],
    ['misplaced words', () => ['--json', EVIL]],
  ])('%s', async (_, words) => {
    writeFileSync(place('genesis.json'), JSON.stringify({ [EVIL]: 1 }));
    const { code, out, err } = await sunup(...words());
    expect([code, out + err]).not.toEqual([0, '']);
    expect(steering(out + err)).toEqual([]);
  });
});
