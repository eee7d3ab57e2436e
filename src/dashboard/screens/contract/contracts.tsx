/** All contracts of the chain. The node sorts and searches; only pages in sight are asked for. */

import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import { sunup } from '../../chain/ask.js';
import { useAnswer, useSettings } from '../../chain/chain-context.js';
import type { ContractList, ListedContract } from '../../chain/contract-answers.js';
import { useAddressState } from '../../parts/address-state.js';
import { formatUnits } from '../../parts/amounts.js';
import { Answered, Empty, Panel, Screen } from '../../parts/panel.js';
import { type Column, Table } from '../../parts/table.js';
import { Address, BlockNumber, ContractLink, Units } from '../../parts/values.js';
import { priceOfStep } from './step-price.js';

const PAGE = 100;

const ORDERS = {
  newest: 'Newest first',
  oldest: 'Oldest first',
  name: 'Name',
  energy: 'Energy in this epoch',
  factor: 'Energy factor',
} as const;
type Order = keyof typeof ORDERS;

interface Query {
  /** Empty: the best match of a search first, else the newest. */
  readonly order: string;
  readonly search: string;
}

function usePage({ order, search }: Query, page: number) {
  const query = { ...(order !== '' && { order }), ...(search.trim() !== '' && { search }) };
  return useAnswer(['contracts', order, search, page], () =>
    sunup<ContractList>('contracts', { ...query, offset: page * PAGE, limit: PAGE }),
  );
}

interface CellProps {
  readonly query: Query;
  readonly index: number;
  readonly show: (contract: ListedContract) => ComponentChildren;
}

function Cell({ query, index, show }: CellProps) {
  const contract = usePage(query, Math.floor(index / PAGE)).data?.contracts[index % PAGE];
  return <>{contract === undefined ? '…' : show(contract)}</>;
}

function columns(query: Query): readonly Column<number>[] {
  const column = (title: string, widthRem: number, show: CellProps['show'], more: Partial<Column<number>> = {}) => ({
    ...{ title, widthRem, ...more },
    cell: (index: number) => <Cell query={query} index={index} show={show} />,
  });
  const isNumber = true;
  return [
    column('Contract', 11, ({ address, name }) => <ContractLink address={address} name={name} />, { grows: true }),
    column('Address', 10, ({ address }) => <Address value={address} />),
    query.search.trim() === ''
      ? column('Deployer', 10, ({ deployer }) => <Address value={deployer} />)
      : column('Methods that match', 14, ({ methods = [] }) => (
          <code title={methods.join('\n')}>{methods.join(', ')}</code>
        )),
    column(
      'Created in',
      6.5,
      ({ createdIn }) => (createdIn === undefined ? <span class="muted">–</span> : <BlockNumber value={createdIn} />),
      { isNumber },
    ),
    column('Energy in this epoch', 10.5, ({ energyUsage }) => <Units amount={energyUsage} />, { isNumber }),
    column('Price of a step', 7.5, ({ energyFactor }) => <>{priceOfStep(energyFactor)} ×</>, { isNumber }),
  ];
}

export function Contracts() {
  const settings = useSettings();
  return (
    <Screen title="Contracts">
      <Panel title="Contracts of this chain" isWide>
        {settings === undefined ? (
          <p class="loading" role="status">
            Loading …
          </p>
        ) : !settings.devMethods ? (
          <Empty>
            The list of contracts needs developer methods, which this node does not serve to this page. Search for an
            address to see its contract.
          </Empty>
        ) : (
          <List />
        )}
      </Panel>
    </Screen>
  );
}

function List() {
  const [order, setOrder] = useAddressState('order');
  const [search, setSearch] = useAddressState('search');
  const query = useMemo(() => ({ order: order in ORDERS ? order : '', search }), [order, search]);
  const first = usePage(query, 0);
  const shown = useMemo(() => columns(query), [query]);
  const isSearch = search.trim() !== '';
  return (
    <>
      <div class="filter">
        <input
          type="search"
          aria-label="Search contracts"
          placeholder="Name, method or address"
          spellcheck={false}
          value={search}
          onInput={({ currentTarget }) => setSearch(currentTarget.value)}
        />
        <label class="order">
          Order
          <select value={query.order} onChange={({ currentTarget }) => setOrder(currentTarget.value)}>
            <option value="">{isSearch ? 'Best match first' : ORDERS.newest}</option>
            {(Object.keys(ORDERS) as Order[])
              .filter((name) => isSearch || name !== 'newest')
              .map((name) => (
                <option key={name} value={name}>
                  {ORDERS[name]}
                </option>
              ))}
          </select>
        </label>
        <span class="muted number" role="status">
          {first.data !== undefined && `${formatUnits(first.data.total)} contracts`}
        </span>
      </div>
      <Answered of={first}>
        {({ total, forkBlock, dynamicEnergy }) => (
          <>
            {forkBlock !== undefined && (
              <p class="muted">
                Contracts that were created on this fork, after block {formatUnits(forkBlock)} of its network. Search
                for an address in the field above to see a contract of the network.
              </p>
            )}
            {!dynamicEnergy && (
              <p class="muted">Dynamic Energy is off on this chain: each step costs its base price.</p>
            )}
            <Table
              label="Contracts"
              columns={shown}
              rows={range(total)}
              keyOf={(index) => index}
              empty={isSearch ? 'No contract is like that.' : 'There is no contract on this chain yet.'}
            />
          </>
        )}
      </Answered>
    </>
  );
}

const range = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);
