/** The simulator as one file, of the sources in a folder: the project's, or a copy with planted faults. */

import { mkdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const ENTRIES = {
  simulated: 'test/simulation/simulator/run/main.ts',
  real: 'test/simulation/simulator/real/main.ts',
};
/** Beside the packages, which the bundle loads as Node does. */
const CACHE = fileURLToPath(new URL('../../../../node_modules/.cache/sunup', import.meta.url));

/** @param source the folder of the sources @returns the file */
export async function bundleSimulator(source: string, mode: keyof typeof ENTRIES = 'simulated'): Promise<string> {
  const folder = path.resolve(source);
  const outfile = path.join(CACHE, `simulator-${mode}-${process.pid}-${path.basename(folder)}.mjs`);
  mkdirSync(CACHE, { recursive: true });
  await build({
    absWorkingDir: folder,
    entryPoints: [ENTRIES[mode]],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node20.19',
    format: 'esm',
    packages: 'external',
    sourcemap: 'inline',
    logLevel: 'warning',
    // Sources and tests read files beside themselves.
    plugins: [
      {
        name: 'own-urls',
        setup({ onLoad }) {
          onLoad({ filter: /[\\/](src|test)[\\/].*\.ts$/ }, async ({ path: file }) => {
            const text = await readFile(file, 'utf8');
            if (!text.includes('import.meta.url')) return undefined;
            return {
              contents: text.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(file).href)),
              loader: 'ts',
            };
          });
        },
      },
    ],
  });
  return outfile;
}
