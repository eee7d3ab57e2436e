/** Values that a proposal may have now, by the table of docs/protocol/proposals.md#parameters. */

import type { Ledger } from '../../../../src/ledger/ledger.js';
import { isKnownIn, PARAMETERS, type ParameterDefinition } from '../../../../src/parameters/definitions.js';
import type { Choices } from '../../wild-messages.js';

/** Of which parameters the values are chosen. */
export type Range = ReadonlySet<number> | undefined;

/** Nobody reckons with old values: a factor is read before each use, and prices are asked. */
export const LASTING: Range = new Set([11, 73, 74, 75]);
/**
 * What one does depends on the others: adaptive Energy, rewards and cycles, prices with a history, types of contracts,
 * dynamic Energy.
 */
const RELATED: readonly Range[] = [
  new Set([19, 21, 29, 33]),
  new Set([0, 5, 6, 10, 30, 31, 48, 59, 67]),
  new Set([3, 11, 68]),
  new Set([20, 26, 44, 70, 77]),
  new Set([72, 73, 74, 75]),
];
/** Of the largest, few amounts can be paid by anybody. */
const AMOUNTS = [0n, 1n, 420n, 1_000n, 1_000_000n, 5_000_000_000n];
const LIMITS = [50_000_000_000n, 90_000_000_000n, 180_000_000_000n];
const THRESHOLDS = [3_000_000_000n, 4_000_000_000n, 5_000_000_000n, 6_000_000_000n];
const PRICES = [100n, 210n, 420n];

type Values = (ledger: Ledger, choices: Choices) => readonly bigint[];

/** Of parameters with rules of their own. */
const SPECIAL: Readonly<Record<number, Values>> = {
  10: (ledger) => (ledger.long('REMOVE_THE_POWER_OF_THE_GR') === -1n ? [] : [1n]),
  13: () => [10n, 80n, 100n],
  45: (ledger, choices) => (ledger.on('ALLOW_MARKET_TRANSACTION') ? [BigInt(choices.below(1_000_000))] : []),
  46: (ledger, choices) => (ledger.on('ALLOW_MARKET_TRANSACTION') ? [BigInt(choices.below(1_000_000))] : []),
  47: () => [1_000_000_000n, 10_000_000_000n],
  72: (ledger) => (ledger.on('CHANGE_DELEGATION') ? [0n, 1n] : [0n]),
  78: (ledger) => (ledger.long('UNFREEZE_DELAY_DAYS') > 0n ? [ledger.long('MAX_DELEGATE_LOCK_PERIOD') + 1n] : []),
  79: () => [],
  95: (ledger) => (ledger.on('ALLOW_TVM_SHANGHAI') && !ledger.on('ALLOW_TVM_PRAGUE') ? [1n] : []),
};

function valuesOf(parameter: ParameterDefinition, ledger: Ledger, choices: Choices): readonly bigint[] {
  const { id = 0, name, property, rule } = parameter;
  const special = SPECIAL[id];
  if (special !== undefined) return special(ledger, choices);
  if (name === 'DYNAMIC_ENERGY_THRESHOLD') return THRESHOLDS;
  if (name === 'TOTAL_CURRENT_ENERGY_LIMIT') return LIMITS;
  const isOn = (one: string) => PARAMETERS.some((known) => known.name === one && ledger.long(known.property) !== 0n);
  switch (rule.accepts) {
    case 'amount':
      return AMOUNTS;
    case 'anything':
      return PRICES;
    case 'range':
      return [rule.min, rule.max, rule.min + (rule.max - rule.min) / BigInt(2 + choices.below(9))];
    case 'zeroOrOne':
      return [0n, 1n];
    case 'switch':
      return [1n - ledger.long(property)];
    case 'one':
      return (rule.once !== undefined && ledger.on(property)) || !(rule.after ?? []).every(isOn) ? [] : [1n];
    default:
      return [];
  }
}

export const someRange = (choices: Choices): Range => choices.of([...RELATED, undefined]);

export function someParameters(ledger: Ledger, choices: Choices, range: Range): ReadonlyMap<bigint, bigint> {
  const known = PARAMETERS.filter(
    (one) => one.id !== undefined && isKnownIn(one, ledger.config.release) && range?.has(one.id) !== false,
  );
  const chosen = new Map<bigint, bigint>();
  for (let count = 1 + choices.below(4); count > 0; count--) {
    const parameter = choices.of(known);
    const values = valuesOf(parameter, ledger, choices);
    const others = values.filter((value) => value * parameter.storedScale !== ledger.long(parameter.property));
    const some = others.length > 0 ? others : values;
    if (some.length > 0) chosen.set(BigInt(parameter.id ?? 0), choices.of(some));
  }
  return chosen;
}
