/** `/sunup/scenarios`: scenarios over HTTP, in processes of their own. Needs the build (`npm run build`). */

import { fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ScenarioMessage, ScenarioWork } from '../../src/http/scenarios/processes.js';
import { createDevnet, type Devnet } from '../../src/index.js';
import type { Report } from '../../src/prose/report.js';

const COMMAND = fileURLToPath(new URL('../../dist/sunup.cjs', import.meta.url));

const PAYMENTS = `about: A shop pays a supplier.
accounts:
  shop: { balance: 1_000 TRX, stake: { energy: 100 TRX } }
  supplier: 10 TRX
steps:
  - label: payments
    repeat: { times: 3, steps: [transfer: { from: shop, to: supplier, amount: 5 TRX }, advance: 1s] }
`;
/** The contract is used before its deployment. */
const LATE = `accounts: { a: 1000 TRX }
steps:
  - advance: 1d
  - call: { from: a, contract: meter, method: reset }
  - deploy: { from: a, fixture: Meter, as: meter }
`;
/** Runs for minutes. */
const ENDLESS = PAYMENTS.replace('times: 3', 'times: 10_000_000');

let devnet: Devnet;
let url: string;
beforeAll(async () => {
  devnet = await createDevnet({});
  url = `${devnet.http.url}/sunup/scenarios`;
});
afterAll(() => devnet.close());

const ask = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(`${url}/${path}`, { method: 'POST', body: JSON.stringify(body), headers });

interface Setting {
  readonly name: string;
  readonly unit?: string;
  readonly value: number;
  readonly least: number;
  readonly most: number;
  readonly isGiven: boolean;
}

function sunup(...words: string[]): { readonly stdout: string; readonly stderr: string } {
  return spawnSync(process.execPath, [COMMAND, ...words], { encoding: 'utf8' });
}

function written(text: string): string {
  const file = path.join(mkdtempSync(path.join(tmpdir(), 'sunup-scenarios-')), 'day.scenario.yaml');
  writeFileSync(file, text);
  return file;
}

describe('a run', () => {
  it('has the JSON of sunup run --json', async () => {
    const file = written(PAYMENTS);
    const answer = await ask('run', { file, scenario: PAYMENTS });
    expect(answer.status).toBe(200);
    expect(await answer.text()).toBe(sunup('run', file, '--json').stdout);
  });

  it('with whatIf has that of sunup run --what-if', async () => {
    const file = written(PAYMENTS);
    const whatIf = ['getTransactionFee=1000,2000', 'accounts.shop.stake.bandwidth=0..1000 TRX/2'];
    const answer = await ask('run', { file, scenario: PAYMENTS, whatIf });
    const command = sunup('run', file, ...whatIf.flatMap((one) => ['--what-if', one]), '--json');
    expect(await answer.text()).toBe(command.stdout);
  });

  it('takes values for one run', async () => {
    const set = { getFreeNetLimit: 0, 'accounts.shop.stake.energy': '500' };
    const { totals } = (await (await ask('run', { scenario: PAYMENTS, set })).json()) as {
      readonly totals: { readonly feeSun: number; readonly sources: readonly { readonly source: string }[] };
    };
    expect(totals.sources.map(({ source }) => source)).toEqual(['burned']);
    expect(totals.feeSun).toBeGreaterThan(0);
  });

  it('has the report of the HTML page as data', async () => {
    const { report } = (await (await ask('run', { scenario: PAYMENTS, report: true })).json()) as { report: Report };
    expect(report).toMatchObject({ about: 'A shop pays a supplier.', sections: expect.any(Array) });
    expect(report.answer).toBe(
      'In 24 seconds, 3 transactions cost 0.268 TRX, 100 % of it for bandwidth; shop pays 100 %.',
    );
    const whatIf = ['getFreeNetLimit=600,6000'];
    const swept = (await (await ask('run', { scenario: PAYMENTS, whatIf, report: true })).json()) as { report: Report };
    expect(swept.report.answer).toBe(
      'The cheapest of 3 settings is getFreeNetLimit=6000: 0 TRX, 0.268 TRX less than the unchanged file.',
    );
  });

  it('reads artifacts of the request, and no files', async () => {
    const artifact = JSON.parse(
      readFileSync(
        new URL('../../fixtures/artifacts/hardhat/artifacts/contracts/Shop.sol/Till.json', import.meta.url),
        'utf8',
      ),
    );
    const scenario = `accounts: { a: 1000 TRX }\nsteps:\n  - deploy: { from: a, artifact: ../artifacts/Till.json, args: [1], as: till }\n`;
    const refused = await ask('run', { scenario });
    expect(refused.status).toBe(400);
    expect(((await refused.json()) as { Error: string }).Error).toMatch(
      /^scenario:3:\d+: cannot read the artifact .*files are not read here; give its content in artifacts/,
    );
    const run = await ask('run', { scenario, artifacts: { 'Till.json': artifact } });
    expect(((await run.json()) as { totals: { failed: number } }).totals).toMatchObject({ transactions: 1, failed: 0 });
  });

  it('of every example of the package succeeds', async () => {
    const examples = (await (await fetch(url)).json()) as {
      name: string;
      file: string;
      about: string;
      scenario: string;
    }[];
    expect(examples.length).toBeGreaterThan(8);
    for (const { file, scenario, about } of examples) {
      expect(about).not.toBe('');
      const { failedExpectations } = (await (await ask('run', { file, scenario })).json()) as {
        failedExpectations: number;
      };
      expect([file, failedExpectations]).toEqual([file, 0]);
    }
  });
});

