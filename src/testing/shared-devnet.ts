/** One devnet for many tests: set up once, and reverted to that state after each test. */

import type { Devnet } from '../devnet/devnet.js';
import { startDevnet } from '../devnet/running/start.js';
import { UnknownSnapshotError } from '../node/control.js';
import type { DevnetOptions } from '../options/declarations.js';
import { settingsForLibrary } from '../options/settings.js';
import { isRecording, recordEnergy } from './energy/records.js';

export class SharedDevnet<Setup> {
  #before: string | undefined;
  /** Why the initial state can no longer be restored. */
  #spoilt: string | undefined;

  private constructor(
    readonly devnet: Devnet,
    readonly setup: Setup,
  ) {}

  static async start<Setup>(
    options: DevnetOptions,
    setUp: (devnet: Devnet) => Setup | Promise<Setup>,
  ): Promise<SharedDevnet<Setup>> {
    // Tests call in-process; a port needs an option.
    const devnet = await startDevnet(settingsForLibrary({ httpPort: false, ...options }));
    recordEnergy(devnet);
    try {
      return new SharedDevnet(devnet, await setUp(devnet));
    } catch (error) {
      await devnet.close();
      throw error;
    }
  }

  /** @throws Error if another test uses it, or one replaced the chain */
  beginTest(): void {
    if (this.#spoilt !== undefined) throw new Error(`an earlier test made the shared devnet unusable: ${this.#spoilt}`);
    if (this.#before !== undefined) {
      throw new Error('two tests use one devnet at the same time: give concurrent tests a devnet each (createDevnet)');
    }
    this.#before = this.devnet.snapshot();
  }

  /** @throws Error with the operations that the test left running */
  async endTest(): Promise<void> {
    const before = this.#before;
    if (before === undefined) return;
    const left = this.devnet.underWay;
    // Instant operations complete by themselves; they must not reach the next test.
    if (left.length > 0) await untilQuiet(this.devnet);
    this.#before = undefined;
    await this.#putBack(before);
    if (left.length > 0) {
      throw new Error(
        `the test ended before these operations were complete: ${left.join('; ')}. Await them; if mining is off, mine a block first`,
      );
    }
  }

  async #putBack(before: string): Promise<void> {
    try {
      await this.devnet.revert(before);
    } catch (error) {
      if (!(error instanceof UnknownSnapshotError)) throw error;
      this.#spoilt =
        'the test replaced the initial chain (reset, load, rollback, or a revert to before it). Give such tests a devnet of their own (createDevnet)';
      throw new Error(this.#spoilt, { cause: error });
    }
  }

  async close(): Promise<void> {
    // Waits until listeners have got all events.
    if (isRecording()) await this.devnet.mine(0);
    await this.devnet.close();
  }
}

/** Waits until no operation is running, or all of them wait for blocks that nobody mines. */
async function untilQuiet(devnet: Devnet): Promise<void> {
  for (let turns = 0; turns < 1_000 && devnet.underWay.length > 0; turns++) {
    // In-process calls have no sockets: pending work needs turns of the event loop.
    await new Promise((resolve) => setImmediate(resolve));
    await devnet.fetch('/wallet/getpendingsize');
  }
}
