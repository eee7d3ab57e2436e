/** Who or what paid, block by block: staked, free, the deployer, burned. */

import { useMemo } from 'preact/hooks';
import type { Charge } from '../../chain/answers.js';
import type { LiveBlock } from '../../chain/follow.js';
import { useAddressState } from '../../parts/address-state.js';
import { formatCompact, formatTrx, formatUnits } from '../../parts/amounts.js';
import { chargeName } from '../../parts/charges.js';
import { Chart } from '../../parts/chart.js';
import { Empty } from '../../parts/panel.js';
import { Tabs } from '../../parts/tabs.js';

/** More bars than this are too thin to see. */
const SHOWN = 100;

const VIEWS = ['Energy', 'Bandwidth', 'TRX'] as const;
type View = (typeof VIEWS)[number];

/** A part of a bar: its name, and the amount that a charge adds to it. */
interface Part {
  readonly name: string;
  readonly amount: bigint;
}

/** One counter has own stake and stake received from others, so charges cannot tell them apart. */
const SOURCES: Readonly<Record<string, string>> = {
  staked: 'Stake, own or delegated to the payer',
  origin: "Deployer's stake",
  free: 'Free',
  issuer: "Token issuer's Bandwidth",
  burned: 'Burned TRX',
  blackhole: 'Burned TRX',
  'fee-pool': 'TRX to the producers',
};

const COLORS: Readonly<Record<string, string>> = {
  'Stake, own or delegated to the payer': 'staked',
  "Deployer's stake": 'origin',
  Free: 'free',
  "Token issuer's Bandwidth": 'bandwidth',
  'Burned TRX': 'burned',
  'TRX to the producers': 'penalty',
};
const REASON_COLORS = ['energy', 'bandwidth', 'burned', 'origin', 'penalty', 'staked', 'free'];

function partOf(view: View, charge: Charge): Part | undefined {
  const { resource, reason, source, amount, units = 0 } = charge;
  const paid = resource === 'coin';
  if (view === 'TRX') return paid ? { name: chargeName(charge), amount: BigInt(amount) } : undefined;
  const wanted = view === 'Energy' ? 'energy' : 'bandwidth';
  if ((paid ? reason : resource) !== wanted) return undefined;
  return { name: SOURCES[source] ?? source, amount: BigInt(paid ? units : amount) };
}

interface Series {
  readonly numbers: readonly number[];
  /** By name, by block. */
  readonly amounts: ReadonlyMap<string, readonly number[]>;
  readonly totals: ReadonlyMap<string, bigint>;
}

function seriesOf(blocks: readonly LiveBlock[], view: View): Series {
  // Nobody paid in the genesis block.
  const shown = blocks
    .filter(({ number }) => number > 0)
    .slice(0, SHOWN)
    .reverse();
  const amounts = new Map<string, number[]>();
  const totals = new Map<string, bigint>();
  for (const [at, { contents }] of shown.entries())
    for (const { charges } of contents)
      for (const charge of charges) {
        const part = partOf(view, charge);
        if (part === undefined || part.amount === 0n) continue;
        const row = amounts.get(part.name) ?? shown.map(() => 0);
        row[at] = (row[at] ?? 0) + Number(part.amount);
        amounts.set(part.name, row);
        totals.set(part.name, (totals.get(part.name) ?? 0n) + part.amount);
      }
  return { numbers: shown.map(({ number }) => number), amounts, totals };
}

export function CostChart({ blocks }: { readonly blocks: readonly LiveBlock[] }) {
  const [chosen, choose] = useAddressState('paid', VIEWS[0]);
  const view = VIEWS.find((name) => name === chosen) ?? VIEWS[0];
  return (
    <Tabs names={VIEWS} current={view} choose={choose}>
      <Paid blocks={blocks} view={view} key={view} />
    </Tabs>
  );
}

function Paid({ blocks, view }: { readonly blocks: readonly LiveBlock[]; readonly view: View }) {
  const { numbers, amounts, totals } = useMemo(() => seriesOf(blocks, view), [blocks, view]);
  const text = (amount: bigint) => (view === 'TRX' ? `${formatTrx(amount)} TRX` : formatUnits(amount));
  const names = [...amounts.keys()].sort();
  const key = names.join();
  const colors = useMemo(
    () => names.map((name, at) => COLORS[name] ?? REASON_COLORS[at % REASON_COLORS.length] ?? 'energy'),
    [key],
  );
  const options = useMemo(() => {
    const short = (amount: number) =>
      view === 'TRX' ? formatTrx(BigInt(Math.round(amount))) : formatCompact(Math.round(amount));
    return {
      xAxis: { type: 'category', data: numbers },
      yAxis: { type: 'value', axisLabel: { formatter: short }, splitLine: { lineStyle: { opacity: 0.25 } } },
      tooltip: { valueFormatter: (amount: number) => text(BigInt(Math.round(amount))) },
      series: names.map((name) => ({ name, type: 'bar', stack: 'paid', barMaxWidth: 14, data: amounts.get(name) })),
    };
  }, [numbers, amounts, view]);
  if (names.length === 0)
    return (
      <Empty>
        {view === 'TRX'
          ? 'No TRX was paid in the newest blocks: stakes and free Bandwidth paid for all transactions.'
          : `No transaction used ${view} in the newest blocks.`}
      </Empty>
    );
  const sums = names.map((name) => `${name} ${text(totals.get(name) ?? 0n)}`);
  return (
    <>
      <Chart label={`Who paid, by block. ${view}: ${sums.join(', ')}`} options={options} colors={colors} />
      <ul class="legend">
        {names.map((name, at) => (
          <li key={name}>
            <i class={`swatch fill-${colors[at]}`} aria-hidden="true" /> {name}{' '}
            <span class="number">{text(totals.get(name) ?? 0n)}</span>
          </li>
        ))}
      </ul>
    </>
  );
}
