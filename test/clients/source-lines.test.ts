/**
 * Energy by line and stack traces, for contracts compiled by solc (tool-artifacts.test.ts has other tools). The output
 * of the command is committed: `npx vitest run test/clients/source-lines.test.ts -u` writes it.
 */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { outputFor } from '../../src/cli/output.js';
import { runRemote } from '../../src/cli/remote.js';
import type { ExecutedSteps } from '../../src/explanation/calls/steps.js';
import { type CallTree, createDevnet, type Devnet, type SourceLines } from '../../src/index.js';
import type { CommandSettings } from '../../src/options/declarations.js';
import { type Json, toJson } from '../../src/primitives/amount-json.js';
import { assertRevertsWith } from '../../src/testing.js';
import { said } from '../unit/cli/said.js';
import { type Codegen, compileProject, type Form, SOURCES, writeProject } from './source-lines.js';
import { TRACED } from './traced-calls.js';

const OUTPUTS = path.resolve(import.meta.dirname, '../../fixtures/traces');

const roots: string[] = [];
function project(form: Form, codegen: Codegen): { readonly root: string; readonly artifacts: string } {
  const root = mkdtempSync(path.join(tmpdir(), 'lines-'));
  roots.push(root);
  return { root, artifacts: writeProject(form, codegen, root) };
}
afterAll(() => {
  for (const root of roots) rmSync(root, { recursive: true, force: true });
});

async function sunup(...words: readonly string[]): Promise<string> {
  const { out, err } = await said((say) => runRemote(words, say));
  return out + err;
}

type Sent = Readonly<Record<string, string>>;

/** The ids of the test transactions, by name. */
async function storiesOn(devnet: Devnet, codegen: Codegen): Promise<Sent> {
  const output = compileProject(codegen).output as never;
  const sums = await devnet.deploy(output, { contract: 'Sums' });
  const libraries = { Sums: sums.address };
  const till = await devnet.deploy(output, { contract: 'Till', libraries });
  const shop = await devnet.deploy(output, { contract: 'Shop', args: [[5n, 7n]], libraries });
  const call = async (contract: typeof shop, method: string, args: readonly unknown[], options: object = {}) => {
    const write = contract.write as unknown as Record<string, (...given: unknown[]) => Promise<{ txid: string }>>;
    return (await write[method]!(args, { ...options, allowFailure: true })).txid;
  };
  const nothing = {
    type: 'function',
    name: 'nothing',
    inputs: [],
    outputs: [],
    stateMutability: 'nonpayable',
  } as const;
  const wrong = await devnet.contractAt([nothing], shop.address);
  return {
    deployment: shop.deployment!.txid,
    'calls-and-internal-functions': await call(shop, 'buy', [0n, 10n]),
    library: await call(till, 'spin', [3n]),
    stipend: await call(shop, 'tip', [], { callValue: 5n }),
    precompile: await call(shop, 'digest', ['0x1234']),
    caught: await call(shop, 'careful', [0n]),
    'custom-error-below': await call(shop, 'buy', [0n, 1_000n]),
    panic: await call(shop, 'buy', [9n, 1n]),
    modifier: await call(shop, 'close', [], { from: devnet.accounts[1]! }),
    'out-of-energy': await call(shop, 'hopeless', [], { feeLimit: 200_000n }),
    'no-such-function': await call(wrong as never, 'nothing', []),
  };
}

interface Told {
  readonly devnet: Devnet;
  readonly sent: Sent;
}

async function tell(codegen: Codegen, artifacts: readonly string[]): Promise<Told> {
  const devnet = await createDevnet({ artifacts });
  return { devnet, sent: await storiesOn(devnet, codegen) };
}

/** The used Energy in a receipt. */
async function receiptEnergy(devnet: Devnet, txid: string): Promise<{ total: number; penalty: number }> {
  const response = await fetch(`${devnet.http.url}/wallet/gettransactioninfobyid`, {
    method: 'POST',
    body: JSON.stringify({ value: txid }),
  });
  const { receipt } = (await response.json()) as { receipt: Record<string, number> };
  return { total: receipt.energy_usage_total ?? 0, penalty: receipt.energy_penalty_total ?? 0 };
}

