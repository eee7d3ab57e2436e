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

it('holds no more after 1,200 rounds than after 400', async () => {
  const held = new Map<number, number>();
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
        const rounds = ++results / RESULTS_A_ROUND;
        if (rounds === ROUNDS / 3 || rounds === ROUNDS) held.set(rounds, heldBytes());
      },
    },
  );
  const [early, late] = [...held.values()] as [number, number];
  // Caches fill, and a reward of each epoch is state: 1.5 MB, on a busy machine up to 8. Where rows of old blocks stayed it was 28.
  expect((late - early) / 2 ** 20).toBeLessThan(14);
});
