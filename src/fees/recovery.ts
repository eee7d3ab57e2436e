/** When used bandwidth and Energy are back, and how much of them at a moment. */

import type { UsageWindow } from '../resources/metered-account.js';
import { DEFAULT_WINDOW_SLOTS, recoveredInOwnWindow, windowPrecise, windowSlots } from '../resources/recovery.js';
import type { AccountAnswer } from './account.js';
import { amount, counted } from './amounts.js';

const SLOT_MS = 3_000;
/** The network keeps windows in thousandths of a slot. */
const WINDOW_UNIT_MS = 3;
/** 24 hours: the longest that a usage takes, and the window of the free bandwidth. */
const DAY_MS = Number(DEFAULT_WINDOW_SLOTS) * SLOT_MS;

/** A usage at a moment, which comes back in equal parts over its window. */
export interface Usage {
  /** Energy or bytes. */
  readonly used: number;
  /** Milliseconds since 1970: of the head block that the answer or the transaction was made on. */
  readonly atMs: number;
  /** Milliseconds in which it is back in full. Default: 24 hours. */
  readonly windowMs?: number | undefined;
  /**
   * Timestamp of the genesis block, from which the network counts its slots of 3 s. Default 0, which is that of the main
   * network and will do for every network whose genesis is at a whole multiple of 3 s.
   */
  readonly genesisMs?: number | undefined;
}

/**
 * The usages in an answer of `getaccount`. They follow the chain to a unit: the node has rounded once for the answer.
 *
 * @param headTimeMs timestamp of the head block that the node had (`getnowblock`)
 * @param genesisMs see {@link Usage}
 */
export function usagesFrom(
  answer: AccountAnswer,
  headTimeMs: number,
  genesisMs = 0,
): { readonly energy: Usage; readonly bandwidth: Usage; readonly freeBandwidth: Usage } {
  const energy = answer.account_resource ?? {};
  const lastFreeMs = counted(amount(answer.latest_consume_free_time, 'latest_consume_free_time'));
  return {
    energy: {
      used: counted(amount(energy.energy_usage, 'energy_usage')),
      atMs: headTimeMs,
      genesisMs,
      windowMs: windowMs(
        amount(energy.energy_window_size, 'energy_window_size'),
        energy.energy_window_optimized ?? false,
      ),
    },
    bandwidth: {
      used: counted(amount(answer.net_usage, 'net_usage')),
      atMs: headTimeMs,
      genesisMs,
      windowMs: windowMs(amount(answer.net_window_size, 'net_window_size'), answer.net_window_optimized ?? false),
    },
    freeBandwidth: {
      used: counted(amount(answer.free_net_usage, 'free_net_usage')),
      atMs: headTimeMs,
      genesisMs,
      windowMs: Math.max(SLOT_MS, DAY_MS - slotsBetween(lastFreeMs, headTimeMs, genesisMs) * SLOT_MS),
    },
  };
}

function windowMs(windowSize: bigint, windowOptimized: boolean): number {
  return counted(windowPrecise({ usage: 0n, lastSlot: 0n, windowSize, windowOptimized })) * WINDOW_UNIT_MS;
}

/**
 * What of a usage is still there at a moment, as a transaction would find it whose block comes after a head block of that
 * time.
 *
 * @example usedAt({ used: 534, atMs: 0 }, 43_200_000) // 267: half a day later, half is back
 */
export function usedAt(usage: Usage, timeMs: number): number {
  const slots = slotsBetween(usage.atMs, timeMs, usage.genesisMs);
  return slots <= 0 ? usage.used : usedAfter(windowOf(usage), slots);
}

/**
 * The first moment, in steps of the network's slots of 3 s, at which no more than `atMost` is in use.
 *
 * @param atMost 0: everything is back. For a transaction to fit: limit less what it needs.
 * @returns milliseconds since 1970: of the head block before the transaction
 * @example recoveredWhen({ used: 534, atMs: 0 }, 600 - 267) // 32361000: 267 bytes fit into 600 again after 8 h 59 min
 */
export function recoveredWhen(usage: Usage, atMost = 0): number {
  const window = windowOf(usage);
  if (usage.used <= atMost) return usage.atMs;
  if (atMost < 0) return Number.POSITIVE_INFINITY;
  let low = 1;
  let high = Number(windowSlots(window));
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (usedAfter(window, middle) <= atMost) high = middle;
    else low = middle + 1;
  }
  const { atMs, genesisMs = 0 } = usage;
  return atMs - ((atMs - genesisMs) % SLOT_MS) + low * SLOT_MS;
}

function usedAfter(window: UsageWindow, slots: number): number {
  return counted(recoveredInOwnWindow(window, BigInt(slots)));
}

function windowOf({ used, windowMs = DAY_MS }: Usage): UsageWindow {
  return {
    usage: amount(used, 'used'),
    lastSlot: 0n,
    windowSize: amount(Math.ceil(windowMs / WINDOW_UNIT_MS), 'windowMs'),
    windowOptimized: true,
  };
}

function slotsBetween(fromMs: number, toMs: number, genesisMs = 0): number {
  return Math.floor((toMs - genesisMs) / SLOT_MS) - Math.floor((fromMs - genesisMs) / SLOT_MS);
}
