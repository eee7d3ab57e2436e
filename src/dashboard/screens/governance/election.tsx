/** The next maintenance, which counts votes and decides proposals, and what it will look at. */

import { wallet } from '../../chain/ask.js';
import { useAnswer, useChain } from '../../chain/chain-context.js';
import type { ProposalAnswer, WitnessAnswer } from '../../chain/governance-answers.js';
import { formatMoment, formatSpan, formatUnits } from '../../parts/amounts.js';
import { Tile } from '../../parts/tile.js';
import { useNow } from '../../parts/use-now.js';

/** From here on, chain time is another day's, and the wall clock says nothing about it. */
const SAME_TIME_MS = 60_000;

export function Election({
  intervalMs,
  witnesses,
  proposals,
}: {
  readonly intervalMs: number;
  readonly witnesses: readonly WitnessAnswer[];
  readonly proposals: readonly ProposalAnswer[];
}) {
  const { head } = useChain();
  const now = useNow();
  const { data } = useAnswer(['next-maintenance'], () => wallet<{ readonly num?: number }>('getnextmaintenancetime'));
  const headMs = head?.timestampMs;
  const clockMs = headMs !== undefined && Math.abs(headMs - now) < SAME_TIME_MS ? now : headMs;
  const votes = witnesses.reduce((sum, { voteCount = 0 }) => sum + BigInt(voteCount), 0n);
  const open = proposals.filter(({ state }) => state === undefined).length;
  return (
    <div class="tiles">
      <Tile
        name="Next election"
        value={data?.num === undefined || clockMs === undefined ? '…' : formatSpan(data.num - clockMs)}
      >
        {data?.num !== undefined && `at the maintenance of ${formatMoment(data.num).slice(0, 16)} UTC`}
        {intervalMs > 0 && `, every ${formatSpan(intervalMs)}`}
      </Tile>
      <Tile name="Witnesses" value={formatUnits(witnesses.length)}>
        producing blocks now: {formatUnits(witnesses.filter(({ isJobs }) => isJobs === true).length)}
      </Tile>
      <Tile name="Votes" value={formatUnits(votes)}>
        as counted at the last maintenance
      </Tile>
      <Tile name="Open proposals" value={formatUnits(open)}>
        of {formatUnits(proposals.length)}
      </Tile>
    </div>
  );
}
