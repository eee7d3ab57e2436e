/**
 * Who pays for the bytes of a transaction (protocol/bandwidth.md). Mirrors java-tron's BandwidthProcessor.
 *
 * A transaction is paid from exactly one source, the first that has enough; nothing is split. The decision comes back
 * as a value with the usages to be written, and what each source that was asked had left.
 */

import { leftBandwidth } from './limits.js';
import { BANDWIDTH, type MeteredAccount, type UsageWindow, usageWindow } from './metered-account.js';
import { consume, dayUsage } from './recovery.js';
import type { ResourceRules, ResourceTotals } from './rules.js';

/** Usage of a fixed window of a day: free, public, per token. */
export interface DayUsage {
  readonly usage: bigint;
  readonly lastSlot: bigint;
}

/** What the network's properties say about bandwidth. */
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

/** A TRC-10 transfer to an existing account, for which the issuer of the token may pay. */
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

/** Bytes that a source had left when it was asked, in the order asked. */
export interface BandwidthLeft {
  readonly issuer?: bigint;
  readonly staked?: bigint;
  readonly free?: bigint;
  readonly public?: bigint;
}

/**
 * If the sender is the issuer, java-tron stores the issuer last and loses what it wrote to the sender
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
  /** By the byte. */
  | { readonly source: 'coin'; readonly feeSun: bigint }
  /** The flat fee for creating an account without enough staked bandwidth. */
  | { readonly source: 'account-creation-coin'; readonly feeSun: bigint }
  /** Nobody can pay; `feeSun` is what the sender lacks. */
  | { readonly source: 'none'; readonly feeSun: bigint }
);

/** What decides between the sources, apart from what they have left. */
export interface BandwidthBill {
  readonly bytes: bigint;
  readonly createsAccount: boolean;
  readonly balanceSun: bigint;
}

/** Bytes that the sender's sources have left, asked for when it is their turn. */
export interface BandwidthSources {
  staked(): bigint;
  free(): bigint;
  /** Of the pool behind everybody's free bandwidth. */
  public(): bigint;
}

export type BandwidthPrices = Pick<BandwidthTerms, 'bytePriceSun' | 'accountCreationRate' | 'accountCreationFeeSun'>;

/** A source, and what is taken from it: bytes, or sun. `none`: the fee, for which the balance is too small. */
export type BandwidthSource =
  | { readonly source: 'staked' | 'free'; readonly bytes: bigint }
  | { readonly source: 'coin' | 'account-creation-coin' | 'none'; readonly feeSun: bigint };

/**
 * Which of the sender's sources pays, in this order: stake, the free bandwidth of the day, coin
 * (protocol/bandwidth.md#own-bandwidth, #burning-per-byte). What creates an account is paid from the stake or by a flat
 * fee (protocol/bandwidth.md#account-creating-transactions).
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
 * Decides who pays (protocol/bandwidth.md#who-pays): the issuer of a token that is sent, or else
 * {@link bandwidthSource}. Nothing is changed: the caller writes what the payment says.
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

/** A usage that is already of now, with this transaction's bytes. Adding rounds a second time. */
function addedToday(usage: bigint, { bytes, nowSlot }: Bytes, { rules }: StakeTerms): DayUsage {
  return { usage: dayUsage(usage, bytes, nowSlot, nowSlot, rules), lastSlot: nowSlot };
}

type Bytes = Pick<BandwidthNeed, 'bytes' | 'nowSlot'>;
type StakeTerms = Pick<BandwidthTerms, 'totals' | 'rules'>;

/**
 * Whether the issuer of a token pays for a transfer of it. Three conditions, in java-tron's order: the token's grant,
 * the holder's part of it, the issuer's stake (protocol/bandwidth.md#trc-10-transfers-paid-by-the-issuer). Without
 * `payment` it does not, and `left` is what was too little.
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
