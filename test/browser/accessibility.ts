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

/** @example expect(await axeFindings(page)).toEqual([]) */
export async function axeFindings(page: Page): Promise<readonly string[]> {
  // Evaluated, not loaded as a script: a strict policy stays as it is.
  await page.evaluate(axe.source);
  const { violations } = (await page.evaluate(`axe.run({ resultTypes: ['violations'] })`)) as Found;
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${help}: ${target.join(' ')}: ${failureSummary}`),
  );
}
