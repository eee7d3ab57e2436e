/** The listed holders of a token are those whom its logs name, each with what it has now. */

import type { Address } from '../../../../src/primitives/ids.js';
import { toBase58 } from '../../../../src/protocol/address.js';
import { dealt, holdersOf, MOST_HOLDERS } from './holders.js';
import type { Host } from './user.js';

/**
 * @param amounts of everybody whom the logs name
 * @returns what is wrong with the list, also after a change without a block, which is taken back
 */
export async function listedHoldersDiffer(
  host: Host,
  token: Address,
  amounts: ReadonlyMap<Address, bigint>,
): Promise<string | undefined> {
  const { world } = host;
  if (world.shape.isFork || world.withoutHistory || amounts.size >= MOST_HOLDERS) return undefined;
  const wrong = async (holder: Address, amount: bigint) => {
    const listed = await holdersOf(host, token);
    const told = listed?.get(toBase58(holder)) ?? '0';
    return listed === undefined || !world.isQuiet || told === String(amount)
      ? undefined
      : `${toBase58(token)}: ${toBase58(holder)} has ${amount}, and is listed with ${told}`;
  };
  for (const [holder, amount] of amounts) {
    const found = await wrong(holder, amount);
    if (found !== undefined) return found;
  }
  const [holder, amount] = world.choices.of([...amounts]);
  if (!(await dealt(host, toBase58(holder), token, amount + 1n))) return undefined;
  const afterwards = await wrong(holder, amount + 1n);
  // Logs and balances differ from now on.
  if (!(await dealt(host, toBase58(holder), token, amount))) host.people.bazaar = undefined;
  return afterwards ?? (await wrong(holder, amount));
}
