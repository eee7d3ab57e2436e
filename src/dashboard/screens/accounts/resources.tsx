/** Energy and Bandwidth: how much is in use, and how it recovers. */

import { recoveredWhen, type Usage, usagesFrom } from '../../../fees.js';
import type { AccountAnswer } from '../../chain/account-answers.js';
import type { Amount } from '../../chain/answers.js';
import { Gauge } from '../../parts/gauge.js';
import { Fact, Facts, Panel } from '../../parts/panel.js';
import { Until } from '../../parts/until.js';
import { Units } from '../../parts/values.js';
import type { AccountState } from './account-state.js';
import { RecoveryChart } from './recovery-chart.js';

export function Resources({ account, resources, headMs, slots }: AccountState & { readonly account: AccountAnswer }) {
  const usages = usagesFrom(account, headMs, slots);
  const { EnergyLimit = 0, NetLimit = 0, freeNetLimit = 0 } = resources;
  return (
    <>
      <Panel title="Energy">
        <div class="gauges">
          <Gauge name="From stake" used={usages.energy.used} limit={EnergyLimit} color="energy" />
        </div>
        <Left usages={[usages.energy]} limits={[EnergyLimit]} />
        <RecoveryChart
          name="Energy"
          headMs={headMs}
          sources={[{ name: 'From stake', usage: usages.energy, limit: EnergyLimit, color: 'energy' }]}
        />
      </Panel>
      <Panel title="Bandwidth">
        <div class="gauges">
          <Gauge name="Free" used={usages.freeBandwidth.used} limit={freeNetLimit} color="free" />
          <Gauge name="From stake" used={usages.bandwidth.used} limit={NetLimit} color="bandwidth" />
        </div>
        <Left usages={[usages.freeBandwidth, usages.bandwidth]} limits={[freeNetLimit, NetLimit]} />
        <RecoveryChart
          name="Bandwidth"
          headMs={headMs}
          sources={[
            { name: 'Free', usage: usages.freeBandwidth, limit: freeNetLimit, color: 'free' },
            { name: 'From stake', usage: usages.bandwidth, limit: NetLimit, color: 'bandwidth' },
          ]}
        />
      </Panel>
    </>
  );
}

function Left({ usages, limits }: { readonly usages: readonly Usage[]; readonly limits: readonly Amount[] }) {
  const left = usages.reduce((sum, { used }, at) => sum + positive(BigInt(limits[at] ?? 0) - BigInt(used)), 0n);
  const recoveredMs = Math.max(...usages.map((usage) => recoveredWhen(usage)));
  const isUsed = usages.some(({ used }) => used > 0);
  return (
    <Facts>
      <Fact name="Left now">
        <Units amount={left} />
      </Fact>
      <Fact name="All recovered">{isUsed ? <Until timestampMs={recoveredMs} /> : 'now'}</Fact>
    </Facts>
  );
}

const positive = (amount: bigint): bigint => (amount > 0n ? amount : 0n);
