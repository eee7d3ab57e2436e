/** Lists of `/v1` that are read page by page. */

import type { Devnet } from '../../../../src/devnet/devnet.js';

/** Of a transaction, an internal one, a transfer of a token, an event. */
export interface ListedItem {
  readonly txID?: string;
  readonly internal_tx_id?: string;
  readonly transaction_id?: string;
  readonly transaction?: string;
  readonly event_index?: number;
  readonly value?: unknown;
}

/** Begins with the transaction's id. */
export const idOf = ({ txID, transaction_id, transaction, internal_tx_id, event_index, value }: ListedItem): string =>
  [txID ?? transaction_id ?? transaction, internal_tx_id, event_index, value].join(' ');

interface Page {
  readonly text: string;
  /** Undefined: an error. It is the last page. */
  readonly data: readonly Readonly<Record<string, unknown>>[] | undefined;
}

/** @returns the body; undefined: there is no answer */
export type ReadPage = (path: string) => Promise<string | undefined>;

export const readerOf =
  ({ fetch }: Pick<Devnet, 'fetch'>): ReadPage =>
  async (path) =>
    (await fetch(`http://localhost${path}`)).text();

/** @param path with `?`, and with `&` where it has parameters */
export async function* pagesOf(read: ReadPage, path: string, limit: number): AsyncGenerator<Page> {
  for (let rest: string | undefined = ''; rest !== undefined; ) {
    const text = await read(`${path}limit=${limit}${rest}`);
    if (text === undefined) return yield { text: '', data: undefined };
    const { data, meta } = JSON.parse(text) as Pick<Page, 'data'> & { readonly meta?: { fingerprint?: string } };
    yield { text, data };
    rest = meta?.fingerprint && `&fingerprint=${encodeURIComponent(meta.fingerprint)}`;
  }
}

/**
 * All pages.
 *
 * @param most more is too much; a list that has no end is read up to there
 * @returns undefined: a page is an error, or there is no answer
 */
export async function wholeOf(
  read: ReadPage,
  path: string,
  limit: number,
  most: number,
): Promise<readonly Readonly<Record<string, unknown>>[] | undefined> {
  const all: Readonly<Record<string, unknown>>[] = [];
  for await (const { data } of pagesOf(read, path, limit)) {
    if (data === undefined) return undefined;
    all.push(...data);
    if (all.length > most) break;
  }
  return all;
}
