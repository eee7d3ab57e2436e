/**
 * The order in which java-tron scans a small table (protocol/http-endpoints.md#witnesses-nodes-node-info): first the
 * rows that lie in blocks which are not merged yet, as a Java map walks their keys, then the others by key; the
 * solidity view has nothing unmerged. Lists that the network answers unsorted come in this order, and sorted ones where
 * the sort leaves a tie.
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
 * @param javaKey the key of a row in java-tron's store, by ours
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
  // Rows that were deleted above the merged height count where the map grows, and are missing in the answer.
  const order = javaMapOrderOfHashes(unmerged.map((key) => javaBytesHash(hexToBytes(javaKey(key)))));
  const inOrder = written.length === 0 ? unmerged : order.map((at) => unmerged[at] as string);
  const keys = new Set([...inOrder, ...all.keys()]);
  return [...keys].filter((key) => all.has(key)).map((key) => [key, all.get(key) as Row<Name>] as const);
}

/** Of a fork, until its first block is merged: those that were unmerged when it began, in the network's order. */
function unmergedOfNetwork({ state, config }: Ledger, mergedHeight: number, table: keyof typeof TABLES): string[] {
  const keys = mergedHeight > config.beginsAt ? undefined : state.tables.meta.get(unmergedRow(table));
  return keys?.split(' ') ?? [];
}

/** Key of a store that java-tron keys with the eight bytes of a number, by `numberKey`. */
export function javaNumberKey(key: string): Hex {
  return key.padStart(16, '0');
}
