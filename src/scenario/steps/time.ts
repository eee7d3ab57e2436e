/** Steps that advance time. */

import * as v from 'valibot';
import { count, passing } from '../format/fields.js';
import { type StepKind, step } from './step-kind.js';

const MAX_BLOCKS = 10_000_000;

export const timeSteps: readonly StepKind[] = [
  step({
    name: 'advance',
    about:
      'advances time as if all witnesses paused: one block at the end of each epoch, and one in the last slot; or until the end of a number of epochs',
    example: '6h',
    fields: { by: passing },
    shorthand: 'by',
    run: ({ by }, run, part) => ('epochs' in by ? run.passEpochs(part, by.epochs) : run.advance(part, BigInt(by.ms))),
  }),
  step({
    name: 'mine',
    about: 'makes empty blocks, one in each slot',
    example: 5,
    fields: { blocks: v.optional(count(MAX_BLOCKS, 1), 1) },
    shorthand: 'blocks',
    run: ({ blocks }, run, part) => run.mineEmpty(part, blocks),
  }),
];
