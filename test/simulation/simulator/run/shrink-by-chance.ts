/**
 * Finds a shorter history of a failure of real nodes: a history fails or not also by the speed of the machine, and one
 * repeat takes seconds to minutes. So the number of repeats is bounded, short histories come first, and the result says
 * how often it was tried.
 */

import { shrink } from './shrink.js';

/** Most failures show within a few steps; a history of 40 steps is shrunk to some in as many repeats. */
export const MOST_REPEATS = 40;

export interface Shrunk {
  /** Undefined: no repeat failed in the same way. */
  readonly shortest?: readonly number[];
  readonly repeats: number;
  /** Of the repeats. */
  readonly failed: number;
}

/**
 * @param all the last one is the step of the failure
 * @param fails whether these steps fail as all did, this time
 * @param says called before and after each repeat, with a line for people
 */
export async function shrinkByChance(
  all: readonly number[],
  fails: (steps: readonly number[]) => Promise<boolean>,
  { mostRepeats = MOST_REPEATS, says }: { readonly mostRepeats?: number; readonly says: (line: string) => void },
): Promise<Shrunk> {
  let [repeats, failed] = [0, 0];
  const repeat = async (steps: readonly number[]) => {
    // Once there are no more repeats, nothing shorter is known to fail.
    if (repeats >= mostRepeats) return false;
    repeats++;
    says(`repeat ${repeats} of at most ${mostRepeats}: ${steps.length} of ${all.length} steps`);
    const isSame = await fails(steps);
    if (isSame) failed++;
    says(isSame ? '  fails again' : '  does not fail in the same way');
    return isSame;
  };
  for (const length of lengths(all.length)) {
    const last = all.slice(-length);
    if (!(await repeat(last))) continue;
    const shortest = last.length === 1 ? last : await shrink(last, repeat);
    return { shortest, repeats, failed };
  }
  return { repeats, failed };
}

/** 1, 2, 4, … and twice the whole: what depends on timing seldom fails at the first attempt. */
function lengths(whole: number): readonly number[] {
  const shorter: number[] = [];
  for (let length = 1; length < whole; length *= 2) shorter.push(length);
  return [...shorter, whole, whole];
}
