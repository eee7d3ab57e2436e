/** The call tree: each call with arguments, result and Energy; its events and calls below it. */

import type { TracedCall, TraceEvent } from '../../chain/answers.js';
import { methodName } from '../../parts/actions.js';
import { formatUnits, shortened } from '../../parts/amounts.js';
import { Address, Trx } from '../../parts/values.js';

/** Deeper calls are closed at first. */
const OPEN_DEPTH = 4;

export function Calls({ call }: { readonly call: TracedCall }) {
  return (
    <ul class="calls">
      <Call call={call} depth={0} />
    </ul>
  );
}

function Call({ call, depth }: { readonly call: TracedCall; readonly depth: number }) {
  const { contract, method, kind, arguments: values, energy, result, events, valueSun } = call;
  const failed = result.kind === 'reverted' || result.kind === 'failed';
  return (
    <li>
      <details open={depth < OPEN_DEPTH}>
        <summary class={failed ? 'bad' : ''}>
          {kind !== 'transaction' && kind !== 'CALL' && <span class="tag">{kind.toLowerCase()}</span>}
          <Address value={contract.address} name={contract.name} />
          <code>
            .{method === undefined ? 'constructor' : methodName(method).replace(/\(.*$/s, '')}(
            {values === undefined
              ? '…'
              : values.map(({ name, value }) => `${name === '' ? '' : `${name}: `}${valueText(value)}`).join(', ')}
            )
          </code>
          {BigInt(valueSun) > 0n && (
            <span class="tag">
              <Trx sun={valueSun} />
            </span>
          )}
          <span class="energy number">
            {formatUnits(energy.total)} Energy
            {energy.own !== energy.total && <span class="muted"> (own {formatUnits(energy.own)})</span>}
            {Number(energy.penalty) > 0 && <span class="penalty"> penalty {formatUnits(energy.penalty)}</span>}
          </span>
        </summary>
        <ul>
          {events.map((event, at) => (
            <Event key={at} event={event} depth={depth} />
          ))}
          <ResultLine result={result} />
        </ul>
      </details>
    </li>
  );
}

function Event({ event, depth }: { readonly event: TraceEvent; readonly depth: number }) {
  switch (event.type) {
    case 'call':
      return <Call call={event.call} depth={depth + 1} />;
    case 'log':
      return (
        <li>
          <span class="tag">event</span>{' '}
          <code>
            {event.event ?? shortened(event.topics[0] ?? 'anonymous', 10, 0)}(
            {event.arguments?.map(({ name, value }) => `${name}: ${valueText(value)}`).join(', ') ?? '…'})
          </code>
        </li>
      );
    case 'transfer':
      return (
        <li class={event.succeeded ? '' : 'bad'}>
          sends <Trx sun={event.valueSun} />
          {event.to !== undefined && (
            <>
              {' '}
              to <Address value={event.to.address} name={event.to.name} />
            </>
          )}
          {!event.succeeded && ' (failed)'}
        </li>
      );
    case 'precompile':
      return (
        <li class={event.succeeded ? '' : 'bad'}>
          <span class="tag">precompile</span> {event.name}{' '}
          <span class="energy number">{formatUnits(event.energy)} Energy</span>
        </li>
      );
    case 'console':
      return (
        <li>
          <span class="tag">console</span> <code>{event.line}</code>
        </li>
      );
    default:
      return (
        <li class={event.refused ? 'bad' : ''}>
          <span class="tag">{event.note}</span> <Trx sun={event.valueSun} />
        </li>
      );
  }
}

export function valueText(value: unknown): string {
  if (typeof value === 'string') return value.length > 90 ? `${value.slice(0, 90)}…` : value;
  return JSON.stringify(value)?.slice(0, 300) ?? '';
}

function ResultLine({ result }: { readonly result: TracedCall['result'] }) {
  switch (result.kind) {
    case 'returned':
      if (result.values === undefined || result.values.length === 0) return null;
      return (
        <li class="muted">
          returns <code>{result.values.map(({ value }) => valueText(value)).join(', ')}</code>
        </li>
      );
    case 'created':
      return <li class="muted">stores {formatUnits(result.codeBytes)} bytes of code</li>;
    case 'failed':
      return <li class="bad">{result.exception}</li>;
    default: {
      const { error, arguments: values = [], data } = result.reason;
      return (
        <li class="bad">
          {result.passedOn ? 'reverts with the same error ' : 'reverts '}
          <code>
            {error === undefined
              ? (data ?? 'without data')
              : `${error}(${values.map(({ name, value }) => `${name}: ${valueText(value)}`).join(', ')})`}
          </code>
        </li>
      );
    }
  }
}
