/**
 * The part of the address behind `#`: a path that names the screen, and a query with the state of the screen that a
 * reader wants to keep or to send: `#/transactions/ID?tab=Steps&step=12`.
 */

import { useCallback } from 'preact/hooks';
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
  const [location] = useHashLocation();
  const value = queryOf(location).get(name) ?? initial;
  const set = useCallback(
    (next: string) => {
      // From the address itself: several states may change before the screen is drawn again.
      const now = window.location.hash.slice(1);
      const query = queryOf(now);
      if (next === initial) query.delete(name);
      else query.set(name, next);
      const path = now.replace(/\?.*$/s, '');
      goTo(query.size === 0 ? path : `${path}?${query}`, { replace: true });
    },
    [name, initial],
  );
  return [value, set];
}

const queryOf = (location: string): URLSearchParams => new URLSearchParams(/\?(.*)$/s.exec(location)?.[1] ?? '');
