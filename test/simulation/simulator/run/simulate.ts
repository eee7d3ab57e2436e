/** A run of the simulator: worlds one after another on several workers. */

import type { Shard } from '../../../../src/scenario/what-if/variations.js';
import { NO_TOTALS, type Plan, type RunResult, stepsOfAWorld, sum, totalsOf, worldsOf } from './result.js';
import { shrink } from './shrink.js';
import { shrinkByChance } from './shrink-by-chance.js';
import { type StepLimit, Worker } from './worker.js';

/** A step takes milliseconds. */
const SIMULATED_LIMIT: StepLimit = { processorMs: 120_000 };
/** A step of real nodes waits for processes. */
const REAL_LIMIT: StepLimit = { realMs: 600_000 };

export interface RunOptions {
  readonly plan: Plan;
  readonly shard?: Shard | undefined;
  readonly commit: string;
  readonly workers: number;
  readonly shrinks: boolean;
  /** The command whose processes are the nodes, for a plan with real ones. */
  readonly command?: string | undefined;
  /** Called with a line for people, while a history of real nodes is repeated. */
  readonly onRepeat?: (line: string) => void;
  /** When a step has no end. */
  readonly stepLimit?: StepLimit;
  /** Called after each world with what has ended so far: a run of hours may be stopped from outside. */
  readonly onWorld?: (sofar: () => RunResult) => void;
}

/** Ends at the first failure. @param file the bundled simulator */
export async function simulate(file: string, options: RunOptions): Promise<RunResult> {
  const { plan, shard, commit, workers, shrinks, command, onWorld } = options;
  const { stepLimit = plan.nodes === 'real' ? REAL_LIMIT : SIMULATED_LIMIT } = options;
  const newWorker = () => new Worker(file, stepLimit, command === undefined ? [] : [command]);
  const { part, of } = shard ?? { part: 1, of: 1 };
  const sinceMs = Date.now();
  const began = new Date(sinceMs).toISOString();
  const worlds = new Map<number, string>();
  const failures = new Map<number, RunResult['failures'][number]>();
  let totals = NO_TOTALS;
  const sofar = (): RunResult => ({
    ...{ simulation: 1, commit, began, plan, ...(shard && { shard }) },
    worlds: [...worlds].sort(([a], [b]) => a - b).map(([seed, digest]) => ({ seed, digest })),
    totals: { ...totals, machineMs: Date.now() - sinceMs },
    failures: [...failures.values()].sort((a, b) => a.seed - b.seed),
  });

  const { seed, minutes } = plan;
  const most = worldsOf(plan) ?? Number.POSITIVE_INFINITY;
  let next = part - 1;
  const isOver = () =>
    next >= most || failures.size > 0 || (minutes !== undefined && Date.now() - sinceMs > minutes * 60_000);
  await Promise.all(
    Array.from({ length: Math.min(workers, most) }, async () => {
      const worker = newWorker();
      try {
        while (!isOver()) {
          const world = next;
          next += of;
          const life = await worker.live({ seed: seed + world, steps: stepsOf(plan, world) });
          worlds.set(seed + world, life.digest);
          totals = sum([totals, totalsOf(life)]);
          if (life.failure !== undefined) failures.set(seed + world, life.failure);
          onWorld?.(sofar);
        }
      } finally {
        worker.end();
      }
    }),
  );
  if (shrinks)
    for (const [failing, failure] of failures) {
      const { step, invariant } = failure;
      if (step < 0) continue;
      const worker = newWorker();
      const steps = stepsOf(plan, failing - seed).filter((one) => one <= step);
      // Before its first step a world fails in another way.
      const fails = async (fewer: readonly number[]) => {
        const other = (await worker.live({ seed: failing, steps: fewer })).failure;
        return other?.invariant === invariant && other.step >= 0;
      };
      if (plan.nodes === 'real') {
        const { shortest, repeats, failed } = await shrinkByChance(steps, fails, {
          says: options.onRepeat ?? (() => {}),
        });
        failures.set(failing, { ...failure, ...(shortest && { shortest: [...shortest] }), again: { repeats, failed } });
      } else failures.set(failing, { ...failure, shortest: [...(await shrink(steps, fails))] });
      worker.end();
    }
  return sofar();
}

/** Numbers of the steps of a world. */
function stepsOf(plan: Plan, world: number): readonly number[] {
  const { steps, only } = plan;
  if (only !== undefined) return only;
  const most = stepsOfAWorld(plan);
  const left = steps === undefined ? most : steps - world * most;
  return Array.from({ length: Math.min(most, left) }, (_, step) => step);
}
