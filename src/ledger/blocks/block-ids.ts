/** The id of any block of the chain by its number. */

import type { BlockId } from '../../primitives/ids.js';
import { numberKey } from '../../state/tables.js';
import type { Ledger } from '../ledger.js';
import { emptyBlockId } from './empty-blocks.js';

export function blockIdAt(ledger: Ledger, number: number): BlockId | undefined {
  if (number === ledger.headNumber) return ledger.headId;
  const stored = ledger.state.tables.blocks.get(numberKey(number));
  return stored === undefined ? emptyBlockId(ledger, number) : stored.id;
}
