/** Stakes of an account with what they give, and unstakings on their way to the balance. */

import type { AccountAnswer } from '../../chain/account-answers.js';
import type { Amount } from '../../chain/answers.js';
import { resourceName } from '../../parts/actions.js';
import { Empty, Panel } from '../../parts/panel.js';
import { type Column, Table } from '../../parts/table.js';
import { Until } from '../../parts/until.js';
import { Trx, Units } from '../../parts/values.js';
import type { AccountState } from './account-state.js';
import { type Stake, stakesOf } from './stakes-of.js';

interface Row extends Stake {
  readonly gives: Amount;
}

const COLUMNS: readonly Column<Row>[] = [
  { title: 'For', widthRem: 6, grows: true, cell: ({ resource }) => resourceName(resource) },
  { title: 'Own stake', widthRem: 9, isNumber: true, cell: ({ own }) => <Trx sun={own} /> },
  { title: 'Delegated', widthRem: 9, isNumber: true, cell: ({ delegated }) => <Trx sun={delegated} /> },
  { title: 'Received', widthRem: 9, isNumber: true, cell: ({ received }) => <Trx sun={received} /> },
  { title: 'Gives a day', widthRem: 8, isNumber: true, cell: ({ gives }) => <Units amount={gives} /> },
];

const STAKE_1: Column<Row> = {
  title: 'Stake 1.0',
  widthRem: 9,
  isNumber: true,
  cell: ({ stake1 }) => <Trx sun={stake1} />,
};

export function Stakes({ account, resources, withdrawableSun }: AccountState & { readonly account: AccountAnswer }) {
  const gives = { ENERGY: resources.EnergyLimit, BANDWIDTH: resources.NetLimit, TRON_POWER: resources.tronPowerLimit };
  const stakes = stakesOf(account)
    .filter(({ own, stake1, delegated, received }) => own + stake1 + delegated + received > 0n)
    .map((stake) => ({ ...stake, gives: gives[stake.resource] ?? 0 }));
  const unstakings = (account.unfrozenV2 ?? []).filter(({ unfreeze_amount = 0 }) => BigInt(unfreeze_amount) > 0n);
  const hasStake1 = stakes.some(({ stake1 }) => stake1 > 0n);
  return (
    <Panel title="Stakes" isWide>
      {stakes.length === 0 ? (
        <Empty>No stake. This account uses free Bandwidth only, and burns TRX for Energy.</Empty>
      ) : (
        <Table
          label="Stakes"
          columns={hasStake1 ? [...COLUMNS.slice(0, 2), STAKE_1, ...COLUMNS.slice(2)] : COLUMNS}
          rows={stakes}
          keyOf={({ resource }) => resource}
          empty=""
        />
      )}
      <Stake1Ends account={account} />
      {unstakings.length > 0 && (
        <>
          <h3 class="part">
            Unstakings
            {BigInt(withdrawableSun) > 0n && (
              <span class="result good">
                <Trx sun={withdrawableSun} /> can be withdrawn now
              </span>
            )}
          </h3>
          <Table
            label="Unstakings"
            columns={UNSTAKING_COLUMNS}
            rows={unstakings.map((unstaking, number) => ({ ...unstaking, number }))}
            keyOf={({ number }) => number}
            empty=""
          />
        </>
      )}
    </Panel>
  );
}

type Unstaking = NonNullable<AccountAnswer['unfrozenV2']>[number] & { readonly number: number };

const UNSTAKING_COLUMNS: readonly Column<Unstaking>[] = [
  { title: 'From', widthRem: 6, cell: ({ type = 'BANDWIDTH' }) => resourceName(type) },
  { title: 'Amount', widthRem: 9, isNumber: true, cell: ({ unfreeze_amount = 0 }) => <Trx sun={unfreeze_amount} /> },
  {
    title: 'Can be withdrawn',
    widthRem: 20,
    grows: true,
    cell: ({ unfreeze_expire_time: at = 0 }) => <Until timestampMs={at} isWhole />,
  },
];

function Stake1Ends({ account: { frozen = [], account_resource: energy } }: { readonly account: AccountAnswer }) {
  const stakes = [
    ...frozen.map((stake) => ({ ...stake, resource: 'BANDWIDTH' })),
    ...(energy?.frozen_balance_for_energy === undefined
      ? []
      : [{ ...energy.frozen_balance_for_energy, resource: 'ENERGY' }]),
  ].filter(({ frozen_balance = 0 }) => BigInt(frozen_balance) > 0n);
  return (
    <>
      {stakes.map(({ resource, frozen_balance = 0, expire_time = 0 }, at) => (
        <p class="muted" key={at}>
          Stake 1.0 of <Trx sun={frozen_balance} /> for {resourceName(resource)} can be taken back{' '}
          <Until timestampMs={expire_time} />.
        </p>
      ))}
    </>
  );
}