describe('a mistake', () => {
  it('is told as by sunup run, with status 400', async () => {
    const text = PAYMENTS.replace('to: supplier', 'to: suplier').replace('1_000 TRX', '1_000 TRON');
    const file = written(text);
    const answer = await ask('run', { file, scenario: text });
    expect(answer.status).toBe(400);
    const { Error: told } = (await answer.json()) as { Error: string };
    expect(`${told}\n`).toBe(sunup('run', file, '--json').stderr);
    expect(told).toMatch(
      /day\.scenario\.yaml:3:\d+: .*\n.*:7:\d+: no account is called suplier; did you mean supplier\?$/,
    );
    // Also before a stream has begun.
    expect((await ask('run', { file, scenario: text }, { accept: 'text/event-stream' })).status).toBe(400);
    const settings = await ask('settings', { file, scenario: text });
    expect([settings.status, ((await settings.json()) as { Error: string }).Error]).toEqual([400, told]);
  });

  it.each([
    [
      { scenario: PAYMENTS, set: { 'accounts.shp.balance': '1 TRX' } },
      /^--what-if accounts\.shp\.balance: .*did you mean shop\?/,
    ],
    [{ scenario: PAYMENTS, whatIf: ['getEnergyFee'] }, /^--what-if getEnergyFee: expected NAME=VALUE/],
    [
      { scenario: PAYMENTS, whatIf: ['getEnergyFee=1..2000/2000'] },
      /2000 combinations, the maximum over HTTP is 999: use sunup run --what-if/,
    ],
    [
      { scenario: `fork: http://127.0.0.1:9\n${PAYMENTS}` },
      /^scenario:1:\d+: fork is not possible here, because it connects to a network/,
    ],
    [
      { scenario: 'x'.repeat(1_000_001) },
      /^scenario has 1000001 characters, the maximum is 1000000: run it with sunup run FILE$/,
    ],
    [
      { scenario: PAYMENTS, whatIf: ['getEnergyFee=1'], set: { getEnergyFee: 1 } },
      /^set and whatIf exclude each other/,
    ],
    [{ text: PAYMENTS }, /^text is unknown; expected file, scenario/],
    [{}, /^scenario is missing/],
    [[], /^the body is no object/],
    [{ scenario: PAYMENTS, set: { getEnergyFee: {} } }, /^set: expected values by name/],
  ])('%# of the request is told', async (body, told) => {
    const answer = await ask('run', body);
    expect([answer.status, ((await answer.json()) as { Error: string }).Error]).toEqual([
      400,
      expect.stringMatching(told),
    ]);
  });
});

