/** The end of every script that makes a file of the project: tests import what makes the text, and compare it. */

import { writeFileSync } from 'node:fs';

interface MadeFile {
  readonly file: URL;
  readonly text: () => string | Promise<string>;
  /** What is printed, where that is not the whole. */
  readonly shown?: () => string | Promise<string>;
}

/**
 * Writes the file where the script was started by itself; with `--print` says what it would write.
 *
 * @param script `import.meta.filename`
 */
export async function makeFile(script: string, { file, text, shown = text }: MadeFile): Promise<void> {
  if (process.argv[1] !== script) return;
  if (process.argv.includes('--print')) process.stdout.write(await shown());
  else writeFileSync(file, await text());
}
