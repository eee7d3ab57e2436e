/** What was the newest state is, later, the state of that height: the past does not change. */

import { operationsAfter } from '../../../../src/ledger/operations/operation.js';
import { Violation } from '../run/violation.js';
import type { Host } from '../users/user.js';

/** An answer about the state of a block, given while that block was the newest. */
export interface Remembered {
  readonly number: number;
  readonly blockId: string;
  /** Operations after the block, which belong to its height. */
  readonly operations: number;
  readonly address: string;
  readonly answer: string;
}

const KEPT = 12;

export async function pastStays({ world, asker, people }: Host): Promise<void> {
  const { chain } = world.node;
  const old = world.choices.of([...world.remembered, undefined]);
  const isSame = ({ number, blockId, operations }: Remembered) =>
    number >= chain.commits.stateFrom &&
    world.blockIdAt(number) === blockId &&
    operationsAfter(chain.ledger, number) === operations;
  if (old !== undefined && isSame(old)) {
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
  if (answer === undefined || chain.headId !== blockId) return;
  const operations = operationsAfter(chain.ledger, number);
  world.remembered.push({ number, blockId, operations, address, answer });
  if (world.remembered.length > KEPT) world.remembered.shift();
}
