/** One devnet for many tests: set up once, and put back to how it was after each of them. */

import type { Devnet } from '../devnet/devnet.js';
import { startDevnet } from '../devnet/start.js';
import type { DevnetOptions } from '../options/declarations.js';
import { settingsForLibrary } from '../options/settings.js';
import { isRecording, recordEnergy } from './energy/records.js';

export class SharedDevnet<Setup> {
  #before: string | undefined;

  private constructor(
    readonly devnet: Devnet,
    readonly setup: Setup,
  ) {}

  static async start<Setup>(
    options: DevnetOptions,
    setUp: (devnet: Devnet) => Setup | Promise<Setup>,
  ): Promise<SharedDevnet<Setup>> {
    // Tests ask in the same process; whoever wants a port says so.
    const devnet = await startDevnet(settingsForLibrary({ httpPort: false, ...options }));
    recordEnergy(devnet);
    try {
      return new SharedDevnet(devnet, await setUp(devnet));
    } catch (error) {
      await devnet.close();
      throw error;
    }
  }

  /** @throws Error when another test is at it */
  beginTest(): void {
    if (this.#before !== undefined) {
      throw new Error(
        'two tests use one devnet at the same time: tests that run concurrently each need their own (createDevnet)',
      );
    }
    this.#before = this.devnet.snapshot();
  }

  /** @throws Error that names what the test has left */
  async endTest(): Promise<void> {
    const before = this.#before;
    if (before === undefined) return;
    const left = this.devnet.underWay;
    // What is instant settles by itself, and must not run into the next test.
    if (left.length > 0) await untilQuiet(this.devnet);
    this.#before = undefined;
    await this.devnet.revert(before);
    if (left.length > 0) {
      throw new Error(
        `the test ended while something was under way: ${left.join('; ')}. Await it; if nothing mines, mine its block first`,
      );
    }
  }

  async close(): Promise<void> {
    // Until listeners have been told of everything.
    if (isRecording()) await this.devnet.mine(0);
    await this.devnet.close();
  }
}

/** Until nothing is under way, or all of it waits for blocks that do not come. */
async function untilQuiet(devnet: Devnet): Promise<void> {
  for (let turns = 0; turns < 100 && devnet.underWay.length > 0; turns++) {
    await devnet.fetch('/wallet/getpendingsize');
  }
}
