/** Scenarios and the artifacts that they name, from files: the part that `scenario/` leaves to its callers. */

import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Artifact } from '../artifacts/artifact.js';
import { ofFormerDump } from '../chain-file/former-forms.js';
import { readBytesUpTo, readTextUpTo } from '../platform/bounded-text.js';
import { ScenarioError } from '../scenario/format/problems.js';
import type { Scenario } from '../scenario/format/scenario.js';
import { artifactsOf } from '../scenario/run/artifact-files.js';

/** In the place of a file: what another program prints. */
export const STDIN = '-';
/** A recording has a line for each thing that happened; V8 has no longer texts. */
const MAX_SCENARIO_BYTES = 500 * 1024 * 1024;
const GZIP = [0x1f, 0x8b];
const MAX_ARTIFACT_BYTES = 64 * 1024 * 1024;

/** A scenario, or a chain file: compressed or not, of this version or a former one. @throws ScenarioError for what cannot be read */
export function textOf(file: string): string {
  try {
    const bytes = readBytesUpTo(file === STDIN ? 0 : file, MAX_SCENARIO_BYTES);
    const isPacked = GZIP.every((byte, at) => bytes[at] === byte);
    const text = (isPacked ? gunzipSync(bytes, { maxOutputLength: MAX_SCENARIO_BYTES }) : bytes).toString('utf8');
    return ofFormerDump(text) ?? text;
  } catch (error) {
    throw new ScenarioError([{ file, line: 1, column: 1, message: `cannot be read: ${(error as Error).message}` }]);
  }
}

/** @param folder of the scenario's file: artifacts are named as seen from there @throws ScenarioError */
export function artifactsFrom(folder: string, scenario: Scenario): Promise<ReadonlyMap<string, Artifact>> {
  return artifactsOf(scenario, (name) => readTextUpTo(path.resolve(folder, name), MAX_ARTIFACT_BYTES));
}
