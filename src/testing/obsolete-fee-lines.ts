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
 * @param areAll whether the file has no other tests: else a test that is not among them may not be gone
 */
function obsoleteLines(
  { file, prefix }: FeeLinesOfFile,
  tests: readonly TestOfFile[],
  areAll: boolean,
): readonly string[] {
  const known = asked.get(file);
  return [...readFeeLines(file).keys()].filter((line) => {
    if (!line.startsWith(prefix) || known?.has(line)) return false;
    const owners = tests.filter(({ name }) => isOf(line.slice(prefix.length), oneLine(name)));
    return (areAll || owners.length > 0) && owners.every(({ passed }) => passed);
  });
}

/** The test's own, its second one, or one with a name. */
function isOf(rest: string, test: string): boolean {
  return rest.startsWith(test) && /^( \(\d+\)| > .*)?$/.test(rest.slice(test.length));
}

/** Where lines of a test file are, and what they begin with. */
interface FeeLinesOfFile {
  readonly file: string;
  readonly prefix: string;
}

/**
 * @param tests of the file
 * @returns a sentence, where there is something to say
 */
export function settleObsolete(
  lines: FeeLinesOfFile,
  tests: readonly TestOfFile[],
  { mode, areAll = true }: { readonly mode: SnapshotMode; readonly areAll?: boolean },
): string | undefined {
  const { file } = lines;
  const obsolete = obsoleteLines(lines, tests, areAll);
  if (obsolete.length === 0) return undefined;
  if (mode === 'all')
    changeFeeLines(file, (lines) => {
      for (const line of obsolete) lines.delete(line);
    });
  const what = `no test asks any more for ${obsolete.length === 1 ? 'a line' : `${obsolete.length} lines`} of .fee-snapshot`;
  const then = mode === 'all' ? 'taken out' : 'to be taken out with -u of vitest and jest, or SUNUP_FEE_SNAPSHOT=all';
  return `${what}, ${then}:\n${obsolete.map((line) => `  ${line}`).join('\n')}`;
}
