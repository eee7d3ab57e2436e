import { HDKey } from '@scure/bip32';
import { generateMnemonic, mnemonicToSeedSync } from '@scure/bip39';
import { wordlist } from '@scure/bip39/wordlists/english.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { devAccounts } from '../../../src/options/dev-accounts.js';
import { keyDeriver } from '../../../src/options/key-derivation.js';
import { settingsForLibrary } from '../../../src/options/settings.js';
import { TEST_ACCOUNTS, TEST_MNEMONIC, TRON_PATH } from '../../../src/options/test-accounts.js';
import { addressFromPrivateKey } from '../../../src/protocol/address.js';

describe('the accounts of a devnet', () => {
  it('are those of the test mnemonic (protocol/devnet-options.md#accounts-of-the-test-mnemonic-on-tron)', async () => {
    const accounts = await devAccounts(settingsForLibrary({}));
    expect(accounts).toHaveLength(10);
    expect(accounts[0]).toEqual({
      index: 0,
      address: 'TWer2Ygk5TEheHp3TPuYeqxmB6SsGZmaL6',
      addressHex: '41e2e1a54926527fbb4e4420de4c6bab82beaee24d',
      privateKey: '15f0bbb1774be40b7a8d7965d637f324bda2f711fc5726a3dcc19585c6950954',
      balanceSun: 10_000_000_000n,
    });
    expect(accounts[9]).toMatchObject({
      address: 'TJtuRzHcZ12gHZA8gKjqq589S7h4fYW8N1',
      privateKey: '529ca9c20dd90893928ef9ce2bdfcecbc191ffc5ee93a0171427d9a28ea77718',
    });
  });

  it('of the test mnemonic that are written down are what is derived', () => {
    const keyOf = keyDeriver(TEST_MNEMONIC, TRON_PATH);
    const derived = TEST_ACCOUNTS.map((_, index) => keyOf(index));
    expect(TEST_ACCOUNTS).toEqual(
      derived.map((privateKey) => ({ addressHex: addressFromPrivateKey(privateKey), privateKey })),
    );
  });

  it.each([
    ["m/44'/60'/0'/0", 'TYBNgWfhGuNzdLtjKtxXTfskAhTbMcqbaG'],
    ["m/44'/60'/0'", 'TCjgri5AfebbWEo8DXweGE3qHtMEMVqm9r'],
  ])('follow the path %s (E.8)', async (derivationPath, address) => {
    const [first] = await devAccounts(settingsForLibrary({ derivationPath, accounts: 1 }));
    expect(first?.address).toBe(address);
  });

  it('are as many and own as much as asked for', async () => {
    const accounts = await devAccounts(settingsForLibrary({ accounts: 3, balance: '0.000001' }));
    expect(accounts.map(({ index, balanceSun }) => [index, balanceSun])).toEqual([
      [0, 1n],
      [1, 1n],
      [2, 1n],
    ]);
    expect(await devAccounts(settingsForLibrary({ accounts: 0 }))).toEqual([]);
  });

  it('take the phrase with any spaces between its words', async () => {
    const mnemonic = ' legal winner thank year  wave sausage worth useful legal winner thank\tyellow ';
    const [first] = await devAccounts(settingsForLibrary({ mnemonic, accounts: 1 }));
    expect(first?.privateKey).toBe(libraryKey(mnemonic.trim().split(/\s+/).join(' '), "m/44'/195'/0'/0", 0));
  });

  it.each([
    ['test test junk', /has 3 words, which are not a valid BIP-39 phrase/],
    ['test test test test test test test test test test test tesst', /the word "tesst".*Did you mean "test"/],
    ['test test test test test test test test test test test test', /12 words, which are not a valid BIP-39 phrase/],
  ])('are refused for the phrase "%s"', async (mnemonic, message) => {
    await expect(devAccounts(settingsForLibrary({ mnemonic }))).rejects.toThrow(message);
  });

  it.each(['44/195', 'm/44x', "m/2147483648'", 'm//1', 'm/{index}/0', `m${'/1'.repeat(255)}`])(
    'are refused for the path "%s"',
    async (derivationPath) => {
      await expect(devAccounts(settingsForLibrary({ derivationPath }))).rejects.toThrow(
        /derivationPath .* not a BIP-32 path/,
      );
    },
  );
});

function libraryKey(mnemonic: string, path: string, index: number): string {
  const key = HDKey.fromMasterSeed(mnemonicToSeedSync(mnemonic)).derive(path).deriveChild(index).privateKey;
  return Buffer.from(key!).toString('hex');
}

describe('key derivation', () => {
  it('gives what @scure/bip32 gives', () => {
    const step = fc
      .tuple(fc.nat(2 ** 31 - 1), fc.boolean())
      .map(([index, hardened]) => `${index}${hardened ? "'" : ''}`);
    fc.assert(
      fc.property(fc.array(step, { maxLength: 5 }), (steps) => {
        const mnemonic = generateMnemonic(wordlist);
        const path = ['m', ...steps].join('/');
        const keyOf = keyDeriver(mnemonic, path);
        expect([keyOf(0), keyOf(1)]).toEqual([libraryKey(mnemonic, path, 0), libraryKey(mnemonic, path, 1)]);
      }),
      { numRuns: 15 },
    );
  });
});
