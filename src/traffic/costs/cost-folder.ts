/**
 * What was read of an account's costs or of a contract's calls, as files for commits: a folder for each of them, a file for
 * each UTC day with a line for each transaction, and `index.json` with the days that are complete. Lines are appended when they are read, so
 * a stopped run goes on where it was.
 */

import { appendFileSync, mkdirSync, readFileSync, renameSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { toBase58 } from '../../protocol/address.js';
import { CostsError } from './costs-error.js';
import type { Listed } from './listed-transaction.js';
import { lineOf, type PaidTransaction, paidTransactionIn } from './paid-transaction.js';

export const DAY_MS = 86_400_000;

/** `2026-11-17` */
export function dayOf(timestampMs: number): string {
  return new Date(timestampMs).toISOString().slice(0, 10);
}

interface Index {
  readonly format: 1;
  /** Id of the network's genesis block. */
  readonly network: string;
  readonly account: string;
  readonly complete: readonly string[];
}

export class CostFolder {
  readonly #directory: string;
  readonly #index: string;
  readonly #complete: Set<string>;

  /**
   * @param network id of the genesis block
   * @param of an account, or a contract whose calls are read
   * @throws CostsError if the folder is of another network, or cannot be written
   */
  constructor(
    directory: string,
    private readonly network: string,
    private readonly of: Listed,
  ) {
    this.#directory = path.join(directory, of.as === 'signer' ? 'costs' : 'calls', toBase58(of.address));
    this.#index = path.join(this.#directory, 'index.json');
    try {
      mkdirSync(this.#directory, { recursive: true });
    } catch (error) {
      throw new CostsError(`--fork-cache: ${(error as Error).message}`);
    }
    const index = this.#readIndex();
    if (index !== undefined && index.network !== network)
      throw new CostsError(
        `${this.#index} is of another network (its genesis block is ${index.network}, not ${network}). Set another --fork-cache`,
      );
    this.#complete = new Set(index?.complete);
  }

  #readIndex(): Index | undefined {
    const text = textOf(this.#index);
    if (text === undefined) return undefined;
    try {
      const index = JSON.parse(text) as Index;
      if (index.format === 1 && Array.isArray(index.complete)) return index;
    } catch {}
    throw new CostsError(`${this.#index} is damaged. Delete ${this.#directory}; it is read again`);
  }

  isComplete(day: string): boolean {
    return this.#complete.has(day);
  }

  /** The transactions of a day by id, oldest first. A line that a killed process did not finish is removed. */
  read(day: string): Map<string, PaidTransaction> {
    const file = this.#fileOf(day);
    const text = textOf(file) ?? '';
    const end = text.lastIndexOf('\n') + 1;
    if (end < text.length) truncateSync(file, Buffer.byteLength(text.slice(0, end)));
    const found = new Map<string, PaidTransaction>();
    for (const [at, line] of text.slice(0, end).split('\n').entries()) {
      if (line === '') continue;
      try {
        const paid = paidTransactionIn(line);
        if (dayOf(paid.timestampMs) !== day) throw new Error('it is of another day');
        found.set(paid.txid, paid);
      } catch (error) {
        throw new CostsError(
          `${file}, line ${at + 1} is damaged: ${(error as Error).message}. Delete the file and the day in ${this.#index}`,
        );
      }
    }
    return found;
  }

  append(day: string, paid: readonly PaidTransaction[]): void {
    if (paid.length > 0) appendFileSync(this.#fileOf(day), paid.map((one) => `${lineOf(one)}\n`).join(''));
  }

  setComplete(days: readonly string[]): void {
    if (days.every((day) => this.#complete.has(day))) return;
    for (const day of days) this.#complete.add(day);
    const { network, of } = this;
    const index: Index = { format: 1, network, account: toBase58(of.address), complete: [...this.#complete].sort() };
    const written = `${this.#index}.${process.pid}`;
    writeFileSync(written, `${JSON.stringify(index, undefined, 1)}\n`);
    renameSync(written, this.#index);
  }

  #fileOf(day: string): string {
    return path.join(this.#directory, `${day}.ndjson`);
  }
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new CostsError((error as Error).message);
  }
}
