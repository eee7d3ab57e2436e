/**
 * Counts changes of what a scenario comes to: rules of the ledger, parameters of a preset, how transactions are built and
 * signed, how chance is drawn, what the digest is over. Raise it together with
 * fixtures/scenarios/digests.json (`scripts/scenario-digests.ts`), and with a line in the changelog that says what costs
 * something else now.
 */
export const RULES_VERSION = 1;
