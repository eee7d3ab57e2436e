/** Delegated resources in both directions, with their locks. */

import { useState } from 'preact/hooks';
import type { DelegatedAnswer, DelegationPartiesAnswer } from '../../chain/account-answers.js';
import type { Amount } from '../../chain/answers.js';
import { wallet } from '../../chain/ask.js';
import { useAnswer } from '../../chain/chain-context.js';
import { resourceName } from '../../parts/actions.js';
import { Answered, Empty, Panel } from '../../parts/panel.js';
import { type Column, Table } from '../../parts/table.js';
import { Until } from '../../parts/until.js';
import { Address, Trx } from '../../parts/values.js';

interface Delegation {
  readonly id: string;
  readonly party: string;
  readonly resource: string;
  readonly amountSun: Amount;
  /** 0: no lock. */
  readonly lockedUntilMs: number;
}

interface Direction {
  readonly delegations: readonly Delegation[];
  /** Accounts on the other side, of which the first are asked for. */
  readonly parties: number;
}

interface Delegations {
  readonly given: Direction;
  readonly received: Direction;
}

/** Stake 1.0 and Stake 2.0 are apart in the node. */
const GENERATIONS = ['', 'v2'] as const;
const PARTIES = 50;

const columns = (party: string): readonly Column<Delegation>[] => [
  { title: party, widthRem: 10, grows: true, cell: ({ party }) => <Address value={party} /> },
  { title: 'Resource', widthRem: 6, cell: ({ resource }) => resourceName(resource) },
  { title: 'Stake', widthRem: 9, isNumber: true, cell: ({ amountSun }) => <Trx sun={amountSun} /> },
  {
    title: 'Lock ends',
    widthRem: 8,
    cell: ({ lockedUntilMs }) =>
      lockedUntilMs === 0 ? <span class="muted">no lock</span> : <Until timestampMs={lockedUntilMs} past="ended" />,
  },
];

const GIVEN = columns('To');
const RECEIVED = columns('From');

export function Delegations({ address }: { readonly address: string }) {
  const [limit, setLimit] = useState(PARTIES);
  const answer = useAnswer(['delegations', address, limit], () => delegationsOf(address, limit));
  return (
    <Panel title="Delegations" isWide>
      <Answered of={answer}>
        {({ given, received }) =>
          given.parties + received.parties === 0 ? (
            <Empty>No delegations in either direction.</Empty>
          ) : (
            <>
              <div class="pair">
                <Part title="Delegated to others" columns={GIVEN} {...given} />
                <Part title="Received from others" columns={RECEIVED} {...received} />
              </div>
              {Math.max(given.parties, received.parties) > limit && (
                <p>
                  <button type="button" onClick={() => setLimit(limit + PARTIES)}>
                    Show {PARTIES} more accounts
                  </button>
                </p>
              )}
            </>
          )
        }
      </Answered>
    </Panel>
  );
}

function Part({
  title,
  columns,
  delegations,
  parties,
}: Direction & { readonly title: string; readonly columns: readonly Column<Delegation>[] }) {
  return (
    <section>
      <h3 class="part">
        {title} {parties > 0 && <span class="tag">{parties === 1 ? '1 account' : `${parties} accounts`}</span>}
      </h3>
      <Table label={title} columns={columns} rows={delegations} keyOf={({ id }) => id} empty="None." />
    </section>
  );
}

async function delegationsOf(address: string, limit: number): Promise<Delegations> {
  const found = await Promise.all(GENERATIONS.map((generation) => ofGeneration(address, generation, limit)));
  const joined = (side: keyof Delegations): Direction => ({
    delegations: found.flatMap((one) => one[side].delegations),
    parties: found.reduce((sum, one) => sum + one[side].parties, 0),
  });
  return { given: joined('given'), received: joined('received') };
}

async function ofGeneration(
  address: string,
  generation: (typeof GENERATIONS)[number],
  limit: number,
): Promise<Delegations> {
  const parties = await wallet<DelegationPartiesAnswer>(`getdelegatedresourceaccountindex${generation}`, {
    value: address,
  });
  const between = async (party: string, fromAddress: string, toAddress: string) => {
    const { delegatedResource = [] } = await wallet<DelegatedAnswer>(`getdelegatedresource${generation}`, {
      fromAddress,
      toAddress,
    });
    return delegatedResource.flatMap((row, at): readonly Delegation[] => {
      const of = (resource: string, amountSun: Amount = 0, lockedUntilMs = 0): Delegation => ({
        ...{ party, resource, amountSun, lockedUntilMs },
        id: `${generation} ${party} ${at} ${resource}`,
      });
      return [
        of('ENERGY', row.frozen_balance_for_energy, row.expire_time_for_energy),
        of('BANDWIDTH', row.frozen_balance_for_bandwidth, row.expire_time_for_bandwidth),
      ].filter(({ amountSun }) => BigInt(amountSun) > 0n);
    });
  };
  const direction = async (
    accounts: readonly string[] = [],
    ask: (party: string) => Promise<readonly Delegation[]>,
  ): Promise<Direction> => ({
    parties: accounts.length,
    delegations: (await Promise.all(accounts.slice(0, limit).map(ask))).flat(),
  });
  const [given, received] = await Promise.all([
    direction(parties.toAccounts, (party) => between(party, address, party)),
    direction(parties.fromAccounts, (party) => between(party, party, address)),
  ]);
  return { given, received };
}
