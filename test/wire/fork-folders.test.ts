/** A folder of `--fork-cache` as an editor has left it, or as it came with somebody else's sources. */

import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createDevnet, type Devnet } from '../../src/index.js';

const place = mkdtempSync(path.join(tmpdir(), 'sunup-fork-folders-'));
const whole = path.join(place, 'whole');
const cache = path.join(place, 'cache');
let network: Devnet;
/** Of the network, and read by the folder's fork. */
let holder: { readonly address: string; readonly addressHex: string };
let stranger: typeof holder;
let file: string;

beforeAll(async () => {
  network = await createDevnet({
    accounts: 3,
    mnemonic: 'test test test test test test test test test test test junk',
  });
  [, holder, stranger] = network.accounts as unknown as [typeof holder, typeof holder, typeof holder];
  file = path.join('accounts', `${holder.address}.json`);
  await using fork = await createDevnet({ fork: network.http.url, forkCache: whole, accounts: 1 });
  await balance(fork, holder);
});
afterAll(async () => {
  await network.close();
  rmSync(place, { recursive: true, force: true });
});
beforeEach(() => {
  rmSync(cache, { recursive: true, force: true });
  cpSync(whole, cache, { recursive: true });
});

async function balance(fork: Devnet, { addressHex }: typeof holder): Promise<string> {
  const body = JSON.stringify({ address: addressHex });
  return (await fork.fetch('/wallet/getaccount', { method: 'POST', body })).text();
}

/** What a fork says to whoever asks for the holder, or at its start. */
async function said(): Promise<string> {
  try {
    await using fork = await createDevnet({ forkOffline: true, forkCache: cache, accounts: 1 });
    return (await balance(fork, holder)).replaceAll('\\"', '"');
  } catch (error) {
    return (error as Error).message;
  }
}

function edit(name: string, from: RegExp | string, to: string): void {
  const text = readFileSync(path.join(cache, name), 'utf8');
  expect(text).toMatch(from);
  writeFileSync(path.join(cache, name), text.replace(from, to));
}

describe('a folder that was edited', () => {
  it('is read where only a value is another', async () => {
    edit(file, /"balance": "\d+n"/, '"balance": "77n"');
    expect(await said()).toContain('"balance": 77');
  });

  it.each([
    ['an amount that is a number', /"balance": "\d+n"/, '"balance": 5', /its row 41.* balance.*\(line \d+\)/],
    ['an amount in words', /"balance": "\d+n"/, '"balance": "much"', /its row 41.*\(line \d+\)/],
    ['an amount past 2^63', /"balance": "\d+n"/, `"balance": "${2n ** 64n + 5n}n"`, /its row 41.*\(line \d+\)/],
    ['a member that there is not', /"balance": /, '"balanse": ', /balanse.*\(line \d+\)/],
    ['a row of no table', /"table": "accounts"/, '"table": "../x"', /a table "\.\.\/x" \(line \d+\)/],
    ['a table of JavaScript', /"table": "accounts"/, '"table": "__proto__"', /a table "__proto__" \(line \d+\)/],
    ['a row of no block', /"block": \d+/, '"block": -1', /no number of a block \(line \d+\)/],
    ['a row of a block in words', /"block": \d+/, '"block": "1"', /no number of a block \(line \d+\)/],
    ['a list for a value', /"value": \{/, '"value": [], "x": {', /cannot be read.*\(line \d+\)/],
    ['no list of rows', /"rows": \[/, '"rows": 5, "x": [', /"rows" are no list \(line 3\)/],
    ['a number for a row', /"rows": \[/, '"rows": [5,', /in the place of a row/],
    ['null for a row', /"rows": \[/, '"rows": [null,', /in the place of a row/],
    ['a comma too much', /"rows": \[/, '"rows": [,', /no JSON \(line [34]\)/],
    ['a part that is gone', /"balance"[\s\S]*$/, '', /no JSON \(line \d+\)/],
    ['two values', /"block": (\d+)/, '"block": $1 $1', /no JSON \(line \d+\)/],
    ['nothing but null', /^[\s\S]*$/, 'null', /another format/],
  ])('and has %s is refused by file and line', async (_, from, to, refusal) => {
    edit(file, from, to);
    const text = await said();
    expect(text).toContain(path.join(cache, file));
    expect(text).toMatch(refusal);
  });

  it.each([
    ['no head', /"head": \{/, '"head": 5, "x": {', /"head" is no block \(line \d+\)/],
    ['a head of no number', /"number": \d+/, '"number": "9"', /"head" is no block/],
    ['a header that is no hex', /"header": "/, '"header": "xy', /"head" is no block/],
    ['a genesis of another kind', /"genesis": \{/, '"genesis": null, "x": {', /"genesis" is no block/],
    ['assumptions that are none', /"assumptions": \[/, '"assumptions": 7, "x": [', /"assumptions" are no list/],
    ['a parameter in words', /"value": "\d+n"/, '"value": "much"', /its row .* of longs.*\(line \d+\)/],
  ])('and begins with %s is refused', async (_, from, to, refusal) => {
    edit('start.json', from, to);
    const text = await said();
    expect(text).toContain(path.join(cache, 'start.json'));
    expect(text).toMatch(refusal);
  });

  it('and has what is no file, or too large a one, is refused', async () => {
    truncateSync(path.join(cache, file), 300 * 1024 * 1024);
    expect(await said()).toMatch(/it has 314572800 bytes/);
    rmSync(path.join(cache, file));
    mkdirSync(path.join(cache, file));
    expect(await said()).toMatch(/it is no file/);
    rmSync(path.join(cache, file), { recursive: true });
    symlinkSync('/dev/zero', path.join(cache, file));
    expect(await said()).toMatch(/it is no file/);
  });
});

describe('a folder with links in it', () => {
  const outside = path.join(place, 'outside');
  beforeEach(() => {
    rmSync(outside, { recursive: true, force: true });
    mkdirSync(outside);
  });

  it('has nothing written where they lead', async () => {
    writeFileSync(path.join(outside, 'precious'), 'mine');
    const theirs = path.join(cache, 'accounts', `${stranger.address}.json`);
    symlinkSync(path.join(outside, 'precious'), `${theirs}.new`);
    {
      await using fork = await createDevnet({ fork: network.http.url, forkCache: cache, accounts: 1 });
      expect(await balance(fork, stranger)).toContain('balance');
    }
    expect(readFileSync(path.join(outside, 'precious'), 'utf8')).toBe('mine');
    expect(existsSync(theirs)).toBe(true);
  });

  it('is refused where its own folders lead elsewhere', async () => {
    rmSync(path.join(cache, 'accounts'), { recursive: true });
    symlinkSync(outside, path.join(cache, 'accounts'));
    const refused = createDevnet({ fork: network.http.url, forkCache: cache, accounts: 1 }).then(async (fork) => {
      const text = await balance(fork, stranger);
      await fork.close().catch(() => {});
      throw new Error(text);
    });
    await expect(refused).rejects.toThrow('leads elsewhere');
    expect(readdirSync(outside)).toEqual([]);
  });

  it('may be one itself', async () => {
    const link = path.join(place, 'link');
    symlinkSync(cache, link);
    await using fork = await createDevnet({ fork: network.http.url, forkCache: link, accounts: 1 });
    expect(await balance(fork, stranger)).toContain('balance');
  });
});
