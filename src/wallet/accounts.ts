/**
 * Accounts in a node's answers: usages recovered to the head, without a change of the state
 * (protocol/http-endpoints.md#getaccount, protocol/usage-recovery.md#read-time-view). Mirrors Wallet.getAccount and
 * Wallet.getAccountById of java-tron.
 */

import { accountAt, accountIdKey } from '../ledger/accounts/accounts.js';
import type { Ledger } from '../ledger/ledger.js';
import { accountResourceOf } from '../ledger/stake/stakes.js';
import { rulesOf } from '../ledger/stake/staking.js';
import type { Address } from '../primitives/ids.js';
import { ResourceCode } from '../protocol/generated/resource-code.js';
import type { Account } from '../protocol/generated/tron.js';
import { javaCopiedMapCapacity, javaMapOrder } from '../protocol/json/java-map-order.js';
import type { Sent } from '../protocol/message-type.js';
import { stakeV2Of } from '../resources/limits.js';
import { usageWindow, withUsageWindow } from '../resources/metered-account.js';
import { dayUsage, increase } from '../resources/recovery.js';
import type { ResourceRules } from '../resources/rules.js';
import { asStored } from './asset-store.js';
import type { WalletContext } from './context.js';

const METERED = [ResourceCode.BANDWIDTH, ResourceCode.ENERGY] as const;
const RESOURCES = [ResourceCode.BANDWIDTH, ResourceCode.ENERGY, ResourceCode.TRON_POWER] as const;

type TokenAmounts = ReadonlyMap<string, bigint>;

/** Token amounts in the order in which java-tron's separate asset store fills the account's map. */
function importedTokens(ledger: Ledger, tokens: TokenAmounts): TokenAmounts {
  if (tokens.size < 2 || !ledger.on('ALLOW_ASSET_OPTIMIZATION')) return tokens;
  const entries = [...tokens].sort(([a], [b]) => (a < b ? -1 : 1));
  return new Map(javaMapOrder(entries.map(([id]) => id)).map((at) => entries[at] as [string, bigint]));
}

/** The head's slot, and the present rules. */
interface Now {
  readonly slot: bigint;
  readonly rules: ResourceRules;
}

/** Every held token has an entry: tokens with a stored usage in their order, then the others in Java's map order. */
function tokenUsages(stored: TokenAmounts, times: TokenAmounts, held: Iterable<string>, now: Now): TokenAmounts {
  const usages = new Map(stored);
  const ids = [...held];
  let capacity = javaCopiedMapCapacity(ids.length);
  // A usage stays when the token is gone; java-tron adds it to its map of held tokens, which may grow.
  const all = [...new Set([...ids, ...stored.keys()])];
  while (all.length > capacity * 0.75) capacity *= 2;
  for (const at of javaMapOrder(all, capacity)) {
    const id = all[at] as string;
    usages.set(id, dayUsage(stored.get(id) ?? 0n, 0n, times.get(id) ?? 0n, now.slot, now.rules));
  }
  return usages;
}

/** The same while tokens are identified by name: java-tron iterates the account's names in order of acquisition. */
function usagesByName(account: Account, { slot, rules }: Now): TokenAmounts {
  const usages = new Map(account.free_asset_net_usage);
  for (const name of account.asset.keys()) {
    const lastSlot = account.latest_asset_operation_time.get(name) ?? 0n;
    usages.set(name, dayUsage(usages.get(name) ?? 0n, 0n, lastSlot, slot, rules));
  }
  return usages;
}

/**
 * The account with its usages recovered to the head, for `getaccount`, `getaccountresource` and `getaccountnet`. Times
 * of the last use stay as stored, in slots; windows shrink with the usage.
 */
export function recoveredAccount(ledger: Ledger, account: Account): Account {
  const slot = ledger.headSlot;
  const rules = rulesOf(ledger);
  let answer = account;
  for (const resource of METERED) {
    const window = usageWindow(answer, resource);
    answer = withUsageWindow(answer, resource, { ...increase(window, 0n, slot, rules), lastSlot: window.lastSlot });
  }
  const assetV2 = importedTokens(ledger, account.assetV2);
  const byName = !ledger.on('ALLOW_SAME_TOKEN_NAME');
  return {
    ...answer,
    free_net_usage: dayUsage(account.free_net_usage, 0n, account.latest_consume_free_time, slot, rules),
    free_asset_net_usage: byName ? usagesByName(account, { slot, rules }) : account.free_asset_net_usage,
    assetV2,
    free_asset_net_usageV2: tokenUsages(
      account.free_asset_net_usageV2,
      account.latest_asset_operation_timeV2,
      assetV2.keys(),
      { slot, rules },
    ),
  };
}

/** The account as `getaccountbyid` shows it: recovered, with its times of last use in milliseconds. */
function accountInMilliseconds(ledger: Ledger, account: Account): Account {
  const recovered = recoveredAccount(ledger, account);
  const inMs = (slot: bigint) => ledger.config.genesisTimestampMs + ledger.config.slotMs * slot;
  const resource = accountResourceOf(recovered);
  return {
    ...recovered,
    latest_consume_time: inMs(recovered.latest_consume_time),
    latest_consume_free_time: inMs(recovered.latest_consume_free_time),
    account_resource: {
      ...resource,
      latest_consume_time_for_energy: inMs(resource.latest_consume_time_for_energy),
    },
  };
}

/** The account as `getaccount` shows it: also with an entry of `frozenV2` for each resource, in fixed order. */
function accountAsAnswered(ledger: Ledger, account: Account): Account {
  const frozenV2 = RESOURCES.map((type) => ({ type, amount: stakeV2Of(account, type) }));
  return { ...accountInMilliseconds(ledger, account), frozenV2 };
}

/** In sun; 0 for an unknown address. */
export function getBalance({ ledger }: WalletContext, address: Address): bigint {
  return ledger.state.tables.accounts.get(address)?.balance ?? 0n;
}

/** `/wallet/getaccount`. @returns undefined for an unknown address */
export function getAccount(context: WalletContext, { address }: Sent<Account>): Account | undefined {
  const account = accountAt(context.ledger, address);
  return account && accountAsAnswered(context.ledger, asStored(context, account));
}

/** `/wallet/getaccountbyid`. The empty id is that of the last genesis account. @returns undefined for an unknown id */
export function getAccountById(context: WalletContext, { account_id }: Sent<Account>): Account | undefined {
  const { ledger } = context;
  const address = ledger.state.tables.accountIds.get(accountIdKey(account_id));
  const account = address && ledger.state.tables.accounts.get(address);
  return account && accountInMilliseconds(ledger, asStored(context, account));
}
