/**
 * The network rows that a transaction of a fork read, with the network's block of each. Nodes serve only their head, so
 * rows that were first read at different times are from different blocks.
 */

import { applyTransaction } from '../../ledger/apply-transaction.js';
import { Ledger } from '../../ledger/ledger.js';
import { type Address, isAddress } from '../../primitives/ids.js';
import { toBase58 } from '../../protocol/address.js';
import { RowsRead } from '../../state/fork/rows-read.js';
import type { RowName } from '../../state/remote-rows.js';
import { State } from '../../state/state.js';
import { TABLES } from '../../state/tables.js';
import { TouchedRows } from '../../tracing/touched-rows.js';
import { storageRowKey } from '../../tvm/storage.js';
import { wordToHex } from '../../tvm/words.js';
import type { AssumptionReport, NetworkRow, NetworkRows } from '../model/explanation.js';
import { assumptionsTouched } from './assumptions-touched.js';
import type { Scene } from './in-place.js';

const MAX_ROWS = 1_000;

/** The network rows that a transaction of a fork read, and the assumptions that may matter to its cost. */
export interface NetworkDependence {
  /** Absent if all rows are from one block. */
  readonly networkRows?: NetworkRows;
  /** Absent if there are none. */
  readonly assumptions?: readonly AssumptionReport[];
}

/**
 * Empty on a chain that is not a fork.
 *
 * @param energyLimit as for a trial run; absent: what caller and deployer can pay for
 */
export function networkDependence(
  { before, place, transaction, index }: Scene,
  energyLimit?: number,
): NetworkDependence {
  const { beginsAt: begunAtBlock } = before.config;
  if (begunAtBlock === 0) return {};
  // A new layer over the state before: its first reads are those of the transaction.
  const read = new RowsRead(before.state);
  const after = new Ledger(new State(read), before.config);
  const touched = new TouchedRows();
  const { charges } = applyTransaction(after, place, transaction, index, {
    tracer: touched,
    ...(energyLimit !== undefined && { energyLimit }),
  });

  const fetched = read.names.flatMap((name) => {
    const { prefix, decode } = TABLES[name.table];
    const value = before.state.fetched(prefix + name.key);
    if (value === undefined) return [];
    return [{ ...name, readAtBlock: value.readAtBlock, value: value.value && decode(value.value) }];
  });
  const { votesRead } = touched;
  const facts = { rows: fetched, before, after, timestampMs: place.timestampMs, charges, votesRead };
  const assumptions = assumptionsTouched(facts).map(assumptionReport);
  return {
    ...(fetched.some(({ readAtBlock }) => readAtBlock !== begunAtBlock) && {
      networkRows: networkRows(begunAtBlock, fetched, slotsByRow(after, touched)),
    }),
    ...(assumptions.length > 0 && { assumptions }),
  };
}

type Fetched = RowName & { readonly readAtBlock: number };

function networkRows(begunAtBlock: number, fetched: readonly Fetched[], slots: Slots): NetworkRows {
  const rows = fetched.map((row) => networkRow(row, slots, row.readAtBlock));
  rows.sort((one, other) => one.readAtBlock - other.readAtBlock);
  return { begunAtBlock, count: rows.length, rows: rows.slice(0, MAX_ROWS) };
}

function assumptionReport({ assumption, rows }: ReturnType<typeof assumptionsTouched>[number]): AssumptionReport {
  const { name, unknown, assumed, effect } = assumption;
  return {
    name,
    unknown,
    assumed,
    effect,
    of: [...new Set(rows.map(({ key }) => (isAddress(key) ? toBase58(key) : key)))],
  };
}

type Slots = ReadonlyMap<string, { readonly contract: Address; readonly slot: bigint }>;

function slotsByRow({ state }: Ledger, { accounts }: TouchedRows): Slots {
  return new Map(
    [...accounts].flatMap(([contract, slots]) => {
      const record = slots.size === 0 ? undefined : state.tables.contracts.get(contract);
      if (record === undefined) return [];
      return [...slots].map((slot) => [storageRowKey(contract, record, slot), { contract, slot }] as const);
    }),
  );
}

function networkRow({ table, key }: RowName, slots: Slots, readAtBlock: number): NetworkRow {
  const ofSlot = table === 'storage' ? slots.get(key) : undefined;
  if (ofSlot !== undefined) {
    const { contract, slot } = ofSlot;
    return { table, key, of: toBase58(contract), slot: `0x${wordToHex(slot)}`, readAtBlock };
  }
  return { table, key, ...(isAddress(key) && { of: toBase58(key) }), readAtBlock };
}
