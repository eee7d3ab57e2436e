/** Events of a contract, newest first, as the history index has them. */

import type { EventEntry } from '../../chain/answers.js';
import { history } from '../../chain/ask.js';
import { useAnswer, useSettings } from '../../chain/chain-context.js';
import { eventValues } from '../../parts/event-values.js';
import { Answered, Empty } from '../../parts/panel.js';
import { type Column, Table } from '../../parts/table.js';
import { Ago, BlockNumber, TransactionId } from '../../parts/values.js';

const COLUMNS: readonly Column<EventEntry>[] = [
  { title: 'Event', widthRem: 10, cell: ({ event_name }) => <b>{event_name}</b> },
  {
    title: 'Values',
    widthRem: 24,
    grows: true,
    cell: (entry) => <code title={eventValues(entry)}>{eventValues(entry)}</code>,
  },
  { title: 'Transaction', widthRem: 11, cell: ({ transaction_id }) => <TransactionId value={transaction_id} /> },
  { title: 'Block', widthRem: 6, cell: ({ block_number }) => <BlockNumber value={block_number} /> },
  { title: 'Time', widthRem: 9, cell: ({ block_timestamp }) => <Ago timestampMs={block_timestamp} /> },
];

const NEWEST = 100;

export function Events({ address }: { readonly address: string }) {
  const settings = useSettings();
  const answer = useAnswer(['events', address, settings], async () => {
    if (settings?.history !== true) return null;
    return (await history<EventEntry>(`contracts/${address}/events`, { limit: NEWEST })).data;
  });
  return (
    <Answered of={answer}>
      {(entries) =>
        entries === null ? (
          <Empty>Events need the history index, which this node does not have (--no-history).</Empty>
        ) : (
          <Table
            label="Events"
            columns={COLUMNS}
            rows={entries}
            keyOf={({ transaction_id, event_index }) => `${transaction_id}-${event_index}`}
            empty="This contract has emitted no event."
          />
        )
      }
    </Answered>
  );
}
