/**
 * What tools that were written for the TronBox Runtime Environment expect of a chain at its start
 * (protocol/devnet-methods.md#bootstrap-endpoints, #what-tron-tool-defaults-look-for).
 */

import type { GenesisAccount } from '../ledger/genesis/genesis.js';
import type { GenesisFile } from '../options/genesis-file.js';
import { TRE_KEY } from '../options/tre-variables.js';
import type { Hex } from '../primitives/hex.js';
import { addressFromPrivateKey } from '../protocol/address.js';

/** Of TRE's predecessor; projects and tutorials of its time have it in their settings. */
const QUICKSTART_KEY: Hex = 'da146374a75310b9666e834ee4ad0866d6f4035967bfc76217c5a495fff9f0d0';

export const TRE_WITNESS: NonNullable<GenesisFile['witnesses']>[number] = {
  privateKey: TRE_KEY,
  url: 'http://sunup.local',
  voteCount: 100,
};

/**
 * Its last eight bytes were searched for: with them the genesis block's id ends in c845df2f, the chain id 3360022319
 * that TRE has and that clients have written down. The block says nothing of the funded accounts, so that it stays with
 * any.
 */
export const TRE_PARENT_HASH: Hex = 'e58f33f9baf9305dc6f82b9f1934ea8f0ade2defb951258d00000000262ffe36';

/** Rich, as TRE's is: it funds all others there. */
export function treAccounts(): readonly GenesisAccount[] {
  return [TRE_KEY, QUICKSTART_KEY].map((privateKey) => ({
    name: '',
    address: addressFromPrivateKey(privateKey),
    balanceSun: 90_000_000_000_000_000n,
    activated: true,
    untold: true,
  }));
}
