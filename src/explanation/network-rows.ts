/**
 * The rows of the network that a transaction of a fork read, with the network's block at which the fork read each. Nodes
 * answer for their head only, so rows that were first read at different times are of different blocks.
 */

import { applyTransaction } from '../ledger/apply-transaction.js';
import { Ledger } from '../ledger/ledger.js';
import { type Address, isAddress } from '../primitives/ids.js';
import { toBase58 } from '../protocol/address.js';
import type { RowName } from '../state/fork/remote-rows.js';
import { RowsRead } from '../state/fork/rows-read.js';
import { State } from '../state/state.js';
import { TABLES } from '../state/tables.js';
import { TouchedRows } from '../tracing/touched-rows.js';
import { storageRowKey } from '../tvm/storage.js';
import { wordToHex } from '../tvm/words.js';
import type { NetworkRow, NetworkRows } from './explanation.js';
import type { Scene } from './in-place.js';

const MOST_ROWS = 1_000;

/** @returns undefined where all of them are of one block, and for a chain that is no fork, which pays nothing for this */
export function networkRowsOf({ before, place, transaction, index }: Scene): NetworkRows | undefined {
  const { beginsAt: begunAtBlock } = before.config;
  if (begunAtBlock === 0) return undefined;
  // A state of its own over the one before: what it reads there first is what the transaction reads.
  const read = new RowsRead(before.state);
  const ledger = new Ledger(new State(read), before.config);
  const touched = new TouchedRows();
  applyTransaction(ledger, place, transaction, index, { tracer: touched });

  const ofNetwork = read.names.flatMap((name) => {
    const readAtBlock = before.state.readAtBlock(TABLES[name.table].prefix + name.key);
    return readAtBlock === undefined ? [] : [{ name, readAtBlock }];
  });
  if (ofNetwork.every(({ readAtBlock }) => readAtBlock === begunAtBlock)) return undefined;
  const slots = slotsByRow(ledger, touched);
  const rows = ofNetwork.map(({ name, readAtBlock }) => networkRow(name, slots, readAtBlock));
  rows.sort((one, other) => one.readAtBlock - other.readAtBlock);
  return { begunAtBlock, count: rows.length, rows: rows.slice(0, MOST_ROWS) };
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
