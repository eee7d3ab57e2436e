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

/** @param path with `?`, and with `&` where it has parameters */
export async function* pagesOf({ fetch }: Pick<Devnet, 'fetch'>, path: string, limit: number): AsyncGenerator<Page> {
  for (let rest: string | undefined = ''; rest !== undefined; ) {
    const text = await (await fetch(`http://localhost${path}limit=${limit}${rest}`)).text();
    const { data, meta } = JSON.parse(text) as Pick<Page, 'data'> & { readonly meta?: { fingerprint?: string } };
    yield { text, data };
    rest = meta?.fingerprint && `&fingerprint=${encodeURIComponent(meta.fingerprint)}`;
  }
}
