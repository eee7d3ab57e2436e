/** Finds the tables that may have a row: on each level above 0 by binary search, on level 0 one by one. */

import type { TableFile } from '../../platform/leveldb-files.js';
import { lowerBound } from '../../primitives/lower-bound.js';

/** In order, without keys in common. */
interface Level {
  readonly tables: readonly TableFile[];
  readonly lastKeys: readonly string[];
}

export class TableRanges {
  readonly #first: readonly TableFile[];
  readonly #levels: readonly Level[];

  constructor(tables: readonly TableFile[]) {
    const numbers = new Set(tables.map(({ level }) => level));
    numbers.delete(0);
    this.#first = tables.filter(({ level }) => level === 0);
    this.#levels = [...numbers].map((number) => {
      const own = tables.filter(({ level }) => level === number).sort((a, b) => (a.lastKey < b.lastKey ? -1 : 1));
      return { tables: own, lastKeys: own.map(({ lastKey }) => lastKey) };
    });
  }

  /** The tables that may have rows from one key to another, both included. @param to undefined: to the last row */
  *of(from: string, to: string | undefined): Iterable<TableFile> {
    const isAbove = ({ firstKey }: TableFile) => to !== undefined && firstKey > to;
    for (const table of this.#first) if (table.lastKey >= from && !isAbove(table)) yield table;
    for (const { tables, lastKeys } of this.#levels) {
      for (let at = lowerBound(lastKeys, from); at < tables.length; at++) {
        const table = tables[at] as TableFile;
        if (isAbove(table)) break;
        yield table;
      }
    }
  }
}
