/** What `/admin` needs of a devnet: wallets with keys, which the node does not have. */

import type { Node } from '../node/node.js';
import type { Hex } from '../primitives/hex.js';
import type { Sun } from '../primitives/ids.js';

/** Keys and their derivation, in the form of TRE's `accounts-json`. */
export interface AdminWallet {
  /** As TRE writes it: the number follows immediately. */
  readonly hdPath: string;
  readonly mnemonic: string;
  /** Whether the first key is the one of TRE's own node. */
  readonly usingDefaultPrivateKey?: true;
  /** 32 bytes of hex each. */
  readonly privateKeys: readonly Hex[];
}

export interface Admin {
  readonly node: Node;
  readonly version: string;
  /** The funded accounts of the genesis. */
  readonly wallet: AdminWallet;
  /** Default number and balance of temporary accounts. */
  readonly defaults: { readonly accounts: number; readonly balanceSun: Sun };
  /** Keys of a new random phrase. */
  newWallet(accounts: number): Promise<AdminWallet>;
}
