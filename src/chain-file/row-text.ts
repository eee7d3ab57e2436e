/**
 * A row's value as readable JSON: amounts as text with a final `n`, bytes as hex, default members left out. A value
 * that would not decode to the same bytes is written as bytes.
 */

import { bytesToHex, hexToBytes } from '../primitives/hex.js';
import type { RowName } from '../state/remote-rows.js';
import type { TableSpec } from '../state/table-spec.js';
import { TABLES } from '../state/tables.js';

type TableName = RowName['table'];

type Row = Readonly<Record<string, unknown>>;

export function rowText(table: TableName, bytes: Uint8Array): unknown {
  const spec = specOf(table);
  const empty = emptyMessage(spec);
  const value = spec.decode(bytes);
  const shown =
    empty === undefined
      ? value
      : Object.fromEntries(Object.entries(value as Row).filter(([name, member]) => text(member) !== text(empty[name])));
  const written = JSON.parse(text(shown) ?? 'null') as unknown;
  try {
    if (bytesToHex(readRowText(table, written)) === bytesToHex(bytes)) return written;
  } catch {
    // Falls back to bytes.
  }
  return { bytes: bytesToHex(bytes) };
}

/** @throws Error if it is not a row of the table */
export function readRowText(table: TableName, written: unknown): Uint8Array {
  const { bytes } = written as { readonly bytes?: unknown };
  if (typeof bytes === 'string' && Object.keys(written as Row).length === 1) return hexToBytes(bytes);
  const spec = specOf(table);
  const value = JSON.parse(JSON.stringify(written), (_, member: unknown) => {
    if (typeof member === 'string' && /^-?\d+n$/.test(member)) return BigInt(member.slice(0, -1));
    if (!isRow(member)) return member;
    if (Array.isArray(member.map)) return new Map(member.map as [unknown, unknown][]);
    return typeof member.hex === 'string' ? hexToBytes(member.hex) : member;
  }) as unknown;
  const empty = emptyMessage(spec);
  if (empty !== undefined && !isRow(value)) throw new Error('it is not an object');
  const bytesOfRow = spec.encode(empty === undefined ? value : { ...empty, ...(value as Row) });
  // An edited value may be encoded as something else, or not at all.
  requireSame(value, spec.decode(bytesOfRow), empty !== undefined);
  return bytesOfRow;
}

function requireSame(written: unknown, read: unknown, byMember: boolean): void {
  if (!byMember) {
    if (text(written) !== text(read))
      throw new Error(`it has ${abbreviated(written)}, which means ${abbreviated(read)}`);
    return;
  }
  for (const [name, member] of Object.entries(written as Row))
    if (text(member) !== text((read as Row)[name])) throw new Error(`its ${name} says ${abbreviated(member)}`);
}

const abbreviated = (value: unknown): string => (text(value) ?? 'nothing').slice(0, 60);

function specOf(table: TableName): TableSpec<unknown> {
  return TABLES[table] as unknown as TableSpec<unknown>;
}

/** The message that zero bytes decode to; undefined if the table does not hold messages. */
function emptyMessage(spec: TableSpec<unknown>): Row | undefined {
  try {
    const value = spec.decode(new Uint8Array());
    return isRow(value) && !(value instanceof Uint8Array) && !(value instanceof Map) ? value : undefined;
  } catch {
    return undefined;
  }
}

const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null && !Array.isArray(value);

function text(value: unknown): string | undefined {
  return JSON.stringify(value, (_, member: unknown) => {
    if (typeof member === 'bigint') return `${member}n`;
    if (member instanceof Map) return { map: [...member] };
    return member instanceof Uint8Array ? { hex: bytesToHex(member) } : member;
  });
}
