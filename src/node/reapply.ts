/**
 * The blocks of a stored chain, applied again from its genesis: what proves a database, and what brings one of an older
 * format into the format of today.
 */

import { JavaException } from '../errors/java-exception.js';
import { blockIdAt } from '../ledger/blocks/block-ids.js';
import { blockAt } from '../ledger/blocks/blocks.js';
import { emptyBlockId } from '../ledger/blocks/empty-blocks.js';
import type { Beginning } from '../ledger/blocks/genesis-text.js';
import { operationAt } from '../ledger/operations/operation.js';
import type { Store } from '../state/store.js';
import { Chain } from './chain.js';
import type { Stated } from './opening.js';
import { type StoredChain, signNothing } from './stored-chain.js';

/** A block does not come to what the database says. */
export class ReapplyError extends Error {
  override readonly name = 'ReapplyError';
  constructor(
    readonly block: number,
    reason: string,
    options?: ErrorOptions,
  ) {
    super(`block ${block} cannot be applied again: ${reason}`, options);
  }
}

/** Blocks in memory before the store is waited for. */
const BLOCKS_A_PART = 100;

export interface ReapplyOptions {
  readonly stated?: Stated | undefined;
  readonly progress?: ((done: number, total: number) => void | Promise<void>) | undefined;
}

/**
 * Makes the chain of `source` anew in `target`, which is empty.
 *
 * @returns the new chain, as high as the old one, with the same id at every height
 * @throws ReapplyError
 */
export async function reapply(
  source: StoredChain,
  { genesis, settings }: Beginning,
  target: Store,
  { stated, progress }: ReapplyOptions = {},
): Promise<Chain> {
  const chain = await Chain.open({
    genesis,
    store: target,
    settings: { ...settings, signFor: signNothing },
    poolSize: 0,
    solidityLag: 'none',
    ...(stated && { stated }),
  });
  compareIds(source, chain, 0);
  const steps = stepsOf(source);
  for (const [done, step] of steps.entries()) {
    const { to } = step;
    if (step.relaxes) chain.relaxConsensus();
    try {
      applyStep(source, chain, step);
    } catch (error) {
      const reason = error instanceof JavaException ? error.wireText : (error as Error).message;
      throw new ReapplyError(to, reason, { cause: error });
    }
    compareIds(source, chain, to);
    if (done % BLOCKS_A_PART === 0) {
      await chain.durable();
      await progress?.(done, steps.length);
    }
  }
  await chain.durable();
  await progress?.(steps.length, steps.length);
  return chain;
}

interface Step {
  /** Of an operation: which of those after block `to`. */
  readonly operation: number;
  readonly from: number;
  readonly to: number;
  /** From here on the chain takes liberties that the network would not allow. */
  readonly relaxes: boolean;
}

function stepsOf({ commits }: StoredChain): Step[] {
  const steps: Step[] = [];
  for (const { from, to, step: operation, images } of commits.down()) {
    const relaxes = images.some(({ table, key }) => table === 'meta' && key === 'relaxed');
    steps.push({ from, to, operation, relaxes });
  }
  return steps.reverse();
}

function applyStep({ ledger }: StoredChain, chain: Chain, { from, to, operation }: Step): void {
  if (operation > 0) {
    chain.operate(operationAt(ledger, to, operation));
    return;
  }
  // Headers of blocks that were made many at once are signed when they are read; nobody has to sign anything here.
  if (emptyBlockId(ledger, to) !== undefined) {
    chain.produceEmptyRun(to - from);
    return;
  }
  const block = blockAt(ledger, to);
  if (block?.block_header === undefined) throw new Error('it is not in the database');
  chain.import(block.block_header, block.transactions);
}

function compareIds({ ledger }: StoredChain, chain: Chain, number: number): void {
  const id = blockIdAt(ledger, number);
  if (chain.headId !== id) throw new ReapplyError(number, `its id comes to ${chain.headId}, the database has ${id}`);
}

/** Keys whose rows differ between two stores, in order; `isCompared` says which keys count. */
export async function* differingRows(
  one: Store,
  other: Store,
  isCompared: (key: string) => boolean = () => true,
): AsyncIterable<string> {
  const [left, right] = [one.rows('')[Symbol.asyncIterator](), other.rows('')[Symbol.asyncIterator]()];
  let [a, b] = [await left.next(), await right.next()];
  while (!a.done || !b.done) {
    const onlyLeft = !a.done && (b.done || a.value.key < b.value.key);
    const onlyRight = !b.done && (a.done || b.value.key < a.value.key);
    const key = (onlyRight || a.done ? b.value : a.value).key as string;
    const same = !onlyLeft && !onlyRight && Buffer.compare(a.value.value, b.value.value) === 0;
    if (!same && isCompared(key)) yield key;
    if (!onlyRight) a = await left.next();
    if (!onlyLeft) b = await right.next();
  }
}
