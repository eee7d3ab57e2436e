/** A thread of a sweep: piscina calls it for one variant after the other. */

import { type MessagePort, workerData } from 'node:worker_threads';
import { RemoteError } from '../fork/network/remote-error.js';
import type { ForkStart } from '../fork/terms/fork-start.js';
import { ScenarioError } from '../scenario/format/problems.js';
import type { VariantOutcome } from '../scenario/what-if/outcome.js';
import { runVariant, type SweepInput } from '../scenario/what-if/run-variant.js';
import type { Variant } from '../scenario/what-if/variations.js';
import { networkOver } from './network-port.js';

/** The answer of a thread. Errors of the file are passed as text: their classes do not cross the thread boundary. */
export type ThreadAnswer = { readonly outcome: VariantOutcome } | { readonly problem: string };

/** The data that all variants share. */
export interface ThreadData {
  readonly input: SweepInput;
  /** Of forks: the initial state. */
  readonly start?: ForkStart | undefined;
}

export interface ThreadTask {
  readonly variant: Variant;
  /** Of forks: the port for requesting rows. */
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
