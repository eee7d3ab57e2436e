/** The funded accounts of a devnet: from the options to keys and addresses. */

import { closest } from '../primitives/closest-name.js';
import type { Hex } from '../primitives/hex.js';
import type { Address, Sun } from '../primitives/ids.js';
import { addressFromPrivateKey, toBase58 } from '../protocol/address.js';
import { type Settings, TEST_MNEMONIC } from './declarations.js';
import { deriveKeys } from './key-derivation.js';
import { BadValue } from './kinds.js';
import { checked } from './settings.js';

export interface DevAccount {
  readonly index: number;
  /** Base58check, as wallets show it. */
  readonly address: string;
  /** The same address as 21 bytes of hex, `41…`. */
  readonly addressHex: Address;
  /** 32 bytes of hex without a prefix. */
  readonly privateKey: Hex;
  /** What the genesis block gave it. */
  readonly balanceSun: Sun;
}

/** The accounts that these settings stand for. @throws OptionError for a phrase or a path that is none */
export async function devAccounts(
  settings: Pick<Settings, 'accounts' | 'balance' | 'mnemonic' | 'derivationPath'>,
): Promise<readonly DevAccount[]> {
  const mnemonic = settings.mnemonic.trim().split(/\s+/).join(' ');
  if (mnemonic !== TEST_MNEMONIC) await checkMnemonic(mnemonic);
  const keys = checked('derivationPath', () => deriveKeys(mnemonic, settings.derivationPath, settings.accounts));
  return keys.map((privateKey, index) => {
    const addressHex = addressFromPrivateKey(privateKey);
    return { index, address: toBase58(addressHex), addressHex, privateKey, balanceSun: settings.balance };
  });
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
      throw new BadValue(`has ${count} that make no BIP-39 phrase`, 'Are they all there, and in their order?');
    }
  });
}
