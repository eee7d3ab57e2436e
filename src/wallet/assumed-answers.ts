/**
 * Marks a fork's answers that contain assumed values (docs/background/fork-assumptions.md): the answer is java-tron's,
 * so a header has the mark. For transactions, `explanation/rerun/network-rows.ts` names the assumptions.
 */

import type { AssumptionName } from '../ledger/genesis/fork-assumptions.js';
import { endedAnEpoch } from '../ledger/genesis/fork-base.js';
import type { WalletContext } from './context.js';

/** The mark with the names of the assumptions: a header of HTTP, metadata of gRPC. */
export const ASSUMES = 'sunup-assumes';

const shown = new WeakMap<WalletContext, Set<AssumptionName>>();

/** Call it for answers with votes of witnesses. @param ofNow with those of the current epoch */
export function showsVotes(context: WalletContext, ofNow: boolean): void {
  const { ledger } = context;
  if (ofNow || endedAnEpoch(ledger)) shows(context, 'runningTally');
}

function shows(context: WalletContext, name: AssumptionName): void {
  const { beginsAt, assumes } = context.ledger.config;
  if (beginsAt === 0 || !(assumes?.has(name) ?? true)) return;
  const names = shown.get(context) ?? new Set();
  shown.set(context, names.add(name));
}

/** The assumptions in answers from a view. */
export function assumedIn(context: WalletContext): readonly AssumptionName[] {
  return [...(shown.get(context) ?? [])];
}
