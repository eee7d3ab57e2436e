/**
 * A chain as the list of its steps: blocks, runs of empty blocks, operations. Whoever has the genesis and the steps has
 * the chain: checking, upgrading, dumping and loading are all this list, applied with the one function below.
 */

import { JavaException } from '../errors/java-exception.js';
import { blockIdAt } from '../ledger/blocks/block-ids.js';
import { blockAt } from '../ledger/blocks/blocks.js';
import { emptyBlockId } from '../ledger/blocks/empty-blocks.js';
import { operationAt } from '../ledger/operations/operation.js';
import type { Operation } from '../ledger/operations/registry.js';
import type { BlockId } from '../primitives/ids.js';
import type { BlockHeader } from '../protocol/generated/tron.js';
import type { SignedTransaction } from '../protocol/transaction.js';
import type { Chain } from './chain.js';
import type { StoredChain } from './stored-chain.js';

export type StepWork =
  | { readonly header: BlockHeader; readonly transactions: readonly SignedTransaction[] }
  | { readonly emptyBlocks: number }
  | { readonly operation: Operation };

export interface Step {
  /** Height and id of the head after it. */
  readonly to: number;
  readonly id: BlockId;
  /** From here on the chain takes liberties that the network would not allow. */
  readonly relaxes: boolean;
  readonly work: StepWork;
}

/** A step does not come to what it came to before. */
export class StepError extends Error {
  override readonly name = 'StepError';
  constructor(
    readonly block: number,
    reason: string,
    options?: ErrorOptions,
  ) {
    super(`block ${block} cannot be applied again: ${reason}`, options);
  }
}

/** Where a step lies; cheap enough to have all of a chain in memory. */
interface Place {
  readonly from: number;
  readonly to: number;
  readonly operation: number;
  readonly relaxes: boolean;
}

/** The steps of a chain from its genesis on, each read from the store when its turn comes. */
export class StoredSteps implements Iterable<Step> {
  readonly #places: readonly Place[];

  constructor(private readonly chain: Pick<StoredChain, 'ledger' | 'commits'>) {
    const places: Place[] = [];
    for (const { from, to, step: operation, images } of chain.commits.down()) {
      const relaxes = images.some(({ table, key }) => table === 'meta' && key === 'relaxed');
      places.push({ from, to, operation, relaxes });
    }
    this.#places = places.reverse();
  }

  get length(): number {
    return this.#places.length;
  }

  *[Symbol.iterator](): Iterator<Step> {
    const { ledger } = this.chain;
    for (const { from, to, operation, relaxes } of this.#places) {
      const id = blockIdAt(ledger, to);
      if (id === undefined) throw new StepError(to, 'it is not in the database');
      yield { to, id, relaxes, work: this.#work(from, to, operation) };
    }
  }

  #work(from: number, to: number, operation: number): StepWork {
    const { ledger } = this.chain;
    if (operation > 0) return { operation: operationAt(ledger, to, operation) };
    // Headers of blocks that were made many at once are signed when they are read; nobody has to sign anything here.
    if (emptyBlockId(ledger, to) !== undefined) return { emptyBlocks: to - from };
    const block = blockAt(ledger, to);
    if (block?.block_header === undefined) throw new StepError(to, 'it is not in the database');
    return { header: block.block_header, transactions: block.transactions };
  }
}

/** @throws StepError when it does not come to the same block */
export function applyStep(chain: Chain, { to, id, relaxes, work }: Step): void {
  if (relaxes) chain.relaxConsensus();
  try {
    if ('operation' in work) chain.operate(work.operation);
    else if ('emptyBlocks' in work) chain.produceEmptyRun(work.emptyBlocks);
    else chain.import(work.header, work.transactions);
  } catch (error) {
    const reason = error instanceof JavaException ? error.wireText : (error as Error).message;
    throw new StepError(to, reason, { cause: error });
  }
  if (chain.headId !== id) throw new StepError(to, `its id comes to ${chain.headId}, it was ${id}`);
}
