/** An empty ledger at the genesis of a network, in which a fork's start data is built. */

import { type ChainConfig, NETWORK_SETTINGS } from '../../ledger/config.js';
import { Ledger } from '../../ledger/ledger.js';
import type { Address } from '../../primitives/ids.js';
import { State } from '../../state/state.js';
import type { RowSource } from '../../state/table-spec.js';
import type { ForkStart, TableName } from './fork-start.js';

/** Tables that are complete before the fork serves requests. */
export const START_TABLES = [
  'assets',
  'assetsByName',
  'earlierBlockIds',
  'exchanges',
  'exchangesByName',
  'longs',
  'marketOrders',
  'marketPairs',
  'marketPrices',
  'meta',
  'proposals',
  'texts',
  'votes',
  'witnessRewards',
  'witnesses',
] as const satisfies TableName[];

const NO_ROWS: RowSource = { read: () => undefined, scan: () => [] };

export function emptyLedger(genesis: ForkStart['genesis'], slotMs: bigint): Ledger {
  return new Ledger(new State(NO_ROWS), configOf(genesis, slotMs));
}

function configOf(genesis: ForkStart['genesis'], slotMs: bigint): ChainConfig {
  return {
    ...NETWORK_SETTINGS,
    slotMs,
    beginsAt: 0,
    genesisTimestampMs: genesis.timestampMs,
    genesisId: genesis.id,
    blackhole: '' as Address,
    genesisWitnesses: new Map(),
    genesisContracts: new Set(),
    genesisAccounts: new Set(),
    signFor: () => '',
  };
}
