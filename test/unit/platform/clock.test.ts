import { expect, it } from 'vitest';
import { wallClock } from '../../../src/platform/clock.js';

it('runs a task when its time has come and not before, also one that is due already', async () => {
  for (const inMs of [5n, 0n, -1_000n]) {
    const due = wallClock.nowMs() + inMs;
    const ranAt = await new Promise<bigint>((resolve) => {
      wallClock.at(due, () => resolve(wallClock.nowMs()));
    });
    expect(ranAt).toBeGreaterThanOrEqual(due);
  }
});

it('takes a task back', async () => {
  const ran: string[] = [];
  const due = wallClock.nowMs() + 2n;
  const cancel = wallClock.at(due, () => ran.push('cancelled'));
  cancel();
  await new Promise<void>((resolve) => {
    wallClock.at(due + 1n, () => {
      ran.push('kept');
      resolve();
    });
  });
  expect(ran).toEqual(['kept']);
});

it('waits for a time beyond what one timer can count', async () => {
  const cancel = wallClock.at(wallClock.nowMs() + 2n ** 40n, () => expect.unreachable());
  await new Promise<void>((resolve) => {
    wallClock.at(wallClock.nowMs() + 5n, resolve);
  });
  cancel();
});
