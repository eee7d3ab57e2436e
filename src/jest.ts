/**
 * For jest: `import 'sunup/jest'` in a file of `setupFilesAfterEnv`, or in a test. Adds the matchers to `expect`, and
 * their types to those of `@types/jest`.
 */

import { stderrLog } from './platform/log.js';
import { modeOf } from './testing/current-test.js';
import { linesOf } from './testing/fee-snapshot.js';
import { type DevnetMatchers, matchers } from './testing/matchers.js';
import { settleObsolete, type TestOfFile } from './testing/obsolete-fee-lines.js';

declare global {
  namespace jest {
    // biome-ignore lint/complexity/noBannedTypes: as @types/jest declares it
    interface Matchers<R, T = {}> extends DevnetMatchers<R> {}
  }
}

interface JestState {
  readonly testPath?: string;
  readonly snapshotState?: object;
}

const { expect, afterAll } = globalThis as unknown as {
  readonly expect?: { extend(added: typeof matchers): void; getState(): JestState };
  readonly afterAll?: (settle: () => void) => void;
};
if (expect === undefined)
  throw new TypeError(
    'there is no global expect: jest with injectGlobals, or expect.extend(matchers) of sunup/testing',
  );
expect.extend(matchers);

/** A node of jest-circus, the test runner: a `describe` or a test with its result. */
interface Block {
  readonly type: string;
  readonly name: string;
  readonly children?: readonly Block[];
  readonly status?: string | null;
  readonly errors?: readonly unknown[];
}

/** jest does not tell set-up files the tests of a file; the runner keeps them in the global object. */
function rootBlock(): Block | undefined {
  const key = Object.getOwnPropertySymbols(globalThis).find(({ description }) => description === 'JEST_STATE_SYMBOL');
  if (key === undefined) return undefined;
  return (globalThis as unknown as Record<symbol, { readonly rootDescribeBlock?: Block }>)[key]?.rootDescribeBlock;
}

/** The tests with their names, as jest passes them to matchers. */
function testsOf(children: readonly Block[] = [], above = ''): readonly TestOfFile[] {
  return children.flatMap(({ type, name, children: below, status, errors = [] }) => {
    if (type === 'describeBlock') return testsOf(below, `${above}${name} `);
    return [{ name: `${above}${name}`, passed: status === 'done' && errors.length === 0 }];
  });
}

/** After the tests of a file: handles the lines of `.fee-snapshot` that no test uses. */
afterAll?.(() => {
  const { testPath, snapshotState } = expect.getState();
  const root = rootBlock();
  if (testPath === undefined || root === undefined) return;
  const said = settleObsolete(linesOf(testPath), testsOf(root.children), { mode: modeOf(snapshotState) });
  if (said !== undefined) stderrLog.warn(said);
});
