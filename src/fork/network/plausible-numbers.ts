/**
 * Usages that no node can have in its state. A network that answers with one is broken, and the consequences would
 * appear much later, in an unrelated transaction.
 */

import type { Account } from '../../protocol/generated/tron.js';
import { type NetworkTerms, slotOf } from '../terms/network-terms.js';
import { badAnswer, type RequestContext } from './answers.js';

/** Windows count slots, or thousandths of a slot. */
const FINE = 1_000n;

/**
 * Windows are at most a day, and times are not in the future. The head may have advanced since.
 *
 * @param answered the node's answer; times in milliseconds except those of tokens
 * @throws RemoteError
 */
export function requirePlausibleUsages(
  answered: Account,
  headSlot: bigint,
  terms: NetworkTerms,
  asked: RequestContext,
): void {
  const { daySlots } = terms.rules;
  const { account_resource: resource } = answered;
  const times: Readonly<Record<string, bigint>> = {
    latest_consume_time: slotOf(terms, answered.latest_consume_time),
    latest_consume_free_time: slotOf(terms, answered.latest_consume_free_time),
    latest_consume_time_for_energy: slotOf(terms, resource?.latest_consume_time_for_energy ?? 0n),
    latest_asset_operation_time: latest(answered.latest_asset_operation_time),
    latest_asset_operation_timeV2: latest(answered.latest_asset_operation_timeV2),
  };
  for (const [name, slot] of Object.entries(times))
    if (slot > headSlot + daySlots) throw badAnswer(asked, `its ${name} is more than a day after the head`);
  const windows = { net_window_size: answered.net_window_size, energy_window_size: resource?.energy_window_size ?? 0n };
  for (const [name, size] of Object.entries(windows))
    if (size > daySlots * FINE) throw badAnswer(asked, `its ${name} is ${size}, more than a day`);
}

function latest(slots: ReadonlyMap<string, bigint>): bigint {
  let last = 0n;
  for (const slot of slots.values()) if (slot > last) last = slot;
  return last;
}
