/** The two pools that stakes share: what all have staked, what a day has, what one TRX yields. */

import type { UseQueryResult } from '@tanstack/preact-query';
import type { Amount, PoolSharesAnswer, ResourcesAnswer } from '../../chain/answers.js';
import { sunup } from '../../chain/ask.js';
import { useAnswer, useSettings } from '../../chain/chain-context.js';
import { formatUnits } from '../../parts/amounts.js';
import { Answered, Fact, Facts, Panel } from '../../parts/panel.js';
import { PoolShares } from './pool-shares.js';

interface Pool {
  readonly name: string;
  readonly limit: Amount;
  readonly stakedTrx: Amount;
  readonly shares?: PoolSharesAnswer['energy'] | undefined;
}

/** Accounts in each list. */
const SHARES = 5;

export function Pools({ of }: { readonly of: UseQueryResult<ResourcesAnswer, Error> }) {
  const settings = useSettings();
  const shares = useAnswer(['shares', settings], async () =>
    settings?.devMethods === true ? sunup<PoolSharesAnswer>('pools', { limit: SHARES }) : null,
  );
  return (
    <Panel title="Pools of Energy and Bandwidth" isWide>
      <Answered of={of}>
        {({ TotalEnergyLimit = 0, TotalEnergyWeight = 0, TotalNetLimit = 0, TotalNetWeight = 0 }) => (
          <div class="pools">
            <PoolFacts
              name="Energy"
              limit={TotalEnergyLimit}
              stakedTrx={TotalEnergyWeight}
              shares={shares.data?.energy}
            />
            <PoolFacts
              name="Bandwidth"
              limit={TotalNetLimit}
              stakedTrx={TotalNetWeight}
              shares={shares.data?.bandwidth}
            />
          </div>
        )}
      </Answered>
    </Panel>
  );
}

function PoolFacts({ name, limit, stakedTrx, shares }: Pool) {
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
      {shares !== undefined && <PoolShares name={name} pool={shares} />}
    </section>
  );
}
