/**
 * Names, lines and stacks with artifacts of Hardhat 2 and 3, Foundry and TronBox (scripts/artifacts-of-tools.ts ran
 * them): a library, inheritance over files, a proxy, immutable values, a factory's child, with the optimiser, and via
 * Yul. The output of the command is committed: `npx vitest run test/clients/tool-artifacts.test.ts -u` writes it.
 */

import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { runRemote } from '../../src/cli/remote.js';
import { createDevnet, type Devnet } from '../../src/index.js';
import { assertRevertsWith } from '../../src/testing.js';
import { said } from '../unit/cli/said.js';

const FIXTURES = path.resolve(import.meta.dirname, '../../fixtures');
const FOLDERS = {
  hardhat: 'artifacts',
  hardhat3: 'artifacts',
  foundry: 'out',
  'foundry-via-ir': 'out',
  tronbox: 'build',
};
type Tool = keyof typeof FOLDERS;

/** `buy(50)` */
const TAKES_TOO_MUCH = `0xd96a094a${'32'.padStart(64, '0')}`;

const roots: string[] = [];
afterAll(() => {
  for (const root of roots) rmSync(root, { recursive: true, force: true });
});

/** A project as the tool leaves it. @returns the output folder, and the artifact of a contract in it */
function project(tool: Tool) {
  const root = mkdtempSync(path.join(tmpdir(), 'tool-'));
  roots.push(root);
  cpSync(path.join(FIXTURES, 'artifacts/contracts'), path.join(root, 'contracts'), { recursive: true });
  cpSync(path.join(FIXTURES, 'artifacts', tool), root, { recursive: true });
  const folder = path.join(root, FOLDERS[tool]);
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const artifact = (name: string) => path.join(folder, files.find((file) => path.basename(file) === `${name}.json`)!);
  return { folder, artifact };
}

interface Played {
  readonly devnet: Devnet;
  readonly folder: string;
  readonly proxy: string;
  /** Ids by the name of the transaction. */
  readonly sent: Readonly<Record<string, string>>;
  readonly [Symbol.asyncDispose]: () => Promise<void>;
}

type Write = (args: readonly unknown[], options: object) => Promise<{ readonly txid: string }>;

async function play(tool: Tool, named: 'all' | 'contracts' | 'nothing' = 'all'): Promise<Played> {
  const { folder, artifact } = project(tool);
  const artifacts = { all: [folder], contracts: [path.join(folder, 'contracts')], nothing: [] }[named];
  const devnet = await createDevnet({ artifacts });
  const sums = await devnet.deploy(artifact('Sums'));
  const shop = await devnet.deploy(artifact('Shop'), { libraries: { Sums: sums.address } });
  const proxy = await devnet.deploy(artifact('Proxy'), { args: [shop.address] });
  const { write } = await devnet.contractAt(JSON.parse(readFileSync(artifact('Shop'), 'utf8')), proxy.address);
  const [alice, bob] = devnet.accounts;
  const send = async (method: string, args: readonly unknown[], from = alice!) =>
    (await (write as unknown as Record<string, Write>)[method]!(args, { from, allowFailure: true })).txid;
  const sent = {
    open: await send('open', [alice!.address]),
    'opened-again': await send('open', [alice!.address]),
    'add-till': await send('addTill', [900n]),
    'till-that-takes-nothing': await send('addTill', [0n]),
    'not-the-owner': await send('addTill', [900n], bob!),
    buy: await send('buy', [5n]),
    'too-much': await send('buy', [50n]),
    overflow: await send('buy', [2n ** 200n]),
    refund: await send('refund', [`0x${'12'.repeat(32)}`]),
  };
  return { devnet, folder, proxy: proxy.address, sent, [Symbol.asyncDispose]: () => devnet.close() };
}

async function printed({ devnet }: Played, ...words: readonly string[]): Promise<string> {
  const { out, err } = await said((say) => runRemote(['trace', ...words, '--url', devnet.http.url], say));
  return out + err;
}

