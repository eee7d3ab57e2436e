/**
 * The part of the address behind `#`: a path that names the screen, and a query with the state of the screen that a
 * reader wants to keep or to send: `#/transactions/ID?tab=Steps&step=12`.
 */

import { useCallback, useEffect, useState } from 'preact/hooks';
import type { BaseLocationHook } from 'wouter-preact';
import { useHashLocation } from 'wouter-preact/use-hash-location';

/** For the router: the path without the query. */
export const useHashPath: BaseLocationHook = Object.assign(
  (): [string, typeof goTo] => [useHashLocation()[0].replace(/\?.*$/s, ''), goTo],
  { hrefs: (path: string) => `#${path}` },
);

/** Other than the package's `navigate`, which moves a query in front of `#`, where the server would see it. */
function goTo(path: string, { replace = false }: { readonly replace?: boolean } = {}): void {
  history[replace ? 'replaceState' : 'pushState'](null, '', `#${path}`);
  dispatchEvent(new HashChangeEvent('hashchange'));
}

/**
 * A part of the screen's state that the address keeps, over a reload and for whoever opens the address.
 *
 * @param initial is left out of the address
 * @example const [tab, setTab] = useAddressState('tab', 'Cost')
 */
export function useAddressState(name: string, initial = ''): readonly [string, (value: string) => void] {
  const [value, setValue] = useState(() => inAddress(name, initial));
  useEffect(() => {
    // The reader goes back, or edits the address.
    const follow = () => setValue(inAddress(name, initial));
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, [name, initial]);
  const set = useCallback(
    (next: string) => {
      setValue(next);
      write(name, next === initial ? undefined : next);
    },
    [name, initial],
  );
  return [value, set];
}

function place(): { readonly path: string; readonly query: URLSearchParams } {
  const [, path = '', query = ''] = /^#?([^?]*)\??(.*)$/s.exec(location.hash) ?? [];
  return { path: path === '' ? '/' : path, query: new URLSearchParams(query) };
}

const inAddress = (name: string, initial: string): string => place().query.get(name) ?? initial;

/** A browser refuses more than about 20 changes of the address a second, and a held key makes more. */
const WRITE_MS = 150;

interface Writes {
  readonly path: string;
  readonly values: Map<string, string | undefined>;
}

/** Shared by all chains: a page has one address. */
let writes: Writes | undefined;

function write(name: string, value: string | undefined): void {
  const { path } = place();
  if (writes === undefined || writes.path !== path) {
    writes = { path, values: new Map() };
    setTimeout(flush, WRITE_MS, writes);
  }
  writes.values.set(name, value);
}

function flush(due: Writes): void {
  if (writes === due) writes = undefined;
  const { path, query } = place();
  // The reader is on another screen already.
  if (path !== due.path) return;
  for (const [name, value] of due.values) {
    if (value === undefined) query.delete(name);
    else query.set(name, value);
  }
  history.replaceState(null, '', query.size === 0 ? `#${path}` : `#${path}?${query}`);
}
