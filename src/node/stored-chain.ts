/**
 * A chain in a store that is only read: its ledger and its commits, without anything that could change it. What checking
 * and applying again read from.
 */

import type { ChainConfig } from '../ledger/config.js';
import { Ledger } from '../ledger/ledger.js';
import { State } from '../state/state.js';
import type { Store } from '../state/store.js';
import { StoreSource } from '../state/store-source.js';
import { Commits } from './commits.js';

export interface StoredChain {
  readonly ledger: Ledger;
  readonly commits: Commits;
}

export async function openStoredChain(store: Store, config: ChainConfig): Promise<StoredChain> {
  const ledger = new Ledger(new State(await StoreSource.open(store)), config);
  return { ledger, commits: new Commits(ledger, store) };
}

/** For configurations of chains that are not gone on with. */
export function signNothing(): never {
  throw new Error('a chain that is only read signs nothing');
}
