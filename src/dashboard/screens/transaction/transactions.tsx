/** The newest transactions, as they come. */

import { useChain } from '../../chain/chain-context.js';
import { Panel, Screen } from '../../parts/panel.js';
import { TransactionsTable } from '../../parts/transactions-table.js';

export function Transactions() {
  const { blocks, connection } = useChain();
  const transactions = blocks.flatMap(({ contents }) => [...contents].reverse());
  const oldest = blocks.at(-1)?.number ?? 0;
  return (
    <Screen title="Transactions">
      <Panel title={`In blocks from ${oldest} on`} isWide>
        <TransactionsTable
          transactions={transactions}
          empty={
            connection === 'polling'
              ? 'This node does not report transactions (--no-dev-methods). Open a block to see its transactions.'
              : 'No transactions yet. Send one with your wallet or script; it appears here.'
          }
        />
      </Panel>
    </Screen>
  );
}
