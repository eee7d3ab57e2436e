/** The example scenarios of the package (`fixtures/scenarios`), as the build collects them: a list as JSON. */

import { readFile } from 'node:fs/promises';

/** Beside the bundle; from source, where the build leaves it. */
const PLACES = ['./scenarios.json', '../../../dist/scenarios.json'];

export async function exampleScenarios(): Promise<string> {
  for (const place of PLACES) {
    try {
      return await readFile(new URL(place, import.meta.url), 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
  throw new Error('the example scenarios are not there: run npm run build');
}