describe('settings', () => {
  it('are the numbers that --what-if can replace', async () => {
    const answer = await ask('settings', { scenario: PAYMENTS });
    const { about, settings } = (await answer.json()) as { about: string; settings: readonly Setting[] };
    expect(about).toBe('A shop pays a supplier.');
    const given = settings.filter(({ isGiven }) => isGiven);
    expect(given.map(({ name, value }) => [name, value])).toEqual([
      ['accounts.shop.balance', 1_000],
      ['accounts.shop.stake.energy', 100],
      ['accounts.supplier.balance', 10],
      ['steps[0].repeat.times', 3],
      ['steps[0].repeat.steps[0].transfer.amount', 5],
    ]);
    const byName = new Map(settings.map((setting) => [setting.name, setting]));
    expect(byName.get('accounts.supplier.stake.energy')).toMatchObject({ value: 0, unit: 'TRX', isGiven: false });
    expect(byName.get('getEnergyFee')).toMatchObject({ value: 100, most: 400, isGiven: false });
    for (const setting of [...new Map(settings.map((setting) => [setting.unit, setting])).values()])
      await expectAccepted(PAYMENTS, setting);
  });

  it('have a least and a most that the scenario accepts', async () => {
    const scenario = PAYMENTS.replace('accounts:\n', 'accounts:\n  clerks: { count: 3 }\n');
    const settings = await settingsOf(scenario);
    const named = (name: string) => settings.find((setting) => setting.name === name)!;
    expect(named('accounts.clerks.count')).toMatchObject({ value: 3, least: 1, most: 12 });
    expect(named('getMaintenanceTimeInterval')).toMatchObject({ value: 21_600_000, least: 3_000 });
    expect(named('getAllowTvmShangHai')).toMatchObject({ value: 1, least: 0, most: 1 });
    for (const name of ['accounts.clerks.count', 'getMaintenanceTimeInterval'])
      await expectAccepted(scenario, named(name));
    const contracts = `${scenario}contracts:\n  dollar: { fixture: Dollar, deployer: shop }\n`;
    expect(await settingsOf(contracts)).toContainEqual(
      expect.objectContaining({ name: 'contracts.dollar.originEnergyLimit', least: 1 }),
    );
    // What the file has can be chosen again.
    const refused = contracts.replace('deployer: shop', 'deployer: shop, originEnergyLimit: 0');
    expect(await settingsOf(refused)).toContainEqual(
      expect.objectContaining({ name: 'contracts.dollar.originEnergyLimit', value: 0, least: 0 }),
    );
  });

  it('are of the release: a later parameter can be changed with a later release only', async () => {
    const later = `network: { nodeVersion: 4.8.2 }\n${PAYMENTS}`;
    const osaka = (settings: readonly Setting[]) => settings.find(({ name }) => name === 'getAllowTvmOsaka');
    expect(osaka(await settingsOf(PAYMENTS))).toBeUndefined();
    await expectAccepted(later, osaka(await settingsOf(later))!);
  });

  async function settingsOf(scenario: string): Promise<readonly Setting[]> {
    return ((await (await ask('settings', { scenario })).json()) as { settings: readonly Setting[] }).settings;
  }

  async function expectAccepted(scenario: string, { name, least, most, unit }: Setting) {
    for (const number of [least, most]) {
      const run = await ask('run', { scenario, set: { [name]: unit === undefined ? number : `${number} ${unit}` } });
      expect([name, number, run.status === 200 ? '' : await run.text()]).toEqual([name, number, '']);
    }
  }

  it('of an amount without a unit are in sun, and leave the rest of the account', async () => {
    const scenario = PAYMENTS.replace('supplier: 10 TRX', 'supplier: 10_000_000');
    const { settings } = (await (await ask('settings', { scenario })).json()) as { settings: readonly Setting[] };
    expect(settings.find(({ name }) => name === 'accounts.supplier.balance')).toMatchObject({
      value: 10_000_000,
      unit: 'sun',
    });
    const set = { 'accounts.supplier.stake.energy': '5 TRX', 'accounts.supplier.balance': '20000000 sun' };
    expect((await ask('run', { scenario, set })).status).toBe(200);
  });
});