/** The sum of all lines and of Energy without a line. */
function summed({ files, unattributed }: SourceLines): { total: number; penalty: number } {
  const all = [...files.flatMap(({ lines }) => lines), ...unattributed];
  const sum = (part: 'energy' | 'penalty') => all.reduce((total, one) => total + Number(one[part]), 0);
  return { total: sum('energy'), penalty: sum('penalty') };
}

async function expectReceipt(devnet: Devnet, txid: string): Promise<CallTree> {
  const receipt = await receiptEnergy(devnet, txid);
  const tree = await devnet.trace(txid, { lines: true, profile: 'line' });
  expect(summed(tree.lines!)).toEqual(receipt);
  expect(tree.lines!.total).toBe(BigInt(receipt.total));
  const [{ weights, samples, endValue }] = tree.profile!.profiles;
  expect(weights.reduce((sum, weight) => sum + weight, 0)).toBe(receipt.total);
  expect(endValue).toBe(receipt.total);
  expect(samples).toHaveLength(weights.length);
  const byFunction = await devnet.trace(txid, { profile: 'function' });
  expect(byFunction.profile!.profiles[0].endValue).toBe(receipt.total);
  return tree;
}

const functionsOf = (tree: CallTree) => (tree.stack ?? []).map((site) => `${site.contract}.${site.function}`);
/** The line of a text in the file of {@link SOURCES}. */
function lineOf(file: string, text: string): number {
  const lines = SOURCES[file]!.split(/\r?\n/);
  return lines.findIndex((line) => line.includes(text)) + 1;
}

const SHOP = 'contracts/Shop.sol';
const OWNED = 'contracts/Owned.sol';
const SUMS = 'contracts/lib/Sums.sol';

describe.each(['plain', 'optimised', 'via-ir'] as const)('compiled %s', (codegen) => {
  let told: Told;
  beforeAll(async () => {
    told = await tell(codegen, [project('standard-json', codegen).artifacts]);
  });
  afterAll(() => told.devnet.close());

  it('all lines and Energy without a line add up to the receipt, for each transaction', async () => {
    for (const txid of Object.values(told.sent)) await expectReceipt(told.devnet, txid);
  });

  it('lines have the right text, after any characters and line ends', async () => {
    for (const txid of Object.values(told.sent)) {
      const { lines } = await told.devnet.trace(txid, { lines: true });
      for (const { path: file, lines: shown } of lines!.files) {
        const truth = SOURCES[file]!.split(/\r?\n/);
        for (const { line, text } of shown) expect(text).toBe(truth[line - 1]);
      }
    }
  });

  it('a failure has a stack trace through internal functions and other contracts', async () => {
    const { stack } = await told.devnet.trace(told.sent['custom-error-below']!, { lines: true });
    const [first] = stack!;
    expect(first).toMatchObject({
      contract: 'Sums',
      function: 'capped',
      path: SUMS,
      line: lineOf(SUMS, 'TooMuch(sum)'),
    });
    expect(stack!.at(-1)).toMatchObject({
      contract: 'Shop',
      function: 'buy',
      path: SHOP,
      line: lineOf(SHOP, 'till.take(msg.sender, amount)'),
    });
    const modifier = await told.devnet.trace(told.sent.modifier!, { lines: true });
    expect(modifier.stack![0]).toMatchObject({ contract: 'Owned', function: 'onlyOwner', path: OWNED, line: 8 });
  });
});

