/** Lines of `.fee-snapshot` that no test uses any more: reported, and removed if the runner updates snapshots. */

import { changeFeeLines, oneLine, readFeeLines, type SnapshotMode } from './fee-snapshot-file.js';

/** Shared by all chains: the lines that tests of this process have used, by file. */
const asked = new Map<string, Set<string>>();

export function noteUsed(file: string, line: string): void {
  const lines = asked.get(file) ?? new Set();
  asked.set(file, lines.add(line));
}

/** A test of a file that was run, completely or filtered. */
export interface TestOfFile {
  readonly name: string;
  readonly passed: boolean;
}

/**
 * Lines of removed tests, and of passed tests that did not use them. Lines of skipped or failed tests stay.
 *
 * @param prefix of all lines of the test file
 * @param areAll whether all tests of the file are listed; otherwise a missing test may still exist
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

/** The line of the test itself, its second one, or a named one. */
function isOf(rest: string, test: string): boolean {
  return rest.startsWith(test) && /^( \(\d+\)| > .*)?$/.test(rest.slice(test.length));
}

/** Snapshot file of a test file, and the prefix of its lines. */
interface FeeLinesOfFile {
  readonly file: string;
  readonly prefix: string;
}

/**
 * @param tests of the file
 * @returns a message, if there are obsolete lines
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
  const what = `.fee-snapshot has ${obsolete.length === 1 ? 'a line' : `${obsolete.length} lines`} that no test uses`;
  const then = mode === 'all' ? 'removed' : 'remove with -u of vitest and jest, or SUNUP_FEE_SNAPSHOT=all';
  return `${what} (${then}):\n${obsolete.map((line) => `  ${line}`).join('\n')}`;
}
