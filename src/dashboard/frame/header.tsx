/** Name, state of the connection, search, colours. */

import { Link } from 'wouter-preact';
import { useChain } from '../chain/chain-context.js';
import { formatUnits } from '../parts/amounts.js';
import { ForkBadge } from '../parts/fork-marks.js';
import { useTheme } from '../parts/theme.js';
import { Search } from './search.js';

const CONNECTIONS = {
  connecting: 'Connecting',
  live: 'Live',
  polling: 'Live (every 3 s)',
  lost: 'No connection to the node',
} as const;

export function Header() {
  const { head, connection } = useChain();
  const [theme, choose] = useTheme();
  const other = theme === 'dark' ? 'light' : 'dark';
  return (
    <header class="top">
      <Link href="/" class="brand" aria-label="Sunup: overview">
        <svg viewBox="0 0 24 24" aria-hidden="true">
          <path d="M3 17a9 9 0 0 1 18 0zM12 2v3M3.5 6.5l2 2M20.500 6.5l-2 2M2 20.500h20" />
        </svg>
        Sunup
      </Link>
      <Search />
      <ForkBadge />
      <span class={`connection ${connection}`} role="status">
        <i aria-hidden="true" />
        <span>{CONNECTIONS[connection]}</span>
        {head !== undefined && <span class="number"> · {formatUnits(head.number)}</span>}
      </span>
      <button
        type="button"
        class="icon"
        onClick={() => choose(other)}
        aria-label={`Use ${other} colours`}
        title={`Use ${other} colours`}
      >
        <svg viewBox="0 0 16 16" aria-hidden="true">
          {theme === 'dark' ? (
            <path d="M8 5a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM8 1v1.500M8 13.500V15M1 8h1.500M13.500 8H15M3 3l1 1M12 12l1 1M13 3l-1 1M4 12l-1 1" />
          ) : (
            <path d="M13.500 9.500A6 6 0 0 1 6.500 2.500a6 6 0 1 0 7 7z" />
          )}
        </svg>
      </button>
    </header>
  );
}

/** Why a node that is there answers nothing. */
export function Refusal() {
  const { refusal } = useChain();
  if (refusal === undefined) return null;
  return (
    <p class="problem refusal" role="alert">
      The node refuses the questions of this page: {refusal}
    </p>
  );
}
