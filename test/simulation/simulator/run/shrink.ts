/** Finds a shorter history that fails in the same way: leaves out parts of it, smaller and smaller ones (delta debugging). */

/** @param fails whether these steps fail as all did @returns the steps that are left */
export async function shrink(
  all: readonly number[],
  fails: (steps: readonly number[]) => Promise<boolean>,
): Promise<readonly number[]> {
  let steps = all;
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
