/** Who decides on the network, and what is decided: witnesses, proposals, chain parameters. */

import { protocolNames, wallet } from '../../chain/ask.js';
import { useAnswer } from '../../chain/chain-context.js';
import type { ChainParametersAnswer, ProposalsAnswer, WitnessesAnswer } from '../../chain/governance-answers.js';
import { Answered, Panel, Screen } from '../../parts/panel.js';
import { Election } from './election.js';
import { Parameters } from './parameters.js';
import { Proposals } from './proposals.js';
import { Witnesses } from './witnesses.js';

export function Governance() {
  const parameters = useAnswer(['parameters'], () => wallet<ChainParametersAnswer>('getchainparameters'));
  // These two ignore their body.
  const witnesses = useAnswer(['witnesses'], () => wallet<WitnessesAnswer>('listwitnesses?visible=true'));
  const proposals = useAnswer(['proposals'], () => wallet<ProposalsAnswer>('listproposals?visible=true'));
  const names = useAnswer(['protocol'], protocolNames).data;
  const values = new Map(parameters.data?.chainParameter.map(({ key, value = 0 }) => [key, value]));
  return (
    <Screen title="Governance">
      <Election
        intervalMs={Number(values.get('getMaintenanceTimeInterval') ?? 0)}
        witnesses={witnesses.data?.witnesses ?? []}
        proposals={proposals.data?.proposals ?? []}
      />
      <Panel title="Witnesses by votes" isWide>
        <Answered of={witnesses}>{({ witnesses = [] }) => <Witnesses witnesses={witnesses} />}</Answered>
      </Panel>
      <Panel title="Proposals" isWide>
        <Answered of={proposals}>
          {({ proposals = [] }) => (
            <Proposals
              proposals={proposals}
              producers={(witnesses.data?.witnesses ?? []).filter(({ isJobs }) => isJobs === true).length}
              names={names?.parameters ?? []}
              values={values}
            />
          )}
        </Answered>
      </Panel>
      <Panel title="Chain parameters" isWide>
        <Answered of={parameters}>
          {({ chainParameter }) => <Parameters parameters={chainParameter} names={names} />}
        </Answered>
      </Panel>
    </Screen>
  );
}
