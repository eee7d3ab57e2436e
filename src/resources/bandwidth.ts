/**
 * Decides who pays for the bytes of a transaction (protocol/bandwidth.md). Mirrors java-tron's BandwidthProcessor.
 *
 * Exactly one source pays for a transaction, the first one with enough bytes; nothing is split. The result is a value
 * with the usages to write, and the remaining bytes of each checked source.
 */

import { leftBandwidth } from './limits.js';
import { BANDWIDTH, type MeteredAccount, type UsageWindow, usageWindow } from './metered-account.js';
import { consume, dayUsage } from './recovery.js';
import type { ResourceRules, ResourceTotals } from './rules.js';

/** Usage over a fixed window of one day: free, public, or of a token. */
export interface DayUsage {
  readonly usage: bigint;
  readonly lastSlot: bigint;
}

/** The network's properties for bandwidth. */
export interface BandwidthTerms {
  readonly totals: ResourceTotals;
  readonly rules: ResourceRules;
  /** FREE_NET_LIMIT: free bytes of an account per day. */
  readonly freeLimit: bigint;
  /** PUBLIC_NET_LIMIT: free bytes of all accounts together per day. */
  readonly publicLimit: bigint;
  /** PUBLIC_NET_USAGE at PUBLIC_NET_TIME. */
  readonly publicUsage: DayUsage;
  /** TRANSACTION_FEE, sun per byte. */
  readonly bytePriceSun: bigint;
  /** CREATE_NEW_ACCOUNT_BANDWIDTH_RATE. */
  readonly accountCreationRate: bigint;
  /** CREATE_ACCOUNT_FEE, sun. */
  readonly accountCreationFeeSun: bigint;
}

/** A TRC-10 transfer to an existing account: the issuer of the token may pay for it. */
export interface IssuerGrant {
  readonly issuer: MeteredAccount;
  /** `free_asset_net_limit`: bytes that the issuer grants to each holder per day. */
  readonly holderLimit: bigint;
  readonly holderUsage: DayUsage;
  /** `public_free_asset_net_limit`: bytes for all holders together. */
  readonly publicLimit: bigint;
  readonly publicUsage: DayUsage;
}

export interface BandwidthNeed {
  /** Charged bytes: serialized size without results, plus 64 for the result while contracts are on. */
  readonly bytes: bigint;
  readonly sender: MeteredAccount;
  readonly createsAccount: boolean;
  readonly grant?: IssuerGrant | undefined;
  readonly nowSlot: bigint;
}

/** Remaining bytes of each checked source, in the order of the checks. */
export interface BandwidthLeft {
  readonly issuer?: bigint;
  readonly staked?: bigint;
  readonly free?: bigint;
  readonly public?: bigint;
}

/**
 * If the sender is the issuer, java-tron stores the issuer last, and so loses the changes of the sender
 * (protocol/bandwidth.md#trc-10-transfers-paid-by-the-issuer).
 */
export interface IssuerPayment {
  readonly source: 'issuer';
  readonly netUsage: bigint;
  readonly issuerWindow: UsageWindow;
  readonly holderUsage: DayUsage;
  readonly publicUsage: DayUsage;
}

export type BandwidthPayment = { readonly left: BandwidthLeft } & (
  | {
      readonly source: 'staked';
      /** Bytes times the rate for transactions that create an account; otherwise the bytes. */
      readonly netUsage: bigint;
      readonly window: UsageWindow;
    }
  | {
      readonly source: 'free';
      readonly netUsage: bigint;
      /** The sender's free usage, and the public one. */
      readonly freeUsage: DayUsage;
      readonly publicUsage: DayUsage;
    }
  | IssuerPayment
  /** Burned TRX, per byte. */
  | { readonly source: 'coin'; readonly feeSun: bigint }
  /** The flat fee for an account creation without enough staked bandwidth. */
  | { readonly source: 'account-creation-coin'; readonly feeSun: bigint }
  /** No source can pay; `feeSun` is the fee that the sender cannot pay. */
  | { readonly source: 'none'; readonly feeSun: bigint }
);

/** Input of the choice between the sources, apart from their remaining bytes. */
export interface BandwidthBill {
  readonly bytes: bigint;
  readonly createsAccount: boolean;
  readonly balanceSun: bigint;
}

/** Remaining bytes of the sender's sources. Each is computed when its turn comes. */
export interface BandwidthSources {
  staked(): bigint;
  free(): bigint;
  /** Of the public pool, which all free bandwidth shares. */
  public(): bigint;
}

export type BandwidthPrices = Pick<BandwidthTerms, 'bytePriceSun' | 'accountCreationRate' | 'accountCreationFeeSun'>;

/** A source and its payment in bytes or sun. `none`: the fee, which exceeds the balance. */
export type BandwidthSource =
  | { readonly source: 'staked' | 'free'; readonly bytes: bigint }
  | { readonly source: 'coin' | 'account-creation-coin' | 'none'; readonly feeSun: bigint };

