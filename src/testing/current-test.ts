/** The running test, as vitest and jest pass it to matchers. */

import { type CurrentTest, snapshotMode } from './fee-snapshot.js';
import type { SnapshotMode } from './fee-snapshot-file.js';

/** The used part of a matcher's `this`; undefined outside of matchers. */
export interface RunnerState {
  readonly isNot?: boolean;
  readonly testPath?: string | undefined;
  readonly currentTestName?: string | undefined;
  /** Assertions of the test so far. */
  readonly assertionCalls?: number;
  /** The runner's object, with the modes that `-u` and CI set. */
  readonly snapshotState?: object;
}

interface Asked {
  readonly place: number;
  readonly assertionCalls: number;
}

/** Shared by all chains: the state of this process's tests, not of a chain. */
const lastAsked = new Map<string, Asked>();

/** @param snapshotState the runner's */
export function modeOf(snapshotState: object | undefined): SnapshotMode {
  const { _updateSnapshot: ofRunner } = (snapshotState ?? {}) as { readonly _updateSnapshot?: SnapshotMode };
  return snapshotMode(ofRunner, process.env);
}

/** Call it at the start of a matcher, so that lines are numbered in the order of the test. */
export function currentTest(
  { testPath: file, currentTestName: name, assertionCalls = 0, snapshotState }: RunnerState = {},
  isNamed: boolean,
): CurrentTest {
  const mode = modeOf(snapshotState);
  if (isNamed) return { file, name, place: 0, mode };
  const key = JSON.stringify([file, name]);
  const last = lastAsked.get(key);
  // A retried test starts counting again.
  const place = last !== undefined && assertionCalls > last.assertionCalls ? last.place + 1 : 0;
  lastAsked.set(key, { place, assertionCalls });
  return { file, name, place, mode };
}
