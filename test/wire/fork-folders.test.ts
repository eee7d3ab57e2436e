/** A folder of `--fork-cache` after manual edits, or from other sources. */

import { execFileSync } from 'node:child_process';
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
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createDevnet, type Devnet, OptionError } from '../../src/index.js';

const place = mkdtempSync(path.join(tmpdir(), 'sunup-fork-folders-'));
const whole = path.join(place, 'whole');
const cache = path.join(place, 'cache');
let network: Devnet;
/** A contract of the network that the folder's fork has read. */
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

/** The fork's error for a request for the holder, or at its start. */
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

const longOf = (name: string): RegExp => new RegExp(`("key": "${name}",[^}]*"value": )"[^"]*"`);

describe('an edited folder', () => {
  it('is read if only a value differs', async () => {
    edit(file, /"balance": "\d+n"/, '"balance": "77n"');
    expect(await said()).toContain('"balance": 77');
  });

  it.each([
    ['an amount that is a number', /"balance": "\d+n"/, '"balance": 5', /its row 41.* balance.*\(line \d+\)/],
    ['an amount in words', /"balance": "\d+n"/, '"balance": "much"', /its row 41.*\(line \d+\)/],
    ['an amount past 2^63', /"balance": "\d+n"/, `"balance": "${2n ** 64n + 5n}n"`, /its row 41.*\(line \d+\)/],
    ['a member that there is not', /"balance": /, '"balanse": ', /balanse.*\(line \d+\)/],
    ['a row of no table', /"table": "accounts"/, '"table": "../x"', /the unknown table "\.\.\/x" \(line \d+\)/],
    [
      'a table of JavaScript',
      /"table": "accounts"/,
      '"table": "__proto__"',
      /the unknown table "__proto__" \(line \d+\)/,
    ],
    ['a row of no block', /"block": \d+/, '"block": -1', /no block number \(line \d+\)/],
    ['a row of a block in words', /"block": \d+/, '"block": "1"', /no block number \(line \d+\)/],
    ['a list for a value', /"value": \{/, '"value": [], "x": {', /cannot be read.*\(line \d+\)/],
    ['no list of rows', /"rows": \[/, '"rows": 5, "x": [', /"rows" are not a list \(line 3\)/],
    ['a number for a row', /"rows": \[/, '"rows": [5,', /an entry that is not a row/],
    ['null for a row', /"rows": \[/, '"rows": [null,', /an entry that is not a row/],
    ['a comma too much', /"rows": \[/, '"rows": [,', /not JSON \(line [34]\)/],
    ['a missing part', /"balance"[\s\S]*$/, '', /not JSON \(line \d+\)/],
    ['two values', /"block": (\d+)/, '"block": $1 $1', /not JSON \(line \d+\)/],
    ['only null', /^[\s\S]*$/, 'null', /another format/],
    ['less than nothing', /"balance": "\d+n"/, '"balance": "-5n"', /its balance is -5\) \(line \d+\)/],
    [
      'a row of another account',
      /"key": "41[0-9a-f]{40}"/,
      `"key": "41${'99'.repeat(20)}"`,
      /belongs in another file \(line/,
    ],
    ['a path for a key', /"key": "41[0-9a-f]{40}"/, '"key": "../../x"', /belongs in another file \(line \d+\)/],
    [
      'a row that no fork reads',
      /"rows": \[/,
      '"rows": [{ "table": "longs", "key": "ENERGY_FEE", "block": 9, "value": "5n" },',
      /row ENERGY_FEE of longs belongs in another file/,
    ],
    ['values in each other', /"value": \{/, `"value": { "x": ${'['.repeat(2e5)}${']'.repeat(2e5)},`, /cannot be read/],
    [
      'a million lines before its mistake',
      /"rows": \[/,
      `"rows": [${'\n'.repeat(1_000_000)}"as nothing else" !`,
      /\(line 1000003\)/,
    ],
  ])('is refused with file and line for %s', async (_, from, to, refusal) => {
    edit(file, from, to);
    const text = await said();
    expect(text).toContain(path.join(cache, file));
    expect(text).toMatch(refusal);
  });

  it.each([
    ['no head', /"head": \{/, '"head": 5, "x": {', /"head" is not a block \(line \d+\)/],
    ['a head of no number', /"number": \d+/, '"number": "9"', /"head" is not a block/],
    ['an invalid header', /"header": "/, '"header": "xy', /"head" is not a block/],
    ['an invalid genesis', /"genesis": \{/, '"genesis": null, "x": {', /"genesis" is not a block/],
    ['invalid assumptions', /"assumptions": \[/, '"assumptions": 7, "x": [', /"assumptions" are not a list/],
    ['a parameter in words', /"value": "\d+n"/, '"value": "much"', /its row .* of longs.*\(line \d+\)/],
    ['epochs of no length', longOf('MAINTENANCE_TIME_INTERVAL'), '$1"0n"', /getMaintenanceTimeInterval is 0/],
    ['a fee below 0', longOf('TRANSACTION_FEE'), '$1"-1n"', /getTransactionFee is -1/],
    ['a past epoch', longOf('NEXT_MAINTENANCE_TIME'), '$1"-9n"', /NEXT_MAINTENANCE_TIME is -9/],
    ['a missing property', '"key": "CURRENT_CYCLE_NUMBER"', '"key": "CURRENT"', /it has no CURRENT_CYCLE_NUMBER/],
    ['invalid witnesses', /("active_witnesses",[^}]*"value": )"41/, '$1"99', /it lists 99.*, which is not a witness/],
    ['no active witnesses', /("active_witnesses",[^}]*"value": )"[^"]*"/, '$1""', /it has no active witnesses/],
    [
      'a time that differs from its header',
      /("head": \{[^}]*"timestampMs": )"/,
      '$1"1',
      /"header" does not belong to its "head"/,
    ],
    [
      'a genesis of no time',
      /("genesis": \{[^}]*"timestampMs": )"\d+"/,
      '$1"999999999999999999"',
      /"genesis" is 9+ ms/,
    ],
    [
      'rows of the chain itself',
      /"rows": \[/,
      '"rows": [{ "table": "impersonations", "key": "everybody", "block": 9, "value": "yes" },',
      /row everybody of impersonations belongs in another file/,
    ],
  ])('is refused for a start with %s', async (_, from, to, refusal) => {
    edit('start.json', from, to);
    const text = await said();
    expect(text).toContain(path.join(cache, 'start.json'));
    expect(text).toMatch(refusal);
  });

  it('is refused with an entry that is not a file, or with a file that is too large', async () => {
    truncateSync(path.join(cache, file), 300 * 1024 * 1024);
    expect(await said()).toMatch(/it has 314572800 bytes/);
    rmSync(path.join(cache, file));
    mkdirSync(path.join(cache, file));
    expect(await said()).toMatch(/it is not a file/);
    rmSync(path.join(cache, file), { recursive: true });
    symlinkSync('/dev/zero', path.join(cache, file));
    expect(await said()).toMatch(/it is not a file/);
    // A file of size 0 that returns data without end.
    rmSync(path.join(cache, file));
    symlinkSync('/proc/self/environ', path.join(cache, file));
    expect(await said()).toMatch(/is not JSON|cannot be read/);
  });

  it.skipIf(process.platform === 'win32')('is refused with a pipe that nobody writes to', async () => {
    for (const name of [file, 'start.json']) {
      rmSync(path.join(cache, name));
      execFileSync('mkfifo', [path.join(cache, name)]);
      expect(await said()).toMatch(/it is not a file/);
    }
  });

  it('is refused by the name of its option, if rows of the first blocks cannot be written', async () => {
    rmSync(cache, { recursive: true });
    const fork = { fork: network.http.url, forkCache: cache, accounts: 1 };
    mkdirSync(cache);
    // There is to be a folder.
    writeFileSync(path.join(cache, 'accounts'), '');
    const refusal = await createDevnet(fork).then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(refusal).toBeInstanceOf(OptionError);
    expect(refusal).toMatchObject({
      option: 'forkCache',
      problem: expect.stringMatching(/^does not give .*: .*accounts/),
    });
    rmSync(path.join(cache, 'accounts'));
    await (await createDevnet(fork)).close();
  });

  it.each<[string, (lock: string) => void]>([
    [
      'of the future',
      (lock) => {
        writeFileSync(lock, '');
        utimesSync(lock, new Date('2099-01-01'), new Date('2099-01-01'));
      },
    ],
    ['that leads nowhere', (lock) => symlinkSync(path.join(place, 'nowhere'), lock)],
    [
      'that a process left long ago',
      (lock) => {
        writeFileSync(lock, '');
        utimesSync(lock, new Date(0), new Date(0));
      },
    ],
  ])('does not wait for a lock %s', async (_, put) => {
    const theirs = path.join(cache, 'accounts', `${stranger.address}.json`);
    put(`${theirs}.lock`);
    {
      await using fork = await createDevnet({ fork: network.http.url, forkCache: cache, accounts: 1 });
      expect(await balance(fork, stranger)).toContain('balance');
    }
    expect(existsSync(theirs)).toBe(true);
    expect(readdirSync(path.join(cache, 'accounts')).filter((name) => name.endsWith('.lock'))).toEqual([]);
    expect(existsSync(path.join(place, 'nowhere'))).toBe(false);
  });

  it('uses no names from requests as file names', async () => {
    await using fork = await createDevnet({ fork: network.http.url, forkCache: cache, accounts: 1 });
    const ask = (method: string, body: object) =>
      fork.fetch(`/wallet/${method}`, { method: 'POST', body: JSON.stringify(body) });
    for (const name of ['../../x', 'CON', 'NUL.json', '\u0000', '.', 'a'.repeat(400)]) {
      await ask('getaccount', { address: Buffer.from(name).toString('hex') });
      await ask('getaccountbyid', { account_id: name, visible: true });
      await ask('getassetissuebyid', { value: name });
      await ask('getassetissuebyname', { value: name, visible: true });
      await ask('getmarketorderbyid', { value: Buffer.from(name).toString('hex') });
    }
    const names = readdirSync(cache, { recursive: true }).map((name) => path.basename(String(name)));
    for (const name of names) expect(name).toMatch(/^(T[1-9A-HJ-NP-Za-km-z]{33}|[a-zA-Z]+)(\.json)?$/);
    expect(existsSync(path.join(place, 'x.json'))).toBe(false);
  });
});

describe('a folder with links', () => {
  const outside = path.join(place, 'outside');
  beforeEach(() => {
    rmSync(outside, { recursive: true, force: true });
    mkdirSync(outside);
  });

  it('is not written through the links', async () => {
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

  it('is refused if its subfolders lead elsewhere', async () => {
    rmSync(path.join(cache, 'accounts'), { recursive: true });
    symlinkSync(outside, path.join(cache, 'accounts'));
    const refused = createDevnet({ fork: network.http.url, forkCache: cache, accounts: 1 }).then(async (fork) => {
      const text = await balance(fork, stranger);
      await fork.close().catch(() => {});
      throw new Error(text);
    });
    await expect(refused).rejects.toThrow('is a link to another place');
    expect(readdirSync(outside)).toEqual([]);
  });

  it('can itself be a link', async () => {
    const link = path.join(place, 'link');
    symlinkSync(cache, link);
    await using fork = await createDevnet({ fork: network.http.url, forkCache: link, accounts: 1 });
    expect(await balance(fork, stranger)).toContain('balance');
  });
});
