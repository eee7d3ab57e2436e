/**
 * The running test, as mocha and node:test pass it to hooks; their matchers do not know it. Only `useDevnet`
 * installs these hooks.
 */

import { stderrLog } from '../platform/log.js';
import { modeOf, type RunnerState } from './current-test.js';
import { linesOf } from './fee-snapshot.js';
import { settleObsolete, type TestOfFile } from './obsolete-fee-lines.js';

/** The used part of mocha's tests and suites. */
interface MochaTest {
  readonly file?: string;
  readonly state?: string;
  titlePath(): readonly string[];
}

interface MochaSuite {
  readonly parent?: MochaSuite;
  readonly suites: readonly MochaSuite[];
  readonly tests: readonly MochaTest[];
}

/** `this` of mocha's hooks. */
interface MochaContext {
  readonly currentTest?: MochaTest;
  readonly test?: { readonly parent?: MochaSuite };
}

/** Context that node:test passes to hooks. Older releases of Node provide less. */
interface NodeContext {
  readonly filePath?: string;
  readonly fullName?: string;
  readonly passed?: boolean;
}

interface Running {
  readonly file: string;
  readonly name: string;
  asked: number;
}

/** Shared by all chains: the running test of this process. */
let running: Running | undefined;

/** What one `useDevnet` has learned about its tests. */
export class HookedTests {
  readonly #ended = new Map<string, TestOfFile[]>();

  /** @param self `this` and @param context of the runner's hook before each test */
  begin(self: unknown, context: unknown): void {
    running = runningTest(self, context);
  }

  /** After each test. */
  end(context: unknown): void {
    if (running === undefined) return;
    const { file, name } = running;
    const tests = this.#ended.get(file) ?? [];
    tests.push({ name, passed: (context as NodeContext | undefined)?.passed === true });
    this.#ended.set(file, tests);
    running = undefined;
  }

  /** After all tests: reports lines of `.fee-snapshot` that no test used. */
  settle(self: unknown): void {
    const root = rootOf((self as MochaContext | undefined)?.test?.parent);
    for (const [file, ended] of this.#ended) {
      // node:test lists only the tests that ran.
      const tests = root === undefined ? ended : testsOf(root).filter((test) => test.file === file);
      const said = settleObsolete(linesOf(file), tests, { mode: modeOf(undefined), areAll: root !== undefined });
      if (said !== undefined) stderrLog.warn(said);
    }
  }
}

/** In the form of a matcher's `this`; undefined before the first hook. */
export function hookedState(): RunnerState | undefined {
  if (running === undefined) return undefined;
  running.asked++;
  return { testPath: running.file, currentTestName: running.name, assertionCalls: running.asked };
}

function runningTest(self: unknown, context: unknown): Running | undefined {
  const { currentTest } = (self ?? {}) as MochaContext;
  if (currentTest?.file !== undefined)
    return { file: currentTest.file, name: currentTest.titlePath().join(' > '), asked: 0 };
  // Node 20 does not provide the file, but runs each file in its own process.
  const { filePath: file = process.argv[1], fullName: name } = (context ?? {}) as NodeContext;
  return typeof file === 'string' && typeof name === 'string' ? { file, name, asked: 0 } : undefined;
}

function rootOf(suite: MochaSuite | undefined): MochaSuite | undefined {
  return suite?.parent === undefined ? suite : rootOf(suite.parent);
}

function testsOf(suite: MochaSuite): readonly (TestOfFile & { readonly file: string | undefined })[] {
  return [
    ...suite.tests.map((test) => ({
      file: test.file,
      name: test.titlePath().join(' > '),
      passed: test.state === 'passed',
    })),
    ...suite.suites.flatMap(testsOf),
  ];
}
