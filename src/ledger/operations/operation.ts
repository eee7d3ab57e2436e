/**
 * Changes of a chain other than by a transaction, and their storage: an operation is a step of the chain's history,
 * after one block and before the next. A row has its name and arguments, so a replay applies it too.
 */

import { numberKey, stepKey } from '../../state/tables.js';
import type { Ledger } from '../ledger.js';
import type { Operation } from './registry.js';

/** Number of operations after a block. */
export function operationsAfter({ state }: Ledger, height: number): number {
  return Number(state.tables.operationCounts.get(numberKey(height)) ?? 0n);
}

/** Stores an operation that was just applied after the head. */
export function recordOperation(ledger: Ledger, operation: Operation): void {
  const { headNumber } = ledger;
  const { operations, operationCounts } = ledger.state.tables;
  const step = operationsAfter(ledger, headNumber) + 1;
  operations.set(stepKey(headNumber, step), encodeOperation(operation));
  operationCounts.set(numberKey(headNumber), BigInt(step));
}

/** The operation with index `step` after a block. */
export function operationAt({ state }: Ledger, height: number, step: number): Operation {
  const text = state.tables.operations.get(stepKey(height, step));
  if (text === undefined) throw new Error(`operation ${step} after block ${height} is not in the store`);
  return decodeOperation(text);
}

/** JSON in which a bigint is an object with one member, so that no text can be mistaken for one. */
export function encodeOperation(operation: Operation): string {
  return JSON.stringify(operation, (_, value) => (typeof value === 'bigint' ? { int: String(value) } : value));
}

export function decodeOperation(text: string): Operation {
  return JSON.parse(text, (_, value) => {
    const isInt = typeof value === 'object' && value !== null && typeof value.int === 'string';
    return isInt ? BigInt(value.int) : value;
  }) as Operation;
}
