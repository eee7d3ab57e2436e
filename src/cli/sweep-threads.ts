/** Runs the variants of a sweep on threads. The outcomes do not depend on the number of threads. */

import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { RemoteError } from '../fork/network/remote-error.js';
import { SharedRows } from '../fork/rows/shared-rows.js';
import type { Remote } from '../fork/start/open-remote.js';
import { ScenarioError } from '../scenario/format/problems.js';
import type { VariantOutcome } from '../scenario/what-if/outcome.js';
import { runVariant, type SweepInput } from '../scenario/what-if/run-variant.js';
import { type Variant, VariationError } from '../scenario/what-if/variations.js';
import { portTo } from './network-port.js';
import type { ThreadAnswer, ThreadData, ThreadTask } from './what-if-thread.js';

/** Next to this file in the bundle; in the sources it does not exist, and everything runs on the main thread. */
const THREAD = new URL('./what-if-thread.js', import.meta.url);

export interface SweepOptions {
  /** Undefined: one for each processor. 1: only the main thread. */
  readonly threads: number | undefined;
  /** Stops the sweep: running variants are completed, no others start. */
  readonly signal: AbortSignal;
  readonly progress: (done: number, total: number) => void | Promise<void>;
  /** Of forks: their network; each row is fetched once for all variants. */
  readonly network?: Remote | undefined;
}

/** @returns the outcomes in the order of the variants, incomplete after a stop @throws VariationError */
export async function runSweep(
  input: SweepInput,
  variants: readonly Variant[],
  { threads = availableParallelism(), signal, progress, network }: SweepOptions,
): Promise<readonly VariantOutcome[]> {
  const count = Math.min(threads, variants.length);
  const outcomes = new Map<number, VariantOutcome>();
  const runAll = async (lanes: number, one: (variant: Variant) => Promise<ThreadAnswer>) => {
    const waiting = variants[Symbol.iterator]();
    const lane = async () => {
      for (const variant of waiting) {
        if (signal.aborted) return;
        const answer = await one(variant);
        if ('problem' in answer) throw new VariationError(`setting ${variant.index}: ${answer.problem}`);
        outcomes.set(variant.index, answer.outcome);
        await progress(outcomes.size, variants.length);
      }
    };
    await Promise.all(Array.from({ length: lanes }, lane));
  };
  const shared = network && { ...network, rows: new SharedRows(network.rows) };
  if (count <= 1 || !existsSync(THREAD)) await runAll(1, (variant) => onThisThread(input, variant, shared));
  else {
    const { Piscina } = await import('piscina');
    const pool = new Piscina({
      filename: fileURLToPath(THREAD),
      workerData: { input, start: shared?.start } satisfies ThreadData,
      minThreads: count,
      maxThreads: count,
    });
    try {
      await runAll(count, async (variant) => {
        if (shared === undefined) return pool.run({ variant } satisfies ThreadTask);
        const { port, close } = portTo(shared.rows);
        try {
          return await pool.run({ variant, port } satisfies ThreadTask, { transferList: [port] });
        } finally {
          close();
        }
      });
    } finally {
      // Waits for running variants: killing a thread inside a native addon would crash the process.
      await pool.close();
    }
  }
  return [...outcomes.values()].sort((a, b) => a.index - b.index);
}

async function onThisThread(input: SweepInput, variant: Variant, network: Remote | undefined): Promise<ThreadAnswer> {
  try {
    return { outcome: await runVariant(input, variant, network) };
  } catch (error) {
    if (error instanceof ScenarioError || error instanceof RemoteError) return { problem: error.message };
    throw error;
  }
}
