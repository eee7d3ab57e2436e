/** A maintenance does to the rows what the protocol says: the last ones of the chain, where both sides of each are kept. */

import { blockOutline } from '../../../../src/ledger/blocks/blocks.js';
import { operationsAfter } from '../../../../src/ledger/operations/operation.js';
import type { Address } from '../../../../src/primitives/ids.js';
import { Violation } from '../run/violation.js';
import type { World } from '../run/world.js';
import type { Host } from '../users/user.js';
import { factsAfter, factsExpected } from './maintenance-rules.js';

const NAME = 'a maintenance does what the protocol says';
const BLOCKS_BACK = 60;
const AT_A_TIME = 3;

/** @throws Violation @returns whether the block is a maintenance, of which both sides are known */
export function maintenanceAgrees({ node: { chain } }: World, number: number): boolean {
  const { ledger } = chain;
  const outline = blockOutline(ledger, number);
  const header = outline?.header.raw_data;
  // Votes, fees and approvals of its transactions are counted, too. A block that operations follow has their rows.
  if (number <= Math.max(1, ledger.config.beginsAt + 1) || number - 1 < chain.commits.stateFrom) return false;
  if (header === undefined || outline?.transactionIds.length !== 0 || operationsAfter(ledger, number) > 0) return false;
  const before = chain.ledgerAt(number - 1);
  if (before.long('NEXT_MAINTENANCE_TIME') > header.timestamp) return false;
  const after = chain.ledgerAt(number);
  const block = { timeMs: header.timestamp, producer: header.witness_address as Address };
  const expected = factsExpected(before, block, after);
  const is = factsAfter(after, before.long('CURRENT_CYCLE_NUMBER'));
  for (const [name, value] of expected)
    if (is.get(name) !== value)
      throw new Violation(NAME, `after block ${number}, ${name} has to be ${value}, and is ${is.get(name)}`);
  return true;
}

export function maintenancesAgree({ world }: Host): void {
  // Rows of a fork's past are its network's.
  if (world.shape.isFork) return;
  const { headNumber, choices } = world;
  let left = AT_A_TIME;
  for (let number = headNumber; number > headNumber - BLOCKS_BACK && left > 0; number--)
    if (choices.chance(0.7) && maintenanceAgrees(world, number)) left--;
}
