/** The energy factor now, the usage of the running epoch against the threshold, and the factor of the next epochs. */

import { useMemo } from 'preact/hooks';
import { factorAfter, networkFrom } from '../../../fees.js';
import type { Amount } from '../../chain/answers.js';
import { rpc, wallet } from '../../chain/ask.js';
import { useAnswer, useSettings } from '../../chain/chain-context.js';
import { formatUnits } from '../../parts/amounts.js';
import { Chart } from '../../parts/chart.js';
import { Answered, Empty, Fact, Facts, Panel } from '../../parts/panel.js';
import { Units } from '../../parts/values.js';

interface ContractEnergy {
  readonly enabled: boolean;
  readonly current: { readonly energyFactor: number; readonly energyUsage: Amount; readonly effectiveFactor: number };
  readonly threshold: Amount;
}

const EPOCHS = 12;
/** Factors are in 1/10,000 of the base price. */
const WHOLE = 10_000;

async function find(address: string) {
  const [energy, parameters] = await Promise.all([
    rpc<ContractEnergy>('tron_getContractEnergy', [address]),
    wallet<{ readonly chainParameter: readonly { readonly key: string; readonly value?: number }[] }>(
      'getchainparameters',
    ),
  ]);
  return { energy, network: networkFrom(parameters) };
}

export function EnergyFactor({ address }: { readonly address: string }) {
  const settings = useSettings();
  const answer = useAnswer(['energy', address, settings], async () =>
    settings?.devMethods === true ? await find(address) : null,
  );
  return (
    <Panel title="Energy factor" isWide>
      <Answered of={answer}>
        {(found) => {
          if (found === null)
            return <Empty>The factor needs developer methods, which this node does not serve to this page.</Empty>;
          const { energy, network } = found;
          if (!energy.enabled)
            return <Empty>Dynamic Energy is off on this chain: each step costs its base price.</Empty>;
          const { energyFactor, energyUsage, effectiveFactor } = energy.current;
          return (
            <div class="factor">
              <Facts>
                <Fact name="Price of a step">
                  <b>{effectiveFactor / WHOLE}</b> × base price
                </Fact>
                <Fact name="Used in this epoch">
                  <Units amount={energyUsage} unit="Energy at the base price" />
                </Fact>
                <Fact name="Threshold">
                  <Units amount={energy.threshold} unit="Energy: more raises the factor" />
                </Fact>
                <Fact name="Usage">
                  <progress
                    aria-label={`Usage of the epoch: ${formatUnits(energyUsage)} of ${formatUnits(energy.threshold)}`}
                    max={1}
                    value={Math.min(1, Number(energyUsage) / Math.max(1, Number(energy.threshold)))}
                  />
                </Fact>
              </Facts>
              <Projection
                busy={projected(energyFactor, true, network)}
                quiet={projected(energyFactor, false, network)}
                cap={1 + Number(network.dynamicEnergy?.maxFactor ?? 0) / WHOLE}
              />
            </div>
          );
        }}
      </Answered>
    </Panel>
  );
}

/** @returns the price of a step in the running epoch and the next ones, as a multiple of the base price */
function projected(factor: number, busy: boolean, network: Parameters<typeof factorAfter>[3]): readonly number[] {
  return Array.from({ length: EPOCHS + 1 }, (_, epochs) => 1 + factorAfter(factor, epochs, busy, network) / WHOLE);
}

function Projection({
  busy,
  quiet,
  cap,
}: {
  readonly busy: readonly number[];
  readonly quiet: readonly number[];
  readonly cap: number;
}) {
  const options = useMemo(
    () => ({
      legend: { top: 0, right: 0, itemWidth: 12, itemHeight: 8 },
      xAxis: {
        type: 'category',
        boundaryGap: false,
        data: busy.map((_, epoch) => (epoch === 0 ? 'now' : `+${epoch}`)),
        name: 'epochs',
        nameLocation: 'middle',
        nameGap: 24,
      },
      yAxis: {
        type: 'value',
        min: 1,
        max: Math.max(cap, busy[0] ?? 1),
        axisLabel: { formatter: (value: number) => `${value} ×` },
        splitLine: { lineStyle: { opacity: 0.25 } },
      },
      series: [
        { name: 'above the threshold in each epoch', type: 'line', symbolSize: 4, data: busy },
        { name: 'not called', type: 'line', symbolSize: 4, data: quiet, lineStyle: { type: 'dashed' } },
      ],
      grid: { left: 8, right: 16, top: 32, bottom: 28, containLabel: true },
    }),
    [busy.join(), quiet.join(), cap],
  );
  const last = busy.at(-1) ?? 1;
  return (
    <Chart
      label={`Price of a step after ${EPOCHS} epochs: ${last} times the base price if usage stays above the threshold, ${quiet.at(-1)} times if nobody calls it`}
      options={options}
    />
  );
}
