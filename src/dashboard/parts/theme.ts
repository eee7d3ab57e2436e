/** Light or dark: as the system has it, unless the reader chose one. */

import { useEffect, useReducer } from 'preact/hooks';

export type Theme = 'light' | 'dark';

const KEY = 'sunup-theme';
const system = matchMedia('(prefers-color-scheme: dark)');
/** Shared by all chains: a page shows one. */
const listeners = new Set<() => void>();

export function currentTheme(): Theme {
  const chosen = localStorage.getItem(KEY);
  if (chosen === 'light' || chosen === 'dark') return chosen;
  return system.matches ? 'dark' : 'light';
}

function apply(): void {
  document.documentElement.dataset.theme = currentTheme();
  for (const listener of listeners) listener();
}

system.addEventListener('change', apply);
apply();

export function useTheme(): readonly [Theme, (theme: Theme) => void] {
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    const listener = () => redraw(0);
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  }, []);
  const choose = (theme: Theme) => {
    localStorage.setItem(KEY, theme);
    apply();
  };
  return [currentTheme(), choose];
}
