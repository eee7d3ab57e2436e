/** The energy factor and the usage of the running epoch against the threshold, past epochs, and the next ones. */

import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { factorAfter, networkFrom } from '../../../fees.js';
import { sunup, wallet } from '../../chain/ask.js';
import { useAnswer, useSettings } from '../../chain/chain-context.js';
import type { ContractEpochs } from '../../chain/contract-answers.js';
import type { ChainParametersAnswer } from '../../chain/governance-answers.js';
import { formatUnits } from '../../parts/amounts.js';
import { Answered, Empty, Fact, Facts, Panel } from '../../parts/panel.js';
import { type Column, Table } from '../../parts/table.js';
import { Until } from '../../parts/until.js';
import { BlockNumber, Moment, Units } from '../../parts/values.js';
import { EpochsChart } from './epochs-chart.js';
import { priceOfStep } from './step-price.js';

const PAST_EPOCHS = 30;
const NEXT_EPOCHS = 12;

type Network = ReturnType<typeof networkFrom>;

async function find(contract: string) {
  const [energy, parameters] = await Promise.all([
    sunup<ContractEpochs>('contractepochs', { contract, limit: PAST_EPOCHS }),
    wallet<ChainParametersAnswer>('getchainparameters'),
  ]);
  return { energy, network: networkFrom(parameters as Parameters<typeof networkFrom>[0]) };
}

export function EnergyFactor({ address }: { readonly address: string }) {
  const settings = useSettings();
  const answer = useAnswer(['epochs', address, settings], async () =>
    settings?.devMethods === true ? await find(address) : null,
  );
  return (
    <Panel title="Energy factor" isWide>
      <Answered of={answer}>
        {(found) => {
          if (found === null)
            return <Empty>The factor needs developer methods, which this node does not serve to this page.</Empty>;
          if (!found.energy.enabled)
            return <Empty>Dynamic Energy is off on this chain: each step costs its base price.</Empty>;
          return <Factor {...found} />;
        }}
      </Answered>
    </Panel>
  );
}

function Factor({ energy, network }: { readonly energy: ContractEpochs; readonly network: Network }) {
  const { energyFactor, energyUsage, threshold, endsMs } = energy.current;
  return (
    <>
      <div class="factor">
        <Facts>
          <Fact name="Price of a step">
            <b>{priceOfStep(energyFactor)}</b> × base price
          </Fact>
          <Fact name="Used in this epoch">
            <Units amount={energyUsage} unit="Energy at the base price" />
          </Fact>
          <Fact name="Threshold">
            <Units amount={threshold} unit="Energy: more raises the factor" />
          </Fact>
          <Fact name="Usage">
            <progress
              aria-label={`Usage of the epoch: ${formatUnits(energyUsage)} of ${formatUnits(threshold)}`}
              max={1}
              value={Math.min(1, Number(energyUsage) / Math.max(1, Number(threshold)))}
            />
          </Fact>
          <Fact name="Epoch ends">
            <Until timestampMs={endsMs} past="with the next block" isWhole />
          </Fact>
          <Fact name="Past epochs">{reach(energy)}</Fact>
        </Facts>
        <EpochsChart
          energy={energy}
          busy={projected(energyFactor, true, network)}
          quiet={projected(energyFactor, false, network)}
          maxFactor={Number(network.dynamicEnergy?.maxFactor ?? 0)}
        />
      </div>
      <PastEpochs energy={energy} />
    </>
  );
}

/** How far back the answer reaches, and why. */
function reach({ epochs, end }: ContractEpochs): ComponentChildren {
  const count = epochs.length === 1 ? '1 epoch' : `${epochs.length} epochs`;
  switch (end) {
    case 'limit':
      return `the last ${count}`;
    case 'creation':
      return epochs.length === 0 ? 'none: the contract was created in this epoch' : `${count}, since its creation`;
    case 'genesis':
      return epochs.length === 0 ? 'none: the first epoch runs' : `${count}, since the chain began`;
    case 'fork':
      return `${epochs.length === 0 ? 'none' : count}: earlier ones are of the forked network, whose past states no node serves`;
    case 'state-history':
      return `${epochs.length === 0 ? 'none' : count}: older states are not kept (--state-history)`;
  }
}

type Past = ContractEpochs['epochs'][number];

const COLUMNS: readonly Column<Past>[] = [
  { title: 'Epoch', widthRem: 4, isNumber: true, cell: ({ cycle }) => formatUnits(cycle) },
  { title: 'Last block', widthRem: 6, isNumber: true, cell: ({ endBlock }) => <BlockNumber value={endBlock} /> },
  { title: 'Ended', widthRem: 18, grows: true, cell: ({ endMs }) => <Moment timestampMs={endMs} /> },
  { title: 'Energy used', widthRem: 9, isNumber: true, cell: ({ energyUsage }) => <Units amount={energyUsage} /> },
  { title: 'Threshold', widthRem: 9, isNumber: true, cell: ({ threshold }) => <Units amount={threshold} /> },
  {
    title: 'Price of a step',
    widthRem: 7.5,
    isNumber: true,
    cell: ({ energyFactor }) => <span class="number">{priceOfStep(energyFactor)} ×</span>,
  },
];

function PastEpochs({ energy: { epochs } }: { readonly energy: ContractEpochs }) {
  const [isOpen, setOpen] = useState(false);
  if (epochs.length === 0) return null;
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>Past epochs as a table</summary>
      {isOpen && (
        <Table
          label="Past epochs"
          columns={COLUMNS}
          rows={epochs}
          keyOf={({ cycle }) => cycle}
          empty="No past epoch."
        />
      )}
    </details>
  );
}

/** @returns the factor in the running epoch and in the next ones */
function projected(factor: number, busy: boolean, network: Network): readonly number[] {
  return Array.from({ length: NEXT_EPOCHS + 1 }, (_, epochs) => factorAfter(factor, epochs, busy, network));
}
