/** A process that lives worlds, one after another, as `worker.ts` orders; that file is its other end. */

import type { Life } from './steps.js';
import type { Order, Told } from './worker.js';

/** Lives a world; the parameters are those of `takeSteps`. */
export type Live = (
  seed: number,
  steps: Iterable<number>,
  begins: (step: number, action: string) => void,
) => Promise<Life>;

export function obey(live: Live): void {
  const tell = (told: Told) => process.send?.(told);
  process.on('message', async ({ seed, steps }: Order) => {
    const before = process.cpuUsage();
    const life = await live(seed, steps, (step, action) => tell({ step, action }));
    const { user, system } = process.cpuUsage(before);
    tell({ life: { ...life, processorMs: (user + system) / 1_000 } });
  });
}
