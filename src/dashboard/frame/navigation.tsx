import { useEffect, useRef } from 'preact/hooks';
import { Link, useLocation } from 'wouter-preact';

const SCREENS = [
  ['/', 'Overview', 'M2 9.5 8 3l6 6.5M4 8v5.5h8V8'],
  ['/blocks', 'Blocks', 'M2.5 5 8 2l5.5 3v6L8 14l-5.5-3zM2.5 5 8 8l5.5-3M8 8v6'],
  ['/transactions', 'Transactions', 'M2 5.5h11L10.5 3M14 10.5H3L5.5 13'],
  ['/accounts', 'Accounts', 'M8 8a2.5 2.5 0 1 0 0-5 2.500 2.500 0 0 0 0 5zM3 13.500c0-2.500 2-4 5-4s5 1.500 5 4'],
  ['/contracts', 'Contracts', 'M5.5 4.5 2 8l3.5 3.5M10.5 4.5 14 8l-3.500 3.500'],
  ['/governance', 'Governance', 'M2 6.500 8 3l6 3.500zM3.500 6.500v5M8 6.500v5M12.500 6.500v5M2 13.500h12'],
  ['/scenarios', 'Scenarios', 'M2.5 13.500h11M4 13.500V8M8 13.500V3M12 13.500V6'],
  ['/controls', 'Controls', 'M2 4.5h7M12 4.5h2M10.5 3v3M2 11.500h2M7 11.500h7M5.500 10v3'],
] as const;

export function Navigation() {
  const [location] = useLocation();
  const list = useRef<HTMLElement>(null);
  // On a phone the list is wider than the page.
  useEffect(() => {
    list.current?.querySelector('.current')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [location]);
  return (
    <nav class="navigation" aria-label="Screens" ref={list}>
      {SCREENS.map(([path, name, icon]) => {
        const isCurrent = path === '/' ? location === '/' : location.startsWith(path);
        return (
          <Link href={path} key={path} class={isCurrent ? 'current' : ''} aria-current={isCurrent ? 'page' : undefined}>
            <svg viewBox="0 0 16 16" aria-hidden="true">
              <path d={icon} />
            </svg>
            {name}
          </Link>
        );
      })}
      <span class="spacer" />
      <a href="docs">HTTP API</a>
    </nav>
  );
}
