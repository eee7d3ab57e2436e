import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { brokenOrder, brokenRules, verifyOrder } from './layers.js';

const src = path.resolve(import.meta.dirname, '../../src');

describe('the picture of the layers', () => {
  it('holds for every file of src', () => {
    const names = readdirSync(src, { recursive: true, encoding: 'utf8' })
      .map((name) => name.replaceAll('\\', '/'))
      // AssemblyScript is no TypeScript; it imports nothing of ours, because its compiler sees only that folder.
      .filter((name) => /\.tsx?$/.test(name) && !/^tvm\/\w+\/assembly\//.test(name));
    expect(names.length).toBeGreaterThan(5);
    const sources = new Map(names.map((name) => [name, readFileSync(path.join(src, name), 'utf8')]));
    expect(brokenRules(sources)).toEqual([]);
  });
});

describe('the order of scripts/verify', () => {
  it('holds for every file', () => {
    const folder = path.resolve(import.meta.dirname, '../../scripts/verify');
    const names = readdirSync(folder).filter((name) => name.endsWith('.ts'));
    expect(names.length).toBeGreaterThan(5);
    const sources = new Map(names.map((name) => [name, readFileSync(path.join(folder, name), 'utf8')]));
    expect(brokenOrder(sources, verifyOrder)).toEqual([]);
  });

  it('finds an import that does not point downwards, and a file without a place', () => {
    const sources = new Map([
      ['replay.ts', `import { a } from './answers.js'; import { show } from './difference.js'; show(a);`],
      [
        'asker.ts',
        `import type { R } from './replay.js'; import { x } from '../../src/node/replay.js'; export type A = R;`,
      ],
      ['other.ts', ''],
    ]);
    expect(brokenOrder(sources, verifyOrder)).toEqual([
      'replay.ts: imports answers.ts',
      'asker.ts: imports replay.ts',
      'other.ts: has no place in the order',
    ]);
  });
});

describe('the checker itself', () => {
  const broken = (files: Record<string, string>) => brokenRules(new Map(Object.entries(files)));

  it('accepts imports that point downwards', () => {
    expect(
      broken({
        'cli/main.ts': `import { createDevnet } from '../devnet/devnet.js'; console.log(process.pid); createDevnet();`,
        'index.ts': `export * from './node/chain.js'; export { x } from './wallet/x.js';`,
        'jsonrpc/y.ts': `import { x } from '../wallet/x.js'; import { Chain } from '../node/chain.js';
          import type { Log } from '../platform/log.js'; import { hex } from '../primitives/hex.js';
          export const y = (l: Log) => x(new Chain(l, hex)); // wallet.ledger`,
        'wallet/x.ts': `import type { Chain } from '../node/chain.js'; export const x = (c: Chain) => c;`,
        'node/chain/chain.ts': `import { createHash } from 'node:crypto'; import type { Level } from 'level';
          import { apply } from '../ledger/apply-block.js'; export interface Chain { process: number; level: Level; }
          export const run = (process: number, c: Chain) => apply(process + c.process + createHash.length);`,
        'ledger/apply-block.ts': `// process.exit() and Date.now()
          export const apply = (n: number) => n + new Date(n).getTime() + "setTimeout(process)".length;`,
        'tvm/machine.ts': `import { hex } from '../primitives/hex.js'; export const m = hex;`,
        'protocol/curve.ts': `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);
          export const curve = () => require('secp256k1');`,
        'state/tables.ts': `/** Shared by all chains: hashes. */\nconst known = new Map<string, string>();
          const rows = new WeakMap<object, string>(); export const NONE: ReadonlySet<string> = new Set();
          export const f = (key: string, row: object) => known.get(key) ?? rows.get(row);`,
        'primitives/hex.ts': `export const hex = /["']import x from 'y'/;`,
      }),
    ).toEqual([]);
  });

  it.each<[string, Record<string, string>, RegExp]>([
    ['an import upwards', { 'ledger/ledger.ts': `import { b } from '../node/b.js'; b();` }, /ledger imports node/],
    [
      'code of the node in the dashboard',
      { 'dashboard/app.tsx': `import { hex } from '../primitives/hex.js'; export const a = <b>{hex}</b>;` },
      /carries primitives\/hex\.ts to browsers/,
    ],
    [
      'a type import upwards',
      { 'state/state.ts': `import type { B } from '../ledger/b.js'; export type C = B;` },
      /state imports ledger/,
    ],
    [
      'an inline type import upwards',
      { 'state/state.ts': `export type C = import('../ledger/b.js').B;` },
      /state imports ledger/,
    ],
    [
      'a lazy import upwards',
      { 'node/node.ts': `export const f = async () => import('../grpc/b.js');` },
      /node imports grpc/,
    ],
    [
      'a re-export upwards',
      { 'protocol/a.ts': `export { b } from '../state/b.js'; export const c = 1;` },
      /protocol imports state/,
    ],
    [
      'an import upwards between rooms',
      { 'ledger/stake/a.ts': `import { b } from '../epoch/b.js'; b();` },
      /ledger\/stake imports ledger\/epoch/,
    ],
    [
      'an import between rooms of the same height',
      { 'ledger/stake/a.ts': `import { b } from '../trade/b.js'; b();` },
      /ledger\/stake imports ledger\/trade/,
    ],
    ['a room without a place', { 'ledger/attic/a.ts': 'export const a = 1;' }, /no place in the order of ledger/],
    ['a sideways import', { 'http/a.ts': `import { b } from '../grpc/b.js'; b();` }, /http imports grpc/],
    ...['ledger', 'state', 'resources', 'parameters', 'tvm', 'signers'].flatMap(
      (below): [string, Record<string, string>, RegExp][] => [
        [
          `a surface with ${below}`,
          { 'jsonrpc/a.ts': `import { b } from '../${below}/b.js'; b();` },
          new RegExp(`jsonrpc imports ${below}`),
        ],
        [
          `a surface with a type of ${below}`,
          { 'grpc/rows/a.ts': `import type { B } from '../../${below}/b.js'; export type C = B;` },
          new RegExp(`grpc imports ${below}`),
        ],
      ],
    ),
    [
      'a surface that reads the ledger',
      { 'jsonrpc/a.ts': 'export const f = (w) => w.ledger.headNumber;' },
      /the ledger/,
    ],
    [
      'a surface that takes the ledger',
      { 'http/a.ts': 'export const f = ({ ledger }) => ledger.headId;' },
      /the ledger/,
    ],
    [
      'resources with the protocol',
      { 'resources/a.ts': `import { b } from '../protocol/b.js'; b();` },
      /resources imports protocol/,
    ],
    [
      'parameters with errors',
      { 'parameters/a.ts': `import { b } from '../errors/b.js'; b();` },
      /parameters imports errors/,
    ],
    ['fees with the protocol', { 'fees/a.ts': `import { b } from '../protocol/b.js'; b();` }, /fees imports protocol/],
    ['the machine with the state', { 'tvm/a.ts': `import { b } from '../state/b.js'; b();` }, /tvm imports state/],
    [
      'the ledger with the platform',
      { 'ledger/ledger.ts': `import { b } from '../platform/b.js'; b();` },
      /ledger imports platform/,
    ],
    [
      'a variable of the module',
      { 'state/state.ts': `/** The last. */\nlet last = 0; export const f = () => last++;` },
      /last is shared/,
    ],
    ['a collection of the module', { 'ledger/ledger.ts': `export const seen = new Set<string>();` }, /seen is shared/],
    ['a file outside of src', { 'http/a.ts': `import { b } from '../../test/b.js'; b();` }, /from outside of src/],
    ['an unknown folder', { 'stuff/a.ts': 'export const a = 1;' }, /no place in the picture/],
    [
      'files in the core',
      { 'node/node.ts': `import { readFileSync } from 'node:fs'; readFileSync('x');` },
      /imports node:fs/,
    ],
    [
      'files by require',
      {
        'node/node.ts': `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);
          export const f = () => require('node:fs');`,
      },
      /imports node:fs/,
    ],
    ['files without the prefix', { 'node/node.ts': `import fs from 'fs'; fs.x();` }, /imports fs/],
    [
      'randomness by import',
      { 'protocol/a.ts': `import { randomBytes } from 'node:crypto'; randomBytes(1);` },
      /imports randomBytes/,
    ],
    ['the wall clock', { 'ledger/ledger.ts': 'export const now = () => Date.now();' }, /uses Date\.now/],
    [
      'the wall clock by a constructor',
      { 'node/node.ts': 'export const now = () => new Date().getTime();' },
      /uses new Date\(\)/,
    ],
    ['randomness', { 'tvm/a.ts': 'export const dice = () => Math.random();' }, /uses Math\.random/],
    ['a timer', { 'node/node.ts': 'export const later = (f: () => void) => setTimeout(f, 1);' }, /uses setTimeout/],
    ['a timer handed on', { 'node/node.ts': 'export const wait = { later: setTimeout };' }, /uses setTimeout/],
    ['the environment', { 'wallet/a.ts': `export const home = process.env.HOME;` }, /uses process/],
    [
      'a barrel',
      { 'wallet/all.ts': `export * from './a.js'; export { b } from './b.js';`, 'wallet/a.ts': '', 'wallet/b.ts': '' },
      /a barrel/,
    ],
    ['an index file', { 'wallet/index.ts': 'export const a = 1;' }, /an index file/],
    ['an empty name', { 'wallet/utils/a.ts': 'export const a = 1;' }, /"utils" says nothing/],
    ['an empty file name', { 'wallet/helpers.ts': 'export const a = 1;' }, /"helpers" says nothing/],
    [
      'a cycle',
      {
        'node/chain/a.ts': `import { b } from './b.js'; export const a = () => b;`,
        'node/chain/b.ts': `import { a } from './a.js'; export const b = () => a;`,
      },
      /import cycle node\/chain\/a\.ts → node\/chain\/b\.ts → node\/chain\/a\.ts/,
    ],
    [
      'a cycle through a type',
      {
        'node/chain/a.ts': `import { b } from './b.js'; export type A = number; export const a = () => b;`,
        'node/chain/b.ts': `import type { A } from './a.js'; export const b: A = 1;`,
      },
      /import cycle node\/chain\/a\.ts → node\/chain\/b\.ts → node\/chain\/a\.ts/,
    ],
    [
      'a database opened in the core',
      { 'node/node.ts': `import { Level } from 'level'; new Level('x');` },
      /opens a database/,
    ],
    [
      'a database opened twice',
      {
        'index.ts': `import { Level } from 'level'; new Level('x');`,
        'platform/a.ts': `export const f = () => import('level');`,
      },
      /more than one file: index\.ts, platform\/a\.ts/,
    ],
  ])('finds %s', (_, files, complaint) => {
    const found = broken(files);
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(complaint);
  });
});
