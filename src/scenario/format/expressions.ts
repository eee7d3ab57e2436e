/**
 * Expressions, evaluated each time a step runs. There are four; there is no expression language:
 * - `${i}` in a text: the counter of the enclosing `repeat` or `traffic`; also `${i + 1}`, `${i * 100}`, `${i % 10}`;
 *   `${sender}` inside `traffic`;
 * - `{ oneOf: [a, b, c] }`: one of them; `{ oneOf: customers }`: a member of a group of accounts;
 * - `{ random: [least, most] }`: a whole number in this range, both ends included, with the unit of `least`;
 * - `{ inTurn: [a, b, c] }`: the first, then the second, …, by the counter of the innermost loop.
 */

import type { Random } from '../random.js';

/** What an expression can use. */
export interface Scope {
  /** Counters, and senders of traffic, by name; the innermost loop comes last. */
  readonly counters: ReadonlyMap<string, number | string>;
  readonly random: Random;
  /** Number of members of a group of accounts; undefined if the name is no group. */
  groupSize(name: string): number | undefined;
}

/** An expression that cannot be evaluated here. */
export class ExpressionError extends Error {
  override readonly name = 'ExpressionError';
}

const TEMPLATE = /\$\{([^}]*)\}/g;
const COUNTER = /^\s*([A-Za-z_]\w*)\s*(?:([+\-*%])\s*(\d{1,15})\s*)?$/;

/** Whether a value contains an expression. */
export function hasExpression(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('${');
  if (Array.isArray(value)) return value.some(hasExpression);
  if (typeof value !== 'object' || value === null) return false;
  return operatorOf(value) !== undefined || Object.values(value).some(hasExpression);
}

const OPERATORS = ['oneOf', 'inTurn', 'random'] as const;
type Operator = (typeof OPERATORS)[number];

function operatorOf(value: object): Operator | undefined {
  const keys = Object.keys(value);
  return keys.length === 1 ? OPERATORS.find((operator) => operator === keys[0]) : undefined;
}

/** @throws ExpressionError */
export function evaluate(value: unknown, scope: Scope): unknown {
  if (typeof value === 'string') return value.includes('${') ? fromTemplate(value, scope) : value;
  if (Array.isArray(value)) return value.map((one) => evaluate(one, scope));
  if (typeof value !== 'object' || value === null) return value;
  const operator = operatorOf(value);
  if (operator === undefined) {
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, evaluate(member, scope)]));
  }
  return READERS[operator]((value as Record<Operator, unknown>)[operator], scope);
}

const READERS: Readonly<Record<Operator, (given: unknown, scope: Scope) => unknown>> = {
  oneOf: (given, scope) => {
    const { size, at } = choicesOf('oneOf', given, scope);
    return at(scope.random.below(size));
  },
  inTurn: (given, scope) => {
    const { size, at } = choicesOf('inTurn', given, scope);
    return at((lastCounter(scope) ?? 0) % size);
  },
  random: (given, scope) => {
    const [least, most] = Array.isArray(given) && given.length === 2 ? given.map(amountOf) : [];
    if (least === undefined || most === undefined || most.value < least.value)
      throw new ExpressionError('random: expected two whole numbers, the least and the most: [1, 100], [1 TRX, 5 TRX]');
    const drawn = least.value + scope.random.belowBig(most.value - least.value + 1n);
    return least.unit === '' ? String(drawn) : `${drawn} sun`;
  },
};

interface Choices {
  readonly size: number;
  readonly at: (index: number) => unknown;
}

function choicesOf(operator: Operator, given: unknown, scope: Scope): Choices {
  if (Array.isArray(given) && given.length > 0)
    return { size: given.length, at: (index) => evaluate(given[index], scope) };
  const size = typeof given === 'string' ? scope.groupSize(given) : undefined;
  if (size !== undefined && size > 0) return { size, at: (index) => `${given}.${index}` };
  throw new ExpressionError(`${operator}: expected a list with at least one value, or the name of a group of accounts`);
}

/** A whole number; TRX in sun. */
function amountOf(given: unknown): { readonly value: bigint; readonly unit: string } | undefined {
  const match = /^(-?[\d_]+)\s*(TRX|sun)?$/i.exec(String(given).trim());
  if (match === null) return undefined;
  const [, digits = '', unit = ''] = match;
  const value = BigInt(digits.replaceAll('_', ''));
  return { value: unit.toUpperCase() === 'TRX' ? value * 1_000_000n : value, unit };
}

function lastCounter({ counters }: Scope): number | undefined {
  return [...counters.values()].findLast((value) => typeof value === 'number');
}

function fromTemplate(text: string, { counters }: Scope): string {
  return text.replaceAll(TEMPLATE, (whole, inside: string) => {
    const [, name = '', operator, digits = '0'] = COUNTER.exec(inside) ?? [];
    const counter = counters.get(name);
    if (counter === undefined) {
      const known = [...counters.keys()].map((one) => `\${${one}}`).join(', ');
      throw new ExpressionError(
        `${whole}: expected a counter of an enclosing loop${known === '' ? ' (there is no loop)' : ` (${known})`}, with + - * % and a number if needed`,
      );
    }
    if (typeof counter === 'string') return counter;
    const number = Number(digits);
    switch (operator) {
      case '+':
        return String(counter + number);
      case '-':
        return String(counter - number);
      case '*':
        return String(counter * number);
      case '%':
        return String(number === 0 ? 0 : counter % number);
      default:
        return String(counter);
    }
  });
}
