import { OperationError } from '../../errors/operation-error.js';
import type { Address } from '../../primitives/ids.js';
import { MAX_LONG } from '../../primitives/java-math.js';
import type { Account } from '../../protocol/generated/tron.js';
import {
  BANDWIDTH,
  ENERGY,
  type MeteredResource,
  usageWindow,
  withUsageWindow,
} from '../../resources/metered-account.js';
import { newAccount } from '../accounts/accounts.js';
import { putAccount } from '../accounts/coin.js';
import type { Ledger } from '../ledger.js';
import { rulesOf } from '../stake/staking.js';

/**
 * A higher value would overflow 64 bits when the usages of two accounts are merged, by thousandths of a day's slots.
 */
function maxUsage(ledger: Ledger): bigint {
  return MAX_LONG / (rulesOf(ledger).daySlots * 1_000n) / 2n;
}

export interface UsedResources {
  /** Used Energy, and used bytes of staked and of free bandwidth. */
  readonly energyUsage?: bigint;
  readonly netUsage?: bigint;
  readonly freeNetUsage?: bigint;
  /** Recovery time in the chain's slots; default: a day, the maximum. */
  readonly energyWindow?: bigint;
  readonly netWindow?: bigint;
}

/**
 * Sets an account's usage as of a time; it recovers from then on.
 *
 * @param atMs at most the head's time; undefined: the head's time
 * @throws OperationError for a later time, and for more than any account can use
 * @example setAccountResources(ledger, { address, used: { energyUsage: 0n } }) // full recovery
 */
export function setAccountResources(
  ledger: Ledger,
  {
    address,
    used,
    atMs,
  }: { readonly address: Address; readonly used: UsedResources; readonly atMs?: bigint | undefined },
): void {
  const { energyUsage, netUsage, freeNetUsage, energyWindow, netWindow } = used;
  const slot = slotOf(ledger, atMs);
  let account = ledger.state.tables.accounts.get(address) ?? newAccount(ledger, address);
  account = withUsed(ledger, account, ENERGY, 'energy', energyUsage, energyWindow, slot);
  account = withUsed(ledger, account, BANDWIDTH, 'net', netUsage, netWindow, slot);
  if (freeNetUsage !== undefined) {
    checkUsage(ledger, 'freeNetUsage', freeNetUsage);
    account = { ...account, free_net_usage: freeNetUsage, latest_consume_free_time: slot };
  }
  putAccount(ledger, account);
}

function slotOf(ledger: Ledger, atMs = ledger.headTimeMs): bigint {
  const { genesisTimestampMs } = ledger.config;
  if (atMs < genesisTimestampMs || atMs > ledger.headTimeMs) {
    throw new OperationError(
      `at must be between the genesis (${genesisTimestampMs}) and the head (${ledger.headTimeMs}), got ${atMs}`,
    );
  }
  return (atMs - genesisTimestampMs) / ledger.config.slotMs;
}

function withUsed(
  ledger: Ledger,
  account: Account,
  resource: MeteredResource,
  name: 'energy' | 'net',
  usage: bigint | undefined,
  window: bigint | undefined,
  lastSlot: bigint,
): Account {
  if (usage === undefined && window === undefined) return account;
  if (usage === undefined) throw new OperationError(`${name}Window needs ${name}Usage`);
  checkUsage(ledger, `${name}Usage`, usage);
  return withUsageWindow(account, resource, {
    ...usageWindow(account, resource),
    ...windowOf(ledger, name, window),
    usage,
    lastSlot,
  });
}

function checkUsage(ledger: Ledger, name: string, usage: bigint): void {
  const most = maxUsage(ledger);
  if (usage < 0n || usage > most) {
    throw new OperationError(`${name} must be 0 to ${most}, got ${usage}`);
  }
}

/**
 * In the account's form: in slots, with ALLOW_CANCEL_ALL_UNFREEZE_V2 in thousandths of a slot, before Stake 2.0 not at
 * all.
 */
function windowOf(ledger: Ledger, name: string, given: bigint | undefined) {
  const { unfreezeDelay, cancelAllUnfreezeV2, daySlots } = rulesOf(ledger);
  if (!unfreezeDelay) {
    if (given === undefined) return {};
    throw new OperationError(`${name}Window needs Stake 2.0: without it, usage recovers in a day`);
  }
  const slots = given ?? daySlots;
  if (slots < 1n || slots > daySlots) {
    const length = Number(ledger.config.slotMs) / 1_000;
    throw new OperationError(`${name}Window must be 1 to ${daySlots} slots of ${length} s, got ${slots}`);
  }
  return { windowSize: cancelAllUnfreezeV2 ? slots * 1_000n : slots, windowOptimized: cancelAllUnfreezeV2 };
}
