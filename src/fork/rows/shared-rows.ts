/** Rows shared by several forks of a network: each is fetched once, and equal for all of them. */

import type { FetchedRow, RemoteRows, WantedRow } from '../../state/remote-rows.js';

export class SharedRows implements RemoteRows {
  readonly #known = new Map<string, FetchedRow>();
  #last: Promise<unknown> = Promise.resolve();

  constructor(private readonly rows: RemoteRows) {}

  /** One after another: a row that two forks want is fetched once. */
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
