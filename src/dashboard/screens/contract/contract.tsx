/** One contract: what its calls cost and who pays, its methods as forms, its events, its storage. */

import type { ComponentChildren } from 'preact';
import type { ContractAnswer } from '../../chain/answers.js';
import { AnswerError, wallet } from '../../chain/ask.js';
import { useAnswer } from '../../chain/chain-context.js';
import { useAddressState } from '../../parts/address-state.js';
import { Copy } from '../../parts/copy.js';
import { AddressMark } from '../../parts/fork-marks.js';
import { Answered, Empty, Fact, Facts, Panel, Screen } from '../../parts/panel.js';
import { Tabs } from '../../parts/tabs.js';
import { Address, TransactionId, Units } from '../../parts/values.js';
import { methodsOf } from './contract-abi.js';
import { DeployerLimit } from './deployer-limit.js';
import { EnergyFactor } from './energy-factor.js';
import { Events } from './events.js';
import { Methods } from './methods.js';
import { Storage } from './storage.js';

async function find(address: string): Promise<Required<Pick<ContractAnswer, 'smart_contract'>> & ContractAnswer> {
  const answer = await wallet<ContractAnswer>('getcontractinfo', { value: address });
  const { smart_contract: contract } = answer;
  if (contract === undefined) throw new AnswerError(`There is no contract at ${address}.`, 404);
  return { ...answer, smart_contract: contract };
}

const TABS = ['Read', 'Write', 'Events', 'Storage'] as const;

export function Contract({ address }: { readonly address: string }) {
  const answer = useAnswer(['contract', address], () => find(address));
  const [chosen, setTab] = useAddressState('tab');
  const [opened] = useAddressState('method');
  return (
    <Screen
      title={answer.data?.smart_contract.name || 'Contract'}
      about={<AddressMark address={address} of="contract" />}
    >
      <Answered of={answer}>
        {({ smart_contract: contract, runtimecode = '' }) => {
          const methods = methodsOf(contract.abi?.entrys ?? []);
          const asked = methods.find(({ signature }) => signature === opened);
          const tab = TABS.find((name) => name === chosen) ?? (asked?.isRead === false ? 'Write' : 'Read');
          const parts: Readonly<Record<(typeof TABS)[number], () => ComponentChildren>> = {
            Read: () => <Methods address={address} methods={methods.filter(({ isRead }) => isRead)} opened={opened} />,
            Write: () => (
              <Methods address={address} methods={methods.filter(({ isRead }) => !isRead)} opened={opened} />
            ),
            Events: () => <Events address={address} />,
            Storage: () => <Storage address={address} />,
          };
          return (
            <>
              <Panel title="Contract">
                <Facts>
                  <Fact name="Address">
                    <Address value={address} isWhole />
                  </Fact>
                  <Fact name="Deployer">
                    <Address value={contract.origin_address ?? ''} />
                  </Fact>
                  {contract.trx_hash !== undefined && (
                    <Fact name="Deployed by">
                      <TransactionId value={contract.trx_hash} />
                    </Fact>
                  )}
                  <Fact name="Code">
                    <Units amount={runtimecode.length / 2} unit="bytes" /> <Copy text={runtimecode} what="code" />
                  </Fact>
                  <Fact name="Code hash">
                    <code class="hash">{contract.code_hash ?? 'none'}</code>
                  </Fact>
                </Facts>
              </Panel>
              <DeployerLimit contract={contract} />
              <EnergyFactor address={address} />
              <Panel title="Methods, events and storage" isWide>
                <Tabs names={TABS} current={tab} choose={setTab}>
                  {methods.length === 0 && (tab === 'Read' || tab === 'Write') ? (
                    <Empty>This contract has no ABI on the chain.</Empty>
                  ) : (
                    parts[tab]()
                  )}
                </Tabs>
              </Panel>
            </>
          );
        }}
      </Answered>
    </Screen>
  );
}