describe.each(['hardhat', 'hardhat3', 'foundry', 'tronbox'] as const)('compiled by %s', (tool) => {
  it('every transaction has the committed text', async () => {
    await using played = await play(tool);
    for (const [name, txid] of Object.entries(played.sent)) {
      // TronBox passes files to its compiler without their folder.
      const text = (await printed(played, txid, '--lines')).replaceAll(/(?<![\w/])(?=(lib\/)?\w+\.sol)/g, () =>
        tool === 'tronbox' ? 'contracts/' : '',
      );
      // Ids differ between tools, and so do addresses if the metadata differ.
      const ids = new Map<string, string>();
      const told = text.replaceAll(/\b(T[1-9A-HJ-NP-Za-km-z]{33}|[\da-f]{64}(?= in block))\b/g, (id) => {
        if (!ids.has(id)) ids.set(id, `<${ids.size + 1}>`);
        return ids.get(id)!;
      });
      await expect(sorted(told)).toMatchFileSnapshot(path.join(FIXTURES, `traces/tools/${name}.txt`));
    }
  });

  it('profiles and charts have the functions of the sources', async () => {
    await using played = await play(tool);
    const { profile } = await played.devnet.trace(played.sent.buy!, { profile: 'function' });
    const names = profile!.shared.frames.map(({ name }) => name);
    for (const name of ['Proxy.fallback', 'Shop.buy', 'Counted.count', 'Sums.square', 'Till.take', 'Sums.capped'])
      expect(names).toContain(name);
    const chart = path.join(played.folder, 'chart.svg');
    expect(await printed(played, played.sent.buy!, '--svg', chart)).toContain(chart);
    expect(readFileSync(chart, 'utf8')).toContain('Sums.capped');
  });

  it('a matcher shows the line', async () => {
    await using played = await play(tool);
    const judged = assertRevertsWith(played.devnet.receipt(played.sent['too-much']!), 'NotOwner');
    const { message } = (await judged.catch((error: Error) => error)) as Error;
    expect(message).toMatch(/at Sums\.capped \((contracts\/)?lib\/Sums\.sol:10:28\)/);
  });
});

/** Lines without a source are ordered by address, which differs between tools. */
function sorted(text: string): string {
  return text.replaceAll(/(?<=Of no line:\n)[\s\S]*?(?=\n\n)/g, (lines) =>
    lines
      .split('\n')
      .sort((a, b) => (a.slice(8) < b.slice(8) ? -1 : 1))
      .join('\n'),
  );
}

describe('compiled via Yul', () => {
  it('Energy counts for the line that ran before, and failures have their line', async () => {
    await using played = await play('foundry-via-ir');
    const { devnet, sent } = played;
    const sites = async (name: string) =>
      (await devnet.trace(sent[name]!, { lines: true })).stack!.map(({ function: f, path: p, line }) => [f, p, line]);
    expect(await sites('too-much')).toEqual([
      ['capped', 'contracts/lib/Sums.sol', 10],
      ['take', 'contracts/Shop.sol', 19],
      ['buy', 'contracts/Shop.sol', 38],
      ['fallback', 'contracts/Proxy.sol', 13],
    ]);
    expect(await sites('not-the-owner')).toEqual([
      ['onlyOwner', 'contracts/Owned.sol', 10],
      ['fallback', 'contracts/Proxy.sol', 13],
    ]);
    const { lines } = await devnet.trace(sent.buy!, { lines: true });
    const placed = lines!.files.flatMap((file) => file.lines).reduce((sum, { energy }) => sum + Number(energy), 0);
    expect(placed / Number(lines!.total)).toBeGreaterThan(0.97);
    const counter = lines!.files.find((file) => file.path === 'contracts/Counted.sol')!.lines;
    expect(counter.find(({ line }) => line === 10)!.energy).toBeGreaterThan(5_000);
  });
});

