/** Transactions of an account by page, the newest first. */

import { useMemo } from 'preact/hooks';
import type { HistoryEntry } from '../../chain/account-answers.js';
import type { Amount } from '../../chain/answers.js';
import { history } from '../../chain/ask.js';
import { useAnswer, useSettings } from '../../chain/chain-context.js';
import { toBase58 } from '../../parts/address-forms.js';
import { useAddressState } from '../../parts/address-state.js';
import { BlockMark } from '../../parts/fork-marks.js';
import { Answered, Empty, Panel } from '../../parts/panel.js';
import { type Column, Table } from '../../parts/table.js';
import { Address, Ago, TransactionId, Trx } from '../../parts/values.js';

const PAGE = 20;

/** Fields of contracts that are the other side, and those that are TRX. */
const PARTIES = ['to_address', 'contract_address', 'receiver_address', 'account_address'];
const AMOUNTS = ['call_value', 'frozen_balance', 'unfreeze_balance', 'balance'];

const fieldsOf = ({ raw_data: { contract } }: HistoryEntry) => contract[0]?.parameter.value ?? {};
const typeOf = ({ raw_data: { contract } }: HistoryEntry) => contract[0]?.type ?? '';

function amountOf(entry: HistoryEntry): Amount | undefined {
  const value = fieldsOf(entry) as Readonly<Record<string, Amount | undefined>>;
  if (typeOf(entry) === 'TransferContract') return value.amount;
  const field = AMOUNTS.find((name) => value[name] !== undefined);
  return field === undefined ? undefined : value[field];
}

const columns = (address: string): readonly Column<HistoryEntry>[] => [
  { title: 'Transaction', widthRem: 11, cell: ({ txID }) => <TransactionId value={txID} /> },
  { title: 'Time', widthRem: 8.5, cell: ({ block_timestamp }) => <Ago timestampMs={block_timestamp} /> },
  {
    title: 'Type',
    widthRem: 12.5,
    grows: true,
    cell: (entry) => (
      <>
        {typeOf(entry).replace(/Contract$/, '')} <BlockMark number={entry.blockNumber} onlyNetwork />
      </>
    ),
  },
  { title: 'With', widthRem: 12, cell: (entry) => <OtherSide entry={entry} address={address} /> },
  {
    title: 'Amount',
    widthRem: 8,
    isNumber: true,
    cell: (entry) => {
      const amount = amountOf(entry);
      return amount === undefined ? null : <Trx sun={amount} />;
    },
  },
  {
    title: 'Result',
    widthRem: 6.5,
    cell: ({ ret }) => {
      const result = ret[0]?.contractRet ?? 'SUCCESS';
      return (
        <span class={result === 'SUCCESS' ? 'result good' : 'result bad'}>
          {result === 'SUCCESS' ? 'Success' : result}
        </span>
      );
    },
  },
  { title: 'Fee', widthRem: 7.5, isNumber: true, cell: ({ ret }) => <Trx sun={ret[0]?.fee ?? 0} /> },
];

function OtherSide({ entry, address }: { readonly entry: HistoryEntry; readonly address: string }) {
  const fields = fieldsOf(entry);
  const owner = toBase58(String(fields.owner_address ?? ''));
  const to = toBase58(String(fields[PARTIES.find((name) => fields[name] !== undefined) ?? ''] ?? ''));
  if (owner !== undefined && owner !== address) {
    return (
      <>
        <span class="muted">from</span> <Address value={owner} />
      </>
    );
  }
  if (to === undefined) return null;
  return (
    <>
      <span class="muted">to</span> <Address value={to} />
    </>
  );
}

export function History({ address }: { readonly address: string }) {
  const settings = useSettings();
  return (
    <Panel title="Transactions" isWide>
      {settings === undefined ? (
        <p class="loading" role="status">
          Loading …
        </p>
      ) : settings.history ? (
        <Pages address={address} />
      ) : (
        <Empty>The history index is off (--no-history), so transactions cannot be found by account.</Empty>
      )}
    </Panel>
  );
}

function Pages({ address }: { readonly address: string }) {
  // Fingerprints of the pages up to the one on the screen; the first page has none.
  const [inAddress, setInAddress] = useAddressState('pages');
  const pages = inAddress === '' ? [] : inAddress.split(' ');
  const setPages = (next: readonly string[]) => setInAddress(next.join(' '));
  const fingerprint = pages.at(-1);
  const answer = useAnswer(['history', address, fingerprint], () =>
    history<HistoryEntry>(`accounts/${address}/transactions`, { limit: PAGE, fingerprint }),
  );
  const next = answer.data?.meta.fingerprint;
  const shown = useMemo(() => columns(address), [address]);
  return (
    <>
      <Answered of={answer}>
        {({ data }) => (
          <Table
            label="Transactions"
            columns={shown}
            rows={data}
            keyOf={({ txID }) => txID}
            empty="No transactions yet."
          />
        )}
      </Answered>
      {(next !== undefined || pages.length > 0) && (
        <nav class="pages" aria-label="Pages of transactions">
          <button type="button" disabled={pages.length === 0} onClick={() => setPages(pages.slice(0, -1))}>
            ← Newer
          </button>
          <span class="muted number">Page {pages.length + 1}</span>
          <button
            type="button"
            disabled={next === undefined}
            onClick={() => next !== undefined && setPages([...pages, next])}
          >
            Older →
          </button>
        </nav>
      )}
    </>
  );
}
