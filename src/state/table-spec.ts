/** A table as it is declared, and where its rows come from: what tables, journal, views and stores have in common. */

/** Declares a table: where its rows lie in the store and how they are written. */
export interface TableSpec<Value> {
  readonly name: string;
  /** Unique, ends in `:`, first part of every key in the store. Never changed: it is the disk format. */
  readonly prefix: string;
  readonly encode: (value: Value) => Uint8Array;
  readonly decode: (bytes: Uint8Array) => Value;
  /**
   * A resident table is whole in memory from the start, so that it can be scanned: LevelDB has no synchronous iterator
   * and block execution never awaits. For tables that stay small (witnesses, votes of the epoch, proposals, books).
   */
  readonly resident?: boolean;
  /** How many decoded rows a table that is not resident keeps across blocks before it drops them all. */
  readonly keptRows?: number;
  /**
   * For tables whose rows say themselves since which block they are there, and do not change in later ones: the number of
   * the block. Older heights do not have the row.
   */
  readonly bornAt?: (key: string, value: Value) => number;
}

/** What another chain had. */
export interface FetchedValue {
  /** As the table writes it; undefined: there is no such row. */
  readonly value: Uint8Array | undefined;
  /** The remote's head when it was read. */
  readonly readAtBlock: number;
}

/** Where rows come from that the table has not seen yet: a store, or the view of another state. */
export interface RowSource {
  /** As of a store. */
  readonly elsewhere?: ReadonlySet<string> | undefined;
  /** As of a store: rows of older blocks are not asked for. Undefined: any may be. */
  readonly keptBlocks?: number | undefined;
  /** As of a store. */
  fetched?(key: string): FetchedValue | undefined;
  read<Value>(spec: TableSpec<Value>, key: string): Value | undefined;
  /** Every row of a resident table. */
  scan<Value>(spec: TableSpec<Value>): Iterable<readonly [key: string, value: Value]>;
  /**
   * The last row of a resident table that is not after `key`. A source that has this spares its tables a scan of what
   * grows with the chain (`bornAt`).
   */
  atOrBefore?<Value>(spec: TableSpec<Value>, key: string): readonly [key: string, value: Value] | undefined;
}
