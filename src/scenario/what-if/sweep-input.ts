/** Input of a sweep: a file and all its settings, checked before any of them runs. */

import type { ScenarioDocument } from '../format/document.js';
import type { Scenario } from '../format/scenario.js';
import { checkScenario } from '../reader/read-scenario.js';
import { withUnits, withValues } from './replace-values.js';
import { type Variation, VariationError } from './variations.js';

export interface SweepOf {
  /** The unchanged file. */
  readonly scenario: Scenario;
  readonly variations: readonly Variation[];
}

/** @throws VariationError, ScenarioError */
export function sweepOf(document: ScenarioDocument, given: readonly Variation[]): SweepOf {
  const variations = given.map((variation) => withUnits(document, variation));
  const twice = variations.find(({ name }, at) => variations.findIndex((one) => one.name === name) !== at);
  if (twice !== undefined) throw new VariationError(`--what-if ${twice.name} is given twice`);
  const scenario = checkScenario(document);
  checkValues(document, variations);
  return { scenario, variations };
}

/** Of a long range, only the first and the last value need a check. */
const VALUES_TRIED = 40;

/** Checks each value before the run, so that a mistake in the last of a thousand is reported at once. */
function checkValues(document: ScenarioDocument, variations: readonly Variation[]): void {
  for (const [at, { values }] of variations.entries())
    for (const value of [...values.slice(0, VALUES_TRIED), ...values.slice(-1)])
      checkScenario(
        withValues(
          document,
          variations,
          variations.map((_, i) => (i === at ? value : undefined)),
        ),
      );
}
