/** Rows that several forks of a network read: each is asked for once, and is to all of them what it was to the first. */

import type { FetchedRow, RemoteRows, WantedRow } from '../../state/remote-rows.js';

export class SharedRows implements RemoteRows {
  readonly #known = new Map<string, FetchedRow>();
  #last: Promise<unknown> = Promise.resolve();

  constructor(private readonly rows: RemoteRows) {}

  /** One after the other: what two want at once is fetched for the first of them. */
  fetch(wanted: readonly WantedRow[]): Promise<readonly FetchedRow[]> {
    const fetched = this.#last.then(() => this.#fetch(wanted));
    this.#last = fetched.catch(() => {});
    return fetched;
  }

  async #fetch(wanted: readonly WantedRow[]): Promise<readonly FetchedRow[]> {
    const missing = wanted.filter((row) => !this.#known.has(idOf(row)));
    const fetched = missing.length === 0 ? [] : await this.rows.fetch(missing);
    const rows = new Map<string, FetchedRow>();
    for (const row of fetched) {
      const id = idOf(row);
      if (!this.#known.has(id)) this.#known.set(id, row);
      rows.set(id, this.#known.get(id) as FetchedRow);
    }
    for (const row of wanted) {
      const known = this.#known.get(idOf(row));
      if (known !== undefined) rows.set(idOf(row), known);
    }
    return [...rows.values()];
  }
}

const idOf = ({ table, key }: Pick<WantedRow, 'table' | 'key'>): string => `${table}:${key}`;
