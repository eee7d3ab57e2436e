/**
 * A chain that is being loaded from a file into a data directory. If the load fails, or its process ends, nothing of the
 * chain may be continued: a note says so until the chain is complete.
 */

import { existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import { OptionError } from '../../options/option-error.js';
import { CHAIN_FOLDER, endLoading, isLoading, markLoading } from '../../platform/data-directory.js';
import { refusalOf, requireNotInUse } from './chain-database.js';

export class UnfinishedLoad {
  constructor(private readonly directory: string) {}

  /** Call it before the database is made. */
  begin(): void {
    markLoading(this.directory);
  }

  /** The chain is complete. */
  finish(): void {
    endLoading(this.directory);
  }

  /** Removes what was loaded. Call it when the database is closed. */
  discard(): void {
    rmSync(path.join(this.directory, CHAIN_FOLDER), { recursive: true, force: true });
    endLoading(this.directory);
  }

  /**
   * Removes what an earlier process has left.
   *
   * @throws OptionError if nothing is loaded now, or the other process goes on
   */
  async discardEarlier(loads: boolean): Promise<void> {
    const { directory } = this;
    if (!isLoading(directory)) return;
    try {
      if (existsSync(path.join(directory, CHAIN_FOLDER, 'CURRENT'))) await requireNotInUse(directory, CHAIN_FOLDER);
    } catch (error) {
      throw refusalOf(error, directory);
    }
    if (!loads)
      throw new OptionError(
        'db',
        `is ${directory}, into which a chain was loaded only in part, because its process ended`,
        'Start with --load-state FILE again, or use another directory',
      );
    this.discard();
  }
}