it.each(['tronbox', 'hardhat', 'hardhat3'] as const)('the folder of contracts alone suffices, for %s', async (tool) => {
  await using played = await play(tool, 'contracts');
  const { stack } = await played.devnet.trace(played.sent['too-much']!, { lines: true });
  expect(stack!.map((site) => site.line)).toEqual([10, 20, 38, 15]);
});

it('a creation that failed has no name without artifacts', async () => {
  await using played = await play('foundry', 'nothing');
  const text = await printed(played, played.sent['till-that-takes-nothing']!);
  expect(text).toMatch(/creates T\w{33} {2}\[/);
});

it('explanations name a creation that failed, and its errors', async () => {
  await using played = await play('foundry');
  const { energy, outcome } = await played.devnet.explain(played.sent['till-that-takes-nothing']!);
  expect(energy!.frames.map(({ contract }) => contract.name)).toEqual(['Proxy', 'Shop', 'Till']);
  expect(energy!.contracts.map(({ name }) => name)).toEqual(['Proxy', 'Till']);
  expect(outcome.reason).toMatchObject({ raisedBy: { name: 'Till' } });
});

describe('a node without artifacts', () => {
  it.each(['hardhat', 'hardhat3', 'foundry', 'tronbox'] as const)(
    'is told of by --artifacts as one that has them, of %s',
    async (tool) => {
      await using knowing = await play(tool);
      await using plain = await play(tool, 'nothing');
      for (const [name, txid] of Object.entries(knowing.sent)) {
        const told = await printed(knowing, txid, '--lines');
        expect(await printed(plain, plain.sent[name]!, '--lines', '--artifacts', plain.folder)).toBe(told);
      }
      const [one, other] = [path.join(plain.folder, 'one.json'), path.join(plain.folder, 'other.json')];
      await printed(knowing, knowing.sent.buy!, '--speedscope', one);
      await printed(plain, plain.sent.buy!, '--speedscope', other, '--artifacts', plain.folder);
      expect(readFileSync(other, 'utf8')).toBe(readFileSync(one, 'utf8'));
    },
  );

  it('accepts lines, profiles and artifacts for an unsent call', async () => {
    await using knowing = await play('foundry');
    await using plain = await play('foundry', 'nothing');
    const call = (played: Played) =>
      JSON.stringify({ from: played.devnet.accounts[0]!.address, to: played.proxy, data: TAKES_TOO_MUCH });
    const told = await printed(knowing, call(knowing), '--lines');
    expect(told).toContain('at Sums.capped (contracts/lib/Sums.sol:10:28)');
    expect(told).toMatch(/5,135 {2}10 {6}return \+\+calls;/);
    expect(await printed(plain, call(plain), '--lines', '--artifacts', plain.folder)).toBe(told);
    const chart = path.join(plain.folder, 'chart.svg');
    await printed(plain, call(plain), '--svg', chart, '--artifacts', plain.folder);
    expect(readFileSync(chart, 'utf8')).toContain('Sums.capped');
  });

  it('reports that nothing matches, and invalid supplied artifacts', async () => {
    await using plain = await play('foundry', 'nothing');
    const other = path.join(FIXTURES, 'artifacts/contracts');
    expect(await printed(plain, plain.sent.buy!, '--artifacts', other)).toContain(
      `no contract in ${other} matches a contract that ran`,
    );
    const missing = path.join(plain.folder, 'nowhere');
    expect(await printed(plain, plain.sent.buy!, '--artifacts', missing)).toContain('cannot be read: ENOENT');
    const answer = await fetch(`${plain.devnet.http.url}/sunup/trace`, {
      method: 'POST',
      body: JSON.stringify({ txid: plain.sent.buy, contracts: [{ hash: 5 }] }),
    });
    expect(await answer.json()).toEqual({ Error: expect.stringMatching(/^contracts\.0\.hash: expected text/) });
  });
});
