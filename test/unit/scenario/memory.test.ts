/** What a scenario holds does not grow with its length: measured after collecting, over whatever steps add up. */

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { runScenario } from '../../../src/run-scenario.js';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

function heldBytes(): number {
  collect();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

const ROUNDS = 1_200;
/** Runs of empty blocks, a block of its own for each transfer, an epoch now and then, operations. */
const RESULTS_A_ROUND = 4;

it('holds no more after 1,000 rounds than after 200', async () => {
  /** Every hundred rounds: a compiler that is at work holds a few megabytes for a while. */
  const held: number[] = [];
  let results = 0;
  await runScenario(
    {
      accounts: { payers: { count: 20, balance: '1_000_000 TRX' } },
      steps: [
        {
          repeat: {
            times: ROUNDS,
            steps: [
              { mine: 200 },
              // biome-ignore lint/suspicious/noTemplateCurlyInString: counters of scenarios are written so
              { transfer: { from: 'payers.${i % 20}', to: 'payers.0', amount: '1 TRX' } },
              { advance: '20m' },
              { setBalance: { address: 'payers.1', balance: '1_000_000 TRX' } },
            ],
          },
        },
      ],
    } as never,
    {
      onResult: () => {
        if (++results % (100 * RESULTS_A_ROUND) === 0) held.push(heldBytes() / 2 ** 20);
      },
    },
  );
  const [early, late] = [held.slice(1, 3), held.slice(-3)].map((some) => Math.min(...some)) as [number, number];
  // Caches fill, and a reward of each epoch is state: 2 MB. Where rows of old blocks stayed it was 28.
  expect(late - early).toBeLessThan(12);
});
