import { useChain } from '../chain/chain-context.js';
import { formatMoment, formatSpan } from './amounts.js';

/**
 * How far a moment of the chain is from the head block: its deadlines follow chain time, not this machine's clock.
 *
 * @param past what to say if it is not in the future
 * @param isWhole with the moment, which the tooltip has otherwise
 */
export function Until({
  timestampMs,
  past = 'now',
  isWhole,
}: {
  readonly timestampMs: number;
  readonly past?: string;
  readonly isWhole?: boolean;
}) {
  const { head } = useChain();
  const left = head === undefined ? undefined : timestampMs - head.timestampMs;
  const distance = left === undefined ? '…' : left > 0 ? `in ${formatSpan(left)}` : past;
  return (
    <time dateTime={new Date(timestampMs).toISOString()} title={formatMoment(timestampMs)}>
      {distance}
      {isWhole === true && <span class="muted"> ({formatMoment(timestampMs)})</span>}
    </time>
  );
}
