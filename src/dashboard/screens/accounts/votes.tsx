/** Votes of an account for witnesses, and the reward that they have earned. */

import type { AccountAnswer } from '../../chain/account-answers.js';
import { Empty, Fact, Facts, Panel } from '../../parts/panel.js';
import { type Column, Table } from '../../parts/table.js';
import { Address, Trx, Units } from '../../parts/values.js';
import type { AccountState } from './account-state.js';

type Vote = NonNullable<AccountAnswer['votes']>[number];

const COLUMNS: readonly Column<Vote>[] = [
  { title: 'Witness', widthRem: 10, grows: true, cell: ({ vote_address }) => <Address value={vote_address} /> },
  { title: 'Votes', widthRem: 7, isNumber: true, cell: ({ vote_count = 0 }) => <Units amount={vote_count} /> },
];

export function Votes({ account, resources, rewardSun }: AccountState & { readonly account: AccountAnswer }) {
  const { tronPowerLimit = 0, tronPowerUsed = 0 } = resources;
  return (
    <Panel title="Votes and reward">
      <Facts>
        <Fact name="Votes cast">
          <Units amount={tronPowerUsed} /> of <Units amount={tronPowerLimit} />
        </Fact>
        <Fact name="Reward to withdraw">
          <Trx sun={rewardSun} />
        </Fact>
      </Facts>
      {account.votes === undefined || account.votes.length === 0 ? (
        <Empty>
          {Number(tronPowerLimit) === 0
            ? 'No votes. Each staked TRX is one vote for a witness, and earns a share of its rewards.'
            : 'No votes cast. Votes earn a share of the rewards of witnesses.'}
        </Empty>
      ) : (
        <Table
          label="Votes"
          columns={COLUMNS}
          rows={account.votes}
          keyOf={({ vote_address }) => vote_address}
          empty=""
        />
      )}
    </Panel>
  );
}
