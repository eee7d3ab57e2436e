/** The accounts that the node has funded, and those that it sends for without a signature. */

import type { AccountAnswer } from '../../chain/account-answers.js';
import type { ResourcesAnswer } from '../../chain/answers.js';
import { rpc, wallet } from '../../chain/ask.js';
import { useAnswer } from '../../chain/chain-context.js';
import { toBase58 } from '../../parts/address-forms.js';
import { Answered, Panel, Screen } from '../../parts/panel.js';
import { type Column, Table } from '../../parts/table.js';
import { Address, Trx, Units } from '../../parts/values.js';
import { stakesOf } from './stakes-of.js';

interface Row {
  readonly number: number;
  readonly address: string;
}

/** Each row asks for itself, so only accounts in sight are asked for. */
const COLUMNS: readonly Column<Row>[] = [
  { title: 'No.', widthRem: 3, isNumber: true, cell: ({ number }) => <span class="muted">{number}</span> },
  { title: 'Account', widthRem: 11, grows: true, cell: ({ address }) => <Address value={address} /> },
  { title: 'Balance', widthRem: 12, isNumber: true, cell: ({ address }) => <Balance address={address} /> },
  { title: 'Staked', widthRem: 10, isNumber: true, cell: ({ address }) => <Staked address={address} /> },
  { title: 'Energy left', widthRem: 8, isNumber: true, cell: ({ address }) => <Left address={address} of="energy" /> },
  {
    title: 'Bandwidth left',
    widthRem: 9,
    isNumber: true,
    cell: ({ address }) => <Left address={address} of="bandwidth" />,
  },
];

export function Accounts() {
  const accounts = useAnswer(['accounts'], async () => {
    const addresses = await rpc<readonly string[]>('eth_accounts', [], 'eth');
    return addresses.map((address, number): Row => ({ number, address: toBase58(address) ?? address }));
  });
  return (
    <Screen title="Accounts">
      <Panel title="Accounts of this node" isWide>
        <Answered of={accounts}>
          {(rows) => (
            <Table
              label="Accounts"
              columns={COLUMNS}
              rows={rows}
              keyOf={({ address }) => address}
              empty="This node has funded no accounts. Enter an address in the search field to see any account."
            />
          )}
        </Answered>
      </Panel>
    </Screen>
  );
}

const useAccount = (address: string) =>
  useAnswer(['account-row', address], () => wallet<AccountAnswer>('getaccount', { address })).data;

function Balance({ address }: { readonly address: string }) {
  const account = useAccount(address);
  return account === undefined ? <>…</> : <Trx sun={account.balance ?? 0} />;
}

function Staked({ address }: { readonly address: string }) {
  const account = useAccount(address);
  if (account === undefined) return <>…</>;
  const staked = stakesOf(account).reduce((sum, { own, stake1, delegated }) => sum + own + stake1 + delegated, 0n);
  return <Trx sun={staked} />;
}

function Left({ address, of }: { readonly address: string; readonly of: 'energy' | 'bandwidth' }) {
  const answer = useAnswer(['resources-row', address], () =>
    wallet<ResourcesAnswer>('getaccountresource', { address }),
  ).data;
  if (answer === undefined) return <>…</>;
  const { EnergyLimit = 0, EnergyUsed = 0, NetLimit = 0, NetUsed = 0, freeNetLimit = 0, freeNetUsed = 0 } = answer;
  const left = (limit: number | string, used: number | string) => {
    const rest = BigInt(limit) - BigInt(used);
    return rest > 0n ? rest : 0n;
  };
  return (
    <Units
      amount={
        of === 'energy' ? left(EnergyLimit, EnergyUsed) : left(NetLimit, NetUsed) + left(freeNetLimit, freeNetUsed)
      }
    />
  );
}
