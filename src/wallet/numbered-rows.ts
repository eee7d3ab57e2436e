/** Lists of numbered objects: proposals and exchanges (protocol/http-endpoints.md#proposals-and-exchanges). */

import { byteLength, type Hex } from '../primitives/hex.js';
import type { PaginatedMessage } from '../protocol/generated/api.js';

const MAX_ROWS_PER_PAGE = 1000n;

/** Newest first; rows of the same time stay in their order. */
export function newestFirst<Row extends { readonly create_time: bigint }>(rows: readonly Row[]): Row[] {
  return [...rows].sort((a, b) => Number(b.create_time - a.create_time));
}

/**
 * Rows `offset` + 1 to `offset` + `limit` by id, without missing ones.
 *
 * @param latest the highest id
 * @returns undefined for an invalid page
 */
export function pageOfNumbered<Row>(
  { offset, limit }: PaginatedMessage,
  latest: bigint,
  find: (id: bigint) => Row | undefined,
): Row[] | undefined {
  if (offset < 0n || limit < 0n || offset >= latest) return undefined;
  const rows: Row[] = [];
  const count = limit < MAX_ROWS_PER_PAGE ? limit : MAX_ROWS_PER_PAGE;
  for (let id = offset + 1n; id <= offset + count && id <= latest; id++) {
    const row = find(id);
    if (row !== undefined) rows.push(row);
  }
  return rows;
}

/**
 * @param value the eight bytes of an id, most significant first @returns undefined for other lengths, and for no row
 */
export function rowOfNumberBytes<Row>(value: Hex, find: (id: bigint) => Row | undefined): Row | undefined {
  return byteLength(value) === 8 ? find(BigInt.asIntN(64, BigInt(`0x${value}`))) : undefined;
}
