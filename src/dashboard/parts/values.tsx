/** How values of the chain look on every screen: addresses, ids, amounts, moments. */

import { Link } from 'wouter-preact';
import type { Amount } from '../chain/answers.js';
import { formatMoment, formatSpan, formatTrx, formatUnits, shortened } from './amounts.js';
import { Copy } from './copy.js';
import { BlockMark } from './fork-marks.js';
import { useNow } from './use-now.js';

export function Address({
  value,
  name,
  isWhole,
}: {
  readonly value: string;
  readonly name?: string;
  readonly isWhole?: boolean;
}) {
  if (value === '') return <span class="muted">none</span>;
  return (
    <span class="id">
      <Link href={`/accounts/${value}`} title={value}>
        {name !== undefined && name !== '' ? <b>{name}</b> : isWhole === true ? value : shortened(value)}
      </Link>
      <Copy text={value} what="address" />
    </span>
  );
}

export function TransactionId({ value, isWhole }: { readonly value: string; readonly isWhole?: boolean }) {
  return (
    <span class="id">
      <Link href={`/transactions/${value}`} title={value}>
        {isWhole === true ? value : shortened(value, 8, 6)}
      </Link>
      <Copy text={value} what="transaction id" />
    </span>
  );
}

export function ContractLink({ address, name }: { readonly address: string; readonly name: string }) {
  return (
    <Link href={`/contracts/${address}`} title={address}>
      <b>{name === '' ? 'without a name' : name}</b>
    </Link>
  );
}

export function BlockNumber({ value }: { readonly value: number }) {
  return (
    <>
      <Link href={`/blocks/${value}`} class="number">
        {formatUnits(value)}
      </Link>{' '}
      <BlockMark number={value} onlyNetwork />
    </>
  );
}

/** Amounts are shown in TRX; the tooltip has sun. */
export function Trx({ sun }: { readonly sun: Amount | bigint }) {
  return (
    <span class="number" title={`${formatUnits(sun)} sun`}>
      {formatTrx(sun)} <span class="unit">TRX</span>
    </span>
  );
}

export function Units({ amount, unit }: { readonly amount: Amount | bigint; readonly unit?: string }) {
  return (
    <span class="number">
      {formatUnits(amount)}
      {unit !== undefined && <span class="unit"> {unit}</span>}
    </span>
  );
}

/** A moment of the chain, and how long ago it was by this machine's clock. */
export function Moment({ timestampMs }: { readonly timestampMs: number }) {
  const now = useNow();
  const distance = now - timestampMs;
  const relative = distance >= 0 ? `${formatSpan(distance)} ago` : `in ${formatSpan(-distance)}`;
  return (
    <time dateTime={new Date(timestampMs).toISOString()} title={relative}>
      {formatMoment(timestampMs)} <span class="muted">({relative})</span>
    </time>
  );
}

/** Only the distance; the tooltip has the moment. */
export function Ago({ timestampMs }: { readonly timestampMs: number }) {
  const now = useNow();
  const distance = now - timestampMs;
  return (
    <time dateTime={new Date(timestampMs).toISOString()} title={formatMoment(timestampMs)}>
      {distance >= 0 ? `${formatSpan(distance)} ago` : `in ${formatSpan(-distance)}`}
    </time>
  );
}
