/** Steps with inner steps: several transactions in one block, and loops. */

import * as v from 'valibot';
import { count, text } from '../format/fields.js';
import { MAX_ROUNDS } from '../format/rounds.js';
import type { StepPart } from '../format/scenario.js';
import { type StepKind, step } from './step-kind.js';

const steps = v.pipe(v.array(v.unknown()), v.description('steps'));
const COUNTER = v.optional(
  v.pipe(text, v.description(`name of the counter for the inner steps: \${i}; default i`)),
  'i',
);

/** Name of a loop's counter. */
function counterOf(given: Readonly<Record<string, unknown>>): readonly string[] {
  return [typeof given.counter === 'string' ? given.counter : 'i'];
}

export const groupSteps: readonly StepKind[] = [
  step({
    name: 'block',
    about: 'puts the transactions of the inner steps into one block, in order',
    example: [
      { transfer: { from: 'alice', to: 'bob', amount: '1 TRX' } },
      { transfer: { from: 'bob', to: 'alice', amount: '1 TRX' } },
    ],
    fields: { steps },
    shorthand: 'steps',
    nested: { field: 'steps', counters: () => [] },
    run: (_, run, part) => run.fillBlock(run.each(part.steps)),
  }),
  step({
    name: 'repeat',
    about: 'repeats the inner steps, with a counter from 0',
    example: { times: 3, steps: [{ transfer: { from: 'alice', to: 'bob', amount: `\${i + 1} TRX` } }] },
    fields: { times: count(MAX_ROUNDS), counter: COUNTER, steps },
    nested: { field: 'steps', counters: counterOf },
    run: function* ({ times, counter }, run, part) {
      // Loops without effect would only take time.
      if (part.steps.every(doesNothing)) return;
      run.goRound(times);
      for (let i = 0; i < times; i++) {
        run.done(i / times);
        yield* run.within(counter, i).each(part.steps);
      }
      run.done(0);
    },
  }),
];

function doesNothing({ kind, steps }: StepPart): boolean {
  return kind === 'repeat' && steps.every(doesNothing);
}
