/**
 * The lines of a chain file (docs/reference/chain-files.md): what each kind holds, and how it is written. Each line is
 * complete, so that a file that ends after any of them can be read.
 */

import { type Beginning, encodeBeginning } from '../ledger/genesis/genesis-text.js';
import { encodeOperation } from '../ledger/operations/operation.js';
import type { Operation } from '../ledger/operations/registry.js';
import type { DumpedClock } from '../node/clock/clock.js';
import type { StoredStep } from '../node/steps/steps.js';
import type { Stated } from '../node/storage/open-chain.js';
import type { SolidityLayers } from '../node/views/solidity-view.js';
import { bytesToHex, type Hex } from '../primitives/hex.js';
import type { BlockId } from '../primitives/ids.js';
import type { SignedTransaction } from '../protocol/transaction.js';
import type { FetchedRow } from '../state/remote-rows.js';
import { genesisIdOf } from './begun.js';
import { type FileRow, inFile } from './rows.js';
import { CHAIN_FILE_VERSION } from './shapes.js';

/** The first line. */
export interface HeadLine {
  readonly sunup: 'chain';
  readonly version: number;
  /** What it is the chain of, for people. */
  readonly about?: string | undefined;
  readonly genesis?: BlockId | undefined;
  /** `encodeBeginning`, as JSON. */
  readonly begun: Readonly<Record<string, unknown>>;
  /** The options that the chain was begun with. */
  readonly stated?: Stated | undefined;
  /** The file was written at once: a line `end` belongs to it. */
  readonly ends?: true | undefined;
}

export interface RefusalMembers {
  readonly transaction: Hex;
  readonly code: string;
  readonly message: string;
  /** The node refused it, no rule of the protocol. */
  readonly byNode?: true;
}

/** When and by whom a block was made, and what it came to. */
export interface BlockMembers {
  readonly time: number;
  readonly witness: Hex;
  readonly signature?: Hex;
  readonly relaxes?: true;
  readonly id?: BlockId;
}

export interface EndMembers {
  /** How many lines with steps and with rows there are. */
  readonly steps: number;
  readonly rows: number;
  readonly head: { readonly number: number; readonly id: BlockId };
  readonly clock: DumpedClock;
  readonly solidity: SolidityLayers;
  /** Signed transactions that are in no block. */
  readonly pending: readonly Hex[];
}

/** All but the first. */
export type ChainFileLine =
  | { readonly networkRow: FileRow }
  | { readonly broadcast: Hex }
  | { readonly refused: RefusalMembers }
  | { readonly dropped: RefusalMembers }
  /** With the transactions as they are in it. */
  | { readonly import: BlockMembers & { readonly transactions: readonly Hex[] } }
  /** Of the transactions it was made of, in it or not; without them: of what was broadcast since the block before. */
  | { readonly produce: BlockMembers & { readonly transactions?: readonly Hex[] } }
  | { readonly produceEmpty: { readonly blocks: number; readonly relaxes?: true; readonly id?: BlockId } }
  | { readonly operation: unknown }
  | { readonly goBack: { readonly block: number; readonly operations: number; readonly id?: BlockId } }
  | { readonly digest: { readonly is: string; readonly rules: number } }
  | { readonly end: EndMembers };

/** Begins a file. */
export function headText(
  beginning: Beginning,
  { about, stated, ends }: Pick<HeadLine, 'about' | 'stated' | 'ends'>,
): string {
  const head: HeadLine = {
    sunup: 'chain',
    version: CHAIN_FILE_VERSION,
    about,
    genesis: genesisIdOf(beginning),
    stated,
    ends,
    begun: JSON.parse(encodeBeginning(beginning)),
  };
  return `${JSON.stringify(head)}\n`;
}

export function lineText(line: ChainFileLine): string {
  return `${JSON.stringify(line)}\n`;
}

export function operationLine(operation: Operation): { readonly operation: unknown } {
  return { operation: JSON.parse(encodeOperation(operation)) };
}

export function transactionHex(transaction: SignedTransaction): Hex {
  return bytesToHex(transaction.encode());
}

/** A step of a chain that is in a store. */
export function stepLine({ id, relaxes, work }: StoredStep): ChainFileLine {
  if ('operation' in work) return operationLine(work.operation);
  const liberty = relaxes ? { relaxes: true as const } : {};
  if ('emptyBlocks' in work) return { produceEmpty: { blocks: work.emptyBlocks, ...liberty, id } };
  const { raw_data: raw, witness_signature: signature } = work.header;
  if (raw === undefined) throw new Error('a block without raw_data in its header');
  return {
    import: {
      time: Number(raw.timestamp),
      witness: raw.witness_address,
      signature,
      transactions: work.transactions.map(transactionHex),
      ...liberty,
      id,
    },
  };
}

/** Of a fork: a row of its network, as the files of `--fork-cache` have it. */
export function rowLine({ table, key, value: bytes, readAtBlock }: FetchedRow): ChainFileLine {
  const networkRow = inFile({ table, key, value: bytes, readAtBlock });
  // A scenario works out what stands in ${…}, and the network's texts are nobody's expressions.
  const isText = bytes === undefined || !JSON.stringify(networkRow.value).includes('${');
  return { networkRow: isText ? networkRow : { ...networkRow, value: { bytes: bytesToHex(bytes) } } };
}
