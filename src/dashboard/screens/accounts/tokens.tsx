/** TRC-20 and TRC-10 tokens of an account. */

import type { Amount } from '../../chain/answers.js';
import { history } from '../../chain/ask.js';
import { useAnswer, useLastingAnswer, useSettings } from '../../chain/chain-context.js';
import { formatDecimals, formatUnits } from '../../parts/amounts.js';
import { Answered, Panel } from '../../parts/panel.js';
import { type Column, Table } from '../../parts/table.js';
import { type TokenInfo, trc10Info, trc20Info } from '../../parts/token-info.js';
import { Address } from '../../parts/values.js';

interface Holding {
  readonly kind: 'TRC-20' | 'TRC-10';
  /** Address of the contract, or number of the token. */
  readonly id: string;
  readonly amount: Amount;
  readonly holder: string;
}

const COLUMNS: readonly Column<Holding>[] = [
  { title: 'Kind', widthRem: 5, cell: ({ kind }) => <span class="tag">{kind}</span> },
  {
    title: 'Token',
    widthRem: 10,
    cell: ({ kind, id }) => (kind === 'TRC-20' ? <Address value={id} /> : <span class="number">{id}</span>),
  },
  { title: 'Name', widthRem: 9, grows: true, cell: (holding) => <Name {...holding} /> },
  { title: 'Balance', widthRem: 11, isNumber: true, cell: (holding) => <Balance {...holding} /> },
];

const MOST = 200;

export function Tokens({
  address,
  assets,
}: {
  readonly address: string;
  readonly assets: readonly { readonly key: string; readonly value?: Amount }[];
}) {
  const settings = useSettings();
  const answer = useAnswer(['tokens', address, settings?.history], async (): Promise<readonly Holding[]> => {
    if (settings?.history !== true) return [];
    const { data } = await history<Readonly<Record<string, Amount>>>(`accounts/${address}/trc20/balance`, {
      limit: MOST,
    });
    return data.flatMap((row) =>
      Object.entries(row).map(([id, amount]): Holding => ({ kind: 'TRC-20', id, amount, holder: address })),
    );
  });
  const trc10 = assets.map(
    ({ key, value = 0 }): Holding => ({ kind: 'TRC-10', id: key, amount: value, holder: address }),
  );
  return (
    <Panel title="Tokens" isWide>
      <Answered of={answer}>
        {(trc20) => (
          <Table
            label="Tokens"
            columns={COLUMNS}
            rows={[...trc20, ...trc10.filter(({ amount }) => BigInt(amount) > 0n)]}
            keyOf={({ kind, id }) => `${kind} ${id}`}
            empty={
              settings?.history === false
                ? 'No TRC-10 tokens. TRC-20 tokens need the history index, which is off (--no-history).'
                : 'No tokens.'
            }
          />
        )}
      </Answered>
    </Panel>
  );
}

function useInfo({ kind, id, holder }: Holding): TokenInfo | undefined {
  const { data } = useLastingAnswer(['token', kind, id], () =>
    kind === 'TRC-20' ? trc20Info(id, holder) : trc10Info(id),
  );
  return data ?? undefined;
}

function Name(holding: Holding) {
  const info = useInfo(holding);
  return <span title={info?.name}>{info?.name ?? ''}</span>;
}

function Balance(holding: Holding) {
  const info = useInfo(holding);
  const { amount } = holding;
  return (
    <span class="number" title={`${formatUnits(amount)} smallest units`}>
      {formatDecimals(amount, info?.decimals ?? 0)} <span class="unit">{info?.symbol}</span>
    </span>
  );
}
