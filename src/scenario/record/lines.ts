/**
 * How a recording is written: the head of a scenario, then a line for each step, so that a file that ends anywhere
 * between two lines is a scenario. What a step means: `steps/recorded.ts`.
 */

import { type FileRow, inFile } from '../../fork/cache/row-files.js';
import type { Beginning } from '../../ledger/genesis/genesis-text.js';
import { encodeOperation } from '../../ledger/operations/operation.js';
import type { Operation } from '../../ledger/operations/registry.js';
import type { Step } from '../../node/steps/steps.js';
import { bytesToHex, type Hex } from '../../primitives/hex.js';
import type { BlockId } from '../../primitives/ids.js';
import type { SignedTransaction } from '../../protocol/transaction.js';
import type { FetchedRow } from '../../state/remote-rows.js';
import { hasExpression } from '../format/expressions.js';
import type { RunDigest } from '../results/digest.js';
import { RULES_VERSION } from '../results/rules-version.js';
import { recordedBeginning } from './beginning.js';

export interface RecordedRefusal {
  readonly transaction: Hex;
  readonly code: string;
  readonly message: string;
  readonly byNode?: true;
}

export interface RecordedBlock {
  readonly time: number;
  readonly witness: Hex;
  /** Absent: of what was broadcast since the block before, in its order. */
  readonly transactions?: readonly Hex[];
  readonly relaxes?: true;
  readonly id: BlockId;
}

export type RecordedStep =
  | { readonly networkRow: FileRow }
  | { readonly broadcast: Hex }
  | { readonly refused: RecordedRefusal }
  | { readonly dropped: RecordedRefusal }
  | { readonly produce: RecordedBlock }
  | { readonly produceEmpty: { readonly blocks: number; readonly relaxes?: true; readonly id: BlockId } }
  | { readonly operation: unknown }
  | { readonly goBack: { readonly block: number; readonly operations: number; readonly id: BlockId } }
  | { readonly digest: { readonly is: string; readonly rules: number } };

/**
 * Begins a file.
 *
 * @param about what it is a recording of, on one line
 */
export function headLines(beginning: Beginning, about: string): string {
  const network = JSON.stringify({ recorded: recordedBeginning(beginning) });
  return `# A recording: sunup run replays it to the same blocks.\nabout: ${JSON.stringify(about)}\nnetwork: ${network}\nsteps:\n`;
}

export function stepLine(step: RecordedStep): string {
  return `- ${JSON.stringify(step)}\n`;
}

/** The last step, where all that happened is known: what the digest of a replay has to be. */
export function digestLine({ value }: RunDigest): string {
  return stepLine({ digest: { is: value, rules: RULES_VERSION } });
}

/** What the line of a row of the network begins with. */
export const NETWORK_ROW = '- {"networkRow":';

/** Of a fork: a row of its network, as the files of `--fork-cache` have it. */
export function networkRowLine({ table, key, value: bytes, readAtBlock }: FetchedRow): string {
  const networkRow = inFile({ table, key, value: bytes, readAtBlock });
  // The network's texts are nobody's expressions.
  const isText = bytes === undefined || !hasExpression(networkRow.value);
  return stepLine({ networkRow: isText ? networkRow : { ...networkRow, value: { bytes: bytesToHex(bytes) } } });
}

export function operationStep(operation: Operation): RecordedStep {
  return { operation: JSON.parse(encodeOperation(operation)) };
}

export function transactionHex(transaction: SignedTransaction): Hex {
  return bytesToHex(transaction.encode());
}

/** A step of a chain that is in a store or a dump. */
export function recordedStep({ id, relaxes, work }: Step): RecordedStep {
  if ('operation' in work) return operationStep(work.operation);
  const liberty = relaxes ? { relaxes: true as const } : {};
  if ('emptyBlocks' in work) return { produceEmpty: { blocks: work.emptyBlocks, ...liberty, id } };
  const raw = work.header.raw_data;
  if (raw === undefined) throw new Error('a block without raw_data in its header');
  const { transactions } = work;
  return {
    produce: {
      time: Number(raw.timestamp),
      witness: raw.witness_address,
      ...(transactions.length > 0 && { transactions: transactions.map(transactionHex) }),
      ...liberty,
      id,
    },
  };
}
