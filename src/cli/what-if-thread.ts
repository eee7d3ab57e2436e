/** A thread of a sweep: piscina gives it one variant after the other. */

import { type MessagePort, workerData } from 'node:worker_threads';
import { RemoteError } from '../fork/network/remote-error.js';
import type { ForkStart } from '../fork/terms/fork-start.js';
import { ScenarioError } from '../scenario/format/problems.js';
import type { VariantOutcome } from '../scenario/what-if/outcome.js';
import { runVariant, type SweepInput } from '../scenario/what-if/run-variant.js';
import type { Variant } from '../scenario/what-if/variations.js';
import { networkOver } from './network-port.js';

/** What a thread answers: errors of the file are told in words, since their classes stay on this side. */
export type ThreadAnswer = { readonly outcome: VariantOutcome } | { readonly problem: string };

/** What all variants have in common. */
export interface ThreadData {
  readonly input: SweepInput;
  /** Of forks: what they begin with. */
  readonly start?: ForkStart | undefined;
}

export interface ThreadTask {
  readonly variant: Variant;
  /** Of forks: where rows are asked for. */
  readonly port?: MessagePort | undefined;
}

export default async function run({ variant, port }: ThreadTask): Promise<ThreadAnswer> {
  const { input, start } = workerData as ThreadData;
  const network = port && start && networkOver(port, start);
  try {
    return { outcome: await runVariant(input, variant, network) };
  } catch (error) {
    if (error instanceof ScenarioError || error instanceof RemoteError) return { problem: error.message };
    throw error;
  } finally {
    await network?.close();
  }
}
