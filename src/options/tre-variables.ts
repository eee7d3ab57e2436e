/**
 * The environment variables of the TronBox Runtime Environment (protocol/devnet-options.md#tre-tronboxtre) as options.
 * Their names are common words, so only `--tre` reads them, and our own flags and variables outrank them.
 */

import type { DevnetOptions } from './declarations.js';
import { INDEX } from './key-derivation.js';

/** Tools of TRE expect that this key is a witness with a large balance. */
export const TRE_KEY = `${'0'.repeat(63)}1`;

export type TreValues = Pick<
  DevnetOptions,
  'accounts' | 'balance' | 'mnemonic' | 'seed' | 'derivationPath' | 'privateKeys' | 'parameters' | 'mining'
> & { readonly quiet?: boolean };

const READERS: Readonly<Record<string, (text: string) => TreValues>> = {
  // TRE takes ten for text that is not a number.
  accounts: (text) => ({ accounts: /^\d+$/.test(text) ? Number(text) : 10 }),
  defaultBalance: (balance) => ({ balance }),
  mnemonic: (mnemonic) => ({ mnemonic }),
  seed: (seed) => ({ seed }),
  // TRE appends the index without a slash: m/44'/60'/0'/0 gives m/44'/60'/0'/00, m/44'/60'/0'/01, …
  hdPath: (path) => ({ derivationPath: `${path}${INDEX}` }),
  useDefaultPrivateKey: (text) => (text === 'true' ? { privateKeys: [TRE_KEY] } : {}),
  preapprove: (text) => ({ parameters: committeeValues(text) }),
  instamine: (text) => ({ mining: text === 'false' ? 'interval' : 'instant' }),
  quiet: (text) => ({ quiet: text !== 'false' }),
};

/** @example treValues({ accounts: '3', defaultBalance: '1000000' }) // { accounts: 3, balance: '1000000' } */
export function treValues(environment: Readonly<Record<string, string | undefined>>): TreValues {
  const read = Object.entries(READERS).map(([name, reader]) => {
    const text = environment[name]?.trim();
    return text === undefined || text === '' ? {} : reader(text);
  });
  return Object.assign({}, ...read);
}

/** `allowTvmCompatibleEvm:1,multiSignFee:1` → chain parameters; java-tron's configuration names them without `get`. */
function committeeValues(text: string): Readonly<Record<string, bigint>> {
  const pairs = text.split(',').map((pair) => pair.split(':').map((part) => part.trim()));
  return Object.fromEntries(
    pairs
      .filter(([name, value]) => name && value && /^-?\d+$/.test(value))
      .map(([name = '', value = '']) => [`get${name[0]?.toUpperCase()}${name.slice(1)}`, BigInt(value)]),
  );
}
