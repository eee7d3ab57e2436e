/** Which test asks, as vitest and jest tell their matchers. */

import { type AskingTest, snapshotMode } from './fee-snapshot.js';
import type { SnapshotMode } from './fee-snapshot-file.js';

/** What is used of a matcher's `this`; undefined outside of them. */
export interface RunnerState {
  readonly isNot?: boolean;
  readonly testPath?: string | undefined;
  readonly currentTestName?: string | undefined;
  /** Of the test so far. */
  readonly assertionCalls?: number;
  /** The runner's own, in which both keep what `-u` and CI mean for snapshots. */
  readonly snapshotState?: object;
}

interface Asked {
  readonly place: number;
  readonly assertionCalls: number;
}

/** Shared by all chains: what tests of this process have asked, which know nothing of chains. */
const lastAsked = new Map<string, Asked>();

/** @param snapshotState of the runner */
export function modeOf(snapshotState: object | undefined): SnapshotMode {
  const { _updateSnapshot: ofRunner } = (snapshotState ?? {}) as { readonly _updateSnapshot?: SnapshotMode };
  return snapshotMode(ofRunner, process.env);
}

/** To be called when a matcher begins, so that lines have the order in which they stand in the test. */
export function askingTest(
  { testPath: file, currentTestName: name, assertionCalls = 0, snapshotState }: RunnerState = {},
  isNamed: boolean,
): AskingTest {
  const mode = modeOf(snapshotState);
  if (isNamed) return { file, name, place: 0, mode };
  const key = JSON.stringify([file, name]);
  const last = lastAsked.get(key);
  // A test that runs once more, because it failed, begins to count again.
  const place = last !== undefined && assertionCalls > last.assertionCalls ? last.place + 1 : 0;
  lastAsked.set(key, { place, assertionCalls });
  return { file, name, place, mode };
}
