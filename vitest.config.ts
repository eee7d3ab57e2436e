import { defineConfig } from 'vitest/config';

/**
 * Forks, not threads: tests load native addons, end processes and count handles, and a fork that dies takes no other
 * test with it. Two workers, because the machines that check this project have two cores.
 */
export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 30_000,
    retry: 0,
    allowOnly: process.env.CI === undefined,
  },
});
