/**
 * A point of a chain that can be recognized: a block, and the operations up to it. An id does not tell them: after a
 * reset, blocks with other operations between them have the same ids.
 */

import { stepKey, TABLES } from '../../../../src/state/tables.js';
import type { World } from '../run/world.js';

type Place = Pick<World, 'node' | 'blockIdAt' | 'settle'>;

export interface Moment {
  readonly number: number;
  readonly blockId: string;
  /** As they are stored. */
  readonly operations: string;
}

/** Undefined: the store cannot be read now. */
export async function momentNow(world: Place): Promise<Moment | undefined> {
  const { headNumber: number, headId: blockId } = world.node.chain;
  const operations = await operationsTo(world, number);
  return operations === undefined ? undefined : { number, blockId, operations };
}

/** Whether the chain has been there. */
export async function isPast(world: Place, { number, blockId, operations }: Moment): Promise<boolean> {
  return world.blockIdAt(number) === blockId && (await operationsTo(world, number)) === operations;
}

/** Whether the state of then can still be read. */
export function isKept({ node }: Pick<World, 'node'>, { number }: Moment): boolean {
  return number >= node.chain.commits.stateFrom;
}

async function operationsTo(world: Place, height: number): Promise<string | undefined> {
  const { prefix } = TABLES.operations;
  const end = prefix + stepKey(height + 1, 0);
  const read = async () => {
    const all: string[] = [];
    for await (const { key, value } of world.node.chain.store.rows(prefix)) {
      if (key >= end) break;
      all.push(key, Buffer.from(value).toString('latin1'));
    }
    return all.join('\n');
  };
  const outcome = await world.settle(read());
  return 'value' in outcome ? outcome.value : undefined;
}
