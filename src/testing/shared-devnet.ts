/** One devnet for many tests: set up once, and put back to how it was after each of them. */

import type { Devnet } from '../devnet/devnet.js';
import { startDevnet } from '../devnet/running/start.js';
import { UnknownSnapshotError } from '../node/control.js';
import type { DevnetOptions } from '../options/declarations.js';
import { settingsForLibrary } from '../options/settings.js';
import { isRecording, recordEnergy } from './energy/records.js';

export class SharedDevnet<Setup> {
  #before: string | undefined;
  /** Why no test can be put back to the beginning any more. */
  #spoilt: string | undefined;

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

  /** @throws Error when another test is at it, or one has left the chain that was set up */
  beginTest(): void {
    if (this.#spoilt !== undefined) throw new Error(`an earlier test has spoilt the devnet: ${this.#spoilt}`);
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
    await this.#putBack(before);
    if (left.length > 0) {
      throw new Error(
        `the test ended while something was under way: ${left.join('; ')}. Await it; if nothing mines, mine its block first`,
      );
    }
  }

  async #putBack(before: string): Promise<void> {
    try {
      await this.devnet.revert(before);
    } catch (error) {
      if (!(error instanceof UnknownSnapshotError)) throw error;
      this.#spoilt =
        'the test left the chain that it began with (reset, load, rollback, or a revert to before it). Give such tests a devnet of their own (createDevnet)';
      throw new Error(this.#spoilt, { cause: error });
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
  for (let turns = 0; turns < 1_000 && devnet.underWay.length > 0; turns++) {
    // Calls within the process are one caller, which goes on at once: what is under way needs the loop to go round.
    await new Promise((resolve) => setImmediate(resolve));
    await devnet.fetch('/wallet/getpendingsize');
  }
}
