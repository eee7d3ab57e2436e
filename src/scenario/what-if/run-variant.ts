/** Runs one variant to its end: the same fold as for any scenario. */

import { createHash } from 'node:crypto';
import type { Artifact } from '../../artifacts/artifact.js';
import type { Remote } from '../../fork/start/open-remote.js';
import { readDocument } from '../format/document.js';
import { withFork } from '../format/fork-fields.js';
import type { Scenario } from '../format/scenario.js';
import { checkScenario } from '../reader/read-scenario.js';
import { Totals } from '../results/totals.js';
import { runScenario } from '../run/run.js';
import { stakeOfVariation } from './break-even.js';
import { stakedInRecording } from './change-recording.js';
import type { VariantOutcome } from './outcome.js';
import { RecurringCost } from './recurring-cost.js';
import { withValues } from './replace-values.js';
import { type Stake, type Staker, stakesAtEnd, stakeUses } from './stake-use.js';
import type { Variant, Variation } from './variations.js';

/** Data that all variants of a sweep share; each thread receives it once. */
export interface SweepInput {
  readonly file: string;
  readonly text: string;
  readonly variations: readonly Variation[];
  readonly artifacts: ReadonlyMap<string, Artifact>;
  /** Replaces the file's `fork`. */
  readonly fork?: unknown;
}

/** @param network of a scenario with `fork` @throws VariationError, ScenarioError */
export async function runVariant(input: SweepInput, variant: Variant, network?: Remote): Promise<VariantOutcome> {
  const { file, text, variations, artifacts, fork } = input;
  const document = withValues(withFork(readDocument(text, file), fork), variations, variant.values);
  const scenario = checkScenario(document);
  const isRecording = scenario.network.recorded !== undefined;
  const totals = new Totals(isRecording);
  const cost = new RecurringCost(scenario.warmup);
  const stakers = isRecording ? stakersOfVariations(variations) : stakersOf(scenario);
  let stakes: readonly Stake[] = [];
  let beginMs: number | undefined;
  let cameSigned = 0;
  let replayed = 0;
  const running = runScenario(scenario, {
    artifacts,
    network,
    // The genesis of a recording may be long before its first block.
    begun: ({ headTimeMs }) => {
      if (!isRecording) beginMs = Number(headTimeMs);
    },
    ended: ({ ledger }, parties) => {
      stakes = stakesAtEnd(ledger, parties, stakers);
    },
    // The unchanged file is replayed without changes.
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
      const { history, ...sums } = totals.get();
      const { transactions, failed, refused, feeSun, bandwidth, energy, energyPenalty, payers, sources } = sums;
      const spanMs = value.head.timestampMs - (beginMs ?? value.head.timestampMs);
      return {
        index: variant.index,
        values: variant.values.map((given) => given ?? null),
        ...{ transactions, failed, refused, feeSun, bandwidth, energy, energyPenalty, payers, sources },
        ...(variant.index === 0 && history !== undefined && { history }),
        spanMs,
        ...cost.get(spanMs),
        stakedSun: isRecording ? stakedInRecording(document.value) : stakedSun(scenario),
        stakeUses: stakeUses(stakes, cost, spanMs),
        cameSigned,
        replayed,
        digest: value.digest,
      };
    }
    if ('timestampMs' in value) {
      beginMs ??= value.timestampMs;
      if (value.kind === 'transaction') cost.add(value, value.timestampMs - beginMs);
    }
    totals.add(value);
  }
}

/** All accounts with an initial stake. */
function stakersOf({ accounts }: Scenario): readonly Staker[] {
  return [...accounts].flatMap(([account, { stake, count }]) =>
    (['energy', 'bandwidth'] as const).flatMap((resource) =>
      (stake?.[resource] ?? 0n) > 0n ? [{ account, resource, count }] : [],
    ),
  );
}

function stakersOfVariations(variations: readonly Variation[]): readonly Staker[] {
  return variations.flatMap(({ name }) => {
    const stake = stakeOfVariation(name);
    return stake === undefined ? [] : [{ ...stake, count: undefined }];
  });
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
