/** Bundles a file of `web/` for pages, as an application's build does. */

import path from 'node:path';
import { build } from 'esbuild';

/** @param name of the file in `web/` @returns its code and that of its imports, without exports */
export async function bundleForPages(name: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [path.join(import.meta.dirname, 'web', name)],
    bundle: true,
    format: 'iife',
    platform: 'browser',
    write: false,
    logLevel: 'silent',
  });
  return outputFiles[0]!.text;
}
