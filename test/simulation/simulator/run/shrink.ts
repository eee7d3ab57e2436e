/** Finds a shorter history that fails in the same way: leaves out parts of it, smaller and smaller ones (delta debugging). */

import type { Live } from './orders.js';

/** @returns the steps that are left; none: the whole history does not fail again */
export async function shrink(
  live: Live,
  seed: number,
  lastStep: number,
  invariant: string,
): Promise<readonly number[]> {
  const fails = async (steps: readonly number[]) => (await live(seed, steps)).failure?.invariant === invariant;
  let steps = Array.from({ length: lastStep + 1 }, (_, step) => step);
  if (!(await fails(steps))) return [];
  for (let size = Math.ceil(steps.length / 2); size >= 1; ) {
    let isShorter = false;
    for (let from = 0; from < steps.length; ) {
      const fewer = [...steps.slice(0, from), ...steps.slice(from + size)];
      if (await fails(fewer)) {
        steps = fewer;
        isShorter = true;
      } else from += size;
    }
    if (size > 1) size = Math.ceil(size / 2);
    else if (!isShorter) break;
  }
  return steps;
}
