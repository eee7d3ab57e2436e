/**
 * What may be done to a chain other than by a transaction, and how that is kept: an operation is a
 * step of the chain's history, after one block and before the next, with its name and arguments in a row, so that whoever
 * applies the chain again applies it too.
 */

import { numberKey, stepKey } from '../../state/tables.js';
import type { Ledger } from '../ledger.js';
import type { Operation } from './registry.js';

/** How many operations came after a block. */
export function operationsAfter({ state }: Ledger, height: number): number {
  return Number(state.tables.operationCounts.get(numberKey(height)) ?? 0n);
}

/** Keeps an operation that has just been applied after the head. */
export function recordOperation(ledger: Ledger, operation: Operation): void {
  const { headNumber } = ledger;
  const { operations, operationCounts } = ledger.state.tables;
  const step = operationsAfter(ledger, headNumber) + 1;
  operations.set(stepKey(headNumber, step), encodeOperation(operation));
  operationCounts.set(numberKey(headNumber), BigInt(step));
}

/** The operation that was the `step`th after a block. */
export function operationAt({ state }: Ledger, height: number, step: number): Operation {
  const text = state.tables.operations.get(stepKey(height, step));
  if (text === undefined) throw new Error(`operation ${step} after block ${height} is not in the store`);
  return decodeOperation(text);
}

/** JSON, in which a bigint is an object of one member: no text can be taken for one. */
export function encodeOperation(operation: Operation): string {
  return JSON.stringify(operation, (_, value) => (typeof value === 'bigint' ? { int: String(value) } : value));
}

export function decodeOperation(text: string): Operation {
  return JSON.parse(text, (_, value) => {
    const isInt = typeof value === 'object' && value !== null && typeof value.int === 'string';
    return isInt ? BigInt(value.int) : value;
  }) as Operation;
}
