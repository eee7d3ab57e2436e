/**
 * Applies the blocks of a stored chain again from the genesis: for checking a database, and for converting one of an
 * older format.
 */

import { blockIdAt } from '../../ledger/blocks/block-ids.js';
import type { Beginning } from '../../ledger/genesis/genesis-text.js';
import { withoutPlaces } from '../../ledger/history/log-index.js';
import type { Store } from '../../state/store.js';
import type { StoredBlock } from '../../state/stored-block.js';
import { TABLES } from '../../state/tables.js';
import { Chain } from '../chain/chain.js';
import type { InitialOptions } from '../storage/open-chain.js';
import { type StoredChain, signNothing } from '../storage/stored-chain.js';
import { withRows } from '../with-rows.js';
import { applyStep, StepError, StoredSteps } from './steps.js';

/** Steps in memory before it waits for the store. */
const STEPS_A_PART = 100;

export interface ReapplyOptions {
  readonly stated?: InitialOptions | undefined;
  readonly progress?: ((done: number, total: number) => void | Promise<void>) | undefined;
}

/**
 * Builds the chain of `source` again in `target`, which is empty except for the fetched rows of a fork.
 *
 * @returns the new chain, with the same height and the same block ids
 * @throws StepError
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
  const { beginsAt } = chain.config;
  const first = blockIdAt(source.ledger, beginsAt);
  if (chain.headId !== first) throw new StepError(beginsAt, `its id is now ${chain.headId}, it was ${first}`);
  const steps = new StoredSteps(source);
  let done = 0;
  for (const step of steps) {
    await withRows(() => applyStep(chain, step));
    if (done++ % STEPS_A_PART === 0) {
      await chain.durable();
      await progress?.(done, steps.length);
    }
  }
  await chain.durable();
  await progress?.(steps.length, steps.length);
  return chain;
}

/** Whether a row is that of the same chain: earlier versions stored no places in the index of a block's logs. */
function isSame(key: string, one: Uint8Array, other: Uint8Array): boolean {
  if (Buffer.compare(one, other) === 0) return true;
  const { blocks } = TABLES;
  if (!key.startsWith(blocks.prefix)) return false;
  const plain = ({ id, header, transactionIds, logIndex }: StoredBlock) =>
    blocks.encode({ id, header, transactionIds, logIndex: withoutPlaces(logIndex) });
  const [before, now] = [blocks.decode(one), blocks.decode(other)];
  return withoutPlaces(before.logIndex).length === before.logIndex.length && Buffer.compare(one, plain(now)) === 0;
}

/** Keys whose rows differ between two stores, in order; `isCompared` says which keys count. */
export async function* differingRows(
  one: Pick<Store, 'rows'>,
  other: Pick<Store, 'rows'>,
  isCompared: (key: string) => boolean = () => true,
): AsyncIterable<string> {
  const [left, right] = [one.rows('')[Symbol.asyncIterator](), other.rows('')[Symbol.asyncIterator]()];
  let [a, b] = [await left.next(), await right.next()];
  while (!a.done || !b.done) {
    const onlyLeft = !a.done && (b.done || a.value.key < b.value.key);
    const onlyRight = !b.done && (a.done || b.value.key < a.value.key);
    const key = (onlyRight || a.done ? b.value : a.value).key as string;
    const same = !onlyLeft && !onlyRight && isSame(key, a.value.value, b.value.value);
    if (!same && isCompared(key)) yield key;
    if (!onlyRight) a = await left.next();
    if (!onlyLeft) b = await right.next();
  }
}
