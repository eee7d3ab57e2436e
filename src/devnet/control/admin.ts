/** The accounts of this devnet for `/admin`, and the phrases of additional ones. */

import type { Admin, AdminWallet } from '../../admin/table.js';
import type { Node } from '../../node/node.js';
import type { Settings } from '../../options/declarations.js';
import { type DevAccount, phraseOfEntropy } from '../../options/dev-accounts.js';
import { INDEX, keyDeriver } from '../../options/key-derivation.js';
import { TRE_KEY } from '../../options/tre-variables.js';
import type { Random } from '../../platform/random.js';
import { turn } from '../../platform/turns.js';
import { VERSION } from '../../platform/version.js';
import type { Hex } from '../../primitives/hex.js';

/** Default balance of temporary accounts. */
const TEMPORARY_PATH = "m/44'/195'/0'/0/";

export function adminOf(node: Node, settings: Settings, accounts: readonly DevAccount[], random: Random): Admin {
  const { mnemonic, derivationPath, accounts: count, balance } = settings;
  const privateKeys = accounts.map(({ privateKey }) => privateKey);
  return {
    node,
    version: VERSION,
    wallet: {
      hdPath: hdPathOf(derivationPath),
      mnemonic,
      ...(privateKeys[0] === TRE_KEY && { usingDefaultPrivateKey: true as const }),
      privateKeys,
    },
    defaults: { accounts: count, balanceSun: balance },
    newWallet: async (wanted): Promise<AdminWallet> => {
      const phrase = await phraseOfEntropy(random.bytes(16));
      const keyOf = keyDeriver(phrase, TEMPORARY_PATH);
      const privateKeys: Hex[] = [];
      while (privateKeys.length < wanted) {
        privateKeys.push(keyOf(privateKeys.length));
        await turn();
      }
      return { hdPath: TEMPORARY_PATH, mnemonic: phrase, privateKeys };
    },
  };
}

/** TRE's path form: the number follows without a slash. */
function hdPathOf(path: string): string {
  return path.includes(INDEX) ? path.replace(INDEX, '') : `${path.replace(/\/$/, '')}/`;
}
