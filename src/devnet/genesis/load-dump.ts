/**
 * Starts a devnet from a chain file (`--load-state FILE`): genesis and settings come from the dump, keys from the
 * options.
 */

import { statSync } from 'node:fs';
import {
  type ChainFileBytes,
  heldFile,
  MAX_HELD_FILE_BYTES,
  readChainFile,
  streamedFile,
} from '../../chain-file/file.js';
import type { ChainFile } from '../../chain-file/reader.js';
import { OperationError } from '../../errors/operation-error.js';
import { beginningOf } from '../../options/beginning.js';
import type { Settings } from '../../options/declarations.js';
import { OptionError } from '../../options/option-error.js';
import { settingsForLibrary } from '../../options/settings.js';
import { readBytesUpTo } from '../../platform/bounded-text.js';
import { RereadFile } from '../../platform/reread-file.js';
import { toBase58 } from '../../protocol/address.js';
import type { DevnetGenesis } from './genesis.js';

/** @throws OptionError for an invalid dump, or one that this version cannot apply */
export async function readDumpOption(given: string | Uint8Array): Promise<ChainFile> {
  return readChainFile(typeof given === 'string' ? bytesOf(given) : heldFile(given)).catch((error: unknown) => {
    throw error instanceof OperationError ? dumpRefused(error) : error;
  });
}

function bytesOf(file: string): ChainFileBytes {
  try {
    return chainFileNamed(file);
  } catch (error) {
    throw dumpRefused(error as Error);
  }
}

/** @throws errors of the file system; TooLargeError */
export function chainFileNamed(name: string): ChainFileBytes {
  // A pipe can be read only once.
  if (!statSync(name).isFile()) return heldFile(readBytesUpTo(name, MAX_HELD_FILE_BYTES));
  const file = new RereadFile(name);
  return streamedFile(() => file.read());
}

/** The option's error for a dump that cannot be read or applied. */
export function dumpRefused(cause: Error): OptionError {
  const why = cause.message.replace(/^the chain cannot be loaded: /, '');
  const hint = 'sunup dump FILE, devnet.dump() and --record FILE write such a file';
  return new OptionError('loadState', `cannot be loaded: ${why}`, hint, { cause });
}

/**
 * The genesis of the options, replaced by the dump's.
 *
 * @throws OptionError for an explicit option that contradicts the dump
 */
export function genesisOfDump(own: DevnetGenesis, { stated, beginning }: ChainFile, settings: Settings): DevnetGenesis {
  if (stated !== undefined) compareInitialOptions(own.stated, stated, settings);
  const witnesses = beginning.genesis.witnesses.map(({ address, url }) => ({
    address: toBase58(address),
    addressHex: address,
    privateKey: own.witnessKeys.get(address),
    url,
  }));
  return { ...own, genesis: beginning.genesis, stated: stated ?? own.stated, witnesses };
}

/** The stored text of an option; for secrets and long values it is a hash. */
function storedText(option: string, kept: string): string {
  if (kept === '') return 'none';
  return /^[\da-f]{16}$/.test(kept) ? `another ${option}` : kept;
}

/** The dump outranks options with default values. */
function compareInitialOptions(
  ours: DevnetGenesis['stated'],
  dumped: DevnetGenesis['stated'],
  { log }: Settings,
): void {
  const defaults = beginningOf(settingsForLibrary({}), {});
  const others: string[] = [];
  for (const [option, value] of Object.entries(ours)) {
    const kept = dumped[option] ?? '';
    if (value === kept) continue;
    if (value !== defaults[option])
      throw new OptionError(
        option,
        `differs from the dump, whose chain was created with ${storedText(option, kept)}`,
        'Remove it, or use the value of the dump',
      );
    others.push(option);
  }
  if (others.length > 0)
    log?.warn(
      `the chain of the dump was created with another ${others.join(', ')}. Without the same options, keys of its accounts and witnesses may be missing`,
    );
}
