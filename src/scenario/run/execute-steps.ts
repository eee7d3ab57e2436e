/** Runs steps in order: evaluates expressions, and reports errors with their position. */

import { OperationError } from '../../errors/operation-error.js';
import { UnknownSnapshotError } from '../../node/control.js';
import { MissingRow } from '../../state/missing-row.js';
import { StepError } from '../actions/step-error.js';
import type { ResultStream, StepRun } from '../actions/step-run.js';
import { checkObject } from '../format/check-object.js';
import type { GroupExpectations } from '../format/expect-fields.js';
import { ExpressionError, evaluate } from '../format/expressions.js';
import type { Problem } from '../format/problems.js';
import { ScenarioError } from '../format/problems.js';
import type { Scenario, StepPart } from '../format/scenario.js';
import { UnknownNameError } from '../parties.js';
import { expectationsOf, ownFields, ownValues } from '../reader/check-steps.js';
import { groupResult } from '../results/result-of.js';
import { Totals } from '../results/totals.js';
import { stepKind } from '../steps/registry.js';

/** Errors that only the run shows: an unknown name, arguments that do not fit, an impossible operation. */
function isOfTheFile(error: unknown): error is Error {
  return [ExpressionError, OperationError, StepError, UnknownNameError, UnknownSnapshotError].some(
    (kind) => error instanceof kind,
  );
}

/** @throws ScenarioError */
export function* executeSteps(parts: readonly StepPart[], run: StepRun, place: Scenario['place']): ResultStream {
  for (const part of parts) {
    const kind = stepKind(part.kind);
    try {
      const values = part.values ?? workedOut(part, run, place);
      const result = kind.run(values as never, run, part);
      yield* part.expect !== undefined && kind.nested !== undefined ? summedUp(part, run, result) : result;
    } catch (error) {
      if (!isOfTheFile(error)) throw error;
      throw new ScenarioError([place({ path: [...part.path, part.kind], message: error.message })]);
    }
  }
}

function workedOut(part: StepPart, run: StepRun, place: Scenario['place']): Readonly<Record<string, unknown>> {
  const kind = stepKind(part.kind);
  const problems: Problem[] = [];
  const given = evaluate(ownValues(kind, part.given), run.scopeOf(part));
  const values = checkObject(ownFields(kind), given, [...part.path, part.kind], problems);
  if (values === undefined) throw new ScenarioError(problems.map(place));
  return values;
}

/** An expectation that contains an expression. */
export function readExpectation(place: Scenario['place']): StepRun['readExpectation'] {
  return (part, run) => {
    const fields = expectationsOf(stepKind(part.kind));
    if (fields === undefined) return undefined;
    const problems: Problem[] = [];
    const given = evaluate(part.expect?.given, run.scopeOf(part));
    const values = checkObject(fields, given, [...part.path, 'expect'], problems);
    if (values === undefined) throw new ScenarioError(problems.map(place));
    return values;
  };
}

/** Yields the results of inner steps, then their totals. */
function* summedUp(part: StepPart, run: StepRun, result: ResultStream): ResultStream {
  const expect = run.expectationOf<GroupExpectations>(part);
  const totals = new Totals();
  for (const one of result) {
    if (one instanceof Promise || one instanceof MissingRow) {
      yield one;
      continue;
    }
    totals.add(one);
    yield one;
  }
  yield groupResult(run.placeOf(part), totals.get(), expect && { expect, path: [...part.path, 'expect'] });
}
