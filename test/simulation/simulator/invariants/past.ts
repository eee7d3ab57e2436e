/** What was the newest state is, later, the state of that height: the past does not change. */

import { Violation } from '../run/violation.js';
import type { Host } from '../users/user.js';

/** An answer about the state of a block, given while that block was the newest. */
export interface Remembered {
  readonly number: number;
  readonly blockId: string;
  readonly address: string;
  readonly answer: string;
}

const KEPT = 12;

export async function pastStays({ world, asker, people }: Host): Promise<void> {
  const { chain } = world.node;
  const old = world.choices.of([...world.remembered, undefined]);
  if (old !== undefined && old.number >= chain.commits.stateFrom && world.blockIdAt(old.number) === old.blockId) {
    const answer = await asker.rpc('/eth', 'eth_getBalance', [old.address, `0x${old.number.toString(16)}`]);
    if (answer !== undefined && answer !== old.answer)
      throw new Violation(
        'the past does not change',
        `${old.address} at block ${old.number}: ${old.answer}, now ${answer}`,
      );
  }
  const address = `0x${people.address(world.choices.below(6)).slice(2)}`;
  const { headNumber: number, headId: blockId } = chain;
  const answer = await asker.rpc('/eth', 'eth_getBalance', [address, 'latest']);
  // An operation after the block changes the state of its height.
  if (answer === undefined || chain.headId !== blockId) return;
  world.remembered.push({ number, blockId, address, answer });
  if (world.remembered.length > KEPT) world.remembered.shift();
}