describe('the stack of', () => {
  let told: Told;
  beforeAll(async () => {
    told = await tell('plain', [project('standard-json', 'plain').artifacts]);
  });
  afterAll(() => told.devnet.close());

  it.each([
    ['custom-error-below', ['Sums.capped', 'Till.take', 'Shop.buy']],
    ['panic', ['Shop.total', 'Shop.buy']],
    ['modifier', ['Owned.onlyOwner', 'Shop.close']],
    ['no-such-function', ['Shop.undefined']],
    ['caught', []],
    ['deployment', []],
  ])('%s', async (name, expected) => {
    expect(functionsOf(await told.devnet.trace(told.sent[name]!, { lines: true }))).toEqual(expected);
  });

  it('a constructor and a function that it calls, with columns in characters', async () => {
    const { output } = compileProject('plain');
    const libraries = { Sums: (await told.devnet.deploy(output as never, { contract: 'Sums' })).address };
    const failure = await told.devnet
      .deploy(output as never, { contract: 'Shop', args: [[5n, 0n]], libraries })
      .catch((error: { receipt: { txid: string } }) => error);
    const { txid } = (failure as { receipt: { txid: string } }).receipt;
    const { stack } = await expectReceipt(told.devnet, txid);
    expect(stack).toEqual([
      { contract: 'Shop', function: 'add', path: SHOP, line: lineOf(SHOP, '"no price"'), column: 5 },
      { contract: 'Shop', function: 'constructor', path: SHOP, line: lineOf(SHOP, 'add(given[i])'), column: 48 },
    ]);
  });

  it('a call has the functions that it ran, with the Energy of their lines', async () => {
    const txid = told.sent['calls-and-internal-functions']!;
    const { call, files, lines } = await told.devnet.trace(txid, { sources: true, lines: true });
    expect(files).toContainEqual({ path: SHOP, text: SOURCES[SHOP] });
    const named = ({ file, ...rest }: { readonly file: number }) => ({ ...rest, path: files![file]!.path });
    expect(call!.source!.functions.map(named)).toEqual([
      { name: 'Shop.buy', path: SHOP, line: lineOf(SHOP, 'function buy'), endLine: lineOf(SHOP, 'function total') - 1 },
      {
        name: 'Shop.total',
        path: SHOP,
        line: lineOf(SHOP, 'function total'),
        endLine: lineOf(SHOP, 'function tip') - 1,
      },
    ]);
    const [below] = call!.events.flatMap((event) => (event.type === 'call' ? event.call : []));
    expect(below!.source!.functions.map(({ name }) => name)).toEqual(['Till.take', 'Sums.capped']);
    expect([call!.frame, below!.frame]).toEqual([0, 1]);
    // The lines of both calls are the lines of the transaction.
    const ofCalls = [...call!.source!.lines, ...below!.source!.lines];
    const total = (all: readonly { readonly energy: bigint }[]) => all.reduce((sum, { energy }) => sum + energy, 0n);
    expect(total(ofCalls)).toBe(total(lines!.files.flatMap((file) => file.lines)));
  });

  it('a step has its line, and on request stack, memory and storage', async () => {
    const txid = told.sent['calls-and-internal-functions']!;
    const ask = async (query: string) => {
      const answer = await fetch(`${told.devnet.http.url}/sunup/steps?txid=${txid}&${query}`);
      return { status: answer.status, answer: (await answer.json()) as Json<ExecutedSteps> & { Error?: string } };
    };
    const { answer: all } = await ask('count=100000');
    expect(all.steps).toHaveLength(all.total);
    const store = all.steps.findIndex(({ op, frame }) => op === 'SSTORE' && frame === 1);
    const { file, line, depth } = all.steps[store]!;
    expect([all.files[file!]!.path, line, depth]).toEqual([SHOP, lineOf(SHOP, 'taken = Sums.capped'), 1]);
    const { answer: one } = await ask(`from=${store}&count=1&state=true`);
    const { stack, memory, memoryBytes, storage, ...same } = one.steps[0]!;
    expect([one.total, one.from, one.steps.length]).toEqual([all.total, store, 1]);
    expect({ ...same, file }).toEqual(all.steps[store]);
    expect(one.files[same.file!]!.path).toBe(SHOP);
    expect(Number(`0x${stack!.at(-2)}`)).toBe(50);
    expect(memory).toHaveLength(2 * memoryBytes!);
    expect(Object.values(storage!).map((word) => Number(`0x${word}`))).toEqual([50]);
    // Past the end there are none.
    expect((await ask(`from=${all.total}`)).answer.steps).toEqual([]);
    expect((await ask('count=101&state=true')).answer.Error).toBe(
      'count: expected a whole number from 1 to 100, got 101',
    );
  });

  it('an endless recursion has the line of each call', async () => {
    const { stack } = await told.devnet.trace(told.sent['out-of-energy']!, { lines: true });
    const line = lineOf(SHOP, 'this.hopeless()');
    expect(stack!.slice(1).every((site) => site.line === line)).toBe(true);
    expect(stack!.length).toBeGreaterThan(2);
  });
});

