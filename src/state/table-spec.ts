/** Declaration of a table, and the source of its rows: shared by tables, journal, views and stores. */

/** Declares a table: its prefix in the store, and its encoding. */
export interface TableSpec<Value> {
  readonly name: string;
  /** Unique, ends in `:`, prefix of every key in the store. It never changes, because it is the disk format. */
  readonly prefix: string;
  readonly encode: (value: Value) => Uint8Array;
  readonly decode: (bytes: Uint8Array) => Value;
  /**
   * A resident table is completely in memory, so that it can be scanned: LevelDB has no synchronous iterator, and
   * block execution never awaits. For small tables (witnesses, votes of the epoch, proposals, order books).
   */
  readonly resident?: boolean;
  /** Number of decoded rows that a non-resident table keeps before it drops them all. */
  readonly keptRows?: number;
  /** As how many rows a row counts that may be very large. Absent: 1. */
  readonly weightOf?: (value: Value) => number;
  /**
   * For tables whose rows belong to a block and never change later: the block's number. Older heights do not have the
   * row.
   */
  readonly bornAt?: (key: string, value: Value) => number;
}

/** A fetched value. */
export interface FetchedValue {
  /** In the table's encoding; undefined: the row does not exist. */
  readonly value: Uint8Array | undefined;
  /** The remote's head at the time of the read. */
  readonly readAtBlock: number;
}

/** The source of rows that a table has not read yet: a store, or a view of another state. */
export interface RowSource {
  /** As of a store. */
  readonly elsewhere?: ReadonlySet<string> | undefined;
  /** As of a store: rows of older blocks are not read. Undefined: any may be. */
  readonly keptBlocks?: number | undefined;
  /** As of a store. */
  fetched?(key: string): FetchedValue | undefined;
  read<Value>(spec: TableSpec<Value>, key: string): Value | undefined;
  /** Every row of a resident table. */
  scan<Value>(spec: TableSpec<Value>): Iterable<readonly [key: string, value: Value]>;
  /**
   * The last row of a resident table up to `key`. A source with this method avoids scans of tables that grow with the
   * chain (`bornAt`).
   */
  atOrBefore?<Value>(spec: TableSpec<Value>, key: string): readonly [key: string, value: Value] | undefined;
}
