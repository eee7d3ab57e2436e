/**
 * Somebody lends both resources to one borrower, locked for different times. When the first lock is over, its loan comes
 * back as a whole, and the other one is still locked; then that one, too.
 */

import type { Address } from '../../../../src/primitives/ids.js';
import { Transaction_Contract_ContractType as ContractType } from '../../../../src/protocol/generated/tron.js';
import { COIN } from '../../simulated-chain.js';
import { Violation } from '../run/violation.js';
import { mustBeAccepted, passTo } from './permitted.js';
import { isAlone } from './promises.js';
import type { Host, User } from './user.js';

const NAME = 'a lock lasts as long as it says';
const LOAN_SUN = 3n * COIN;
const SLOT_MS = 3_000n;

/** Who can lend so much of both. */
function lender({ people, world }: Host): Address | undefined {
  const { accounts } = world.ledger.state.tables;
  return people.addresses.find((address) => {
    const { balance = 0n, frozenV2 = [] } = accounts.get(address) ?? {};
    const staked = (resource: number) => frozenV2.some(({ type, amount }) => type === resource && amount >= LOAN_SUN);
    return balance >= 100n * COIN && staked(0) && staked(1);
  });
}

export const lendWithTwoLocks: User = async (host) => {
  const { world } = host;
  const { choices } = world;
  if (world.shape.isFork || !isAlone(host)) return;
  const owner_address = lender(host);
  if (owner_address === undefined) return;
  // To whom nobody else lends.
  const pair = { owner_address, receiver_address: host.people.address(5) };
  if (owner_address === pair.receiver_address) return;
  const { delegations } = world.ledger.state.tables;
  if (delegations.has(`02${pair.owner_address}${pair.receiver_address}`)) return;
  const first = choices.below(2);
  const [short, long] = [1 + choices.below(100), 200 + choices.below(100)];
  const ends: (readonly [resource: number, endMs: bigint])[] = [];
  for (const [resource, slots] of [[first, short] as const, [1 - first, long] as const]) {
    ends.push([resource, world.ledger.headTimeMs + BigInt(slots) * SLOT_MS]);
    const fields = { ...pair, resource, balance: LOAN_SUN, lock: true, lock_period: BigInt(slots) };
    const loan = { type: ContractType.DelegateResourceContract, fields };
    // What is in use of a stake cannot be lent.
    if (!(await mustBeAccepted(host, 'lends', loan, { isSure: false }))) return;
  }
  const lockedOf = (resource: number): bigint | undefined => {
    const rest = delegations.get(`02${pair.owner_address}${pair.receiver_address}`);
    return resource === 0 ? rest?.frozen_balance_for_bandwidth : rest?.frozen_balance_for_energy;
  };
  for (const [resource, endMs] of ends) {
    await passTo(host, endMs);
    if (!isAlone(host)) return;
    if (world.ledger.headTimeMs === endMs && choices.chance(0.5)) {
      // At its last moment it is locked, and a further loan leaves it so.
      const more = { type: ContractType.DelegateResourceContract, fields: { ...pair, resource, balance: COIN } };
      if (!(await mustBeAccepted(host, 'lends more', more, { isSure: false }))) return;
      if (lockedOf(resource) !== LOAN_SUN)
        throw new Violation(NAME, `a lock ends at ${endMs}; at that time ${lockedOf(resource)} is locked`);
    }
    await passTo(host, endMs + 1n);
    if (!isAlone(host)) return;
    const back = { type: ContractType.UnDelegateResourceContract, fields: { ...pair, balance: LOAN_SUN, resource } };
    if (!(await mustBeAccepted(host, 'takes back what was locked', back))) return;
    const [held, other] = [lockedOf(resource), lockedOf(1 - resource)];
    if (resource === first && (held !== 0n || other !== LOAN_SUN))
      throw new Violation(NAME, `of two locks the first is over; ${held} and ${other} are locked`);
  }
};
