/** Steps, one after the other: what has to be worked out is worked out, and what goes wrong is said with its place. */

import { OperationError } from '../errors/operation-error.js';
import { UnknownSnapshotError } from '../node/control.js';
import { checkObject } from './format/check-object.js';
import { ownFields, ownValues } from './format/check-steps.js';
import { ExpressionError, evaluate } from './format/expressions.js';
import type { Problem } from './format/problems.js';
import { ScenarioError } from './format/problems.js';
import type { Scenario, StepPart } from './format/scenario.js';
import { UnknownNameError } from './parties.js';
import { StepError } from './step-error.js';
import type { StepRun, Told } from './step-run.js';
import { stepKind } from './steps/registry.js';

/** What only shows when a step runs: a name that is not known yet, arguments that do not fit, an operation that cannot be. */
function isOfTheFile(error: unknown): error is Error {
  return [ExpressionError, OperationError, StepError, UnknownNameError, UnknownSnapshotError].some(
    (kind) => error instanceof kind,
  );
}

/** @throws ScenarioError */
export function* executeSteps(parts: readonly StepPart[], run: StepRun, place: Scenario['place']): Told {
  for (const part of parts) {
    const kind = stepKind(part.kind);
    try {
      const values = part.values ?? workedOut(part, run, place);
      yield* kind.run(values as never, run, part);
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
