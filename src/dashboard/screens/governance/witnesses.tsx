/** Witnesses by votes. */

import { wallet } from '../../chain/ask.js';
import { useAnswer } from '../../chain/chain-context.js';
import type { WitnessAnswer } from '../../chain/governance-answers.js';
import { type Column, Table } from '../../parts/table.js';
import { Address, BlockNumber, Units } from '../../parts/values.js';

interface Row extends WitnessAnswer {
  readonly rank: number;
}

const COLUMNS: readonly Column<Row>[] = [
  { title: 'No.', widthRem: 2.5, isNumber: true, cell: ({ rank }) => <span class="muted">{rank}</span> },
  { title: 'Witness', widthRem: 9, cell: ({ address }) => <Address value={address} /> },
  { title: 'Web address', widthRem: 10, grows: true, cell: ({ url = '' }) => <span title={url}>{url}</span> },
  { title: 'Votes', widthRem: 8, isNumber: true, cell: ({ voteCount = 0 }) => <Units amount={voteCount} /> },
  { title: 'Brokerage', widthRem: 5, isNumber: true, cell: ({ address }) => <Brokerage address={address} /> },
  { title: 'Produced', widthRem: 6, isNumber: true, cell: ({ totalProduced = 0 }) => <Units amount={totalProduced} /> },
  { title: 'Missed', widthRem: 6, isNumber: true, cell: ({ totalMissed = 0 }) => <Units amount={totalMissed} /> },
  {
    title: 'Last block',
    widthRem: 5.5,
    isNumber: true,
    cell: ({ latestBlockNum }) =>
      latestBlockNum === undefined ? <span class="muted">none</span> : <BlockNumber value={latestBlockNum} />,
  },
  {
    title: 'Now',
    widthRem: 6,
    cell: ({ isJobs }) =>
      isJobs === true ? <span class="result good">produces</span> : <span class="muted">stands by</span>,
  },
];

export function Witnesses({ witnesses }: { readonly witnesses: readonly WitnessAnswer[] }) {
  const rows = [...witnesses]
    .sort((one, other) => (BigInt(other.voteCount ?? 0) > BigInt(one.voteCount ?? 0) ? 1 : -1))
    .map((witness, at): Row => ({ ...witness, rank: at + 1 }));
  return (
    <Table
      label="Witnesses"
      columns={COLUMNS}
      rows={rows}
      keyOf={({ address }) => address}
      empty="This chain has no witnesses."
    />
  );
}

/** Asked for by rows in sight. */
function Brokerage({ address }: { readonly address: string }) {
  const { data } = useAnswer(['brokerage', address], () =>
    wallet<{ readonly brokerage?: number }>('getBrokerage', { address }),
  );
  return <span class="number">{data === undefined ? '…' : `${data.brokerage ?? 0} %`}</span>;
}
