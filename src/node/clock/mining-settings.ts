/**
 * How blocks are made from here on, as far as it may be changed while the node runs: when, by whom, with which time.
 * A value that is replaced, so that a snapshot holds it as it was.
 */

import type { Address } from '../../primitives/ids.js';

/** `interval`: a block each slot by the clock. `instant`: a block for every broadcast. `manual`: on demand only. */
export type MiningMode = 'interval' | 'instant' | 'manual';

export interface MiningSettings {
  readonly mode: MiningMode;
  /** Interval mode: how often a block is made. */
  readonly blockTimeMs: bigint;
  /** What follows when blocks are not made in intervals any more. */
  readonly beside: 'instant' | 'manual';
  /** Set while automatic mining is paused: the mode to take up again. */
  readonly paused?: MiningMode | undefined;
  /** Exact time of the next block. */
  readonly nextTimestampMs?: bigint | undefined;
  /** The next block is not earlier: time was let pass, and there is no block that shows it yet. */
  readonly notBeforeMs?: bigint | undefined;
  /** Every block is exactly so much later than the one before it. */
  readonly timestampStepMs?: bigint | undefined;
  /** Who makes the next block, whoever's turn it is. */
  readonly nextWitness?: Address | undefined;
  /** Who makes all blocks, whoever's turn it is. */
  readonly coinbase?: Address | undefined;
}

/** What holds for the next block only. */
export function withoutNext(settings: MiningSettings): MiningSettings {
  const { nextTimestampMs, notBeforeMs, nextWitness } = settings;
  if (nextTimestampMs === undefined && notBeforeMs === undefined && nextWitness === undefined) return settings;
  return { ...settings, nextTimestampMs: undefined, notBeforeMs: undefined, nextWitness: undefined };
}

export function withMode(settings: MiningSettings, mode: MiningMode): MiningSettings {
  return { ...settings, mode, paused: undefined, ...(mode !== 'interval' && { beside: mode }) };
}

/** Automatic mining is halted until {@link resumed}. */
export function paused(settings: MiningSettings): MiningSettings {
  return settings.mode === 'manual' ? settings : { ...settings, mode: 'manual', paused: settings.mode };
}

/** What was paused; a chain that never made blocks by itself makes them at once from here on. */
export function resumed(settings: MiningSettings): MiningSettings {
  return settings.mode === 'manual' ? withMode(settings, settings.paused ?? 'instant') : settings;
}
