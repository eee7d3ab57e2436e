/**
 * The chain that a load replaces, in a file beside the database until the loaded one is complete. A process that ends
 * before leaves it to the next one, which brings that chain back.
 */

import { createReadStream, existsSync, rmSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import path from 'node:path';
import type { ChainFileBytes } from '../../chain-file/file.js';
import type { KeptBytes } from '../../chain-file/kept-chain.js';
import { BEFORE_LOAD, syncDirectory } from '../../platform/data-directory.js';

export interface BeforeLoad {
  readonly path: string;
  /** Whether a load was cut off, and its chain of before is here. */
  isKept(): boolean;
  readonly read: ChainFileBytes['read'];
  /** Call it when the chain in the database is complete, and on the platter. */
  discard(): void;
  /** What is written takes its name when it is complete. @throws errors of the file system */
  begin(): Promise<KeptBytes>;
  /** Removes what a process has left that ended before its chain was kept. Call it when the database is open. */
  discardPart(): void;
}

export class ChainBeforeLoad implements BeforeLoad {
  readonly path: string;
  readonly #part: string;

  constructor(private readonly directory: string) {
    this.path = path.join(directory, BEFORE_LOAD);
    this.#part = `${this.path}.part`;
  }

  isKept(): boolean {
    return existsSync(this.path);
  }

  read(): AsyncIterable<Uint8Array> {
    return createReadStream(this.path);
  }

  discard(): void {
    rmSync(this.path, { force: true });
    syncDirectory(this.directory);
  }

  async begin(): Promise<KeptBytes> {
    const file = await open(this.#part, 'w', 0o600);
    return {
      write: async (bytes) => {
        for (let at = 0; at < bytes.length; ) at += (await file.write(bytes, at)).bytesWritten;
      },
      complete: async () => {
        // Before the database loses its first block.
        await file.sync();
        await file.close();
        await rename(this.#part, this.path);
        syncDirectory(this.directory);
      },
      read: () => this.read(),
      discard: async () => {
        await file.close();
        this.discardPart();
        this.discard();
      },
    };
  }

  discardPart(): void {
    rmSync(this.#part, { force: true });
  }
}
