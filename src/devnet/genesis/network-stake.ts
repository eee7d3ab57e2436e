/** A report of the stake of others, and of the capacity of one staked TRX. */

import type { Ledger } from '../../ledger/ledger.js';
import { phantomStake } from '../../ledger/stake/phantom-stake.js';
import { NETWORK_STAKES, WEIGHT_PROPERTIES } from '../../parameters/network-stakes.js';
import { resourceTotals } from '../../resources/rules.js';

export interface NetworkStakeReport {
  /** `mainnet@2025-12`, `none`, or `custom` for other figures. */
  readonly name: string;
  /** The daily Energy of one staked TRX at the present total stake; 0 if there is no stake. */
  readonly energyPerTrx: number;
  readonly bandwidthPerTrx: number;
}

export function networkStakeReport(ledger: Ledger): NetworkStakeReport {
  const known = NETWORK_STAKES.find(({ values }) =>
    WEIGHT_PROPERTIES.every((name) => phantomStake(ledger, name) === (values[name] ?? 0n)),
  );
  const { energyLimit, energyWeight, netLimit, netWeight } = resourceTotals((name) => ledger.long(name));
  return {
    name: known?.name ?? 'custom',
    energyPerTrx: perTrx(energyLimit, energyWeight),
    bandwidthPerTrx: perTrx(netLimit, netWeight),
  };
}

function perTrx(limit: bigint, weight: bigint): number {
  return weight === 0n ? 0 : Number(limit) / Number(weight);
}
