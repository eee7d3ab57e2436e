/** The process that lives worlds, one after another, as `worker.ts` orders; that file is its other end. */

import { live } from './life.js';
import type { Order, Told } from './worker.js';

const tell = (told: Told) => process.send?.(told);

process.on('message', async ({ seed, steps }: Order) => {
  const before = process.cpuUsage();
  const life = await live(seed, steps, (step, action) => tell({ step, action }));
  const { user, system } = process.cpuUsage(before);
  tell({ life: { ...life, processorMs: (user + system) / 1_000 } });
});
// An error that nobody waits for: a failure of the present world, unless its process has ended.
process.on('unhandledRejection', (error) => {
  if ((error as Error).name !== 'ProcessEndedError') throw error;
});
