/** The call tree: each call with arguments, result and Energy; its events and calls below it. Beside it, the source. */

import { useState } from 'preact/hooks';
import type { CallTrace, TracedCall, TraceEvent } from '../../chain/answers.js';
import { methodName } from '../../parts/actions.js';
import { useAddressState } from '../../parts/address-state.js';
import { formatUnits, shortened } from '../../parts/amounts.js';
import { Address, Trx } from '../../parts/values.js';
import { CallSource } from './call-source.js';

/** Deeper calls are closed at first. */
const OPEN_DEPTH = 4;

interface Choice {
  readonly chosen: number;
  readonly choose: (frame: number) => void;
}

export function Calls({ call, files = [] }: Required<Pick<CallTrace, 'call'>> & Pick<CallTrace, 'files'>) {
  const [frame, setFrame] = useAddressState('call', '0');
  const chosen = findFrame(call, Number(frame)) ?? call;
  const tree = (
    <ul class="calls">
      <Call call={call} depth={0} choice={{ chosen: chosen.frame ?? 0, choose: (next) => setFrame(String(next)) }} />
    </ul>
  );
  if (files.length === 0) return tree;
  return (
    <div class="beside">
      {tree}
      <CallSource call={chosen} files={files} />
    </div>
  );
}

function findFrame(call: TracedCall, frame: number): TracedCall | undefined {
  const waiting = [call];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (next.frame === frame) return next;
    for (const event of next.events) if (event.type === 'call') waiting.push(event.call);
  }
  return undefined;
}

function Call({ call, depth, choice }: { readonly call: TracedCall; readonly depth: number; readonly choice: Choice }) {
  const { contract, method, kind, arguments: values, energy, result, events, valueSun, frame, source, omitted } = call;
  const [isOpen, setOpen] = useState(depth < OPEN_DEPTH);
  const failed = result.kind === 'reverted' || result.kind === 'failed';
  const name = `${contract.name || shortened(contract.address)}.${method === undefined ? 'constructor' : methodName(method).replace(/\(.*$/s, '')}`;
  return (
    <li>
      <div class={failed ? 'call bad' : 'call'}>
        <button
          type="button"
          class="toggle"
          aria-expanded={isOpen}
          aria-label={`What ${name} does`}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? '▾' : '▸'}
        </button>
        <span>
          {kind !== 'transaction' && kind !== 'CALL' && <span class="tag">{kind.toLowerCase()}</span>}
          <Address value={contract.address} name={contract.name} />
          <code>
            .{method === undefined ? 'constructor' : methodName(method).replace(/\(.*$/s, '')}(
            {values === undefined
              ? '…'
              : listed(values.map(({ name, value }) => `${name === '' ? '' : `${name}: `}${valueText(value)}`))}
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
          {source !== undefined && frame !== undefined && (
            <button
              type="button"
              class="link source-link"
              aria-pressed={choice.chosen === frame}
              onClick={() => choice.choose(frame)}
            >
              source
            </button>
          )}
        </span>
      </div>
      {isOpen && (
        <ul>
          {events.map((event, at) => (
            <Event key={at} event={event} depth={depth} choice={choice} />
          ))}
          {omitted !== undefined && <li class="muted">{formatUnits(omitted)} more actions</li>}
          <ResultLine result={result} />
        </ul>
      )}
    </li>
  );
}

const SHOWN_VALUES = 20;

/** Of a thousand arguments, only the first ones. */
function listed(texts: readonly string[]): string {
  const more = texts.length - SHOWN_VALUES;
  return `${texts.slice(0, SHOWN_VALUES).join(', ')}${more > 0 ? `, … ${formatUnits(more)} more` : ''}`;
}

function Event({
  event,
  depth,
  choice,
}: {
  readonly event: TraceEvent;
  readonly depth: number;
  readonly choice: Choice;
}) {
  switch (event.type) {
    case 'call':
      return <Call call={event.call} depth={depth + 1} choice={choice} />;
    case 'log':
      return (
        <li>
          <span class="tag">event</span>{' '}
          <code>
            {event.event ?? shortened(event.topics[0] ?? 'anonymous', 10, 0)}(
            {event.arguments === undefined
              ? '…'
              : listed(event.arguments.map(({ name, value }) => `${name}: ${valueText(value)}`))}
            )
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
          returns <code>{listed(result.values.map(({ value }) => valueText(value)))}</code>
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
              : `${error}(${listed(values.map(({ name, value }) => `${name}: ${valueText(value)}`))})`}
          </code>
        </li>
      );
    }
  }
}
