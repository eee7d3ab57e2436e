/** Lines of `.fee-snapshot` that no test asks for any more: told of, and taken out where the runner updates. */

import { changeFeeLines, oneLine, readFeeLines, type SnapshotMode } from './fee-snapshot-file.js';

/** Shared by all chains: the lines that tests of this process have asked for, by their file. */
const asked = new Map<string, Set<string>>();

export function noteAsked(file: string, line: string): void {
  const lines = asked.get(file) ?? new Set();
  asked.set(file, lines.add(line));
}

/** A test of a file that was run: all of it, or those that the runner was told to. */
export interface TestOfFile {
  readonly name: string;
  readonly passed: boolean;
}

/**
 * Lines of a test that is gone, or that has passed without asking for them. Those of tests that were left out or failed
 * may be asked for another time.
 *
 * @param prefix of all lines of the test file
 * @param tests all that the file has
 */
function obsoleteLines(file: string, prefix: string, tests: readonly TestOfFile[]): readonly string[] {
  const known = asked.get(file);
  return [...readFeeLines(file).keys()].filter((line) => {
    if (!line.startsWith(prefix) || known?.has(line)) return false;
    const owners = tests.filter(({ name }) => isOf(line.slice(prefix.length), oneLine(name)));
    return owners.every(({ passed }) => passed);
  });
}

/** The test's own, its second one, or one with a name. */
function isOf(rest: string, test: string): boolean {
  return rest.startsWith(test) && /^( \(\d+\)| > .*)?$/.test(rest.slice(test.length));
}

/** @returns a sentence, where there is something to say */
export function settleObsolete(
  { file, prefix }: { readonly file: string; readonly prefix: string },
  tests: readonly TestOfFile[],
  mode: SnapshotMode,
): string | undefined {
  const obsolete = obsoleteLines(file, prefix, tests);
  if (obsolete.length === 0) return undefined;
  if (mode === 'all')
    changeFeeLines(file, (lines) => {
      for (const line of obsolete) lines.delete(line);
    });
  const what = `no test asks any more for ${obsolete.length === 1 ? 'a line' : `${obsolete.length} lines`} of .fee-snapshot`;
  const then = mode === 'all' ? 'taken out' : 'to be taken out with -u, or SUNUP_FEE_SNAPSHOT=all';
  return `${what}, ${then}:\n${obsolete.map((line) => `  ${line}`).join('\n')}`;
}
