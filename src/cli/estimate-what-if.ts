/** `sunup estimate … --what-if …`: one transaction with each of many settings. */

import { type Json, toJson } from '../primitives/amount-json.js';
import type { PreviewInWords } from '../prose/preview.js';
import { sectionTable } from '../scenario/report/table.js';
import { readVariation, type Variation, VariationError, variantsOf } from '../scenario/what-if/variations.js';
import { RemoteError } from './node-client.js';

/** The answer of the node. */
export type PreviewAnswer = Json<PreviewInWords>;

const MAX_SETTINGS = 1_000;

/** The result of one setting; `refused` instead of a preview if the transaction would be refused. */
export interface SettingOutcome {
  /** By the given names; absent: without changes. */
  readonly whatIf?: Readonly<Record<string, string>>;
  readonly preview?: PreviewAnswer;
  readonly refused?: string;
}

/** @throws RemoteError */
export function readVariations(given: readonly string[]): readonly Variation[] {
  return inWords(() => given.map(readVariation));
}

/**
 * @param preview sends a request to the node
 * @returns the result without changes first, then one for each combination
 * @throws RemoteError for invalid settings
 */
export async function previewSettings(
  variations: readonly Variation[],
  preview: (changes: Readonly<Record<string, string>>) => Promise<PreviewAnswer>,
): Promise<readonly SettingOutcome[]> {
  const outcomes: SettingOutcome[] = [];
  for (const changes of [undefined, ...settingsOf(variations)]) {
    const setting = changes && { whatIf: changes };
    try {
      outcomes.push({ ...setting, preview: await preview(changes ?? {}) });
    } catch (error) {
      const refused = error instanceof RemoteError ? /would be refused: (.*)/s.exec(error.message)?.[1] : undefined;
      if (refused === undefined) throw error;
      outcomes.push({ ...setting, refused });
    }
  }
  return outcomes;
}

function settingsOf(variations: readonly Variation[]): readonly Readonly<Record<string, string>>[] {
  return inWords(() => {
    const [, ...variants] = variantsOf(variations);
    if (variants.length > MAX_SETTINGS)
      throw new VariationError(`${variants.length} combinations: at most ${MAX_SETTINGS} are possible`);
    return variants.map(({ values }) =>
      Object.fromEntries(variations.map(({ name }, at) => [name, String(values[at])])),
    );
  });
}

function inWords<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (error instanceof VariationError) throw new RemoteError(error.message, 2);
    throw error;
  }
}

/** One row for each setting; the first row is without changes. */
export function settingTable(variations: readonly Variation[], outcomes: readonly SettingOutcome[]): string {
  const unchanged = outcomes[0]?.preview;
  const table = sectionTable({
    title: '',
    columns: [
      ...variations.map(({ name }) => ({ name, kind: 'text' as const })),
      { name: 'result', kind: 'text' },
      { name: 'Energy', kind: 'number' },
      { name: 'penalty', kind: 'number' },
      { name: 'of stake', kind: 'number' },
      { name: "deployer's stake", kind: 'number' },
      { name: 'fee', kind: 'coin' },
      { name: 'change', kind: 'coin' },
    ],
    rows: outcomes.map(({ whatIf, preview, refused }) => [
      ...variations.map(({ name }) => whatIf?.[name] ?? 'original'),
      preview?.outcome.result ?? `refused: ${refused}`,
      preview?.energy?.total,
      preview?.energy?.penalty,
      preview?.energy?.caller.staked,
      preview?.energy?.origin?.paid,
      preview?.feeSun,
      preview && unchanged && toJson(BigInt(preview.feeSun) - BigInt(unchanged.feeSun)),
    ]),
  });
  return `${table}\n`;
}
