/**
 * The simulator with fixed seeds, as `npm run simulate` runs it: no invariant is broken, and the same seed does the same
 * in another process and with another number of workers.
 */

import { beforeAll, describe, expect, it } from 'vitest';
import { bundleSimulator } from './simulator/run/bundle.js';
import { type RunOptions, simulate } from './simulator/run/simulate.js';

let file: string;
beforeAll(async () => {
  file = await bundleSimulator('.');
});

async function run(options: Partial<RunOptions>) {
  const lines: string[] = [];
  const all = { seed: 1, steps: 400, minutes: undefined, workers: 1, only: undefined, shrinks: false };
  const code = await simulate(file, { ...all, say: (line) => lines.push(line), ...options });
  return { code, text: lines.join('\n'), digest: lines.at(-1) };
}

describe('simulated worlds', () => {
  it('break no invariant, and are the same again', async () => {
    const [one, other] = [await run({ steps: 800, workers: 2 }), await run({ steps: 800, workers: 1 })];
    expect(one.code, one.text).toBe(0);
    expect(one.digest).toMatch(/^digest [0-9a-f]{64}$/);
    expect(other.digest).toBe(one.digest);
  });

  it('differ by their seeds', async () => {
    const [one, other] = [await run({ steps: 20 }), await run({ seed: 2, steps: 20 })];
    expect(one.digest).not.toBe(other.digest);
  });
});
