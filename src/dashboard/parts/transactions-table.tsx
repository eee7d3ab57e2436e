import type { TransactionEvent } from '../chain/answers.js';
import { ActionLine, Result } from './actions.js';
import { type Column, Table } from './table.js';
import { Address, BlockNumber, TransactionId, Trx, Units } from './values.js';

const COLUMNS: readonly Column<TransactionEvent>[] = [
  { title: 'Transaction', widthRem: 11, cell: ({ txid }) => <TransactionId value={txid} /> },
  { title: 'Block', widthRem: 5.5, cell: ({ block }) => <BlockNumber value={block} /> },
  { title: 'From', widthRem: 9, cell: ({ owner }) => <Address value={owner} /> },
  { title: 'Action', widthRem: 16, grows: true, cell: (transaction) => <ActionLine {...transaction} /> },
  { title: 'Result', widthRem: 9, cell: (transaction) => <Result {...transaction} /> },
  {
    title: 'Energy',
    widthRem: 6.5,
    isNumber: true,
    cell: ({ energy }) => energy && <Units amount={energy.total} />,
  },
  { title: 'Fee', widthRem: 9, isNumber: true, cell: ({ feeSun }) => <Trx sun={feeSun} /> },
];

interface Props {
  readonly transactions: readonly TransactionEvent[];
  readonly empty: string;
  readonly isInBlock?: boolean;
}

export function TransactionsTable({ transactions, empty, isInBlock }: Props) {
  const columns = isInBlock === true ? COLUMNS.filter(({ title }) => title !== 'Block') : COLUMNS;
  return <Table label="Transactions" columns={columns} rows={transactions} keyOf={({ txid }) => txid} empty={empty} />;
}
