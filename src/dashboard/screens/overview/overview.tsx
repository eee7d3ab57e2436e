/** The first screen: height and time, traffic and Energy per block, pools, costs by source. */

import type { NodeInfoAnswer, ResourcesAnswer } from '../../chain/answers.js';
import { rpc, wallet } from '../../chain/ask.js';
import { useAnswer, useChain, useSettings } from '../../chain/chain-context.js';
import { Empty, Panel, Screen } from '../../parts/panel.js';
import { TransactionsTable } from '../../parts/transactions-table.js';
import { ChainTiles } from './chain-tiles.js';
import { CostChart } from './cost-chart.js';
import { Pools } from './pools.js';
import { TrafficChart } from './traffic-chart.js';

const NEWEST = 8;

export function Overview() {
  const { blocks, head } = useChain();
  // The totals come with the resources of any account that exists.
  const address = head?.witness;
  const settings = useSettings();
  const info = useAnswer(['node', settings], async () =>
    settings?.devMethods === true ? rpc<NodeInfoAnswer>('tron_nodeInfo') : null,
  );
  const pools = useAnswer(
    ['pools', address],
    () => wallet<ResourcesAnswer>('getaccountresource', { address }),
    address !== undefined,
  );
  const newest = blocks.flatMap(({ contents }) => [...contents].reverse()).slice(0, NEWEST);
  return (
    <Screen title="Overview">
      <ChainTiles info={info.data ?? undefined} />
      <Panel title="Transactions and Energy per block" isWide>
        <TrafficChart blocks={blocks} />
      </Panel>
      <Panel title="Who paid, by source" isWide>
        {settings?.devMethods === false ? (
          <Empty>This node does not report what transactions cost (--no-dev-methods).</Empty>
        ) : (
          <CostChart blocks={blocks} />
        )}
      </Panel>
      <Pools of={pools} />
      <Panel title="Newest transactions" isWide>
        <TransactionsTable
          transactions={newest}
          empty="No transactions yet. Send one with your wallet or script; it appears here."
        />
      </Panel>
    </Screen>
  );
}
