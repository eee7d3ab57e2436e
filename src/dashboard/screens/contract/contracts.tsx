/** Contracts of the newest blocks: a chain has no list of all. */

import type { TransactionEvent } from '../../chain/answers.js';
import { useChain } from '../../chain/chain-context.js';
import { Panel, Screen } from '../../parts/panel.js';
import { type Column, Table } from '../../parts/table.js';
import { Address, BlockNumber, ContractLink, Units } from '../../parts/values.js';

interface Seen {
  readonly address: string;
  readonly name: string;
  readonly calls: number;
  readonly energy: bigint;
  readonly lastBlock: number;
}

const COLUMNS: readonly Column<Seen>[] = [
  {
    title: 'Contract',
    widthRem: 12,
    grows: true,
    cell: ({ address, name }) => <ContractLink address={address} name={name} />,
  },
  { title: 'Address', widthRem: 10, cell: ({ address }) => <Address value={address} /> },
  { title: 'Transactions', widthRem: 8, isNumber: true, cell: ({ calls }) => <Units amount={calls} /> },
  { title: 'Energy', widthRem: 9, isNumber: true, cell: ({ energy }) => <Units amount={energy} /> },
  { title: 'Last in block', widthRem: 8, isNumber: true, cell: ({ lastBlock }) => <BlockNumber value={lastBlock} /> },
];

export function Contracts() {
  const { blocks } = useChain();
  const seen = seenIn(blocks.flatMap(({ contents }) => contents));
  return (
    <Screen title="Contracts">
      <Panel title={`In transactions from block ${blocks.at(-1)?.number ?? 0} on`} isWide>
        <Table
          label="Contracts"
          columns={COLUMNS}
          rows={seen}
          keyOf={({ address }) => address}
          empty="No contract was deployed or called in the newest blocks. Search for the address of an older one."
        />
      </Panel>
    </Screen>
  );
}

function seenIn(transactions: readonly TransactionEvent[]): readonly Seen[] {
  const found = new Map<string, Seen>();
  for (const { action, energy, block } of transactions) {
    if (action.kind !== 'call' && action.kind !== 'deployment') continue;
    const { address, name } = action.contract;
    const before = found.get(address);
    found.set(address, {
      address,
      name,
      calls: (before?.calls ?? 0) + 1,
      energy: (before?.energy ?? 0n) + BigInt(energy?.total ?? 0),
      lastBlock: Math.max(before?.lastBlock ?? 0, block),
    });
  }
  return [...found.values()].sort((one, other) => other.lastBlock - one.lastBlock);
}
