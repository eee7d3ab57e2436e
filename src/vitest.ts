/**
 * For vitest: `import { expect, test } from 'sunup/vitest'`. A test with the fixture `devnet` gets its worker's devnet
 * in its initial state.
 */

import { afterAll, afterEach, test as base, expect, type RunnerTask, type RunnerTestFile } from 'vitest';
import type { Devnet } from './devnet/devnet.js';
import type { DevnetOptions } from './options/declarations.js';
import { stderrLog } from './platform/log.js';
import { modeOf } from './testing/current-test.js';
import { linesOf } from './testing/fee-snapshot.js';
import { type DevnetMatchers, matchers } from './testing/matchers.js';
import { settleObsolete, type TestOfFile } from './testing/obsolete-fee-lines.js';
import { SharedDevnet } from './testing/shared-devnet.js';

declare module 'vitest' {
  // biome-ignore lint/suspicious/noExplicitAny: as vitest declares it
  interface Matchers<T = any> extends DevnetMatchers<T> {}
}

expect.extend(matchers);
settleFeeLines();

/** After the tests of a file: handles the lines of `.fee-snapshot` that no test uses. */
function settleFeeLines(): void {
  let file: RunnerTestFile | undefined;
  afterEach(({ task }) => {
    file = task.file;
  });
  afterAll(() => {
    if (file === undefined) return;
    const { snapshotState } = expect.getState() as { readonly snapshotState?: object };
    const said = settleObsolete(linesOf(file.filepath), testsOf(file.tasks), { mode: modeOf(snapshotState) });
    if (said !== undefined) stderrLog.warn(said);
  });
}

/** The tests with their names below the file, as vitest passes them to matchers. */
function testsOf(tasks: readonly RunnerTask[], above = ''): readonly TestOfFile[] {
  return tasks.flatMap((task) => {
    const name = `${above}${task.name}`;
    if (task.type === 'suite') return testsOf(task.tasks, `${name} > `);
    return [{ name, passed: task.result?.state === 'pass' }];
  });
}

/**
 * A `test` with its own devnet: started for the file's first test, reverted after each, closed at the end. The tests of
 * a file run one after another; concurrent tests need one devnet each (`createDevnet`).
 *
 * @param options as for `createDevnet`; without `httpPort`, no port is opened
 * @param setUp runs once: each test starts with the chain that it leaves, and its result is the fixture `setup`
 * @example
 * const test = devnetTest({ accounts: 3 }, async (devnet) => ({ token: await devnet.deploy(Token) }));
 * test('mints', async ({ devnet, setup: { token } }) => {
 *   await expect(token.write.mint([devnet.accounts[1].address, 5n])).toEmit('Transfer');
 * });
 */
export function devnetTest<Setup = undefined>(
  options: DevnetOptions = {},
  setUp: (devnet: Devnet) => Setup | Promise<Setup> = () => undefined as Setup,
) {
  return base.extend<{ isolation: boolean; shared: SharedDevnet<Setup>; devnet: Devnet; setup: Setup }>({
    shared: [
      // biome-ignore lint/correctness/noEmptyPattern: vitest reads the names of fixtures from the pattern
      async ({}, use) => {
        const shared = await SharedDevnet.start(options, setUp);
        await use(shared);
        await shared.close();
      },
      { scope: 'worker' },
    ],
    devnet: [async ({ shared }, use) => use(shared.devnet), { scope: 'worker' }],
    setup: [
      async ({ shared }: { shared: SharedDevnet<Setup> }, use: (setup: Setup) => Promise<void>) => use(shared.setup),
      { scope: 'worker' },
    ],
    isolation: [
      async ({ shared }: { shared: SharedDevnet<Setup> }, use: (value: boolean) => Promise<void>) => {
        shared.beginTest();
        await use(true);
        await shared.endTest();
      },
      { auto: true },
    ],
  });
}

export const test = devnetTest();
export { expect };
