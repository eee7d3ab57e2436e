/** Counts the rounds of nested loops: a mistyped number must not start an endless run. */

import { formatUnits } from '../../prose/amounts.js';
import type { Problem } from './problems.js';
import type { StepPart } from './scenario.js';

/** Limit for all loops of a file together; at the speed of transfers this takes hours. */
export const MAX_ROUNDS = 100_000_000;

export function tooManyRounds(rounds: bigint): string {
  return `the loops run ${formatUnits(rounds)} rounds, the maximum is ${formatUnits(BigInt(MAX_ROUNDS))}: repeat less, or split the file`;
}

/** Reports the outermost loop. Counts with expressions are checked at run time (`step-run.ts`). */
export function checkRounds(steps: Iterable<StepPart>, problems: Problem[]): void {
  for (const part of steps) {
    const rounds = roundsOf(part);
    if (rounds > BigInt(MAX_ROUNDS)) {
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