/** Server-sent events of a run; the caller ends it. */
async function stream(body: unknown) {
  const answer = await ask('run', body, { accept: 'text/event-stream' });
  expect(answer.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  const next = async (): Promise<{ event: string; data: unknown } | undefined> => {
    for (;;) {
      const [, event, data, rest] = /^event: (\w+)\ndata: ([^\n]*)\n\n(.*)/s.exec(text) ?? [];
      if (event !== undefined) {
        text = rest!;
        return { event, data: JSON.parse(data!) };
      }
      const { done, value } = await reader.read();
      if (done) return undefined;
      text += value;
    }
  };
  return { next, cancel: () => reader.cancel() };
}

describe('the stream of a run', () => {
  it('ends with the result', async () => {
    const { next } = await stream({ scenario: PAYMENTS });
    let last = await next();
    while (last?.event === 'progress') last = await next();
    expect(last).toMatchObject({ event: 'result', data: { totals: { transactions: 3 } } });
    expect(await next()).toBeUndefined();
  });

  it('tells what only the run shows', async () => {
    const { next } = await stream({ scenario: LATE });
    let last = await next();
    while (last?.event === 'progress') last = await next();
    expect(last).toMatchObject({ event: 'problem', data: { Error: expect.stringMatching(/^scenario:4:\d+: /) } });
  });

  it('reports progress while the node answers others, and stops when the client goes', async () => {
    const runs = [await stream({ scenario: ENDLESS }), await stream({ scenario: ENDLESS })];
    for (const { next } of runs) {
      const { event, data } = (await next())!;
      expect(event).toBe('progress');
      expect(data).toEqual({ done: expect.any(Number), total: 1 });
    }
    const { number } = await devnet.mine(1);
    expect(number).toBeGreaterThan(0);
    const third = await ask('run', { scenario: PAYMENTS });
    expect([third.status, ((await third.json()) as { Error: string }).Error]).toEqual([
      409,
      '2 scenarios are running, which is the maximum: wait for one of them, or cancel it',
    ]);
    for (const { cancel } of runs) await cancel();
    // A place is free as soon as a process has ended.
    let answer = await ask('run', { scenario: PAYMENTS });
    while (answer.status === 409) answer = await ask('run', { scenario: PAYMENTS });
    expect(answer.status).toBe(200);
  });

  it('leaves no process behind when the node is killed', async () => {
    const child = fork(fileURLToPath(new URL('../../dist/scenario-process.js', import.meta.url)), {
      execArgv: [],
      stdio: 'ignore',
    });
    const request = { file: 'x', scenario: ENDLESS, set: {}, whatIf: [], artifacts: {}, report: false };
    child.send({ kind: 'run', request } satisfies ScenarioWork);
    await new Promise<void>((resolve) =>
      child.on('message', ({ type }: ScenarioMessage) => type === 'progress' && resolve()),
    );
    const gone = once(child, 'exit');
    // As the kernel does for a process that is gone.
    child.disconnect();
    expect(await gone).toEqual([0, null]);
  });

  it('ends when the node closes', async () => {
    const other = await createDevnet({});
    const answer = await fetch(`${other.http.url}/sunup/scenarios/run`, {
      method: 'POST',
      body: JSON.stringify({ scenario: ENDLESS }),
      headers: { accept: 'text/event-stream' },
    });
    const text = answer.text();
    await other.close();
    expect(await text).toMatch(/event: problem\ndata: \{"Error":"the scenario was stopped"\}\n\n$/);
  });
});

describe('other ways in', () => {
  it('a further chain, and the same process', async () => {
    const made = await fetch(`${devnet.http.url}/sunup/chains`, { method: 'POST', body: '{"accounts":1}' });
    const { path: below } = (await made.json()) as { path: string };
    const asked = { method: 'POST', body: JSON.stringify({ scenario: PAYMENTS }) };
    const streamed = { ...asked, headers: { accept: 'text/event-stream' } };
    const told = await Promise.all([
      fetch(`${devnet.http.url}${below}sunup/scenarios/run`, streamed).then((answer) => answer.text()),
      devnet.fetch('/sunup/scenarios/run', streamed).then((answer) => answer.text()),
    ]);
    expect(told).toEqual([
      expect.stringMatching(/event: result\ndata: \{"file":"scenario","digest":.*\n\n$/),
      expect.stringMatching(/event: result\ndata: \{"file":"scenario","digest":.*\n\n$/),
    ]);
    const plain = await devnet.fetch('/sunup/scenarios/run', asked);
    expect(((await plain.json()) as { results: number }).results).toBeGreaterThan(0);
  });
});

describe('access', () => {
  it('is for this machine and allowed origins', async () => {
    for (const [name, method] of [
      ['', 'GET'],
      ['/run', 'POST'],
      ['/settings', 'POST'],
    ] as const) {
      const answer = await fetch(`${url}${name}`, { method, headers: { origin: 'https://other.example' } });
      expect([name, answer.status]).toEqual([name, 403]);
    }
  });

  it('is off without developer methods', async () => {
    await using other = await createDevnet({ devMethods: false });
    const status = await new Promise((resolve) =>
      request(`${other.http.url}/sunup/scenarios/run`, { method: 'POST' }, ({ statusCode }) =>
        resolve(statusCode),
      ).end(),
    );
    expect([(await fetch(`${other.http.url}/sunup/scenarios`)).status, status]).toEqual([404, 405]);
  });
});
