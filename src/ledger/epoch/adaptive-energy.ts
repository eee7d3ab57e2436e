/**
 * Adjusts the daily Energy total to the demand (protocol/energy-factor.md#adaptive-energy-limit): after the
 * transactions of a block and before the rewards, with ALLOW_ADAPTIVE_ENERGY. The arithmetic is in
 * `resources/adaptive-energy.ts`.
 */

import { adaptedEnergy } from '../../resources/adaptive-energy.js';
import type { Ledger } from '../ledger.js';
import { rulesOf } from '../stake/staking.js';

export function adaptEnergyLimit(ledger: Ledger): void {
  if (!ledger.on('ALLOW_ADAPTIVE_ENERGY')) return;
  const before = {
    averageUsage: ledger.long('TOTAL_ENERGY_AVERAGE_USAGE'),
    averageSlot: ledger.long('TOTAL_ENERGY_AVERAGE_TIME'),
    currentLimit: ledger.long('TOTAL_ENERGY_CURRENT_LIMIT'),
  };
  const after = adaptedEnergy(before, {
    blockUsage: ledger.long('BLOCK_ENERGY_USAGE'),
    nowSlot: ledger.headSlot,
    minuteSlots: ledger.slotsIn(60_000n),
    targetLimit: ledger.long('TOTAL_ENERGY_TARGET_LIMIT'),
    baseLimit: ledger.long('TOTAL_ENERGY_LIMIT'),
    multiplier: ledger.long('ADAPTIVE_RESOURCE_LIMIT_MULTIPLIER'),
    rules: rulesOf(ledger),
  });
  ledger.setLong('TOTAL_ENERGY_AVERAGE_USAGE', after.averageUsage);
  ledger.setLong('TOTAL_ENERGY_AVERAGE_TIME', after.averageSlot);
  ledger.setLong('TOTAL_ENERGY_CURRENT_LIMIT', after.currentLimit);
}
