/** What a run differs in from what its file expects, and from the snapshot beside it: each as a text for people. */

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { problemText } from '../scenario/format/problems.js';
import type { GroupResult, Result, TransactionResult } from '../scenario/results/result.js';
import { snapshotDifferences, snapshotName, snapshotText } from '../scenario/results/snapshot.js';
import type { RunTotals } from '../scenario/results/totals.js';

/** `day.scenario.yaml:18:15: steps[0] (to a supplier), result 0: fee`, what was expected, and what it is. */
export function differencesIn(file: string, result: Result): readonly string[] {
  const { step, label, n, differences = [] } = result as TransactionResult | GroupResult;
  const which = label === undefined ? step : `${step} (${label})`;
  return differences.map(({ what, expected, actual, line, column }) => {
    const place = problemText({ file, line, column, message: `${which}, result ${n}: ${what}` });
    return `${place}\n  expected ${expected}\n  got      ${actual}`;
  });
}

/** More would bury the sums, which come first. */
const MAX_DIFFERENCES = 20;

/** None where there is no snapshot beside the file. @param update writes it, so that there are none */
export function differencesFromSnapshot(file: string, totals: RunTotals, update: boolean): readonly string[] {
  const name = snapshotName(file);
  if (update) writeFileSync(name, snapshotText(totals));
  if (update || !existsSync(name)) return [];
  const found = snapshotDifferences(readFileSync(name, 'utf8'), totals);
  const shown = found
    .slice(0, MAX_DIFFERENCES)
    .map(({ what, expected, actual }) => `${name}: ${what}\n  expected ${expected}\n  got      ${actual}`);
  const more = found.length - shown.length;
  return more === 0
    ? shown
    : [...shown, `${name}: ${more} further steps, payers or sources; after --update, git diff shows each`];
}
