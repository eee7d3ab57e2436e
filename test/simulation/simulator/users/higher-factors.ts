/**
 * Somebody who asks what a call costs at the factors of later epochs. A busy epoch multiplies the price of a contract's
 * Energy by one plus the increase, up to the maximum; each case is a call of now, so none knows of another.
 */

import type { Ledger } from '../../../../src/ledger/ledger.js';
import { Violation } from '../run/violation.js';

const NAME = 'a transaction costs what was said beforehand';

export interface FactorCase {
  readonly epochs: number | 'cap';
  /** Of the contract that is called. */
  readonly factor: number;
}

export interface FactorLimits {
  readonly now?: FactorCase;
  readonly atHigherFactors?: readonly FactorCase[];
}

const UNIT = 10_000;

/** @throws Violation */
export function higherFactorsAgree(ledger: Ledger, what: string, limits: FactorLimits): void {
  const { now, atHigherFactors: later = [] } = limits;
  if (now === undefined || later.length === 0) return;
  const increase = Number(ledger.long('DYNAMIC_ENERGY_INCREASE_FACTOR'));
  const most = Number(ledger.long('DYNAMIC_ENERGY_MAX_FACTOR'));
  const raisedOnce = (factor: number) =>
    Math.min(most, Math.floor(((UNIT + factor) * (UNIT + increase)) / UNIT) - UNIT);
  let raised = Math.round(now.factor * UNIT);
  const expected = later.map(({ epochs }) => {
    raised = epochs === 'cap' && increase > 0 ? Math.max(most, raised) : raisedOnce(raised);
    return raised / UNIT;
  });
  const told = later.map(({ factor }) => factor);
  if (told.join() !== expected.join())
    throw new Violation(NAME, `${what}: the factors of later epochs are said to be ${told}, and are ${expected}`);
}
