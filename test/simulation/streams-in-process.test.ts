/** Streams of `/sunup/events` that a program of the same process reads, on a machine whose time the test makes pass. */

import { expect, test } from 'vitest';
import { startDevnet } from '../../src/devnet/running/start.js';
import { settingsForLibrary } from '../../src/options/settings.js';
import { listenOnTcp } from '../../src/platform/listen.js';
import { systemRandom } from '../../src/platform/random.js';
import { SimulatedClock } from './simulator/clock/simulated-clock.js';

const MINUTE_MS = 60_000;

test('a stream that was busy once stays open while nothing happens', async () => {
  const clock = new SimulatedClock(1_767_225_600_000);
  const machine = { clock: clock.forProcess(() => true), random: systemRandom, fetch, listen: listenOnTcp };
  await using devnet = await startDevnet(settingsForLibrary({ httpPort: false, mining: 'manual' }), { machine });
  const { body } = await devnet.fetch('http://localhost/sunup/events?events=block');
  const reader = (body as ReadableStream<Uint8Array>).getReader();
  const decoder = new TextDecoder();
  const readTo = async (number: number): Promise<void> => {
    for (let read = ''; !read.includes(`"number":${number},`); ) {
      const { done, value } = await reader.read();
      if (done) throw new Error(`the stream ended before block ${number}`);
      read += decoder.decode(value, { stream: true });
    }
  };
  // More than a buffer is written before anything is read.
  for (let i = 0; i < 200; i++) await devnet.mine(1);
  await readTo((await devnet.mine(1)).number);
  for (const end = clock.passedMs + 10 * MINUTE_MS; clock.passToNext(end); ) await new Promise(setImmediate);
  const { number } = await devnet.mine(1);
  await expect(readTo(number)).resolves.toBeUndefined();
});
