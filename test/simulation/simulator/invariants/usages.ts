/**
 * Usages after a transaction that is alone in its block: what was used before has recovered in a straight line over its
 * window, what the receipt says is added, and the windows are weighted by what is used in them
 * (protocol/usage-recovery.md). Computed in doubles, so some units more or less are right, and no rule of rounding is here.
 */

import { assetOf } from '../../../../src/ledger/accounts/assets.js';
import type { Ledger } from '../../../../src/ledger/ledger.js';
import type { Address } from '../../../../src/primitives/ids.js';
import type {
  AssetIssueContract,
  TransferAssetContract,
} from '../../../../src/protocol/generated/asset-issue-contract.js';
import type { UnDelegateResourceContract } from '../../../../src/protocol/generated/balance-contract.js';
import type { TriggerSmartContract } from '../../../../src/protocol/generated/smart-contract.js';
import {
  type Account,
  Transaction_Contract_ContractType as ContractType,
} from '../../../../src/protocol/generated/tron.js';
import { Violation } from '../run/violation.js';
import type { ScannedTransaction } from './scan.js';

const DAY_SLOTS = 28_800;
const SUN_PER_TRX = 1_000_000;
/** Each reading and each writing of a usage may round. */
const ROUNDED = 4;
/** Windows of few units are rough. */
const MANY = 2_000;
/** Slots of a window. */
const LONG = 5_000;
/** Of a deployer that has set none. */
const DEFAULT_LIMIT = 10_000_000n;

interface Usage {
  readonly used: number;
  readonly slots: number;
  readonly lastSlot: number;
  /** What recovers in a slot: a window may count as whole slots. */
  readonly inASlot?: number;
}

/** Whose window is always a day. */
function overADay(used = 0n, lastSlot = 0n): Usage {
  return { used: Number(used), slots: DAY_SLOTS, lastSlot: Number(lastSlot) };
}

const NOTHING = overADay();

function usageOf(account: Account | undefined, resource: number): Usage {
  if (account === undefined) return NOTHING;
  const energy = account.account_resource;
  const [used, lastSlot, size, isFine] =
    resource === 0
      ? [account.net_usage, account.latest_consume_time, account.net_window_size, account.net_window_optimized]
      : [
          energy?.energy_usage,
          energy?.latest_consume_time_for_energy,
          energy?.energy_window_size,
          energy?.energy_window_optimized,
        ];
  const slots = Number(size ?? 0n) / (isFine ? 1_000 : 1);
  return { used: Number(used ?? 0n), lastSlot: Number(lastSlot ?? 0n), slots: slots < 1 ? DAY_SLOTS : slots };
}

/** What is left of it, and of its window. */
function recovered({ used, slots, lastSlot }: Usage, slot: number): Usage {
  const left = Math.max(0, slots - (slot - lastSlot));
  return left === 0
    ? { used: 0, slots: DAY_SLOTS, lastSlot: slot }
    : { used: (used * left) / slots, slots: left, lastSlot: slot, inASlot: used / slots };
}

function together(one: Usage, other: Usage): Usage {
  const used = one.used + other.used;
  const slots = used === 0 ? DAY_SLOTS : (one.used * one.slots + other.used * other.slots) / used;
  const inASlot = (one.inASlot ?? 0) + (other.inASlot ?? 0);
  return { used, slots: Math.min(DAY_SLOTS, slots), lastSlot: one.lastSlot, inASlot };
}

/** @param inAdvance the most that was charged before a call @returns what is wrong */
function differs(what: string, is: Usage, expected: Usage, inAdvance = 0): string | undefined {
  // What was charged in advance is taken back over whole slots: in short windows nothing is known.
  const slots = Math.min(is.slots, expected.slots);
  if (inAdvance > 0 && slots < LONG) return undefined;
  const tolerated =
    ROUNDED + (expected.inASlot ?? 0) + expected.used / 10_000 + (4 * (inAdvance + expected.used)) / slots;
  const toleratedSlots = 2 + expected.slots / 100 + (DAY_SLOTS * (expected.inASlot ?? 0)) / expected.used;
  const text = ({ used, slots }: Usage) => `${used.toFixed(1)} over ${slots.toFixed(1)} slots`;
  const isWrong =
    Math.abs(is.used - expected.used) > tolerated ||
    (expected.used > MANY && is.used > MANY && Math.abs(is.slots - expected.slots) > toleratedSlots);
  return isWrong ? `${what} has to be ${text(expected)}, and is ${text(is)}` : undefined;
}

