/**
 * What a fork begins with in place of a genesis block: the head of another chain, and what that chain's state had in the
 * tables that are whole in memory. Everything else is asked for when it is first read (`state/fork/`).
 */

import { type Hex, hexToBytes } from '../../primitives/hex.js';
import type { BlockId } from '../../primitives/ids.js';
import { BlockHeader } from '../../protocol/generated/tron.js';
import type { Table } from '../../state/table.js';
import { numberKey, type TABLES } from '../../state/tables.js';
import type { Ledger } from '../ledger.js';
import { electActiveWitnesses, hasSchedule, rankStandbyWitnesses, setActiveWitnesses } from '../schedule/schedule.js';
import type { AssumptionName } from './fork-assumptions.js';

/** A row as its table writes it, in hex. */
export type ForkedRow = readonly [table: keyof typeof TABLES, key: string, value: Hex];

export interface ForkBase {
  /** Number and id of the block above which the fork begins. */
  readonly number: number;
  readonly id: BlockId;
  /** `protocol.BlockHeader` of it. */
  readonly header: Hex;
  /** Of the other chain. */
  readonly genesisId: BlockId;
  /** The fork's own, four bytes; absent: it is the other chain's, the last ones of `genesisId`. */
  readonly chainId?: Hex | undefined;
  /** What was assumed of the other chain where nobody could be asked. */
  readonly assumptions?: readonly AssumptionName[];
  /** Witnesses, proposals, tokens, …: of tables that are read whole. */
  readonly rows: readonly ForkedRow[];
}

/**
 * The row of `meta` that says which rows of a table the other chain's node had not merged into its store yet: their keys,
 * in the order in which it listed them, ahead of the others.
 */
export const unmergedRow = (table: keyof typeof TABLES): string => `unmerged:${table}`;

/** What a fork goes by where other chains have the id of their genesis block: chain ids are its last four bytes. */
export function identityOf({ genesisId, chainId }: ForkBase): BlockId {
  return chainId === undefined ? genesisId : (`${genesisId.slice(0, -8)}${chainId}` as BlockId);
}

/**
 * Writes the base into a state that has the properties of its chain. The base counts as solid. A schedule that is not
 * among the properties is the one by the votes that the witnesses have: nodes tell those of the last maintenance.
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
  tables.blocks.set(numberKey(number), { id, header, transactionIds: [], logFilter: new Uint8Array() });
}

/** Time of the block above which the fork began. */
export function forkedAtMs({ state, config }: Ledger): bigint {
  return state.tables.blocks.get(numberKey(config.beginsAt))?.header.raw_data?.timestamp ?? 0n;
}

/** Whether a fork has had a maintenance of its own. */
export function endedAnEpoch(fork: Ledger): boolean {
  return fork.long('NEXT_MAINTENANCE_TIME') - fork.long('MAINTENANCE_TIME_INTERVAL') > forkedAtMs(fork);
}
