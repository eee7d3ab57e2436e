/**
 * Mining settings that can change while the node runs: when, by whom, with which time. An immutable value, so that
 * snapshots can hold it.
 */

import type { Address } from '../../primitives/ids.js';

/** `interval`: a block each slot by the clock. `instant`: a block for every broadcast. `manual`: on demand only. */
export type MiningMode = 'interval' | 'instant' | 'manual';

export interface MiningSettings {
  readonly mode: MiningMode;
  /** Interval mode: time between two blocks. */
  readonly blockTimeMs: bigint;
  /** The mode after interval mode is turned off. */
  readonly beside: 'instant' | 'manual';
  /** Set while automatic mining is paused: the mode to resume. */
  readonly paused?: MiningMode | undefined;
  /** Exact time of the next block. */
  readonly nextTimestampMs?: bigint | undefined;
  /** The next block is not earlier: time was advanced and no block shows it yet. */
  readonly notBeforeMs?: bigint | undefined;
  /** Fixed time between two blocks. */
  readonly timestampStepMs?: bigint | undefined;
  /** The witness of the next block, instead of the scheduled one. */
  readonly nextWitness?: Address | undefined;
  /** The witness of all blocks, instead of the scheduled ones. */
  readonly coinbase?: Address | undefined;
}

/** Settings of the next block only. */
export function withoutNext(settings: MiningSettings): MiningSettings {
  const { nextTimestampMs, notBeforeMs, nextWitness } = settings;
  if (nextTimestampMs === undefined && notBeforeMs === undefined && nextWitness === undefined) return settings;
  return { ...settings, nextTimestampMs: undefined, notBeforeMs: undefined, nextWitness: undefined };
}

export function withMode(settings: MiningSettings, mode: MiningMode): MiningSettings {
  return { ...settings, mode, paused: undefined, ...(mode !== 'interval' && { beside: mode }) };
}

/** Stops automatic mining until {@link resumed}. */
export function paused(settings: MiningSettings): MiningSettings {
  return settings.mode === 'manual' ? settings : { ...settings, mode: 'manual', paused: settings.mode };
}

/** Resumes the paused mode; a chain in manual mode gets instant mode. */
export function resumed(settings: MiningSettings): MiningSettings {
  return settings.mode === 'manual' ? withMode(settings, settings.paused ?? 'instant') : settings;
}