type UsagesWrong = (one: ScannedTransaction, before: Ledger, after: Ledger) => string | undefined;

const RULES: Partial<Record<ContractType, UsagesWrong>> = {
  [ContractType.UnDelegateResourceContract]: returnedIsWrong,
  [ContractType.TriggerSmartContract]: energyIsWrong,
  [ContractType.TransferAssetContract]: grantIsWrong,
};

/** What of all its usages an account has left. */
export function usagesAt(account: Account | undefined, slot: number): readonly number[] {
  const free = overADay(account?.free_net_usage, account?.latest_consume_free_time);
  return [usageOf(account, 0), usageOf(account, 1), free].map((usage) => recovered(usage, slot).used);
}

export function usagesAgree(one: ScannedTransaction, before: Ledger, after: Ledger): void {
  const wrong = RULES[one.transaction.contractType as ContractType]?.(one, before, after);
  if (wrong !== undefined)
    throw new Violation('an account has what its transactions say', `${one.txId} of block ${one.block}: ${wrong}`);
}

function accountsOf(address: Address, before: Ledger, after: Ledger) {
  return [before, after].map(({ state }) => state.tables.accounts.get(address)) as [Account?, Account?];
}

/** Of a call: its receipt says who uses how much. */
function energyIsWrong({ transaction, info }: ScannedTransaction, before: Ledger, after: Ledger): string | undefined {
  const { receipt } = info;
  const owner = transaction.owner as Address | undefined;
  if (receipt === undefined) return undefined;
  // Without any, what was charged in advance stays (protocol/energy.md#a-success-without-energy).
  if (owner === undefined || receipt.energy_usage_total === 0n || info.internal_transactions.length > 0)
    return undefined;
  const contract = before.state.tables.contracts.get((transaction.contract as TriggerSmartContract).contract_address);
  const deployer = contract?.origin_address as Address | undefined;
  const slot = Number(before.headSlot);
  const bought = transaction.raw.fee_limit / (before.long('ENERGY_FEE') || 1n);
  const parts: (readonly [string, Address, bigint, bigint])[] = [
    ['Energy used by the caller', owner, receipt.energy_usage, bought],
  ];
  if (contract !== undefined && deployer !== undefined && deployer !== owner) {
    const most = contract.origin_energy_limit === 0n ? DEFAULT_LIMIT : contract.origin_energy_limit;
    parts.push(['Energy used by the deployer', deployer, receipt.origin_energy_usage, most]);
  }
  for (const [what, address, amount, most] of parts) {
    const [was, is] = accountsOf(address, before, after);
    if (was === undefined || is === undefined) continue;
    const added = { used: Number(amount), slots: DAY_SLOTS, lastSlot: slot };
    const wrong = differs(what, usageOf(is, 1), together(recovered(usageOf(was, 1), slot), added), Number(most));
    if (wrong !== undefined) return `${wrong}, with ${amount} in the receipt`;
  }
  return undefined;
}

