/** One variant run to its end: the same fold as any scenario. */

import { createHash } from 'node:crypto';
import type { Artifact } from '../../artifacts/artifact.js';
import { amountOf } from '../../explanation/amount.js';
import type { Remote } from '../../fork/open-remote.js';
import { readDocument } from '../format/document.js';
import { withFork } from '../format/fork-fields.js';
import { checkScenario } from '../format/read-scenario.js';
import type { Scenario } from '../format/scenario.js';
import { runScenario } from '../run.js';
import { Totals } from '../totals.js';
import type { VariantOutcome } from './outcome.js';
import { withValues } from './replace-values.js';
import { stakedInRecording } from './suppose-in-recording.js';
import type { Variant, Variation } from './variations.js';

/** What all variants of a sweep have in common; threads are given it once. */
export interface SweepInput {
  readonly file: string;
  readonly text: string;
  readonly variations: readonly Variation[];
  readonly artifacts: ReadonlyMap<string, Artifact>;
  /** In the place of the file's `fork`. */
  readonly fork?: unknown;
}

/** @param network of a scenario with `fork` @throws VariationError, ScenarioError */
export async function runVariant(input: SweepInput, variant: Variant, network?: Remote): Promise<VariantOutcome> {
  const { file, text, variations, artifacts, fork } = input;
  const document = withValues(withFork(readDocument(text, file), fork), variations, variant.values);
  const scenario = checkScenario(document);
  const isRecording = scenario.network.recorded !== undefined;
  const totals = new Totals(isRecording);
  let startMs: number | undefined;
  let cameSigned = 0;
  let replayed = 0;
  const running = runScenario(scenario, {
    artifacts,
    network,
    // The file as it is counts as it is.
    ...(variant.index > 0 && {
      replayed: (changed: boolean) => {
        cameSigned++;
        if (changed) replayed++;
      },
    }),
  });
  for (;;) {
    const { done, value } = await running.next();
    if (done) {
      const { transactions, failed, refused, feeSun, bandwidth, energy, energyPenalty, payers, sources } = totals.get();
      return {
        index: variant.index,
        values: variant.values.map((given) => given ?? null),
        ...{ transactions, failed, refused, feeSun, bandwidth, energy, energyPenalty, payers, sources },
        spanMs: startMs === undefined ? 0 : value.head.timestampMs - startMs,
        stakedSun: amountOf(isRecording ? stakedInRecording(document.value) : stakedSun(scenario)),
        cameSigned,
        replayed,
        digest: value.digest,
      };
    }
    if ('timestampMs' in value) startMs ??= value.timestampMs;
    totals.add(value);
  }
}

function stakedSun({ accounts }: Scenario): bigint {
  let sum = 0n;
  for (const { stake, count = 1 } of accounts.values())
    sum += ((stake?.energy ?? 0n) + (stake?.bandwidth ?? 0n)) * BigInt(count);
  return sum;
}

export function fileDigest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
