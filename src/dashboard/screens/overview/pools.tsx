/** The two pools that stakes share: what all have staked, what a day has, what one TRX yields. */

import type { UseQueryResult } from '@tanstack/preact-query';
import type { Amount, ResourcesAnswer } from '../../chain/answers.js';
import { formatUnits } from '../../parts/amounts.js';
import { Answered, Fact, Facts, Panel } from '../../parts/panel.js';

interface Pool {
  readonly name: string;
  readonly limit: Amount;
  readonly stakedTrx: Amount;
}

export function Pools({ of }: { readonly of: UseQueryResult<ResourcesAnswer, Error> }) {
  return (
    <Panel title="Pools of Energy and Bandwidth">
      <Answered of={of}>
        {({ TotalEnergyLimit = 0, TotalEnergyWeight = 0, TotalNetLimit = 0, TotalNetWeight = 0 }) => (
          <div class="pools">
            <PoolFacts name="Energy" limit={TotalEnergyLimit} stakedTrx={TotalEnergyWeight} />
            <PoolFacts name="Bandwidth" limit={TotalNetLimit} stakedTrx={TotalNetWeight} />
          </div>
        )}
      </Answered>
    </Panel>
  );
}

function PoolFacts({ name, limit, stakedTrx }: Pool) {
  const perTrx = Number(stakedTrx) === 0 ? undefined : Number(limit) / Number(stakedTrx);
  return (
    <section class={`pool ${name.toLowerCase()}`}>
      <h3>{name}</h3>
      <p class="value number">
        {perTrx === undefined ? '–' : perTrx.toLocaleString('en-US', { maximumFractionDigits: 3 })}
        <span class="unit"> per TRX staked and day</span>
      </p>
      <Facts>
        <Fact name="For all stakes, a day">{formatUnits(limit)}</Fact>
        <Fact name="Staked by all">{formatUnits(stakedTrx)} TRX</Fact>
      </Facts>
    </section>
  );
}
