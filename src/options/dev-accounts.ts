/** The funded accounts of a devnet: keys and addresses from the options. */

import { turn } from '../platform/turns.js';
import { closest } from '../primitives/closest-name.js';
import type { Hex } from '../primitives/hex.js';
import type { Address, Sun } from '../primitives/ids.js';
import { addressFromPrivateKey, toBase58 } from '../protocol/address.js';
import type { Settings } from './declarations.js';
import { keyDeriver } from './key-derivation.js';
import { BadValue } from './kinds.js';
import { OptionError } from './option-error.js';
import { checked } from './settings.js';
import { TEST_ACCOUNTS, TEST_MNEMONIC, TRON_PATH } from './test-accounts.js';

export interface DevAccount {
  readonly index: number;
  /** Base58check (T…). */
  readonly address: string;
  /** The same address as 21 bytes of hex, `41…`. */
  readonly addressHex: Address;
  /** 32 bytes of hex without a prefix. */
  readonly privateKey: Hex;
  /** Its balance in the genesis block. */
  readonly balanceSun: Sun;
}

/** The accounts of these settings. @throws OptionError for an invalid phrase or path */
export async function devAccounts(
  settings: Pick<Settings, 'accounts' | 'balance' | 'mnemonic' | 'derivationPath' | 'privateKeys'>,
): Promise<readonly DevAccount[]> {
  const { privateKeys, balance: balanceSun } = settings;
  const given: KnownKey[] = [];
  for (const key of privateKeys) {
    given.push(withAddress(key));
    await turn();
  }
  const all = [...given, ...(await accountsOfPhrase(settings, Math.max(settings.accounts - given.length, 0)))];
  const keys = new Set(all.map(({ privateKey }) => privateKey));
  if (keys.size < all.length)
    throw new OptionError('privateKeys', 'has a key twice, or one of an account that already exists', 'Give it once');
  return all.map(({ addressHex, privateKey }, index) => ({
    index,
    address: toBase58(addressHex),
    addressHex,
    privateKey,
    balanceSun,
  }));
}

type KnownKey = Pick<DevAccount, 'addressHex' | 'privateKey'>;

function withAddress(privateKey: Hex): KnownKey {
  return { addressHex: addressFromPrivateKey(privateKey), privateKey };
}

async function accountsOfPhrase(
  settings: Pick<Settings, 'mnemonic' | 'derivationPath'>,
  count: number,
): Promise<readonly KnownKey[]> {
  const mnemonic = settings.mnemonic.trim().split(/\s+/).join(' ');
  const path = settings.derivationPath;
  if (mnemonic !== TEST_MNEMONIC) await checkMnemonic(mnemonic);
  else if (path === TRON_PATH && count <= TEST_ACCOUNTS.length) return TEST_ACCOUNTS.slice(0, count);
  const keyOf = checked('derivationPath', () => keyDeriver(mnemonic, path));
  const accounts: KnownKey[] = [];
  while (accounts.length < count) {
    accounts.push(withAddress(keyOf(accounts.length)));
    // A hosted chain may have thousands of accounts: other chains get turns meanwhile.
    await turn();
  }
  return accounts;
}

/** The given phrase, or the phrase of the given seed. */
export async function phraseOf({ mnemonic, seed }: Pick<Settings, 'mnemonic' | 'seed'>): Promise<string> {
  if (seed === undefined) return mnemonic;
  const { entropyOf } = await import('./seed-entropy.js');
  return phraseOfEntropy(entropyOf(seed));
}

/** The phrase of twelve words for 16 bytes. */
export async function phraseOfEntropy(bytes: Uint8Array): Promise<string> {
  const [{ entropyToMnemonic }, { wordlist }] = await Promise.all([
    import('@scure/bip39'),
    import('@scure/bip39/wordlists/english.js'),
  ]);
  return entropyToMnemonic(bytes, wordlist);
}

async function checkMnemonic(mnemonic: string): Promise<void> {
  const [{ validateMnemonic }, { wordlist }] = await Promise.all([
    import('@scure/bip39'),
    import('@scure/bip39/wordlists/english.js'),
  ]);
  checked('mnemonic', () => {
    const words = mnemonic.split(' ');
    const unknown = words.find((word) => !wordlist.includes(word));
    if (unknown !== undefined) {
      const close = closest(unknown, wordlist);
      throw new BadValue(
        `has the word "${unknown}", which is not on the BIP-39 list`,
        close === undefined ? undefined : `Did you mean "${close}"?`,
      );
    }
    if (!validateMnemonic(mnemonic, wordlist)) {
      const count = `${words.length} word${words.length === 1 ? '' : 's'}`;
      throw new BadValue(
        `has ${count}, which are not a valid BIP-39 phrase`,
        'Check that no word is missing and that the order is right',
      );
    }
  });
}
