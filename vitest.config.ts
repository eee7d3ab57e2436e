import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** No limit on speed, which depends on what else the machine does: only what would never end is ended. */
const HANGS_MS = 900_000;

/** Files of units last, which are short: a long one at the end leaves a worker without work, for up to 80 s. */
class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isUnit = ({ moduleId }: TestSpecification) => moduleId.includes('/test/unit/');
    const sorted = await super.sort(files);
    return [...sorted.filter((file) => !isUnit(file)), ...sorted.filter(isUnit)];
  }
}

/**
 * Forks, not threads: tests load native addons, end processes and count handles, and a fork that dies takes no other
 * test with it. Two workers, because the machines that check this project have two cores.
 *
 * The files of a worker share its modules: to load them anew for each file was more than half of the time (372 s, shared
 * 153 s). That no module keeps anything of one chain is a rule of the layer test; what a file changes of the process
 * (environment, spies) it puts back.
 */
export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    pool: 'forks',
    maxWorkers: 2,
    isolate: false,
    setupFiles: process.env.SUNUP_RUNS === undefined ? [] : ['test/property-runs.ts'],
    sequence: { sequencer: LongFilesFirst },
    testTimeout: HANGS_MS,
    hookTimeout: HANGS_MS,
    retry: 0,
    allowOnly: process.env.CI === undefined,
  },
});
