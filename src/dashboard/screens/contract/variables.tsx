/** Variables of a contract, or what is inside of one of them. */

import { useState } from 'preact/hooks';
import type { Amount } from '../../chain/answers.js';
import type { ContractStorage, StoredVariable } from '../../chain/contract-answers.js';
import { formatUnits, shortened } from '../../parts/amounts.js';
import { type Column, Table } from '../../parts/table.js';
import { Address } from '../../parts/values.js';

/** Elements of an array. */
export const PAGE = 100;

/** @param text JSON in the address; anything else is the list of all variables */
export function pathOf(text: string): readonly string[] {
  try {
    const path: unknown = JSON.parse(text);
    return Array.isArray(path) ? path.map(String) : [];
  } catch {
    return [];
  }
}

type Open = (path: readonly string[]) => void;

interface VariablesProps {
  readonly storage: ContractStorage;
  readonly open: Open;
  /** The first element that is shown of an array. */
  readonly from: string;
  readonly setFrom: (from: string) => void;
}

export function Variables({ storage, open, from, setFrom }: VariablesProps) {
  const { layout, layoutOf, variables, found } = storage;
  return (
    <>
      <p class="muted">
        Layout of <b>{layout}</b>
        {layoutOf !== undefined && (
          <>
            , to which this proxy delegates: <Address value={layoutOf} />
          </>
        )}
      </p>
      {found !== undefined && <Trail path={found.path} open={open} />}
      {found === undefined ? (
        <Rows
          label="Variables"
          rows={variables ?? []}
          open={open}
          empty="This contract has no variables in its storage."
        />
      ) : (
        <Inside found={found} open={open} from={BigInt(/^\d+$/.test(from) ? from : 0)} setFrom={setFrom} />
      )}
    </>
  );
}

function Trail({ path, open }: { readonly path: readonly string[]; readonly open: Open }) {
  return (
    <nav class="trail" aria-label="Place in the storage">
      <button type="button" class="link" onClick={() => open([])}>
        All variables
      </button>
      {path.map((step, at) => (
        <span key={at}>
          {' › '}
          {at === path.length - 1 ? (
            <b title={step}>{shortened(step, 24, 5)}</b>
          ) : (
            <button type="button" class="link" title={step} onClick={() => open(path.slice(0, at + 1))}>
              {shortened(step, 24, 5)}
            </button>
          )}
        </span>
      ))}
    </nav>
  );
}

interface InsideProps {
  readonly found: StoredVariable;
  readonly open: Open;
  readonly from: bigint;
  readonly setFrom: (from: string) => void;
}

function Inside({ found, open, from, setFrom }: InsideProps) {
  const { kind, members = [], length = 0, keyType = '', path, name, type } = found;
  if (kind === 'mapping') return <KeyForm type={type} keyType={keyType} open={(key) => open([...path, key])} />;
  if (kind !== 'array') {
    return (
      <Rows label={name} rows={kind === 'struct' ? members : [found]} open={open} empty="This struct has no members." />
    );
  }
  const count = BigInt(length);
  const end = from + BigInt(members.length);
  const page = BigInt(PAGE);
  return (
    <>
      <Rows
        label={name}
        rows={members}
        open={open}
        empty={count === 0n ? 'This array is empty.' : 'There are no elements here.'}
      />
      {count > page && (
        <nav class="pages" aria-label="Pages of elements">
          <button type="button" disabled={from === 0n} onClick={() => setFrom(String(from > page ? from - page : 0n))}>
            ← Lower
          </button>
          <span class="muted number">
            {formatUnits(from)} to {formatUnits(end - 1n)} of {formatUnits(count)}
          </span>
          <button type="button" disabled={end >= count} onClick={() => setFrom(String(end))}>
            Higher →
          </button>
        </nav>
      )}
    </>
  );
}

interface KeyFormProps {
  readonly type: string;
  readonly keyType: string;
  readonly open: (key: string) => void;
}

/** Storage has no list of a mapping's keys. */
function KeyForm({ type, keyType, open }: KeyFormProps) {
  const [key, setKey] = useState('');
  const submit = (event: Event) => {
    event.preventDefault();
    open(key);
  };
  return (
    <form class="mapping-key" onSubmit={submit}>
      <p class="muted">
        <code>{type}</code>: the storage has no list of its keys. Enter one to see its value.
      </p>
      <div class="action-fields">
        <label class="field">
          Key ({keyType})
          <input value={key} spellcheck={false} onInput={({ currentTarget }) => setKey(currentTarget.value)} />
        </label>
        <button type="submit">Show</button>
      </div>
    </form>
  );
}

interface RowsProps {
  readonly label: string;
  readonly rows: readonly StoredVariable[];
  readonly open: Open;
  readonly empty: string;
}

function Rows({ label, rows, open, empty }: RowsProps) {
  const columns: readonly Column<StoredVariable>[] = [
    {
      title: 'Name',
      widthRem: 9,
      cell: ({ name, kind, path }) =>
        CONTAINERS.includes(kind) ? (
          <button type="button" class="link" title={name} onClick={() => open(path)}>
            {shortened(name, 20, 5)}
          </button>
        ) : (
          <b title={name}>{shortened(name, 20, 5)}</b>
        ),
    },
    { title: 'Value', widthRem: 18, grows: true, cell: (variable) => <Value variable={variable} /> },
    { title: 'Type', widthRem: 12, cell: ({ type }) => <code title={type}>{type}</code> },
    {
      title: 'Slot',
      widthRem: 10,
      cell: ({ slot, offset }) => (
        <code class="muted" title={slot}>
          {shortened(slot, 8, 6)}
          {offset > 0 && ` +${offset}`}
        </code>
      ),
    },
  ];
  return <Table label={label} columns={columns} rows={rows} keyOf={({ path }) => path.join('/')} empty={empty} />;
}

const CONTAINERS: readonly StoredVariable['kind'][] = ['struct', 'array', 'mapping'];

function Value({ variable }: { readonly variable: StoredVariable }) {
  const { kind, type, value = '', length = 0, keyType, members, isCut } = variable;
  switch (kind) {
    case 'mapping':
      return <span class="muted">by {keyType}</span>;
    case 'array':
      return <span class="muted">{elements(length)}</span>;
    case 'struct': {
      const text = (members ?? []).map((member) => `${member.name}: ${plain(member)}`).join(', ');
      return <span title={text}>{text === '' ? <span class="muted">…</span> : text}</span>;
    }
    case 'string':
      return (
        <span title={value}>
          “{value}
          {isCut === true && '…'}” <span class="muted">{formatUnits(length)} bytes</span>
        </span>
      );
    case 'bytes':
      return (
        <span title={value}>
          <code>
            {value}
            {isCut === true && '…'}
          </code>{' '}
          <span class="muted">{formatUnits(length)} bytes</span>
        </span>
      );
    case 'value':
      if (/^(address\b|contract )/.test(type)) return <Address value={value} />;
      return (
        <span class="number" title={value}>
          {/^-?\d+$/.test(value) ? formatUnits(value) : value}
        </span>
      );
  }
}

function plain({ kind, value, length, keyType }: StoredVariable): string {
  if (kind === 'mapping') return `by ${keyType}`;
  if (kind === 'array') return elements(length ?? 0);
  if (kind === 'struct') return '{…}';
  return kind === 'string' ? `“${value}”` : shortened(value ?? '', 24, 5);
}

const elements = (count: Amount): string => (BigInt(count) === 1n ? '1 element' : `${formatUnits(count)} elements`);
