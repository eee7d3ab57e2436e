/** The commit of the sources that the simulator runs. */

import { spawnSync } from 'node:child_process';

/** What decides what a world does. */
const SOURCES = ['src', 'test/simulation', 'package-lock.json'];

/** With `-dirty` after it if the sources were changed. An image has no `.git`; it is built with the commit. */
export function sourceCommit(): string {
  const { SUNUP_COMMIT } = process.env;
  if (SUNUP_COMMIT !== undefined && SUNUP_COMMIT !== '') return SUNUP_COMMIT;
  const head = git('rev-parse', '--short=12', 'HEAD');
  const changed = git('status', '--porcelain', '--', ...SOURCES);
  if (head === undefined || changed === undefined) return 'unknown';
  return changed === '' ? head : `${head}-dirty`;
}

/** @returns undefined outside of a repository */
function git(...words: readonly string[]): string | undefined {
  const { status, stdout } = spawnSync('git', words, { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
}
