/**
 * The initial state that tools for the TronBox Runtime Environment expect
 * (protocol/devnet-options.md#bootstrap-endpoints, protocol/devnet-options.md#what-tron-tool-defaults-look-for).
 */

import type { GenesisAccount } from '../../ledger/genesis/genesis.js';
import type { GenesisFile } from '../../options/genesis-file.js';
import { ETHEREUM_ACCOUNTS } from '../../options/test-accounts.js';
import { TRE_KEY } from '../../options/tre-variables.js';
import type { Hex } from '../../primitives/hex.js';
import type { Address, Sun } from '../../primitives/ids.js';
import { addressFromPrivateKey } from '../../protocol/address.js';

/** The key of TRE's predecessor, which old projects and tutorials have in their settings. */
const QUICKSTART_KEY: Hex = 'da146374a75310b9666e834ee4ad0866d6f4035967bfc76217c5a495fff9f0d0';

export const TRE_WITNESS: NonNullable<GenesisFile['witnesses']>[number] = {
  privateKey: TRE_KEY,
  url: 'http://sunup.local',
  voteCount: 100,
};

/** The parts of a genesis that `tre` changes. */
export interface TreGenesis {
  readonly parentHash: Hex;
  /** Base58 address of the system account Sun; absent: the main network's. */
  readonly sun?: string;
  /** Funded accounts besides those of the options, which have this balance. The block does not contain them. */
  accounts(balanceSun: Sun): readonly GenesisAccount[];
}

/**
 * The parent hash is TRE's. Nobody has the key of Sun, which owns nothing: the last eight bytes of its address were
 * found by a search. With them, the genesis block's id ends in c845df2f, TRE's chain id 3360022319, which clients have
 * in their settings. The block does not contain the funded accounts, so the id does not depend on them.
 */
export const TRE_GENESIS: TreGenesis = {
  parentHash: '957dc2d350daecc7bb6a38f3938ebde0a0c1cedafe15f0edae4256a2907449f6',
  sun: 'TXmVpin5vq5gdZsciwsuPy7ptWEHCoD2gw',
  accounts: (balanceSun) => {
    const ethereum = Object.values(ETHEREUM_ACCOUNTS).flat();
    return [...richAccounts(), ...ethereum.map((address) => accountOutsideBlock(address, balanceSun))];
  },
};

/** Of older databases, in which the parent hash was found by the search. */
export const FIRST_TRE_GENESIS: TreGenesis = {
  parentHash: 'e58f33f9baf9305dc6f82b9f1934ea8f0ade2defb951258d00000000262ffe36',
  accounts: richAccounts,
};

/** With a large balance, as in TRE, where this account funds all others. */
function richAccounts(): readonly GenesisAccount[] {
  return [TRE_KEY, QUICKSTART_KEY].map((key) =>
    accountOutsideBlock(addressFromPrivateKey(key), 90_000_000_000_000_000n),
  );
}

function accountOutsideBlock(address: Address, balanceSun: Sun): GenesisAccount {
  return { name: '', address, balanceSun, activated: true, untold: true };
}
