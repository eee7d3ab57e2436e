/** Hardhat's `loadFixture`: runs a setup function once, and reverts to its result on later calls. */

import type { Devnet } from '../devnet/devnet.js';
import { UnknownSnapshotError } from '../node/control.js';

interface Loaded {
  readonly value: unknown;
  /** Usable for one revert. */
  snapshot: string;
}

type Fixture<Value> = (devnet: Devnet) => Value | Promise<Value>;

/** By chain, weakly: fixtures are released with their chain. */
const loaded = new WeakMap<Devnet, Map<Fixture<unknown>, Loaded>>();

/**
 * Runs `fixture`, or reverts to the state right after its run. Later fixtures are forgotten, because their blocks are
 * gone.
 *
 * @example
 * const deployToken = (devnet) => devnet.deploy(Token);
 * const token = await loadFixture(devnet, deployToken);
 */
export async function loadFixture<Value>(devnet: Devnet, fixture: Fixture<Value>): Promise<Value> {
  const fixtures = loaded.get(devnet) ?? new Map<Fixture<unknown>, Loaded>();
  loaded.set(devnet, fixtures);
  const known = fixtures.get(fixture);
  if (known !== undefined && (await snapshotReverted(devnet, known))) {
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

/** Fails if the chain was reverted to a state before it. */
async function snapshotReverted(devnet: Devnet, { snapshot }: Loaded): Promise<boolean> {
  try {
    await devnet.revert(snapshot);
    return true;
  } catch (error) {
    if (!(error instanceof UnknownSnapshotError)) throw error;
    return false;
  }
}
