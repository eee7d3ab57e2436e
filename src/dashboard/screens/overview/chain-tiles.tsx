/** Height, next block, next maintenance, chain time. */

import type { NodeInfoAnswer } from '../../chain/answers.js';
import { rpc } from '../../chain/ask.js';
import { useAnswer, useChain, useSettings } from '../../chain/chain-context.js';
import { formatMoment, formatSpan, formatUnits } from '../../parts/amounts.js';
import { Tile } from '../../parts/tile.js';
import { useNow } from '../../parts/use-now.js';

interface Mining {
  readonly mode: string;
  readonly blockTimeMs?: number;
}

/** From here on, chain time counts as another day's. */
const TODAY_MS = 60_000;

export function ChainTiles({ info }: { readonly info: NodeInfoAnswer | undefined }) {
  const { head, pending } = useChain();
  const now = useNow();
  const settings = useSettings();
  const mining = useAnswer(['mining', settings], async () =>
    settings?.devMethods === true ? rpc<Mining>('tron_getMining') : null,
  );
  const distance = head === undefined ? 0 : head.timestampMs - now;
  return (
    <div class="tiles">
      <Tile name="Block" value={head === undefined ? '…' : formatUnits(head.number)}>
        {nextBlock(mining.data ?? undefined, head?.timestampMs, now)}
      </Tile>
      <Tile name="Chain time" value={head === undefined ? '…' : formatMoment(head.timestampMs).slice(11, 19)}>
        {head !== undefined && `${formatMoment(head.timestampMs).slice(0, 10)} UTC · `}
        {head === undefined ? null : Math.abs(distance) < TODAY_MS ? (
          'equal to the wall clock'
        ) : (
          <b class="warning">
            {formatSpan(Math.abs(distance))} {distance > 0 ? 'ahead of' : 'behind'} the wall clock
          </b>
        )}
      </Tile>
      <Tile
        name="Next maintenance"
        value={
          info === undefined || head === undefined
            ? '…'
            : formatSpan(info.tron.nextMaintenanceTime - (Math.abs(distance) < TODAY_MS ? now : head.timestampMs))
        }
      >
        {info !== undefined &&
          `cycle ${formatUnits(info.tron.cycle)} · ${formatMoment(info.tron.nextMaintenanceTime).slice(0, 16)}`}
      </Tile>
      <Tile name="Pending" value={formatUnits(pending)}>
        {pending === 1 ? 'transaction' : 'transactions'}
      </Tile>
      <Tile name="Energy price" value={info === undefined ? '…' : `${formatUnits(info.tron.energyFee)} sun`}>
        {info !== undefined && `Bandwidth ${formatUnits(info.tron.transactionFee)} sun per byte`}
      </Tile>
    </div>
  );
}

function nextBlock(mining: Mining | undefined, headMs: number | undefined, now: number): string {
  if (mining === undefined || headMs === undefined) return '';
  if (mining.mode === 'instant') return 'a block for each transaction';
  if (mining.mode !== 'interval' || mining.blockTimeMs === undefined) return 'blocks on request';
  const wait = headMs + mining.blockTimeMs - now;
  if (wait > mining.blockTimeMs || wait < -mining.blockTimeMs) return `a block every ${formatSpan(mining.blockTimeMs)}`;
  return `next in ${formatSpan(Math.max(0, wait))}`;
}
