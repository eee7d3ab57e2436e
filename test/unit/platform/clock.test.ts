import { expect, it } from 'vitest';
import { wallClock } from '../../../src/platform/clock.js';

it('runs a task after its delay, in the order of the delays', async () => {
  const ran: number[] = [];
  await new Promise<void>((resolve) => {
    for (const delayMs of [20, 0, 10]) {
      wallClock.after(delayMs, () => {
        ran.push(delayMs);
        if (ran.length === 3) resolve();
      });
    }
  });
  expect(ran).toEqual([0, 10, 20]);
});

it('takes a task back', async () => {
  const ran: string[] = [];
  const cancel = wallClock.after(2, () => ran.push('cancelled'));
  cancel();
  await new Promise<void>((resolve) => {
    wallClock.after(3, () => {
      ran.push('kept');
      resolve();
    });
  });
  expect(ran).toEqual(['kept']);
});
