import { rpc, sunup } from '../../chain/ask.js';
import { ActionForm } from '../../parts/action-form.js';
import { formatSpan, formatUnits } from '../../parts/amounts.js';
import { Panel } from '../../parts/panel.js';

interface Mined {
  readonly blocks: number;
  readonly height?: number;
}

const UNIT_MS = { s: 1_000, min: 60_000, h: 3_600_000, d: 86_400_000 } as const;

export function TimeControls() {
  return (
    <Panel title="Blocks and time">
      <ActionForm
        title="Make blocks"
        button="Mine"
        fields={[{ name: 'Blocks', initial: '1', isNumber: true }]}
        act={async ([blocks = '']) => {
          const count = wholeNumber(blocks);
          await sunup<Mined>('mine', { blocks: count });
          return count === 1 ? 'One block was made.' : `${formatUnits(count)} blocks were made.`;
        }}
      />
      <ActionForm
        title="Advance time"
        button="Advance"
        fields={[{ name: 'By', hint: '90 s, 10 min, 6 h, 3 d', initial: '6 h' }]}
        act={async ([text = '']) => {
          const spanMs = spanOf(text);
          await sunup<Mined>('mine', { advanceMs: spanMs });
          return `The chain is ${formatSpan(spanMs)} later.`;
        }}
      />
      <ActionForm
        title="End the epoch"
        button="Run maintenance"
        fields={[]}
        act={async () => {
          await rpc('tron_runMaintenance');
          return 'Votes were counted, and energy factors updated.';
        }}
      />
    </Panel>
  );
}

export function wholeNumber(text: string): number {
  const digits = text.trim().replace(/[_,]/g, '');
  if (!/^\d{1,15}$/.test(digits)) throw new Error(`“${text.slice(0, 40)}” is not a whole number.`);
  return Number(digits);
}

function spanOf(text: string): number {
  const [, count, unit] = /^(\d+(?:\.\d+)?)\s*(s|min|h|d)$/.exec(text.trim()) ?? [];
  if (count === undefined || unit === undefined) throw new Error('Expected a number and s, min, h or d, such as 6 h.');
  return Math.round(Number(count) * UNIT_MS[unit as keyof typeof UNIT_MS]);
}
