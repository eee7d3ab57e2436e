/** Recovery of used Bandwidth and Energy: the remaining usage at a time, and the time of a full recovery. */

import type { UsageWindow } from '../resources/metered-account.js';
import { recoveredInOwnWindow, windowPrecise, windowSlots } from '../resources/recovery.js';
import type { AccountAnswer } from './account.js';
import { amount, counted } from './amounts.js';
import { daySlots, SLOT_MS, type Slots } from './slots.js';

/** The network stores windows in thousandths of a slot. */
const WINDOW_UNITS = 1_000;
/** A usage at a time; it recovers linearly over its window. */
export interface Usage extends Slots {
  /** Energy or bytes. */
  readonly used: number;
  /** Milliseconds since 1970: time of the head block of the answer or the transaction. */
  readonly atMs: number;
  /** Milliseconds until full recovery. Default: 24 hours. */
  readonly windowMs?: number | undefined;
}

/**
 * Usages in an answer of `getaccount`. They are exact to one unit, because the node has rounded once for the answer.
 *
 * @param headTimeMs timestamp of the node's head block (`getnowblock`)
 * @param slots if they differ from the main network's; a number is its `genesisMs`
 */
export function usagesFrom(
  answer: AccountAnswer,
  headTimeMs: number,
  slots: Slots | number = 0,
): { readonly energy: Usage; readonly bandwidth: Usage; readonly freeBandwidth: Usage } {
  const { genesisMs = 0, slotMs = SLOT_MS } = typeof slots === 'number' ? { genesisMs: slots } : slots;
  const of = { atMs: headTimeMs, genesisMs, slotMs };
  const energy = answer.account_resource ?? {};
  const lastFreeMs = counted(amount(answer.latest_consume_free_time, 'latest_consume_free_time'));
  return {
    energy: {
      used: counted(amount(energy.energy_usage, 'energy_usage')),
      ...of,
      windowMs: windowMs(
        amount(energy.energy_window_size, 'energy_window_size'),
        energy.energy_window_optimized ?? false,
        slotMs,
      ),
    },
    bandwidth: {
      used: counted(amount(answer.net_usage, 'net_usage')),
      ...of,
      windowMs: windowMs(
        amount(answer.net_window_size, 'net_window_size'),
        answer.net_window_optimized ?? false,
        slotMs,
      ),
    },
    freeBandwidth: {
      used: counted(amount(answer.free_net_usage, 'free_net_usage')),
      ...of,
      windowMs: Math.max(
        slotMs,
        daySlots(slotMs) * slotMs - slotsBetween({ ...of, atMs: lastFreeMs }, headTimeMs) * slotMs,
      ),
    },
  };
}

function windowMs(windowSize: bigint, windowOptimized: boolean, slotMs: number): number {
  const window = { usage: 0n, lastSlot: 0n, windowSize, windowOptimized };
  return (counted(windowPrecise(window, { daySlots: BigInt(daySlots(slotMs)) })) * slotMs) / WINDOW_UNITS;
}

/**
 * The remaining usage at a time, as a transaction finds it whose block follows a head block of that time.
 *
 * @example usedAt({ used: 534, atMs: 0 }, 43_200_000) // 267: after half a day, half has recovered
 */
export function usedAt(usage: Usage, timeMs: number): number {
  const slots = slotsBetween(usage, timeMs);
  return slots <= 0 ? usage.used : usedAfter(windowOf(usage), slots);
}

/**
 * The first time, in steps of slots, at which at most `atMost` is in use.
 *
 * @param atMost 0: full recovery. For a transaction to fit: limit minus its need.
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
  const { atMs, genesisMs = 0, slotMs = SLOT_MS } = usage;
  return atMs - ((atMs - genesisMs) % slotMs) + low * slotMs;
}

function usedAfter(window: UsageWindow, slots: number): number {
  return counted(recoveredInOwnWindow(window, BigInt(slots)));
}

function windowOf({ used, slotMs = SLOT_MS, windowMs = daySlots(slotMs) * slotMs }: Usage): UsageWindow {
  return {
    usage: amount(used, 'used'),
    lastSlot: 0n,
    windowSize: amount(Math.ceil((windowMs * WINDOW_UNITS) / slotMs), 'windowMs'),
    windowOptimized: true,
  };
}

function slotsBetween(
  { atMs, genesisMs = 0, slotMs = SLOT_MS }: Pick<Usage, 'atMs' | 'genesisMs' | 'slotMs'>,
  toMs: number,
): number {
  return Math.floor((toMs - genesisMs) / slotMs) - Math.floor((atMs - genesisMs) / slotMs);
}
