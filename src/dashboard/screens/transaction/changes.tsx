/** What the transaction changed on accounts, and the tokens that it moved. */

import type { Changes, TransactionAnswer } from '../../chain/answers.js';
import { sunup } from '../../chain/ask.js';
import { useLastingAnswer } from '../../chain/chain-context.js';
import { formatDecimals, formatTrx, formatUnits } from '../../parts/amounts.js';
import { Answered, Empty } from '../../parts/panel.js';
import { type Column, Table } from '../../parts/table.js';
import { trc10Info, trc20Info } from '../../parts/token-info.js';
import { Address } from '../../parts/values.js';

type AccountChange = Changes['accounts'][number];
type ValueChange = AccountChange['values'][number];
type TokenTransfer = Changes['tokenTransfers'][number];

interface Row {
  readonly key: string;
  readonly account: AccountChange;
  /** Absent for an account that only came or went. */
  readonly value?: ValueChange;
}

const NAMES: Readonly<Record<ValueChange['name'], string>> = {
  balance: 'Balance',
  energyUsed: 'Energy in use',
  bandwidthUsed: 'Bandwidth in use',
  freeBandwidthUsed: 'Free Bandwidth in use',
  stakedForEnergy: 'Staked for Energy',
  stakedForBandwidth: 'Staked for Bandwidth',
  stakedForVotes: 'Staked for votes',
  unstaking: 'Unstaking',
  delegatedEnergy: 'Delegated for Energy',
  delegatedBandwidth: 'Delegated for Bandwidth',
  receivedEnergy: 'Received for Energy',
  receivedBandwidth: 'Received for Bandwidth',
  votes: 'Votes',
  reward: 'Reward',
  token: 'Token',
};

const UNITS: Readonly<Record<ValueChange['unit'], string>> = {
  sun: 'TRX',
  energy: 'Energy',
  bytes: 'bytes',
  votes: 'votes',
  token: '',
};

export function ChangesOf({ transaction, owner }: { readonly transaction: TransactionAnswer; readonly owner: string }) {
  const { txID } = transaction;
  const answer = useLastingAnswer(['changes', txID], () =>
    sunup<{ readonly changes: Changes }>('trace', { txid: txID, changes: true }),
  );
  return (
    <Answered of={answer}>
      {({ changes: { accounts, tokenTransfers } }) =>
        accounts.length + tokenTransfers.length === 0 ? (
          <Empty>No account has changed.</Empty>
        ) : (
          <>
            <h3>Accounts</h3>
            <Table
              label="Changes on accounts"
              columns={ACCOUNT_COLUMNS}
              rows={rowsOf(accounts)}
              keyOf={({ key }) => key}
              empty="No account has changed."
            />
            {tokenTransfers.length > 0 && (
              <>
                <h3>Tokens of contracts, by events</h3>
                <Table
                  label="Transfers of tokens"
                  columns={transferColumns(owner)}
                  rows={tokenTransfers.map((transfer, at) => ({ ...transfer, at }))}
                  keyOf={({ at }) => at}
                  empty=""
                />
              </>
            )}
          </>
        )
      }
    </Answered>
  );
}

function rowsOf(accounts: readonly AccountChange[]): readonly Row[] {
  return accounts.flatMap((account): readonly Row[] => {
    const { address, values } = account;
    if (values.length === 0) return [{ key: address, account }];
    return values.map((value) => ({ key: `${address} ${value.name} ${value.token ?? ''}`, account, value }));
  });
}

const ACCOUNT_COLUMNS: readonly Column<Row>[] = [
  {
    title: 'Account',
    widthRem: 11,
    cell: ({ account: { address, name, lifecycle } }) => (
      <>
        <Address value={address} {...(name !== undefined && { name })} />
        {lifecycle !== undefined && (
          <>
            {' '}
            <span class="tag">{lifecycle === 'created' ? 'new' : 'removed'}</span>
          </>
        )}
      </>
    ),
  },
  {
    title: 'Value',
    widthRem: 11,
    grows: true,
    cell: ({ value }) =>
      value === undefined
        ? 'The account itself'
        : `${NAMES[value.name]}${value.token === undefined ? '' : ` ${value.token}`}`,
  },
  { title: 'Before', widthRem: 11, isNumber: true, cell: ({ value }) => value && <Amount of={value} at="before" /> },
  { title: 'After', widthRem: 11, isNumber: true, cell: ({ value }) => value && <Amount of={value} at="after" /> },
  { title: 'Change', widthRem: 11, isNumber: true, cell: ({ value }) => value && <Difference of={value} /> },
];

function useDecimals({ unit, token }: ValueChange): { readonly decimals: number; readonly symbol: string } {
  const { data } = useLastingAnswer(['token', 'TRC-10', token], async () =>
    unit === 'token' && token !== undefined ? trc10Info(token) : null,
  );
  return { decimals: data?.decimals ?? 0, symbol: data?.symbol ?? UNITS[unit] };
}

function Amount({ of, at }: { readonly of: ValueChange; readonly at: 'before' | 'after' }) {
  return <Shown of={of} amount={BigInt(of[at])} sign="" />;
}

function Difference({ of }: { readonly of: ValueChange }) {
  const amount = BigInt(of.after) - BigInt(of.before);
  const isMoney = of.unit === 'sun' || of.unit === 'token';
  return (
    <b class={isMoney ? (amount < 0n ? 'minus' : 'plus') : ''}>
      <Shown of={of} amount={amount} sign={amount > 0n ? '+' : ''} />
    </b>
  );
}

function Shown({ of, amount, sign }: { readonly of: ValueChange; readonly amount: bigint; readonly sign: string }) {
  const { decimals, symbol } = useDecimals(of);
  const text = of.unit === 'sun' ? formatTrx(amount) : formatDecimals(amount, decimals);
  return (
    <span class="number" title={of.unit === 'sun' ? `${formatUnits(amount)} sun` : undefined}>
      {sign}
      {text} <span class="unit">{symbol}</span>
    </span>
  );
}

/** @param caller an account that exists: names of tokens come from calls */
function transferColumns(caller: string): readonly Column<TokenTransfer>[] {
  return [
    { title: 'Kind', widthRem: 5, cell: ({ standard }) => <span class="tag">{standard.replace('trc', 'TRC-')}</span> },
    { title: 'Token', widthRem: 10, cell: ({ token }) => <Address value={token.address} name={token.name} /> },
    { title: 'From', widthRem: 9.5, cell: ({ from }) => <Address value={from} /> },
    { title: 'To', widthRem: 9.5, cell: ({ to }) => <Address value={to} /> },
    {
      title: 'Amount',
      widthRem: 11,
      grows: true,
      isNumber: true,
      cell: (transfer) => <TokenAmount transfer={transfer} caller={caller} />,
    },
  ];
}

function TokenAmount({
  transfer: { standard, token, value },
  caller,
}: {
  readonly transfer: TokenTransfer;
  readonly caller: string;
}) {
  const { data } = useLastingAnswer(['token', 'TRC-20', token.address], () => trc20Info(token.address, caller));
  if (standard === 'trc721') return <span class="number">no. {formatUnits(value)}</span>;
  return (
    <span class="number" title={`${formatUnits(value)} smallest units`}>
      {formatDecimals(value, data?.decimals ?? 0)} <span class="unit">{data?.symbol}</span>
    </span>
  );
}
