/** The accounts with the largest shares of a pool. */

import type { PoolSharesAnswer } from '../../chain/answers.js';
import { formatUnits } from '../../parts/amounts.js';
import { Address, Trx } from '../../parts/values.js';

type Pool = PoolSharesAnswer['energy'];

const SUN_PER_TRX = 1_000_000;

export function PoolShares({ name, pool }: { readonly name: string; readonly pool: Pool }) {
  const { largest, holders, othersTrx, stakedTrx } = pool;
  const totalSun = Number(stakedTrx) * SUN_PER_TRX;
  const percent = (sun: number) =>
    totalSun === 0 ? '–' : `${((sun / totalSun) * 100).toLocaleString('en-US', { maximumSignificantDigits: 3 })} %`;
  if (largest.length === 0 && Number(othersTrx) === 0) return <p class="muted">No account has a stake for {name}.</p>;
  const others = Number(othersTrx) * SUN_PER_TRX;
  const more = holders - largest.length;
  return (
    <table class="charges shares">
      <caption>Largest shares of {name}</caption>
      <thead>
        <tr>
          <th scope="col">Account</th>
          <th scope="col" class="right">
            Stake
          </th>
          <th scope="col" class="right">
            Share
          </th>
        </tr>
      </thead>
      <tbody>
        {others > 0 && (
          <tr>
            <td>others on the network</td>
            <td class="right">
              <Trx sun={BigInt(othersTrx) * BigInt(SUN_PER_TRX)} />
            </td>
            <td class="right number">{percent(others)}</td>
          </tr>
        )}
        {largest.map(({ account, stakeSun, dailyLimit }) => (
          <tr key={account}>
            <td>
              <Address value={account} />
            </td>
            <td class="right">
              <Trx sun={stakeSun} />
            </td>
            <td class="right number" title={`${formatUnits(dailyLimit)} ${name} a day`}>
              {percent(Number(stakeSun))}
            </td>
          </tr>
        ))}
        {more > 0 && (
          <tr>
            <td colSpan={3} class="muted">
              {formatUnits(more)} more accounts
            </td>
          </tr>
        )}
      </tbody>
    </table>
  );
}
