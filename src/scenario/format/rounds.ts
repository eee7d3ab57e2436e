/** How often loops within loops go round: a slip in a number must not become a run without an end. */

import { formatUnits } from '../../prose/amounts.js';
import type { Problem } from './problems.js';
import type { StepPart } from './scenario.js';

/** Of all loops of a file together; at the speed of transfers these are hours. */
export const MOST_ROUNDS = 100_000_000;

export function tooManyRounds(rounds: bigint): string {
  return `these are ${formatUnits(rounds)} rounds of loops, more than ${formatUnits(BigInt(MOST_ROUNDS))}: repeat less, or make several files of it`;
}

/** Says it of the outermost loop. Counts that have to be worked out are counted when they run (`step-run.ts`). */
export function checkRounds(steps: Iterable<StepPart>, problems: Problem[]): void {
  for (const part of steps) {
    const rounds = roundsOf(part);
    if (rounds > BigInt(MOST_ROUNDS)) {
      const path = [...part.path, part.kind, ...(part.kind === 'repeat' ? ['times'] : [])];
      problems.push({ path, message: tooManyRounds(rounds) });
    } else checkRounds(part.steps, problems);
  }
}

function roundsOf({ values, steps }: StepPart): bigint {
  const within = steps.reduce((sum, one) => sum + roundsOf(one), 0n);
  const times = values?.times;
  return typeof times === 'number' ? BigInt(times) * (within > 1n ? within : 1n) : within;
}
