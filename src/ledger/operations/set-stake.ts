import { OperationError } from '../../errors/operation-error.js';
import type { Address, Sun } from '../../primitives/ids.js';
import { MAX_LONG } from '../../primitives/java-math.js';
import { toBase58 } from '../../protocol/address.js';
import type { Account } from '../../protocol/generated/tron.js';
import { BANDWIDTH, ENERGY, type StakedResource, TRON_POWER } from '../../resources/metered-account.js';
import { stakeWithDelegatedV2 } from '../../resources/staking.js';
import { newAccount } from '../accounts/accounts.js';
import { existingAccount, putAccount } from '../accounts/coin.js';
import type { Ledger } from '../ledger.js';
import { setTotalStake } from '../stake/phantom-stake.js';
import { delegatedV2, isDelegable } from '../stake/stakes.js';
import { changeStakeV2, WEIGHT_OF, withOldTronPower, withoutOldTronPower, withVotesCut } from '../stake/staking.js';
import { settleReward } from '../voting/voter-rewards.js';
import { addToOwnNumber } from './own-numbers.js';

/** Stake 2.0 of an account, delegated amounts included, in sun. */
export interface Stakes {
  readonly bandwidth: Sun;
  readonly energy: Sun;
  readonly tronPower: Sun;
}

const RESOURCES: readonly (readonly [keyof Stakes, StakedResource])[] = [
  ['bandwidth', BANDWIDTH],
  ['energy', ENERGY],
  ['tronPower', TRON_POWER],
];

/**
 * Sets the Stake 2.0 of an account without a change of its balance. If the votes need more stake, they are cut, as by
 * unstaking.
 *
 * @param keepTotals whether the network's totals stay: the phantom stake then changes by the opposite amount
 * @returns the stakes
 * @throws OperationError for less than the delegated amount
 * @example setStake(ledger, { address, stakes: { energy: 5_000_000n }, keepTotals: false })
 */
export function setStake(
  ledger: Ledger,
  {
    address,
    stakes,
    keepTotals,
  }: { readonly address: Address; readonly stakes: Partial<Stakes>; readonly keepTotals: boolean },
): Stakes {
  if (!ledger.stakeV2On) throw new OperationError('this chain has no Stake 2.0 (getUnfreezeDelayDays is 0)');
  if (!ledger.state.tables.accounts.has(address)) putAccount(ledger, newAccount(ledger, address));
  settleReward(ledger, address);
  let account = withOldTronPower(ledger, existingAccount(ledger, address));
  const reduced: StakedResource[] = [];
  for (const [name, resource] of RESOURCES) {
    const amountSun = stakes[name];
    if (amountSun === undefined) continue;
    checkAmount(ledger, account, name, resource, amountSun);
    const delta = amountSun - stakeWithDelegatedV2(account, resource);
    const total = ledger.long(WEIGHT_OF[resource]);
    account = changeStakeV2(ledger, account, resource, delta);
    if (keepTotals) setTotalStake(ledger, WEIGHT_OF[resource], total);
    addToOwnNumber(ledger, 'grantedSun', delta);
    if (delta < 0n) reduced.push(resource);
  }
  for (const resource of reduced) account = withVotesCut(ledger, account, resource);
  putAccount(ledger, reduced.length > 0 ? withoutOldTronPower(ledger, account) : account);
  const [bandwidth, energy, tronPower] = RESOURCES.map(([, resource]) => stakeWithDelegatedV2(account, resource));
  return { bandwidth, energy, tronPower } as Stakes;
}

function checkAmount(
  ledger: Ledger,
  account: Account,
  name: keyof Stakes,
  resource: StakedResource,
  amountSun: Sun,
): void {
  if (amountSun < 0n || amountSun > MAX_LONG) {
    throw new OperationError(`${name} must be 0 to ${MAX_LONG} sun, got ${amountSun}`);
  }
  if (resource === TRON_POWER && !ledger.on('ALLOW_NEW_RESOURCE_MODEL')) {
    throw new OperationError('this chain has no stake for tronPower (getAllowNewResourceModel is off)');
  }
  const delegatedSun = isDelegable(resource) ? delegatedV2(account, resource) : 0n;
  if (amountSun < delegatedSun) {
    throw new OperationError(
      `${name} must be at least ${delegatedSun} sun, which ${toBase58(account.address)} has delegated to others, got ${amountSun}`,
    );
  }
}
