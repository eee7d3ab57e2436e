/** Checks all steps before the first one runs: kinds, fields, values, names, and expressions as far as possible. */

import * as v from 'valibot';
import { toBase58 } from '../../protocol/address.js';
import { checkNames, checkObject, type Fields } from '../format/check-object.js';
import { GROUP_EXPECTATIONS, TRANSACTION_EXPECTATIONS } from '../format/expect-fields.js';
import { ExpressionError, evaluate, hasExpression, type Scope } from '../format/expressions.js';
import { text } from '../format/fields.js';
import { type Path, type Problem, pathText } from '../format/problems.js';
import type { Expected, StepPart, Steps } from '../format/scenario.js';
import { StepLines } from '../format/step-lines.js';
import { Random } from '../random.js';
import { stepKind, stepNames } from '../steps/registry.js';
import type { StepKind } from '../steps/step-kind.js';
import type { Names } from './names.js';

/** Keys that may stand beside a step's kind. */
const BESIDE = { label: text, expect: v.unknown() } as const;

export interface StepChecks {
  readonly names: Names;
  readonly problems: Problem[];
  /** Collects the kinds of all steps. */
  readonly kinds: Set<string>;
}

/** Steps of a recording are checked now and parsed again when they run; none is kept in memory. */
export function checkAllSteps(given: unknown, path: Path, checks: StepChecks): Steps {
  if (!(given instanceof StepLines)) return checkSteps(given, path, checks);
  let at = 0;
  for (const step of given) checkStep(step, [...path, at++], checks, [], undefined);
  return {
    length: given.length,
    *[Symbol.iterator]() {
      let number = 0;
      for (const step of given) {
        const part = checkStep(step, [...path, number++], checks, [], undefined);
        if (part !== undefined) yield part;
      }
    },
  };
}

/** @param within label of the enclosing step in reports; labels of inner steps follow it */
function checkSteps(
  given: unknown,
  path: Path,
  checks: StepChecks,
  counters: readonly string[] = [],
  within?: string,
): StepPart[] {
  if (!Array.isArray(given)) {
    checks.problems.push({ path, message: 'expected a list of steps' });
    return [];
  }
  return given.flatMap((step, at) => {
    const inherited = within === undefined || given.length === 1 ? within : `${within}[${at}]`;
    return checkStep(step, [...path, at], checks, counters, inherited) ?? [];
  });
}

function checkStep(
  given: unknown,
  path: Path,
  checks: StepChecks,
  counters: readonly string[],
  inherited: string | undefined,
): StepPart | undefined {
  const { problems } = checks;
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    problems.push({ path, message: `expected a step: an object with one of ${stepNames.join(', ')}` });
    return undefined;
  }
  const record = given as Readonly<Record<string, unknown>>;
  checkNames([...stepNames, ...Object.keys(BESIDE)], given, path, problems);
  const [name, second] = Object.keys(given).filter((key) => stepNames.includes(key));
  if (name === undefined) {
    // The unknown name was reported already.
    if (Object.keys(given).every((key) => Object.hasOwn(BESIDE, key)))
      problems.push({ path, message: `expected the kind of the step: one of ${stepNames.join(', ')}` });
    return undefined;
  }
  if (second !== undefined) {
    problems.push({ path, message: `a step has one kind: write ${name} and ${second} as two steps` });
    return undefined;
  }
  checks.kinds.add(name);
  const label = record.label ?? inherited;
  if (label !== undefined && typeof label !== 'string')
    problems.push({ path: [...path, 'label'], message: 'label: expected text' });
  const kind = stepKind(name);
  const whole = withoutShorthand(kind, record[name]);
  const inside = [...path, name];
  const part = {
    path,
    place: pathText(path),
    kind: name,
    ...(typeof label === 'string' && { label }),
  };
  const nested = kind.nested;
  const steps =
    nested === undefined || typeof whole !== 'object' || whole === null
      ? []
      : checkSteps(
          (whole as Record<string, unknown>)[nested.field],
          Array.isArray(record[name]) ? inside : [...inside, nested.field],
          checks,
          [...counters, ...nested.counters(whole as Record<string, unknown>)],
          part.label,
        );
  const isObject = typeof whole === 'object' && whole !== null && !Array.isArray(whole);
  const own = isObject ? ownValues(kind, whole as Record<string, unknown>) : whole;
  const values = checkValues(ownFields(kind), own, inside, checks, counters);
  const expect =
    record.expect === undefined ? undefined : checkExpect(kind, record.expect, [...path, 'expect'], checks, counters);
  return { ...part, given: whole as StepPart['given'], steps, ...(values && { values }), ...(expect && { expect }) };
}

