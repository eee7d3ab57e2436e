/**
 * A stored chain for reading: ledger and commits, without anything that could change it. For checking and for applying
 * again.
 */

import type { ChainConfig } from '../../ledger/config.js';
import { configOfGenesis, genesisBlock } from '../../ledger/genesis/genesis.js';
import { type Beginning, decodeBeginning } from '../../ledger/genesis/genesis-text.js';
import { Ledger } from '../../ledger/ledger.js';
import { ForkedStore, NOBODY } from '../../state/fork/forked-store.js';
import { RowChanges } from '../../state/row-changes.js';
import { State } from '../../state/state.js';
import type { Store } from '../../state/store.js';
import { StoreSource } from '../../state/store-source.js';
import { TABLES } from '../../state/tables.js';
import { Commits } from './commits.js';
import { IncompleteTableError, type InitialOptions } from './open-chain.js';

export interface StoredChain {
  readonly ledger: Ledger;
  readonly commits: Commits;
  readonly store: Store;
}

export async function openStoredChain(store: Store, config: ChainConfig): Promise<StoredChain> {
  const ledger = new Ledger(new State(await StoreSource.open(store)), config);
  return { ledger, commits: new Commits(ledger, store, await RowChanges.open(store, false), undefined), store };
}

/** The initial settings of a stored chain. @throws IncompleteTableError */
export function beginningOf(store: Store): Beginning {
  const begun = store.get(`${TABLES.meta.prefix}begun`);
  if (begun === undefined) throw new IncompleteTableError(TABLES.meta.name, 'has no row with the initial settings');
  return decodeBeginning(TABLES.meta.decode(begun));
}

/** For a fork, its store with the fetched rows; other network rows are not available. */
export function withFetchedRows(own: Store): Store {
  return isFork(own) ? new ForkedStore(own, NOBODY) : own;
}

/** Lets errors about damaged rows through to the reader of the chain. */
function isFork(store: Store): boolean {
  try {
    return beginningOf(store).genesis.fork !== undefined;
  } catch {
    return false;
  }
}

/** The stated initial options. */
export function initialOptionsOf({ ledger }: StoredChain): InitialOptions | undefined {
  const stated = ledger.state.tables.meta.get('stated');
  return stated === undefined ? undefined : JSON.parse(stated);
}

/** A chain whose database has its initial settings. */
export function openStored(store: Store): Promise<StoredChain> {
  const { genesis, settings } = beginningOf(store);
  return openStoredChain(store, {
    ...configOfGenesis(genesis, genesisBlock(genesis).id),
    ...settings,
    signFor: signNothing,
  });
}

/** For chains that make no blocks. */
export function signNothing(): never {
  throw new Error('a chain that is only read signs nothing');
}
