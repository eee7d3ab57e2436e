/** How a call's Energy is split between its caller and the deployer, and what the deployer can still give. */

import { contractFrom } from '../../../fees.js';
import type { ContractAnswer, ResourcesAnswer } from '../../chain/answers.js';
import { wallet } from '../../chain/ask.js';
import { useAnswer } from '../../chain/chain-context.js';
import { Answered, Fact, Facts, Panel } from '../../parts/panel.js';
import { Units } from '../../parts/values.js';

export function DeployerLimit({ contract }: { readonly contract: NonNullable<ContractAnswer['smart_contract']> }) {
  const { callerPercent, originEnergyLimit, deployer = '' } = contractFrom(contract);
  const resources = useAnswer(['resources', deployer], () =>
    wallet<ResourcesAnswer>('getaccountresource', { address: deployer }),
  );
  return (
    <Panel title="Who pays for a call">
      <div
        class="split"
        role="img"
        aria-label={`The caller pays ${callerPercent} percent, the deployer ${100 - callerPercent} percent`}
      >
        {callerPercent > 0 && <div class="share fill-energy" style={{ flexGrow: callerPercent }} />}
        {callerPercent < 100 && <div class="share fill-origin" style={{ flexGrow: 100 - callerPercent }} />}
      </div>
      <Facts>
        <Fact name="Caller">{callerPercent} %</Fact>
        <Fact name="Deployer">{100 - callerPercent} %</Fact>
        <Fact name="At most, per call">
          <Units amount={originEnergyLimit} unit="Energy of the deployer" />
        </Fact>
        <Fact name="Deployer has left">
          <Answered of={resources}>
            {({ EnergyLimit = 0, EnergyUsed = 0 }) => (
              <Units
                amount={BigInt(EnergyLimit) - BigInt(EnergyUsed)}
                unit={`of ${Number(EnergyLimit).toLocaleString('en-US')} staked Energy`}
              />
            )}
          </Answered>
        </Fact>
      </Facts>
    </Panel>
  );
}
