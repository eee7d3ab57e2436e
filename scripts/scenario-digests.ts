/**
 * Writes fixtures/scenarios/digests.json: what each scenario there comes to, and under which version of the rules. Raise
 * the version (src/scenario/results/rules-version.ts) when a digest changes, and say in CHANGELOG.md what costs something else.
 *
 *     npx tsx scripts/scenario-digests.ts
 */

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readScenario } from '../src/scenario/reader/read-scenario.js';
import type { RunEnd } from '../src/scenario/results/result.js';
import { RULES_VERSION } from '../src/scenario/results/rules-version.js';
import { artifactsOf } from '../src/scenario/run/artifact-files.js';
import { runScenario } from '../src/scenario/run/run.js';
import { networkOf } from '../src/scenario-files/open-network.js';

export const folder = new URL('../fixtures/scenarios/', import.meta.url);
export const file = new URL('digests.json', folder);

export function scenarioFiles(): readonly string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.scenario.yaml'))
    .sort();
}

/** @param directory for LevelDB; absent: in memory */
export async function endOf(name: string, directory?: string): Promise<RunEnd> {
  const scenario = readScenario(readFileSync(new URL(name, folder), 'utf8'), name);
  const artifacts = await artifactsOf(scenario, (artifact) => readFileSync(new URL(artifact, folder), 'utf8'));
  const network = await networkOf(scenario, fileURLToPath(folder), {});
  const running = runScenario(scenario, { artifacts, directory, network });
  try {
    for (;;) {
      const { done, value } = await running.next();
      if (done) return value;
    }
  } finally {
    await network?.close();
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const digests: Record<string, string> = {};
  for (const name of scenarioFiles()) digests[name] = (await endOf(name)).digest;
  writeFileSync(file, `${JSON.stringify({ rulesVersion: RULES_VERSION, digests }, null, 2)}\n`);
}
