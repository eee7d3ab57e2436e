/** The folder of a chain on a virtual disk, as a devnet gets it. */

import { refusalOf } from '../../../../src/devnet/database/chain-database.js';
import type { ChainFolder } from '../../../../src/devnet/database/chain-folder.js';
import { formatOf } from '../../../../src/node/storage/level-store.js';
import { type DiskProcess, fileCall, fileCallSync, PLACE, VirtualDatabase } from './virtual-database.js';
import type { VirtualDisk } from './virtual-disk.js';

const ROOM_BYTES = 2 ** 30;

export interface OpenFolder extends ChainFolder {
  /** Undefined: not opened yet. */
  readonly database: VirtualDatabase | undefined;
}

export function virtualFolder(disk: VirtualDisk, process: DiskProcess): OpenFolder {
  let database: VirtualDatabase | undefined;
  return {
    get database() {
      return database;
    },
    path: PLACE,
    temporary: false,
    // LevelDB's own files are synced when they are made, so a database without a row is there, too.
    holdsChain: () => disk.tableFiles > 0,
    openDatabase: async () => {
      database = new VirtualDatabase(disk, process);
      try {
        await database.open();
        return { database, format: formatOf(database, PLACE) };
      } catch (error) {
        throw refusalOf(error, PLACE);
      }
    },
    watchTables: () => () => {},
    markClosed: (head) =>
      fileCallSync(disk, process, () => {
        disk.closedMark = head;
      }),
    closedMark: () => disk.closedMark,
    removeClosedMark: () =>
      fileCallSync(disk, process, () => {
        disk.closedMark = undefined;
      }),
    beforeLoad: {
      path: `${PLACE}/before-load`,
      isKept: () => disk.beforeLoad !== undefined,
      read: () => disk.beforeLoad ?? [],
      discard: () =>
        fileCallSync(disk, process, () => {
          disk.beforeLoad = undefined;
        }),
      discardPart: () => {},
      begin: async () => {
        const parts: Uint8Array[] = [];
        const keep = (kept: typeof disk.beforeLoad) =>
          fileCall(disk, process, () => {
            disk.beforeLoad = kept;
            if (kept !== undefined) disk.keptChains++;
          });
        return {
          write: (part) => fileCall(disk, process, () => void parts.push(part)),
          complete: () => keep(parts),
          read: () => parts,
          discard: () => keep(undefined),
        };
      },
    },
    identity: () => '1:1',
    freeBytes: () => ROOM_BYTES,
    release: () => {},
  };
}
