/** The initial settings of the chain in a file. */

import { identityOf } from '../ledger/genesis/fork-base.js';
import { genesisBlock } from '../ledger/genesis/genesis.js';
import { type Beginning, decodeBeginning } from '../ledger/genesis/genesis-text.js';
import { type Hex, hexToBytes } from '../primitives/hex.js';
import type { BlockId } from '../primitives/ids.js';
import { TABLES } from '../state/tables.js';
import { WORK_VERSION } from '../tvm/work.js';
import { BEGINNING, ChainFileError, DamagedLine, shaped } from './shapes.js';

/** @throws ChainFileError if the text is not readable, or if its table of execution weights has another version */
export function readBeginning(begun: unknown): Beginning {
  const beginning = decoded(begun);
  const weights = beginning.settings.vmLimit?.weights;
  if (weights !== undefined && weights !== WORK_VERSION)
    throw new ChainFileError(
      `its chain was created with version ${Number(weights)} of the table of execution weights (--vm-limit); this Sunup has version ${WORK_VERSION}`,
    );
  return beginning;
}

function decoded(begun: unknown): Beginning {
  try {
    shaped(BEGINNING, begun);
    const beginning = decodeBeginning(JSON.stringify(begun));
    for (const [table, key, value] of beginning.genesis.fork?.rows ?? [])
      if (!isReadable(table, value)) throw new DamagedLine(`row ${key} of ${table} cannot be read`);
    return beginning;
  } catch (error) {
    // Decoders of bytes report only a position in their code: their message does not help.
    const why = error instanceof DamagedLine ? ` (${error.message})` : '';
    throw new ChainFileError(`the initial settings of the chain are not valid${why}`);
  }
}

function isReadable(table: keyof typeof TABLES, hex: Hex): boolean {
  try {
    TABLES[table].decode(hexToBytes(hex));
    return true;
  } catch {
    return false;
  }
}

/** The id of the genesis block; of a fork, that of its network. @throws ChainFileError */
export function genesisIdOf({ genesis }: Beginning): BlockId {
  try {
    return genesis.fork === undefined ? genesisBlock(genesis).id : identityOf(genesis.fork);
  } catch {
    throw new ChainFileError('the initial settings of the chain are not valid');
  }
}
