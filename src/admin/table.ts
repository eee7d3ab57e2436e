/** What `/admin` needs of a devnet: wallets with their keys, which no node below knows of. */

import type { Node } from '../node/node.js';
import type { Hex } from '../primitives/hex.js';
import type { Sun } from '../primitives/ids.js';

/** Keys and what they were derived from, in the form of TRE's `accounts-json`. */
export interface AdminWallet {
  /** As TRE writes it: the number follows without anything between. */
  readonly hdPath: string;
  readonly mnemonic: string;
  /** Whether the first key is the one that TRE's own node has. */
  readonly usingDefaultPrivateKey?: true;
  /** 32 bytes of hex each. */
  readonly privateKeys: readonly Hex[];
}

export interface Admin {
  readonly node: Node;
  readonly version: string;
  /** The funded accounts that the chain began with. */
  readonly wallet: AdminWallet;
  /** How many temporary accounts there are, and what they own, where nobody says. */
  readonly defaults: { readonly accounts: number; readonly balanceSun: Sun };
  /** Keys of a phrase that nobody has had before. */
  newWallet(accounts: number): Promise<AdminWallet>;
}
