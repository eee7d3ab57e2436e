/** What axe finds on a page, rules of good practice included, one line for each element. */

import axe from 'axe-core';
import type { Page } from 'playwright-core';

interface Found {
  readonly violations: readonly {
    readonly id: string;
    readonly help: string;
    readonly nodes: readonly { readonly target: readonly unknown[]; readonly failureSummary?: string }[];
  }[];
}

/** A color on its way to another one has a contrast that nobody reads. */
const FINISH_ANIMATIONS = `for (const animation of document.getAnimations()) {
  if (animation.effect.getComputedTiming().endTime === Infinity) animation.cancel();
  else animation.finish();
}`;

/** @example expect(await axeFindings(page)).toEqual([]) */
export async function axeFindings(page: Page): Promise<readonly string[]> {
  // Evaluated, not loaded as a script: a strict policy stays as it is. Once for a page: it is half a megabyte.
  if (!(await page.evaluate(`'axe' in window`))) await page.evaluate(axe.source);
  await page.evaluate(FINISH_ANIMATIONS);
  const { violations } = (await page.evaluate(`axe.run({ resultTypes: ['violations'] })`)) as Found;
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${help}: ${target.join(' ')}: ${failureSummary}`),
  );
}
