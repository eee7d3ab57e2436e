/**
 * The start of a fork, instead of a genesis block: the head of its network, and the rows of the tables that are
 * resident in memory. All other rows are fetched on first read (`state/fork/`).
 */

import { type Hex, hexToBytes } from '../../primitives/hex.js';
import type { BlockId } from '../../primitives/ids.js';
import { BlockHeader } from '../../protocol/generated/tron.js';
import type { Table } from '../../state/table.js';
import { numberKey, type TABLES } from '../../state/tables.js';
import type { Ledger } from '../ledger.js';
import { electActiveWitnesses, hasSchedule, rankStandbyWitnesses, setActiveWitnesses } from '../schedule/schedule.js';
import type { AssumptionName } from './fork-assumptions.js';

/** A row in its stored form, as hex. */
export type ForkedRow = readonly [table: keyof typeof TABLES, key: string, value: Hex];

export interface ForkBase {
  /** Number and id of the block before the fork's first one. */
  readonly number: number;
  readonly id: BlockId;
  /** Its `protocol.BlockHeader`. */
  readonly header: Hex;
  /** Of the forked network. */
  readonly genesisId: BlockId;
  /** The fork's own chain id, four bytes; absent: the network's, the last bytes of `genesisId`. */
  readonly chainId?: Hex | undefined;
  /** Values that were assumed because no interface serves them. */
  readonly assumptions?: readonly AssumptionName[];
  /** Witnesses, proposals, tokens, …: tables that are read completely. */
  readonly rows: readonly ForkedRow[];
}

/**
 * The row of `meta` with the rows of a table that the network's node had not merged into its store yet: their keys, in
 * the order of its lists, before the others.
 */
export const unmergedRow = (table: keyof typeof TABLES): string => `unmerged:${table}`;

/** Replaces the id of the genesis block on a fork: its last four bytes are the chain id. */
export function identityOf({ genesisId, chainId }: ForkBase): BlockId {
  return chainId === undefined ? genesisId : (`${genesisId.slice(0, -8)}${chainId}` as BlockId);
}

/**
 * Writes the base into a state that has the properties of its chain. The base block counts as solidified. A missing
 * schedule is derived from the votes of the witnesses: nodes serve those of the last maintenance.
 */
export function applyForkBase(ledger: Ledger, { number, id, header: headerHex, rows }: ForkBase): void {
  const { tables } = ledger.state;
  for (const [name, key, value] of rows) {
    const table = tables[name] as unknown as Table<string, unknown>;
    table.add(key, table.spec.decode(hexToBytes(value)));
  }
  const header = BlockHeader.decode(hexToBytes(headerHex));
  ledger.setLong('latest_block_header_number', BigInt(number));
  ledger.setLong('latest_block_header_timestamp', header.raw_data?.timestamp ?? 0n);
  ledger.setText('latest_block_header_hash', id);
  ledger.setLong('LATEST_SOLIDIFIED_BLOCK_NUM', BigInt(number));
  if (!hasSchedule(ledger)) {
    setActiveWitnesses(ledger, electActiveWitnesses(ledger));
    rankStandbyWitnesses(ledger);
  }
  tables.blocks.set(numberKey(number), { id, header, transactionIds: [], logIndex: new Uint8Array() });
}

/** Time of the block before the fork's first one. */
export function forkedAtMs({ state, config }: Ledger): bigint {
  return state.tables.blocks.get(numberKey(config.beginsAt))?.header.raw_data?.timestamp ?? 0n;
}

/** Whether the fork has had its own maintenance. */
export function endedAnEpoch(fork: Ledger): boolean {
  return fork.long('NEXT_MAINTENANCE_TIME') - fork.long('MAINTENANCE_TIME_INTERVAL') > forkedAtMs(fork);
}