describe('for each output format of solc', () => {
  const FORMS: readonly Form[] = ['standard-json', 'combined-json'];

  it('lines and stacks are the same', async () => {
    const told = await Promise.all(FORMS.map((form) => tell('optimised', [project(form, 'optimised').artifacts])));
    for (const name of ['deployment', 'library', 'custom-error-below', 'modifier']) {
      const [first, ...others] = await Promise.all(
        told.map(({ devnet, sent }) => devnet.trace(sent[name]!, { lines: true })),
      );
      expect(first!.lines!.files.length).toBeGreaterThan(0);
      for (const [at, { lines, stack }] of others.entries()) {
        expect(lines!.files, `${FORMS[at + 1]} ${name}`).toEqual(first!.lines!.files);
        expect(stack).toEqual(first!.stack);
      }
    }
    await Promise.all(told.map(({ devnet }) => devnet.close()));
  });
});

describe('missing information is reported', () => {
  it('no artifacts', async () => {
    const { devnet, sent } = await tell('optimised', []);
    const { lines, stack } = await expectReceipt(devnet, sent['custom-error-below']!);
    expect(lines!.files).toEqual([]);
    expect(lines!.unattributed.map(({ why, contract }) => [why, contract!.name])).toEqual([
      ['no-artifact', 'Shop'],
      ['no-artifact', ''],
    ]);
    expect(stack!.map(({ path: file }) => file)).toEqual([undefined, undefined]);
    await devnet.close();
  });

  it('a missing source, and a changed one', async () => {
    const { root, artifacts } = project('standard-json', 'plain');
    rmSync(path.join(root, OWNED));
    writeFileSync(path.join(root, SUMS), `${SOURCES[SUMS]}// changed`);
    const { devnet, sent } = await tell('plain', [artifacts]);
    const { lines } = await expectReceipt(devnet, sent['calls-and-internal-functions']!);
    expect(lines!.files.map(({ path: file }) => file)).toEqual([SHOP]);
    expect(lines!.unattributed).toContainEqual(expect.objectContaining({ why: 'no-source', path: SUMS }));
    const closed = await expectReceipt(devnet, sent.modifier!);
    expect(closed.lines!.unattributed).toContainEqual(expect.objectContaining({ why: 'no-source', path: OWNED }));
    await devnet.close();
  });

  it('artifacts that are written while the devnet runs', async () => {
    const root = mkdtempSync(path.join(tmpdir(), 'lines-'));
    roots.push(root);
    const { devnet, sent } = await tell('plain', [root]);
    expect((await devnet.trace(sent.panic!, { lines: true })).lines!.files).toEqual([]);
    writeProject('standard-json', 'plain', root);
    expect((await devnet.trace(sent.panic!, { lines: true })).lines!.files).not.toEqual([]);
    await devnet.close();
  });
});

it.each(TRACED)(
  'without sources, $name: everything has its place, and adds up to the receipt',
  async ({ tell: play }) => {
    const { chain, info } = await play({});
    await using _ = chain;
    await expectReceipt(chain.devnet, info.id);
  },
);

describe('sunup trace', () => {
  let told: Told;
  const root = mkdtempSync(path.join(tmpdir(), 'charts-'));
  beforeAll(async () => {
    roots.push(root);
    told = await tell('optimised', [project('standard-json', 'optimised').artifacts]);
  });
  afterAll(() => told.devnet.close());

  it.each(['custom-error-below', 'calls-and-internal-functions', 'deployment', 'modifier'])(
    '--lines prints the committed output of %s',
    async (name) => {
      const { url } = told.devnet.http;
      const printed = await sunup('trace', told.sent[name]!, '--lines', '--url', url);
      await expect(printed).toMatchFileSnapshot(path.join(OUTPUTS, `lines-${name}.txt`));
      for (const line of printed.split('\n')) expect(line.length, line).toBeLessThanOrEqual(120);
      const data = JSON.parse(
        await sunup('trace', told.sent[name]!, '--lines', '--json', '--url', url),
      ) as Json<CallTree>;
      expect(data).toEqual(toJson(await told.devnet.trace(told.sent[name]!, { lines: true })));
    },
  );

  it.each(['function', 'line'])('writes profiles and charts by %s', async (by) => {
    const { url } = told.devnet.http;
    const [profile, chart] = [path.join(root, `${by}.json`), path.join(root, `${by}.svg`)];
    const txid = told.sent['calls-and-internal-functions']!;
    const printed = await sunup('trace', txid, '--speedscope', profile, '--svg', chart, '--by', by, '--url', url);
    expect(printed).toContain(`${profile}\n${chart}\n`);
    expectSpeedscope(JSON.parse(readFileSync(profile, 'utf8')));
    await expect(readFileSync(chart, 'utf8')).toMatchFileSnapshot(path.join(OUTPUTS, `flame-by-${by}.svg`));
  });

  it('reports invalid arguments', async () => {
    const { url } = told.devnet.http;
    const txid = told.sent.deployment!;
    expect(await sunup('trace', txid, '--svg', 'x.svg', '--by', 'colour', '--url', url)).toContain(
      '--by: colour is not valid. Use function or line',
    );
    expect(await sunup('trace', txid, '--svg', path.join(root, 'no', 'x.svg'), '--url', url)).toContain(
      'cannot be written',
    );
    const asked = await fetch(`${url}/sunup/trace?txid=${txid}&profile=colour`);
    expect([asked.status, await asked.json()]).toEqual([
      400,
      { Error: 'profile: expected function or line, got colour' },
    ]);
  });
});