/** Of a transfer of a token that its issuer pays: what its holder has used of the grant, and what all holders have. */
function grantIsWrong({ transaction, info }: ScannedTransaction, before: Ledger, after: Ledger): string | undefined {
  const { asset_name: token, owner_address } = transaction.contract as TransferAssetContract;
  const [asset, assetNow] = [assetOf(before, token), assetOf(after, token)];
  // Of an issuer that sends its own token, the usage is overwritten (protocol/bandwidth.md).
  if (asset === undefined || assetNow === undefined || asset.owner_address === owner_address) return undefined;
  const [holder, holderNow] = accountsOf(owner_address as Address, before, after);
  const added = overADay(info.receipt?.net_usage, before.headSlot);
  const parts = [
    [`what ${owner_address}`, holderGrantOf(holder, asset.id), holderGrantOf(holderNow, asset.id)],
    ['what all holders', publicGrantOf(asset), publicGrantOf(assetNow)],
  ] as const;
  const isPaid = parts.some(([, was, is]) => was.used !== is.used || was.lastSlot !== is.lastSlot);
  if (!isPaid) return undefined;
  for (const [who, was, is] of parts) {
    const expected = { ...together(recovered(was, added.lastSlot), added), slots: DAY_SLOTS };
    const wrong = differs(`${who} used of the grant of ${asset.id}`, is, expected);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

function holderGrantOf(account: Account | undefined, id: string): Usage {
  return overADay(account?.free_asset_net_usageV2.get(id), account?.latest_asset_operation_timeV2.get(id));
}

function publicGrantOf(asset: AssetIssueContract): Usage {
  return overADay(asset.public_free_asset_net_usage, asset.public_latest_free_net_time);
}

function stakeFor(account: Account, resource: number): number {
  const { frozen, frozenV2, account_resource: energy } = account;
  const own = frozenV2.reduce((sum, { type, amount }) => (type === resource ? sum + amount : sum), 0n);
  const others =
    resource === 0
      ? [
          ...frozen.map(({ frozen_balance }) => frozen_balance),
          account.acquired_delegated_frozen_balance_for_bandwidth,
          account.acquired_delegated_frozenV2_balance_for_bandwidth,
        ]
      : [
          energy?.frozen_balance_for_energy?.frozen_balance ?? 0n,
          energy?.acquired_delegated_frozen_balance_for_energy ?? 0n,
          energy?.acquired_delegated_frozenV2_balance_for_energy ?? 0n,
        ];
  return Number(others.reduce((sum, one) => sum + one, own));
}

/** With a loan, its part of the borrower's usage comes back; at most what the loan gives. */
function returnedIsWrong({ transaction, info }: ScannedTransaction, before: Ledger, after: Ledger): string | undefined {
  const { owner_address, receiver_address, balance, resource } = transaction.contract as UnDelegateResourceContract;
  const [lender, lenderNow] = accountsOf(owner_address, before, after);
  const [borrower, borrowerNow] = accountsOf(receiver_address, before, after);
  if (lender === undefined || borrower === undefined || lenderNow === undefined || borrowerNow === undefined)
    return undefined;
  const slot = Number(before.headSlot);
  const borrowed =
    resource === 0
      ? borrower.acquired_delegated_frozenV2_balance_for_bandwidth
      : (borrower.account_resource?.acquired_delegated_frozenV2_balance_for_energy ?? 0n);
  if (borrowed < balance) return undefined;
  const [limit, weight] = (
    resource === 0
      ? (['TOTAL_NET_LIMIT', 'TOTAL_NET_WEIGHT'] as const)
      : (['TOTAL_ENERGY_CURRENT_LIMIT', 'TOTAL_ENERGY_WEIGHT'] as const)
  ).map((name) => Number(before.long(name))) as [number, number];
  const usage = recovered(usageOf(borrower, resource), slot);
  const most = ((Number(balance) / SUN_PER_TRX) * limit) / weight;
  const returned = Math.min(most, (usage.used * Number(balance)) / stakeFor(borrower, resource));
  // The bytes of the transaction itself are the lender's.
  const ownBytes = resource === 0 ? Number(info.receipt?.net_usage ?? 0n) : 0;
  const own = together(recovered(usageOf(lender, resource), slot), {
    used: ownBytes,
    slots: DAY_SLOTS,
    lastSlot: slot,
  });
  const what = `of ${usage.used.toFixed(1)} used, ${returned.toFixed(1)} come back: usage`;
  const left = { ...usage, used: usage.used - returned };
  // Where nothing comes back, the lender's usage is not written.
  const isFree = resource === 0 && lenderNow.latest_consume_free_time === before.headSlot;
  const isLeft = isFree || returned < ROUNDED;
  return (
    differs(`${what} of the borrower`, usageOf(borrowerNow, resource), left) ??
    (isLeft
      ? undefined
      : differs(`${what} of the lender`, usageOf(lenderNow, resource), together(own, { ...usage, used: returned })))
  );
}
