/** A chain with two accounts on it, whose books are checked in the end. */

import type { Address } from '../../../../src/primitives/ids.js';
import { expectSound } from '../../../simulation/books.js';
import { allAddresses } from '../../../simulation/portrait.js';
import { SimulatedChain, type SimulationOptions } from '../../../simulation/simulated-chain.js';

interface DecreedChain {
  readonly chain: SimulatedChain;
  readonly alice: Address;
  readonly bob: Address;
}

export async function decreedChain(options: SimulationOptions = {}): Promise<DecreedChain> {
  const chain = await SimulatedChain.open(options);
  chain.node.mine(2);
  return { chain, alice: chain.address(0), bob: chain.address(1) };
}

export async function closeSound(chain: SimulatedChain): Promise<void> {
  expectSound(chain.ledger, await allAddresses(chain), 0);
  await chain.close();
}