describe('with artifacts, the line of a failure is shown', () => {
  const site = `Sums.capped (${SUMS}:8:28)`;

  it('in the log, by matchers, and in explanations', async () => {
    const { artifacts } = project('standard-json', 'optimised');
    const devnet = await createDevnet({ artifacts: [artifacts] });
    const lines: string[] = [];
    const text = outputFor({ json: false } as CommandSettings, (line) => lines.push(line));
    devnet.on('block', (block) => text.events.block(block));
    const { output } = compileProject('optimised');
    const sums = await devnet.deploy(output as never, { contract: 'Sums' });
    const till = await devnet.deploy(output as never, { contract: 'Till', libraries: { Sums: sums.address } });
    const write = till.write as unknown as Record<string, (args: readonly unknown[]) => Promise<unknown>>;
    const judged = assertRevertsWith(() => write.take!([devnet.accounts[1]!.address, 5_000n]), 'NoSuchError');
    const { message } = (await judged.catch((error: Error) => error)) as Error;
    expect(message).toContain('it failed with TooMuch(given: 5000)');
    expect(message).toContain(`at ${site}\n  at Till.take (${SHOP}:10:32)`);
    expect(lines.join('\n')).toContain(`failed: TooMuch(given: 5000) at ${site}`);
    // A call without a transaction, which is not reported elsewhere.
    devnet.on('callFailed', (failed) => text.events.callFailed(failed));
    const { read } = await devnet.contractAt(
      [
        {
          type: 'function',
          name: 'spin',
          inputs: [{ name: 'n', type: 'uint256' }],
          outputs: [],
          stateMutability: 'view',
        },
      ],
      sums.address,
    );
    await read.spin([1n]).catch(() => undefined);
    expect(lines.at(-1)).toContain(`no such function and no fallback at Sums (${SUMS}:4:1)`);
    await devnet.close();
  });

  it('for a deployment, too, and not without artifacts', async () => {
    const { output } = compileProject('optimised');
    for (const artifacts of [[project('standard-json', 'optimised').artifacts], []]) {
      const devnet = await createDevnet({ artifacts });
      const reasons: unknown[] = [];
      devnet.on('block', ({ transactions }) =>
        reasons.push(...transactions.map(({ outcome }) => outcome.reason?.stack)),
      );
      const libraries = { Sums: (await devnet.deploy(output as never, { contract: 'Sums' })).address };
      await devnet.deploy(output as never, { contract: 'Shop', args: [[0n]], libraries }).catch(() => undefined);
      const last = reasons.at(-1);
      if (artifacts.length === 0) expect(last).toBe(undefined);
      else
        expect(last).toMatchObject([
          { function: 'add', line: lineOf(SHOP, '"no price"') },
          { function: 'constructor' },
        ]);
      await devnet.close();
    }
  });
});

/** Validates against the schema that speedscope publishes. */
function expectSpeedscope(file: unknown): void {
  const Ajv = createRequire(createRequire(import.meta.url).resolve('@fastify/ajv-compiler'))('ajv') as new (
    options: object,
  ) => { compile(schema: object): ((value: unknown) => boolean) & { errors?: unknown } };
  const schema = JSON.parse(
    readFileSync(path.resolve(import.meta.dirname, '../../fixtures/speedscope-file-format-schema.json'), 'utf8'),
  ) as object;
  const validate = new Ajv({ strict: false }).compile(schema);
  expect(validate(file), JSON.stringify(validate.errors)).toBe(true);
}
