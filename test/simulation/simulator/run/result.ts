/**
 * What a run of the simulator, or a part of one, has done: data that other machines read. Results of parts are joined by
 * `merge.ts`, printed by `report.ts`, kept by `scripts/simulated-hours.ts`.
 */

import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { record } from '../../../../src/primitives/record-schema.js';
import type { WorkerLife } from './worker.js';

const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const ms = v.pipe(v.number(), v.minValue(0));
const counts = record(v.string(), count);

export const TOTALS = v.strictObject({
  /** How often each user and each fault was chosen. */
  steps: counts,
  faults: counts,
  requests: count,
  refusals: count,
  blocks: count,
  /** Simulated time: of all chains, and of the machines under them. */
  chainMs: ms,
  simulatedMs: ms,
  /** Real time of the machines that ran it, and of their processors. */
  machineMs: ms,
  processorMs: ms,
});

export const FAILURE = v.strictObject({
  seed: count,
  /** -1: before the first step. */
  step: v.pipe(v.number(), v.integer()),
  action: v.string(),
  invariant: v.string(),
  what: v.string(),
  /** The steps of a shorter history that fails in the same way. */
  shortest: v.optional(v.array(count)),
  /** Of real nodes: how often parts of the history were repeated, and how often that failed in the same way. */
  again: v.optional(v.strictObject({ repeats: count, failed: count })),
});

/** Which worlds: all parts of a run have the same plan. */
const PLAN = v.strictObject({
  seed: count,
  /** Of all worlds together. Absent: as many worlds as the time allows. */
  steps: v.optional(count),
  minutes: v.optional(ms),
  /** Of one world only these steps. */
  only: v.optional(v.array(count)),
  /** Processes of the command. Absent: simulated nodes. */
  nodes: v.optional(v.literal('real')),
});

export const RUN_RESULT = v.strictObject({
  simulation: v.literal(1),
  /** Of the sources; with `-dirty` after it if they were changed. */
  commit: v.string(),
  /** UTC. */
  began: v.string(),
  plan: PLAN,
  /** From 1. Absent: the whole run. */
  shard: v.optional(v.strictObject({ part: count, of: count })),
  /** Those that have ended, by seed. */
  worlds: v.array(v.strictObject({ seed: count, digest: v.string() })),
  totals: TOTALS,
  /** By seed. */
  failures: v.array(FAILURE),
});

export type Plan = v.InferOutput<typeof PLAN>;
export type Totals = v.InferOutput<typeof TOTALS>;
export type RunResult = v.InferOutput<typeof RUN_RESULT>;

/** Steps of a world. A failure is found again by one world, so worlds are short; the process of a real node takes its time. */
export function stepsOfAWorld({ nodes }: Pick<Plan, 'nodes'>): number {
  return nodes === 'real' ? 150 : 400;
}

/** Undefined: as many as the time allows. */
export function worldsOf(plan: Plan): number | undefined {
  const { steps, only } = plan;
  if (only !== undefined) return 1;
  return steps === undefined ? undefined : Math.ceil(steps / stepsOfAWorld(plan));
}

export const NO_TOTALS: Totals = {
  ...{ steps: {}, faults: {}, requests: 0, refusals: 0, blocks: 0 },
  ...{ chainMs: 0, simulatedMs: 0, machineMs: 0, processorMs: 0 },
};

export function totalsOf({
  counts: { steps, faults, ...others },
  chainMs,
  machineMs,
  processorMs,
}: WorkerLife): Totals {
  return {
    ...others,
    ...{ steps: Object.fromEntries(steps), faults: Object.fromEntries(faults) },
    ...{ chainMs, simulatedMs: machineMs, machineMs: 0, processorMs },
  };
}

export function sum(totals: readonly Totals[]): Totals {
  const all = (of: (one: Totals) => number) => totals.reduce((total, one) => total + of(one), 0);
  const byName = (of: (one: Totals) => Readonly<Record<string, number>>) => {
    const names = new Map<string, number>();
    for (const one of totals)
      for (const [name, times] of Object.entries(of(one))) names.set(name, (names.get(name) ?? 0) + times);
    return Object.fromEntries([...names].sort(([a], [b]) => (a < b ? -1 : 1)));
  };
  return {
    steps: byName(({ steps }) => steps),
    faults: byName(({ faults }) => faults),
    requests: all(({ requests }) => requests),
    refusals: all(({ refusals }) => refusals),
    blocks: all(({ blocks }) => blocks),
    chainMs: all(({ chainMs }) => chainMs),
    simulatedMs: all(({ simulatedMs }) => simulatedMs),
    machineMs: all(({ machineMs }) => machineMs),
    processorMs: all(({ processorMs }) => processorMs),
  };
}

export function countOf(byName: Readonly<Record<string, number>>): number {
  return Object.values(byName).reduce((total, times) => total + times, 0);
}

/**
 * The same for any number of workers, machines and parts: how far the others came when the first failure stopped them does
 * not count.
 */
export function digestOf({ worlds, failures: [first] }: RunResult): string {
  const hash = createHash('sha256');
  for (const { seed, digest } of worlds) if (first === undefined || seed <= first.seed) hash.update(digest);
  return hash.digest('hex');
}
