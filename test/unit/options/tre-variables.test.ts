import { describe, expect, it, vi } from 'vitest';
import { readCommandLine } from '../../../src/cli/command-line.js';
import { devAccounts, phraseOf } from '../../../src/options/dev-accounts.js';
import { settingsForLibrary } from '../../../src/options/settings.js';
import { treValues } from '../../../src/options/tre-variables.js';

const say = { out: () => {}, err: () => {}, overwrite: () => {} };

/** Settings of a command line in an environment. */
function read(environment: Readonly<Record<string, string>>, ...words: string[]) {
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  const reading = readCommandLine(words, say);
  vi.unstubAllEnvs();
  if (!('settings' in reading)) throw new Error(`refused: ${words.join(' ')}`);
  return reading.settings;
}

/** As hardhat-tron starts its container. */
const hardhatTron = {
  accounts: '10',
  defaultBalance: '1000000000',
  mnemonic: 'test test test test test test test test test test test junk',
  hdPath: "m/44'/60'/0'/0",
  quiet: 'true',
};

describe("TRE's environment variables", () => {
  it('are settings with --tre', () => {
    expect(read(hardhatTron, '--tre')).toMatchObject({
      accounts: 10,
      balance: 1_000_000_000_000_000n,
      derivationPath: "m/44'/60'/0'/0{index}",
      mining: 'instant',
      quiet: true,
      networkStake: { name: 'none' },
    });
  });

  it('are settings of a container, to which no words are given', () => {
    expect(read({ ...hardhatTron, SUNUP_TRE: 'true' })).toMatchObject({ tre: true, balance: 1_000_000_000_000_000n });
  });

  it('are no settings without it', () => {
    expect(read(hardhatTron)).toMatchObject({ balance: 10_000_000_000n, mining: 'interval', quiet: false });
  });

  it('are outranked by flags and by our own variables', () => {
    const settings = read({ ...hardhatTron, SUNUP_BALANCE: '7' }, '--tre', '--accounts', '2', '--mining', 'manual');
    expect(settings).toMatchObject({ accounts: 2, balance: 7_000_000n, mining: 'manual' });
    const parameters = { preapprove: 'allowTvmCompatibleEvm:1,multiSignFee:5' };
    expect(read(parameters, '--tre', '--param', 'getMultiSignFee=9').parameters).toEqual(
      new Map([
        ['getAllowTvmCompatibleEvm', 1n],
        ['getMultiSignFee', 9n],
      ]),
    );
  });

  it.each([
    [{ accounts: 'many' }, { accounts: 10 }],
    [{ instamine: 'false' }, { mining: 'interval' }],
    [{ useDefaultPrivateKey: 'true' }, { privateKeys: [`${'0'.repeat(63)}1`] }],
    [{ useDefaultPrivateKey: 'false', seed: '', quiet: 'false' }, { quiet: false }],
    [{ preapprove: 'nonsense,x:y' }, { parameters: {} }],
  ])('%j means %j', (environment, values) => {
    expect(treValues(environment)).toEqual(values);
  });
});

describe('accounts as TRE has them', () => {
  it('have their number behind the path without a slash (protocol/devnet-options.md#accounts-of-the-test-mnemonic-on-tron)', async () => {
    const accounts = await devAccounts(read(hardhatTron, '--tre'));
    expect(accounts[0]).toMatchObject({
      address: 'TCjgri5AfebbWEo8DXweGE3qHtMEMVqm9r',
      privateKey: 'dd23ca549a97cb330b011aebb674730df8b14acaee42d211ab45692699ab8ba5',
    });
    const [, second] = await devAccounts(settingsForLibrary({ derivationPath: "m/44'/60'/0'/{index}" }));
    expect(accounts[1]?.address).toBe(second?.address);
  });

  it('have a number within a part of the path', async () => {
    const derivationPath = "m/44'/195'/{index}'";
    const accounts = await devAccounts(settingsForLibrary({ derivationPath, accounts: 2 }));
    const [, , third] = await devAccounts(settingsForLibrary({ derivationPath: "m/44'/195'/1{index}'", accounts: 3 }));
    expect(new Set([...accounts, third].map((one) => one?.address)).size).toBe(3);
    await expect(devAccounts(settingsForLibrary({ derivationPath: 'm/{index}/0' }))).rejects.toThrow(
      /not a BIP-32 path/,
    );
  });

  it('come of the phrase that a seed makes, unless one is given', async () => {
    // What TRE's generator (seedrandom) and bip39 give.
    expect(await phraseOf(settingsForLibrary({ seed: 'sunup' }))).toBe(
      'excess make affair busy ski vehicle omit deny language episode recycle stand',
    );
    expect(await phraseOf(settingsForLibrary({ seed: 'sunup', mnemonic: 'any words' }))).toBe('any words');
  });

  it('begin with the keys that are given, each once', async () => {
    const privateKeys = [`0x${'0'.repeat(63)}1`];
    const [first, second, ...rest] = await devAccounts(settingsForLibrary({ privateKeys, accounts: 3 }));
    expect(first?.address).toBe('TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2HC');
    expect(second).toMatchObject({ index: 1, address: 'TWer2Ygk5TEheHp3TPuYeqxmB6SsGZmaL6' });
    expect(rest).toHaveLength(1);
    const twice = settingsForLibrary({ privateKeys: [privateKeys[0]!, privateKeys[0]!] });
    await expect(devAccounts(twice)).rejects.toThrow(
      /privateKeys has a key twice, or one of an account that already exists/,
    );
    expect(() => settingsForLibrary({ privateKeys: ['0x00'] })).toThrow(/privateKeys contains an invalid private key/);
    expect(() => settingsForLibrary({ privateKeys: ['0'.repeat(64)] })).toThrow(/invalid private key/);
  });
});
