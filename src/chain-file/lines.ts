/**
 * The lines of a chain file (docs/reference/chain-files.md): their members and their text. Each line is complete: a
 * file that ends after any line is readable.
 */

import { type Beginning, encodeBeginning } from '../ledger/genesis/genesis-text.js';
import { encodeOperation } from '../ledger/operations/operation.js';
import type { Operation } from '../ledger/operations/registry.js';
import type { QueuedTransaction } from '../node/chain/nonce-queue.js';
import type { DumpedClock } from '../node/clock/clock.js';
import type { StoredStep } from '../node/steps/steps.js';
import type { InitialOptions } from '../node/storage/open-chain.js';
import type { SolidityLayers } from '../node/views/solidity-view.js';
import { bytesToHex, type Hex } from '../primitives/hex.js';
import type { BlockId } from '../primitives/ids.js';
import { encodeEthereumTransaction } from '../protocol/ethereum-transaction.js';
import type { SignedTransaction } from '../protocol/transaction.js';
import type { FetchedRow } from '../state/remote-rows.js';
import { genesisIdOf } from './beginning.js';
import { type FileRow, inFile } from './rows.js';
import { CHAIN_FILE_VERSION } from './shapes.js';

/** The first line. */
export interface HeadLine {
  readonly sunup: 'chain';
  readonly version: number;
  /** A description for people. */
  readonly about?: string | undefined;
  readonly genesis?: BlockId | undefined;
  /** `encodeBeginning`, as JSON. */
  readonly begun: Readonly<Record<string, unknown>>;
  /** The options with which the chain was created. */
  readonly stated?: InitialOptions | undefined;
  /** The file was written in one go and must end with a line `end`. */
  readonly ends?: true | undefined;
}

export interface RefusalMembers {
  readonly transaction: Hex;
  readonly code: string;
  readonly message: string;
  /** The node refused it for a reason of its own; no rule of the protocol forbids it. */
  readonly byNode?: true;
}

/** Time and producer of a block, and the expected id. */
export interface BlockMembers {
  readonly time: number;
  readonly witness: Hex;
  readonly signature?: Hex;
  readonly relaxes?: true;
  readonly id?: BlockId;
}

export interface EndMembers {
  /** The numbers of lines with steps and with rows. */
  readonly steps: number;
  readonly rows: number;
  readonly head: { readonly number: number; readonly id: BlockId };
  readonly clock: DumpedClock;
  readonly solidity: SolidityLayers;
  /** Signed transactions that are not in a block. */
  readonly pending: readonly Hex[];
  /** Ethereum transactions whose nonce is not due. */
  readonly queued?: readonly QueuedMembers[];
}

export interface QueuedMembers {
  /** Of an impersonated account the signature does not say it. */
  readonly sender: Hex;
  /** The signed bytes. */
  readonly transaction: Hex;
}

/** All lines but the first. */
export type ChainFileLine =
  | { readonly networkRow: FileRow }
  | { readonly broadcast: Hex }
  | { readonly refused: RefusalMembers }
  | { readonly dropped: RefusalMembers }
  /** A block with exactly these transactions. */
  | { readonly import: BlockMembers & { readonly transactions: readonly Hex[] } }
  /**
   * A block produced from these candidates, included or not; if absent, from the broadcasts since the previous block.
   */
  | { readonly produce: BlockMembers & { readonly transactions?: readonly Hex[] } }
  | { readonly produceEmpty: { readonly blocks: number; readonly relaxes?: true; readonly id?: BlockId } }
  | { readonly operation: unknown }
  | { readonly goBack: { readonly block: number; readonly operations: number; readonly id?: BlockId } }
  | { readonly digest: { readonly is: string; readonly rules: number } }
  | { readonly end: EndMembers };

/** The first line of a file. */
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

export function queuedMembers({ sender, ethereum }: QueuedTransaction): QueuedMembers {
  return { sender, transaction: bytesToHex(encodeEthereumTransaction(ethereum)) };
}

export function transactionHex(transaction: SignedTransaction): Hex {
  return bytesToHex(transaction.encode());
}

/** The line of a step of a stored chain. */
export function stepLine({ id, relaxes, work }: StoredStep): ChainFileLine {
  if ('operation' in work) return operationLine(work.operation);
  const relaxation = relaxes ? { relaxes: true as const } : {};
  if ('emptyBlocks' in work) return { produceEmpty: { blocks: work.emptyBlocks, ...relaxation, id } };
  const { raw_data: raw, witness_signature: signature } = work.header;
  if (raw === undefined) throw new Error('a block without raw_data in its header');
  return {
    import: {
      time: Number(raw.timestamp),
      witness: raw.witness_address,
      signature,
      transactions: work.transactions.map(transactionHex),
      ...relaxation,
      id,
    },
  };
}

/** A row of a fork's network, in the format of the files of `--fork-cache`. */
export function rowLine({ table, key, value: bytes, readAtBlock }: FetchedRow): ChainFileLine {
  const networkRow = inFile({ table, key, value: bytes, readAtBlock });
  // A scenario evaluates `${…}`, and a text of the network must not be evaluated.
  const isText = bytes === undefined || !JSON.stringify(networkRow.value).includes('${');
  return { networkRow: isText ? networkRow : { ...networkRow, value: { bytes: bytesToHex(bytes) } } };
}