/** `advance: 6h` is `advance: { by: 6h }`. */
export function withoutShorthand({ shorthand, positional, fields }: StepKind, given: unknown): unknown {
  if (positional && Array.isArray(given))
    return Object.fromEntries(given.map((value, at) => [Object.keys(fields)[at] ?? `parameter ${at + 1}`, value]));
  if (given === null || given === undefined) return {};
  const isWhole = typeof given === 'object' && !Array.isArray(given);
  return isWhole || shorthand === undefined ? given : { [shorthand]: given };
}

/** The fields without inner steps, which are checked separately. */
export function ownFields({ fields, nested }: StepKind): StepKind['fields'] {
  if (nested === undefined) return fields;
  const { [nested.field]: _, ...own } = fields;
  return own;
}

export function ownValues(
  { nested }: StepKind,
  given: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  if (nested === undefined) return given;
  const { [nested.field]: _, ...own } = given;
  return own;
}

/** Limit of choices that are tried; a list may be longer. */
const MAX_TRIALS = 64;

/** Expectation of a transaction or of the inner transactions. */
export function expectationsOf({ contractType, nested, name }: StepKind): Fields | undefined {
  if (nested !== undefined) return GROUP_EXPECTATIONS;
  return contractType !== undefined || name === 'raw' ? TRANSACTION_EXPECTATIONS : undefined;
}

function checkExpect(
  kind: StepKind,
  given: unknown,
  path: Path,
  checks: StepChecks,
  counters: readonly string[],
): Expected | undefined {
  const fields = expectationsOf(kind);
  if (fields === undefined) {
    const message = `expect: only for transactions and for steps with inner steps, not for ${kind.name}`;
    checks.problems.push({ path, ofName: true, message });
    return undefined;
  }
  const values = checkValues(fields, given, path, checks, counters);
  return { given, ...(values && { values: values as NonNullable<Expected['values']> }) };
}

function checkValues(
  fields: Fields,
  own: unknown,
  path: Path,
  { names, problems }: StepChecks,
  counters: readonly string[],
): Readonly<Record<string, unknown>> | undefined {
  if (!hasExpression(own)) {
    const values = checkObject(fields, own, path, problems);
    if (values !== undefined) names.check(fields, values, path, problems);
    return values;
  }
  // Tries every choice of a list once, so that a mistake in any of them is reported before the run.
  const trials = Math.min(MAX_TRIALS, longestChoice(own));
  for (let trial = 0; trial < trials; trial++) {
    const found: Problem[] = [];
    try {
      const tried = evaluate(own, new Trial(counters, names, trial));
      const values = checkObject(fields, tried, path, found);
      if (values !== undefined) names.check(fields, values, path, found);
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error;
      found.push({ path, message: error.message });
    }
    problems.push(...found);
    if (found.length > 0) break;
  }
  return undefined;
}

function longestChoice(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  const own = Array.isArray(value) ? value.length : 1;
  return Math.max(own, ...Object.values(value).map(longestChoice));
}

/** Stands for a sender; only its type, account, is known here. */
const SOMEBODY = toBase58(`41${'00'.repeat(20)}`);

/** A trial evaluation with fixed counters, and with a fixed choice instead of a random one. */
class Trial implements Scope {
  readonly counters: ReadonlyMap<string, number | string>;
  readonly random: Random;

  constructor(
    counters: readonly string[],
    private readonly names: Names,
    trial: number,
  ) {
    this.counters = new Map(counters.map((name) => [name, name === 'sender' ? SOMEBODY : trial]));
    this.random = new Chosen(trial);
  }

  groupSize(name: string): number | undefined {
    return this.names.groupSize(name);
  }
}

class Chosen extends Random {
  constructor(private readonly choice: number) {
    super('');
  }

  override below(size: number): number {
    return Math.min(this.choice, size - 1);
  }
}
