/** The simulator as one file, of the sources in a folder: the project's, or a copy with planted faults. */

import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';

const ENTRY = 'test/simulation/simulator/run/main.ts';

/** @param source the folder of the sources @returns the file */
export async function bundleSimulator(source: string): Promise<string> {
  const folder = path.resolve(source);
  const outfile = path.join(folder, 'node_modules/.cache/sunup', `simulator-${process.pid}.mjs`);
  mkdirSync(path.dirname(outfile), { recursive: true });
  await build({
    absWorkingDir: folder,
    entryPoints: [ENTRY],
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
            const { readFile } = await import('node:fs/promises');
            const { pathToFileURL } = await import('node:url');
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
