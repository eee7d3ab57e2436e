/** Who paid from which source, as bars: Energy with its penalty apart, Bandwidth, and TRX. */

import { useMemo } from 'preact/hooks';
import type { Charge, Explanation } from '../../chain/answers.js';
import { formatUnits } from '../../parts/amounts.js';
import { chargeName, sourceName } from '../../parts/charges.js';
import { Address, Trx, Units } from '../../parts/values.js';

interface Part {
  readonly name: string;
  readonly amount: bigint;
  readonly color: string;
}

interface Bar {
  readonly name: string;
  readonly unit: string;
  readonly parts: readonly Part[];
}

export function CostBar({ explanation }: { readonly explanation: Explanation }) {
  const bars = useMemo(() => barsOf(explanation), [explanation]);
  const { charges, freeOfCharge } = explanation;
  return (
    <div class="costs">
      {bars.map((bar) => (
        <StackedBar key={bar.name} {...bar} />
      ))}
      <table class="charges">
        <caption>Charges</caption>
        <thead>
          <tr>
            <th scope="col">For</th>
            <th scope="col">Payer</th>
            <th scope="col">Source</th>
            <th scope="col" class="right">
              Amount
            </th>
          </tr>
        </thead>
        <tbody>
          {charges.map((charge, at) => (
            <tr key={at}>
              <td>{chargeName(charge)}</td>
              <td>
                <Address value={charge.payer} />
              </td>
              <td>{sourceName(charge)}</td>
              <td class="right">
                <ChargeAmount charge={charge} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {freeOfCharge !== undefined && <FreeOfCharge {...freeOfCharge} />}
    </div>
  );
}

function ChargeAmount({ charge: { resource, amount, units, unitPriceSun } }: { readonly charge: Charge }) {
  if (resource !== 'coin') return <Units amount={amount} unit={resource === 'energy' ? 'Energy' : 'bytes'} />;
  return (
    <>
      <Trx sun={amount} />
      {units !== undefined && unitPriceSun !== undefined && (
        <span class="muted">
          {' '}
          ({formatUnits(units)} × {formatUnits(unitPriceSun)} sun)
        </span>
      )}
    </>
  );
}

function FreeOfCharge({
  energyStakeSun,
  bandwidthStakeSun,
  remainingFeeSun,
}: NonNullable<Explanation['freeOfCharge']>) {
  const stakes = [
    ['Energy', energyStakeSun],
    ['Bandwidth', bandwidthStakeSun],
  ] as const;
  return (
    <section class="free">
      <h3>What would have made it free</h3>
      <ul>
        {stakes.map(
          ([resource, stake]) =>
            stake !== undefined && (
              <li key={resource}>
                {stake === 'more-than-there-is' ? (
                  `no stake yields so much ${resource} a day`
                ) : (
                  <>
                    <Trx sun={stake} /> more staked for {resource}
                  </>
                )}
              </li>
            ),
        )}
        {BigInt(remainingFeeSun) > 0n && (
          <li>
            <Trx sun={remainingFeeSun} /> remain: fees that no stake pays
          </li>
        )}
      </ul>
    </section>
  );
}

function StackedBar({ name, unit, parts }: Bar) {
  const total = parts.reduce((sum, { amount }) => sum + amount, 0n);
  const label = `${name}: ${parts.map(({ name, amount }) => `${name} ${formatUnits(amount)} ${unit}`).join(', ')}`;
  return (
    <figure class="stacked">
      <figcaption>
        {name} <b class="number">{formatUnits(total)}</b> {unit}
      </figcaption>
      <div class="bar" role="img" aria-label={label}>
        {parts.map(({ name, amount, color }) => (
          <div
            key={name}
            class={`share fill-${color}`}
            style={{ flexGrow: Number(amount) / Number(total) }}
            title={`${name}: ${formatUnits(amount)} ${unit}`}
          />
        ))}
      </div>
      <ul class="legend">
        {parts.map(({ name, amount, color }) => (
          <li key={name}>
            <i class={`swatch fill-${color}`} aria-hidden="true" /> {name}{' '}
            <span class="number">{formatUnits(amount)}</span>
          </li>
        ))}
      </ul>
    </figure>
  );
}

const COLORS: Readonly<Record<string, string>> = { staked: 'staked', free: 'free', issuer: 'free', origin: 'origin' };

function barsOf({ charges, energy, owner }: Explanation): readonly Bar[] {
  // As in the sentences.
  const owned = energy === undefined ? 'sender' : 'caller';
  const roleOf = ({ payer, source }: Charge) => (source === 'issuer' ? 'issuer' : payer === owner ? owned : 'deployer');
  const part = (charge: Charge): Part => {
    const { source, amount, units, resource } = charge;
    return {
      name: `${roleOf(charge)}, ${sourceName({ source })}`,
      amount: BigInt(resource === 'coin' ? (units ?? 0) : amount),
      color: COLORS[source] ?? 'burned',
    };
  };
  const of = (reason: string) =>
    charges
      .filter((charge) => (charge.reason === reason && charge.resource === 'coin') || charge.resource === reason)
      .map(part)
      .filter(({ amount }) => amount > 0n);
  const bars: Bar[] = [{ name: 'Bandwidth', unit: 'bytes', parts: of('bandwidth') }];
  if (energy !== undefined) {
    bars.unshift({ name: 'Energy by payer', unit: 'Energy', parts: of('energy') });
    const penalty = BigInt(energy.penalty);
    if (penalty > 0n) {
      const parts = [
        { name: 'base price', amount: BigInt(energy.total) - penalty, color: 'energy' },
        { name: 'penalty of the energy factor', amount: penalty, color: 'penalty' },
      ];
      bars.splice(1, 0, { name: 'Energy by kind', unit: 'Energy', parts });
    }
  }
  return bars.filter(({ parts }) => parts.length > 0);
}
