/**
 * The note of an orderly end in the folder of a chain: what was closed in order has to be there at the next start. It is
 * also how a start knows that the last end was a crash.
 */

import type { Chain } from '../../node/chain/chain.js';
import type { Node } from '../../node/node.js';
import type { Log } from '../../platform/log.js';
import { damageAdvice } from '../../state/row-checksum.js';
import { databaseRefusal } from './chain-database.js';

/** A folder with a note. */
interface ClosedMark {
  readonly path: string;
  markClosed(head: string): void;
  closedMark(): string | undefined;
  removeClosedMark(): void;
}

/**
 * Compares the head with the note of the last shutdown, and removes the note. One that differs stays, for the next start.
 *
 * @throws OptionError if the head differs
 */
export function checkClosing(folder: ClosedMark, chain: Chain, log: Log | undefined): void {
  const directory = folder.path;
  const closed = folder.closedMark();
  if (closed === undefined) {
    log?.warn(
      `the chain in ${directory} was not closed properly, for example after a crash. It continues from block ${chain.headNumber}. Check the database with sunup check ${directory}`,
    );
  } else if (closed !== endOf(chain)) {
    const problem = `is damaged: the chain in ${directory} ends with block ${endOf(chain)}, but it was closed with block ${closed}`;
    throw databaseRefusal(problem, damageAdvice(directory));
  }
  folder.removeClosedMark();
}

/** A chain begins where no block is, unless one was closed in order there. @throws OptionError */
export function requireNeverClosed(folder: ClosedMark): void {
  const closed = folder.closedMark();
  if (closed !== undefined) {
    const problem = `is damaged: the chain in ${folder.path} has no block, but it was closed with block ${closed}`;
    throw databaseRefusal(problem, damageAdvice(folder.path));
  }
  folder.removeClosedMark();
}

/** Closes the node of a data directory. */
export async function closeStored(node: Node, folder: ClosedMark): Promise<void> {
  const { chain } = node;
  await node.mining.stop();
  // The note must not survive a loss of power that the last block does not survive.
  const isWhole = await chain
    .durable()
    .then(() => chain.store.sync?.())
    .then(
      () => chain.commits.isAccepting,
      () => false,
    );
  const end = isWhole ? endOf(chain) : '';
  await node.close();
  if (!isWhole) return;
  try {
    folder.markClosed(end);
  } catch {
    // The disk may be full: then the next start recommends a check, which finds nothing.
  }
}

function endOf({ headNumber, headId }: Chain): string {
  return `${headNumber} ${headId}`;
}
