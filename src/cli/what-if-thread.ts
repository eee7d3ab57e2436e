/** A thread of a sweep: piscina gives it one variant after the other. */

import { workerData } from 'node:worker_threads';
import { ScenarioError } from '../scenario/format/problems.js';
import type { VariantOutcome } from '../scenario/what-if/outcome.js';
import { runVariant, type SweepInput } from '../scenario/what-if/run-variant.js';
import type { Variant } from '../scenario/what-if/variations.js';

/** What a thread answers: errors of the file are told in words, since their classes stay on this side. */
export type ThreadAnswer = { readonly outcome: VariantOutcome } | { readonly problem: string };

export default async function run(variant: Variant): Promise<ThreadAnswer> {
  try {
    return { outcome: await runVariant(workerData as SweepInput, variant) };
  } catch (error) {
    if (error instanceof ScenarioError) return { problem: error.message };
    throw error;
  }
}