/**
 * Chooses the sender's source, in this order: stake, free bandwidth of the day, burned TRX
 * (protocol/bandwidth.md#own-bandwidth, #burning-per-byte). For an account creation: stake, or a flat fee
 * (protocol/bandwidth.md#account-creating-transactions).
 */
export function bandwidthSource(
  { bytes, createsAccount, balanceSun }: BandwidthBill,
  left: BandwidthSources,
  prices: BandwidthPrices,
): BandwidthSource {
  const cost = createsAccount ? bytes * prices.accountCreationRate : bytes;
  if (cost <= left.staked()) return { source: 'staked', bytes: cost };
  if (createsAccount) {
    const feeSun = prices.accountCreationFeeSun;
    return { source: balanceSun >= feeSun ? 'account-creation-coin' : 'none', feeSun };
  }
  if (bytes <= left.free() && bytes <= left.public()) return { source: 'free', bytes };
  const feeSun = prices.bytePriceSun * bytes;
  return { source: balanceSun >= feeSun ? 'coin' : 'none', feeSun };
}

/**
 * Decides who pays (protocol/bandwidth.md#who-pays): the issuer of a sent token, or else {@link bandwidthSource}.
 * Changes nothing: the caller writes the payment.
 */
export function payBandwidth(need: BandwidthNeed, terms: BandwidthTerms): BandwidthPayment {
  const { bytes, sender, createsAccount, grant } = need;
  const left: { issuer?: bigint; staked?: bigint; free?: bigint; public?: bigint } = {};
  if (grant !== undefined && !createsAccount) {
    const granted = issuerPayment(grant, need, terms);
    left.issuer = granted.left;
    if (granted.payment !== undefined) return { ...granted.payment, left };
  }

  let freeUsage = 0n;
  let publicUsage = 0n;
  const chosen = bandwidthSource(
    { bytes, createsAccount, balanceSun: sender.balance },
    {
      staked: () => {
        left.staked = leftBandwidth(sender, terms.totals, need.nowSlot, terms.rules);
        return left.staked;
      },
      free: () => {
        freeUsage = usedToday(sender.free_net_usage, sender.latest_consume_free_time, need, terms);
        left.free = terms.freeLimit - freeUsage;
        return left.free;
      },
      public: () => {
        publicUsage = usedToday(terms.publicUsage.usage, terms.publicUsage.lastSlot, need, terms);
        left.public = terms.publicLimit - publicUsage;
        return left.public;
      },
    },
    terms,
  );
  switch (chosen.source) {
    case 'staked':
      return {
        source: 'staked',
        netUsage: chosen.bytes,
        window: consume(usageWindow(sender, BANDWIDTH), chosen.bytes, need.nowSlot, terms.rules),
        left,
      };
    case 'free':
      return {
        source: 'free',
        netUsage: bytes,
        freeUsage: addedToday(freeUsage, need, terms),
        publicUsage: addedToday(publicUsage, need, terms),
        left,
      };
    default:
      return { ...chosen, left };
  }
}

function usedToday(usage: bigint, lastSlot: bigint, { nowSlot }: Bytes, { rules }: StakeTerms): bigint {
  return dayUsage(usage, 0n, lastSlot, nowSlot, rules);
}

/** Adds a transaction's bytes to a usage that is recovered to now. The addition rounds a second time. */
function addedToday(usage: bigint, { bytes, nowSlot }: Bytes, { rules }: StakeTerms): DayUsage {
  return { usage: dayUsage(usage, bytes, nowSlot, nowSlot, rules), lastSlot: nowSlot };
}

type Bytes = Pick<BandwidthNeed, 'bytes' | 'nowSlot'>;
type StakeTerms = Pick<BandwidthTerms, 'totals' | 'rules'>;

/**
 * Whether the issuer of a token pays for a transfer of it. Checks three conditions in java-tron's order: the token's
 * grant, the holder's part of it, the issuer's stake (protocol/bandwidth.md#trc-10-transfers-paid-by-the-issuer). If
 * one is not met, `payment` is undefined, and `left` has the remaining bytes of the last check.
 */
function issuerPayment(
  { issuer, holderLimit, holderUsage, publicLimit, publicUsage }: IssuerGrant,
  need: Bytes,
  terms: StakeTerms,
): { readonly left: bigint; readonly payment?: IssuerPayment } {
  const { bytes } = need;
  const publicUsed = usedToday(publicUsage.usage, publicUsage.lastSlot, need, terms);
  if (bytes > publicLimit - publicUsed) return { left: publicLimit - publicUsed };
  const holderUsed = usedToday(holderUsage.usage, holderUsage.lastSlot, need, terms);
  if (bytes > holderLimit - holderUsed) return { left: holderLimit - holderUsed };
  const left = leftBandwidth(issuer, terms.totals, need.nowSlot, terms.rules);
  if (bytes > left) return { left };
  return {
    left,
    payment: {
      source: 'issuer',
      netUsage: bytes,
      issuerWindow: consume(usageWindow(issuer, BANDWIDTH), bytes, need.nowSlot, terms.rules),
      holderUsage: addedToday(holderUsed, need, terms),
      publicUsage: addedToday(publicUsed, need, terms),
    },
  };
}
