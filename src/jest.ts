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

/** Of jest-circus, which runs the tests: what is declared in a file, and how it went. */
interface Block {
  readonly type: string;
  readonly name: string;
  readonly children?: readonly Block[];
  readonly status?: string | null;
  readonly errors?: readonly unknown[];
}

/** jest tells no set-up file which tests there are; the runner keeps them at the global object. */
function rootBlock(): Block | undefined {
  const key = Object.getOwnPropertySymbols(globalThis).find(({ description }) => description === 'JEST_STATE_SYMBOL');
  if (key === undefined) return undefined;
  return (globalThis as unknown as Record<symbol, { readonly rootDescribeBlock?: Block }>)[key]?.rootDescribeBlock;
}

/** With their names as jest tells them to matchers. */
function testsOf(children: readonly Block[] = [], above = ''): readonly TestOfFile[] {
  return children.flatMap(({ type, name, children: below, status, errors = [] }) => {
    if (type === 'describeBlock') return testsOf(below, `${above}${name} `);
    return [{ name: `${above}${name}`, passed: status === 'done' && errors.length === 0 }];
  });
}

/** When a file's tests are over, so are lines of `.fee-snapshot` that none of them asks for. */
afterAll?.(() => {
  const { testPath, snapshotState } = expect.getState();
  const root = rootBlock();
  if (testPath === undefined || root === undefined) return;
  const said = settleObsolete(linesOf(testPath), testsOf(root.children), { mode: modeOf(snapshotState) });
  if (said !== undefined) stderrLog.warn(said);
});
