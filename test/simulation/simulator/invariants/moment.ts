/** A point of a chain that can be recognized: a block, and the operations after it, which belong to its height. */

import { operationsAfter } from '../../../../src/ledger/operations/operation.js';
import type { Chain } from '../../../../src/node/chain/chain.js';
import { stepKey } from '../../../../src/state/tables.js';
import type { World } from '../run/world.js';

export interface Moment {
  readonly number: number;
  readonly blockId: string;
  /** As they are stored: after a rollback, others may be as many. */
  readonly operations: string;
}

export function momentNow({ headNumber, headId, ledger }: Chain): Moment {
  return { number: headNumber, blockId: headId, operations: operationsOf(ledger, headNumber) };
}

/** Whether the chain has been there. */
export function isPast(world: Pick<World, 'node' | 'blockIdAt'>, { number, blockId, operations }: Moment): boolean {
  return world.blockIdAt(number) === blockId && operationsOf(world.node.chain.ledger, number) === operations;
}

/** Whether the state of then can still be read. */
export function isKept({ node }: Pick<World, 'node'>, { number }: Moment): boolean {
  return number >= node.chain.commits.stateFrom;
}

function operationsOf(ledger: Chain['ledger'], height: number): string {
  const { operations } = ledger.state.tables;
  const steps = Array.from({ length: operationsAfter(ledger, height) }, (_, i) => stepKey(height, i + 1));
  return steps.map((key) => operations.get(key)).join('\n');
}
