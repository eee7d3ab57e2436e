/** Hardhat's `loadFixture`: what a function does to the chain is done once, and gone back to each further time. */

import type { Devnet } from '../devnet/devnet.js';
import { UnknownSnapshotError } from '../node/control.js';

interface Loaded {
  readonly value: unknown;
  /** Good for going back once. */
  snapshot: string;
}

type Fixture<Value> = (devnet: Devnet) => Value | Promise<Value>;

/** Shared by all chains, each of which is a key: what is loaded goes with its chain. */
const loaded = new WeakMap<Devnet, Map<Fixture<unknown>, Loaded>>();

/**
 * Runs `fixture`, or goes back to right after it ran. Fixtures that were loaded since are forgotten, as their blocks are.
 *
 * @example
 * const deployToken = (devnet) => devnet.deploy(Token);
 * const token = await loadFixture(devnet, deployToken);
 */
export async function loadFixture<Value>(devnet: Devnet, fixture: Fixture<Value>): Promise<Value> {
  const fixtures = loaded.get(devnet) ?? new Map<Fixture<unknown>, Loaded>();
  loaded.set(devnet, fixtures);
  const known = fixtures.get(fixture);
  if (known !== undefined && (await wentBack(devnet, known))) {
    let isLater = false;
    for (const other of [...fixtures.keys()]) {
      if (isLater) fixtures.delete(other);
      isLater ||= other === fixture;
    }
    known.snapshot = devnet.snapshot();
    return known.value as Value;
  }
  fixtures.delete(fixture);
  const value = await fixture(devnet);
  fixtures.set(fixture, { value, snapshot: devnet.snapshot() });
  return value;
}

/** Not where somebody has reverted to a state from before it. */
async function wentBack(devnet: Devnet, { snapshot }: Loaded): Promise<boolean> {
  try {
    await devnet.revert(snapshot);
    return true;
  } catch (error) {
    if (!(error instanceof UnknownSnapshotError)) throw error;
    return false;
  }
}
