import { defineConfig } from 'vitest/config';

/** No limit on speed, which depends on what else the machine does: only what would never end is ended. */
const HANGS_MS = 900_000;

/**
 * Forks, not threads: tests load native addons, end processes and count handles, and a fork that dies takes no other
 * test with it. Two workers, because the machines that check this project have two cores.
 */
export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: HANGS_MS,
    hookTimeout: HANGS_MS,
    retry: 0,
    allowOnly: process.env.CI === undefined,
  },
});
