/**
 * Version of everything that affects a scenario's result: ledger rules, parameters of presets, how transactions are
 * built and signed, random sequences, content of the digest. Raise it together with fixtures/scenarios/digests.json
 * (`scripts/scenario-digests.ts`), and say in the changelog which costs change.
 */
export const RULES_VERSION = 1;
