import { OperationError } from '../../errors/operation-error.js';
import type { WeightProperty } from '../../parameters/network-stakes.js';
import { dayUsage } from '../../resources/recovery.js';
import type { Ledger } from '../ledger.js';
import { setTotalStake } from '../stake/phantom-stake.js';
import { rulesOf } from '../stake/staking.js';
import { setChainParameters } from './chain-parameters.js';

/** Totals of the network: stakes in whole TRX, daily Energy and bytes. */
export interface NetworkTotals {
  readonly totalEnergyWeight: bigint;
  readonly totalNetWeight: bigint;
  readonly totalTronPowerWeight: bigint;
  readonly totalEnergyCurrentLimit: bigint;
  readonly totalNetLimit: bigint;
  /** Used part of the network's free bandwidth; it recovers within a day. */
  readonly publicNetUsage: bigint;
}

const WEIGHTS: readonly (readonly [keyof NetworkTotals, WeightProperty])[] = [
  ['totalEnergyWeight', 'TOTAL_ENERGY_WEIGHT'],
  ['totalNetWeight', 'TOTAL_NET_WEIGHT'],
  ['totalTronPowerWeight', 'TOTAL_TRON_POWER_WEIGHT'],
];

/**
 * Sets the named totals by changing the phantom stake; later stakes change them as usual.
 *
 * @returns all totals
 * @throws OperationError for less stake than the accounts have, and for limits that no committee could set
 * @example setNetworkTotals(ledger, { totalEnergyWeight: 19_125_511_029n })
 */
export function setNetworkTotals(ledger: Ledger, wanted: Partial<NetworkTotals>): NetworkTotals {
  for (const [name, property] of WEIGHTS) {
    const coins = wanted[name];
    if (coins !== undefined) setTotalStake(ledger, property, coins);
  }
  const { totalEnergyCurrentLimit, totalNetLimit, publicNetUsage } = wanted;
  if (totalEnergyCurrentLimit !== undefined) {
    setChainParameters(ledger, { values: { getTotalEnergyCurrentLimit: totalEnergyCurrentLimit } });
    // The parameter does not change it while the limit follows the demand.
    ledger.setLong('TOTAL_ENERGY_CURRENT_LIMIT', totalEnergyCurrentLimit);
  }
  if (totalNetLimit !== undefined) setChainParameters(ledger, { values: { getTotalNetLimit: totalNetLimit } });
  if (publicNetUsage !== undefined) setPublicUsage(ledger, publicNetUsage);
  return {
    totalEnergyWeight: ledger.long('TOTAL_ENERGY_WEIGHT'),
    totalNetWeight: ledger.long('TOTAL_NET_WEIGHT'),
    totalTronPowerWeight: ledger.long('TOTAL_TRON_POWER_WEIGHT'),
    totalEnergyCurrentLimit: ledger.long('TOTAL_ENERGY_CURRENT_LIMIT'),
    totalNetLimit: ledger.long('TOTAL_NET_LIMIT'),
    publicNetUsage: dayUsage(
      ledger.long('PUBLIC_NET_USAGE'),
      0n,
      ledger.long('PUBLIC_NET_TIME'),
      ledger.headSlot,
      rulesOf(ledger),
    ),
  };
}

function setPublicUsage(ledger: Ledger, bytes: bigint): void {
  const limit = ledger.long('PUBLIC_NET_LIMIT');
  if (bytes < 0n || bytes > limit) throw new OperationError(`publicNetUsage must be 0 to ${limit}, got ${bytes}`);
  ledger.setLong('PUBLIC_NET_USAGE', bytes);
  ledger.setLong('PUBLIC_NET_TIME', ledger.headSlot);
}
