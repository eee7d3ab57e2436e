/** Decoded rows of a store: the source below the head state. */

import type { Store } from './store.js';
import type { FetchedValue, RowSource, TableSpec } from './table-spec.js';
import { TABLES } from './tables.js';

export class StoreSource implements RowSource {
  private constructor(
    private readonly store: Store,
    private readonly residents: ReadonlyMap<string, readonly (readonly [string, unknown])[]>,
  ) {}

  get keptBlocks(): number | undefined {
    return this.store.keptBlocks;
  }

  /** Reads the resident tables; other rows are read on demand, so a large chain opens as fast as a small one. */
  static async open(store: Store): Promise<StoreSource> {
    const residents = new Map<string, (readonly [string, unknown])[]>();
    for (const spec of Object.values(TABLES) as TableSpec<unknown>[]) {
      if (!spec.resident) continue;
      const rows: (readonly [string, unknown])[] = [];
      for await (const { key, value } of store.rows(spec.prefix)) {
        rows.push([key.slice(spec.prefix.length), spec.decode(value)]);
      }
      residents.set(spec.name, rows);
    }
    return new StoreSource(store, residents);
  }

  get elsewhere(): ReadonlySet<string> | undefined {
    return this.store.elsewhere;
  }

  fetched(key: string): FetchedValue | undefined {
    return this.store.fetched?.(key);
  }

  read<Value>(spec: TableSpec<Value>, key: string): Value | undefined {
    const bytes = this.store.get(spec.prefix + key);
    return bytes === undefined ? undefined : spec.decode(bytes);
  }

  scan<Value>(spec: TableSpec<Value>): Iterable<readonly [string, Value]> {
    return (this.residents.get(spec.name) ?? []) as readonly (readonly [string, Value])[];
  }
}
