/** A devnet that begins as a chain file says (`--load-state FILE`): its genesis and settings are the dump's, its keys the options'. */

import { MOST_CHAIN_FILE_BYTES, readChainFile } from '../../chain-file/file.js';
import type { ChainFile } from '../../chain-file/reader.js';
import { OperationError } from '../../errors/operation-error.js';
import { beginningOf } from '../../options/beginning.js';
import type { Settings } from '../../options/declarations.js';
import { OptionError } from '../../options/option-error.js';
import { settingsForLibrary } from '../../options/settings.js';
import { readBytesUpTo } from '../../platform/bounded-text.js';
import { toBase58 } from '../../protocol/address.js';
import type { DevnetGenesis } from './genesis.js';

/** @throws OptionError for what is no dump, or one that this version cannot apply */
export async function readDumpOption(given: string | Uint8Array): Promise<ChainFile> {
  return readChainFile(typeof given === 'string' ? bytesOf(given) : given).catch((error: unknown) => {
    throw error instanceof OperationError ? dumpRefused(error) : error;
  });
}

function bytesOf(file: string): Uint8Array {
  try {
    return readBytesUpTo(file, MOST_CHAIN_FILE_BYTES);
  } catch (error) {
    throw dumpRefused(error as Error);
  }
}

/** A dump that cannot be read or applied, in the words of the option. */
export function dumpRefused(cause: Error): OptionError {
  const why = cause.message.replace(/^the chain cannot be loaded: /, '');
  const hint = 'sunup dump FILE, devnet.dump() and --record FILE write such a file';
  return new OptionError('loadState', `cannot be loaded: ${why}`, hint, { cause });
}

/**
 * What the options make, with the genesis of the dump in the place of their own.
 *
 * @throws OptionError for an option that wants the chain begun otherwise than it was
 */
export function begunByDump(made: DevnetGenesis, { stated, beginning }: ChainFile, settings: Settings): DevnetGenesis {
  if (stated !== undefined) compareStated(made.stated, stated, settings);
  const witnesses = beginning.genesis.witnesses.map(({ address, url }) => ({
    address: toBase58(address),
    addressHex: address,
    privateKey: made.witnessKeys.get(address),
    url,
  }));
  return { ...made, genesis: beginning.genesis, stated: stated ?? made.stated, witnesses };
}

/** Of secrets and long values no more than a hash is kept. */
function saidOf(option: string, kept: string): string {
  if (kept === '') return 'none';
  return /^[\da-f]{16}$/.test(kept) ? `another ${option}` : kept;
}

/** An option at its default says nothing about the chain: then the dump's counts. */
function compareStated(ours: DevnetGenesis['stated'], dumped: DevnetGenesis['stated'], { log }: Settings): void {
  const defaults = beginningOf(settingsForLibrary({}), {});
  const others: string[] = [];
  for (const [option, value] of Object.entries(ours)) {
    const kept = dumped[option] ?? '';
    if (value === kept) continue;
    if (value !== defaults[option])
      throw new OptionError(
        option,
        `differs from the dump, whose chain was created with ${saidOf(option, kept)}`,
        'Remove it, or use the value of the dump',
      );
    others.push(option);
  }
  if (others.length > 0)
    log?.warn(
      `the chain of the dump was created with another ${others.join(', ')}. Without the same options, keys of its accounts and witnesses may be missing`,
    );
}
