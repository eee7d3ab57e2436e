import { defineConfig } from 'vitest/config';

/** No limit on speed, which depends on what else the machine does: only what would never end is ended. */
const HANGS_MS = 900_000;

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
    testTimeout: HANGS_MS,
    hookTimeout: HANGS_MS,
    retry: 0,
    allowOnly: process.env.CI === undefined,
  },
});
