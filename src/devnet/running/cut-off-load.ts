/** A start after a process that ended while it replaced its chain by a loaded one: the chain of before is brought back. */

import { readKept } from '../../chain-file/kept-chain.js';
import { OperationError } from '../../errors/operation-error.js';
import type { Node } from '../../node/node.js';
import { NoRoomError } from '../../node/storage/commits.js';
import { OptionError } from '../../options/option-error.js';
import type { Log } from '../../platform/log.js';
import type { ChainFolder } from '../database/chain-folder.js';

/** @throws OptionError if the kept chain is not one that this database can have */
export async function bringBack(
  { chain, loader }: Node,
  { path: directory, beforeLoad }: ChainFolder,
  log: Log | undefined,
  progress: ((done: number, total: number) => void) | undefined,
): Promise<void> {
  log?.warn(`a load into ${directory} was cut off: the chain of before is brought back`);
  try {
    await loader.loadFirst(await readKept(() => beforeLoad.read()), progress);
  } catch (error) {
    if (!(error instanceof OperationError) || error instanceof NoRoomError) throw error;
    throw new OptionError(
      'db',
      `is ${directory}, where a load was cut off, and the chain of before cannot be brought back: ${error.message}`,
      `Remove ${beforeLoad.path} to go on with what the database has`,
    );
  }
  await chain.durable();
  await chain.store.sync?.();
  beforeLoad.discard();
}
