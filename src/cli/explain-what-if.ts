/** `sunup explain TXID --what-if …`: one transaction of a running chain under each of many settings. */

import type { Explanation } from '../explanation/model/explanation.js';
import { type Json, toJson } from '../primitives/amount-json.js';
import { sectionTable } from '../scenario/report/table.js';
import { readVariation, VariationError, variantsOf } from '../scenario/what-if/variations.js';
import { RemoteError } from './node-client.js';

const MOST_SETTINGS = 1_000;

/** What one setting comes to; `refused` in the place of an explanation. */
export interface SupposedOutcome {
  /** By the names that were given; absent: as it was. */
  readonly whatIf?: Readonly<Record<string, string>>;
  readonly explanation?: Json<Explanation>;
  readonly refused?: string;
}

/**
 * @param explain asks the node, with suppositions or without
 * @throws RemoteError for settings that cannot be
 */
export async function explainVariants(
  given: readonly string[],
  explain: (whatIf: string | undefined) => Promise<Record<string, unknown>>,
): Promise<readonly SupposedOutcome[]> {
  const { names, settings } = settingsOf(given);
  const outcomes: SupposedOutcome[] = [{ explanation: (await explain(undefined)) as unknown as Json<Explanation> }];
  for (const values of settings) {
    const whatIf = Object.fromEntries(names.map((name, at) => [name, values[at] as string]));
    const text = names.map((name, at) => `${name}=${values[at]}`).join(';');
    try {
      outcomes.push({ whatIf, explanation: (await explain(text)) as unknown as Json<Explanation> });
    } catch (error) {
      const refused = error instanceof RemoteError ? /would refuse it: (.*)/s.exec(error.message)?.[1] : undefined;
      if (refused === undefined) throw error;
      outcomes.push({ whatIf, refused });
    }
  }
  return outcomes;
}

function settingsOf(given: readonly string[]): { names: readonly string[]; settings: readonly (readonly string[])[] } {
  try {
    const variations = given.map(readVariation);
    const [, ...variants] = variantsOf(variations);
    if (variants.length > MOST_SETTINGS)
      throw new VariationError(`${variants.length} combinations: at most ${MOST_SETTINGS} are possible`);
    return {
      names: variations.map(({ name }) => name),
      settings: variants.map(({ values }) => values.map((value) => String(value))),
    };
  } catch (error) {
    if (error instanceof VariationError) throw new RemoteError(error.message, 2);
    throw error;
  }
}

/** A row for each setting, the first as it was. */
export function suppositionTable(given: readonly string[], outcomes: readonly SupposedOutcome[]): string {
  const names = given.map((one) => readVariation(one).name);
  const asItWas = outcomes[0]?.explanation;
  const table = sectionTable({
    title: '',
    columns: [
      ...names.map((name) => ({ name, kind: 'text' as const })),
      { name: 'result', kind: 'text' },
      { name: 'Energy', kind: 'number' },
      { name: 'penalty', kind: 'number' },
      { name: 'of stake', kind: 'number' },
      { name: "deployer's stake", kind: 'number' },
      { name: 'fee', kind: 'coin' },
      { name: 'change', kind: 'coin' },
    ],
    rows: outcomes.map(({ whatIf, explanation, refused }) => [
      ...names.map((name) => whatIf?.[name] ?? 'original'),
      explanation?.outcome.result ?? `refused: ${refused}`,
      explanation?.energy?.total,
      explanation?.energy?.penalty,
      explanation?.energy?.caller.staked,
      explanation?.energy?.origin?.paid,
      explanation?.feeSun,
      explanation && asItWas && toJson(BigInt(explanation.feeSun) - BigInt(asItWas.feeSun)),
    ]),
  });
  return `${table}\n`;
}
