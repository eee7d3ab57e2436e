/** What a sweep is of: a file, and every value that it is to be run with, checked before anything runs. */

import type { ScenarioDocument } from '../format/document.js';
import type { Scenario } from '../format/scenario.js';
import { checkScenario } from '../reader/read-scenario.js';
import { withUnits, withValues } from './replace-values.js';
import { type Variation, VariationError } from './variations.js';

export interface SweepOf {
  /** The file as it is. */
  readonly scenario: Scenario;
  readonly variations: readonly Variation[];
}

/** @throws VariationError, ScenarioError */
export function sweepOf(document: ScenarioDocument, given: readonly Variation[]): SweepOf {
  const variations = given.map((variation) => withUnits(document, variation));
  const twice = variations.find(({ name }, at) => variations.findIndex((one) => one.name === name) !== at);
  if (twice !== undefined) throw new VariationError(`--what-if ${twice.name} is there twice`);
  const scenario = checkScenario(document);
  checkValues(document, variations);
  return { scenario, variations };
}

/** Of a long range the first and the last say what there is to be said. */
const VALUES_TRIED = 40;

/** Each value by itself, before anything runs: a slip in the last of a thousand is said at once. */
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
