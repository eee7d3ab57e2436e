/**
 * The steps of a chain that another one replaces: they are applied again if that fails. Outside of the memory, because
 * the chain may be long.
 */

import { decodeOperation, encodeOperation } from '../../ledger/operations/operation.js';
import { linesOf } from '../../platform/bounded-text.js';
import type { Spool } from '../../platform/spool.js';
import { bytesToHex, type Hex, hexToBytes } from '../../primitives/hex.js';
import type { BlockId } from '../../primitives/ids.js';
import { BlockHeader } from '../../protocol/generated/tron.js';
import { SignedTransaction } from '../../protocol/transaction.js';
import type { Step, StoredStep } from './steps.js';

/** Characters that are written together. */
const PART_LENGTH = 65_536;
const UNBOUNDED = { text: Number.POSITIVE_INFINITY, line: Number.POSITIVE_INFINITY };

/** A line. */
interface StepText {
  readonly to: number;
  readonly id: BlockId;
  readonly relaxes: boolean;
  readonly operation?: string;
  readonly emptyBlocks?: number;
  readonly header?: Hex;
  readonly transactions?: readonly Hex[];
}

export class SpooledSteps implements AsyncIterable<Step>, AsyncDisposable {
  #length = 0;
  #text = '';

  constructor(private readonly spool: Spool) {}

  get length(): number {
    return this.#length;
  }

  /** @throws errors of the file system */
  async add({ to, id, relaxes, work }: StoredStep): Promise<void> {
    const place = { to, id, relaxes };
    const text: StepText =
      'operation' in work
        ? { ...place, operation: encodeOperation(work.operation) }
        : 'emptyBlocks' in work
          ? { ...place, emptyBlocks: work.emptyBlocks }
          : {
              ...place,
              header: bytesToHex(BlockHeader.encode(work.header)),
              transactions: work.transactions.map((transaction) => bytesToHex(transaction.encode())),
            };
    this.#text += `${JSON.stringify(text)}\n`;
    this.#length++;
    if (this.#text.length >= PART_LENGTH) await this.#write();
  }

  async #write(): Promise<void> {
    const bytes = Buffer.from(this.#text);
    this.#text = '';
    await this.spool.write(bytes);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Step> {
    await this.#write();
    for await (const line of linesOf(this.spool.read(), UNBOUNDED)) yield stepIn(JSON.parse(line) as StepText);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.spool.close();
  }
}

function stepIn({ operation, emptyBlocks, header = '', transactions = [], ...place }: StepText): Step {
  if (operation !== undefined) return { ...place, work: { operation: decodeOperation(operation) } };
  if (emptyBlocks !== undefined) return { ...place, work: { emptyBlocks } };
  return {
    ...place,
    work: {
      header: BlockHeader.decode(hexToBytes(header)),
      transactions: transactions.map((hex) => SignedTransaction.decode(hexToBytes(hex))),
    },
  };
}
