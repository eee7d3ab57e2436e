/**
 * Where the chain of a node is stored: its database, the note of an orderly end, and the disk below both. A directory of
 * this machine, unless the caller of `startDevnet` has another.
 */

import path from 'node:path';
import {
  CHAIN_FOLDER,
  closedMark,
  type DataDirectory,
  type FolderIdentity,
  folderIdentity,
  freeBytes,
  markClosed,
  removeClosedMark,
} from '../../platform/data-directory.js';
import { type BeforeLoad, ChainBeforeLoad } from './chain-before-load.js';
import { holdsChain, openDatabaseToServe, type ServedDatabase } from './chain-database.js';
import { TableWatch } from './table-watch.js';
import { UnfinishedLoad } from './unfinished-load.js';

export interface ChainFolder {
  /** Absolute. */
  readonly path: string;
  /** It is deleted with the devnet. */
  readonly temporary: boolean;
  holdsChain(): boolean;
  /** Opens or creates the database. @throws OptionError if it is damaged, in use, or cannot be opened */
  openDatabase(): Promise<ServedDatabase>;
  /** @param onDamage called once, when a finished file has changed @returns ends it */
  watchTables(onDamage: (what: string) => void): () => void;
  /** Writes the note that the chain was closed in order, with its last block. */
  markClosed(head: string): void;
  /** The content of the note; undefined: the last end was a crash. */
  closedMark(): string | undefined;
  /** Call it before the chain goes on. */
  removeClosedMark(): void;
  /** Absent: a chain is never loaded into it. */
  readonly load?: UnfinishedLoad;
  /** The chain that a load replaces, until the loaded one is complete. */
  readonly beforeLoad: BeforeLoad;
  /** Undefined: it is gone. */
  identity(): FolderIdentity | undefined;
  freeBytes(): number;
  /** Call it when all its files are closed. */
  release(): void;
}

export function chainFolder({ path: directory, temporary, release }: DataDirectory): ChainFolder {
  return {
    path: directory,
    temporary,
    holdsChain: () => holdsChain(directory),
    openDatabase: () => openDatabaseToServe(directory),
    watchTables: (onDamage) => {
      const watch = new TableWatch(directory, onDamage);
      return () => watch.stop();
    },
    markClosed: (head) => markClosed(directory, head),
    closedMark: () => closedMark(directory),
    removeClosedMark: () => removeClosedMark(directory),
    load: new UnfinishedLoad(directory),
    beforeLoad: new ChainBeforeLoad(directory),
    identity: () => folderIdentity(path.join(directory, CHAIN_FOLDER)),
    freeBytes: () => freeBytes(directory),
    release,
  };
}

/** An existing directory, which stays. */
export function chainFolderAt(directory: string): ChainFolder {
  return chainFolder({ path: directory, temporary: false, release: () => {} });
}
