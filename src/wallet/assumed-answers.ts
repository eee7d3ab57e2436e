/**
 * Answers of a fork that show what no node tells and the fork assumes (docs/background/fork-assumptions.md): the answer is java-tron's,
 * so a header says it. Of what a transaction came to, `explanation/rerun/network-rows.ts` says it.
 */

import type { AssumptionName } from '../ledger/genesis/fork-assumptions.js';
import { endedAnEpoch } from '../ledger/genesis/fork-base.js';
import type { WalletContext } from './context.js';

/** The mark of such an answer, with the names of the assumptions: a header of HTTP, metadata of gRPC. */
export const ASSUMES = 'sunup-assumes';

const shown = new WeakMap<WalletContext, Set<AssumptionName>>();

/** To be called by what answers with votes of witnesses. @param ofNow with those of the running epoch */
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

/** What the answers that were made of a view have shown. */
export function assumedIn(context: WalletContext): readonly AssumptionName[] {
  return [...(shown.get(context) ?? [])];
}
