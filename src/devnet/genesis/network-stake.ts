/** What a person is told of the stake that others are taken to have. */

import type { Ledger } from '../../ledger/ledger.js';
import { phantomStake } from '../../ledger/stake/phantom-stake.js';
import { NETWORK_STAKES, WEIGHT_PROPERTIES } from '../../parameters/network-stakes.js';
import { resourceTotals } from '../../resources/rules.js';

export interface NetworkStakeReport {
  /** `mainnet@2025-12`, `none`, or `custom` for any other figures. */
  readonly name: string;
  /** What a staked TRX yields a day, all stakes of now counted; 0 while nobody has staked anything. */
  readonly energyPerTrx: number;
  readonly bandwidthPerTrx: number;
}

export function networkStakeReport(ledger: Ledger): NetworkStakeReport {
  const load = NETWORK_STAKES.find(({ values }) =>
    WEIGHT_PROPERTIES.every((name) => phantomStake(ledger, name) === (values[name] ?? 0n)),
  );
  const { energyLimit, energyWeight, netLimit, netWeight } = resourceTotals((name) => ledger.long(name));
  return {
    name: load?.name ?? 'custom',
    energyPerTrx: perTrx(energyLimit, energyWeight),
    bandwidthPerTrx: perTrx(netLimit, netWeight),
  };
}

function perTrx(limit: bigint, weight: bigint): number {
  return weight === 0n ? 0 : Number(limit) / Number(weight);
}
