/**
 * The order of java-tron's scan of a small table (protocol/http-endpoints.md#witnesses-nodes-node-info): first the
 * rows of unmerged blocks in the order of a Java map, then the others by key; the solidity view has nothing unmerged.
 * Unsorted lists of the network have this order, and sorted ones among ties.
 */

import { unmergedRow } from '../ledger/genesis/fork-base.js';
import type { Ledger } from '../ledger/ledger.js';
import { type Hex, hexToBytes } from '../primitives/hex.js';
import { javaBytesHash, javaMapOrderOfHashes } from '../protocol/json/java-map-order.js';
import type { Table } from '../state/table.js';
import type { TABLES } from '../state/tables.js';
import type { WalletContext } from './context.js';

type Tables = WalletContext['ledger']['state']['tables'];
type Row<Name extends keyof Tables> = Tables[Name] extends Table<string, infer Value> ? Value : never;

/**
 * The rows of a resident table.
 *
 * @param javaKey a row's key in java-tron's store, by Sunup's key
 */
export function inScanOrder<Name extends keyof typeof TABLES>(
  { ledger, node, solid }: WalletContext,
  table: Name,
  javaKey: (key: string) => Hex = (key) => key,
): (readonly [key: string, row: Row<Name>])[] {
  const rows = ledger.state.tables[table].entries() as readonly (readonly [string, Row<Name>])[];
  const written = solid ? [] : [...node.chain.commits.keysWrittenSince(node.chain.mergedHeight, table)];
  const ofNetwork = solid ? [] : unmergedOfNetwork(ledger, node.chain.mergedHeight, table);
  if (written.length + ofNetwork.length === 0) return [...rows];
  const all = new Map(rows);
  const unmerged = [...new Set([...ofNetwork, ...written])];
  // Rows that were deleted above the merged height count for the map's growth, but are not in the answer.
  const order = javaMapOrderOfHashes(unmerged.map((key) => javaBytesHash(hexToBytes(javaKey(key)))));
  const inOrder = written.length === 0 ? unmerged : order.map((at) => unmerged[at] as string);
  const keys = new Set([...inOrder, ...all.keys()]);
  return [...keys].filter((key) => all.has(key)).map((key) => [key, all.get(key) as Row<Name>] as const);
}

/** On a fork, until its first block is merged: the rows that were unmerged at its start, in the network's order. */
function unmergedOfNetwork({ state, config }: Ledger, mergedHeight: number, table: keyof typeof TABLES): string[] {
  const keys = mergedHeight > config.beginsAt ? undefined : state.tables.meta.get(unmergedRow(table));
  return keys?.split(' ') ?? [];
}

/** Key of a store that java-tron keys with the eight bytes of a number, by `numberKey`. */
export function javaNumberKey(key: string): Hex {
  return key.padStart(16, '0');
}
