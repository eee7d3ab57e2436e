/** A debugger on the recorded steps: opcode, Energy, source line, stack, memory, storage. */

import { useMemo, useRef } from 'preact/hooks';
import type { ExecutedStep, ExecutedSteps } from '../../chain/answers.js';
import { sunup } from '../../chain/ask.js';
import { useLastingAnswer } from '../../chain/chain-context.js';
import { useAddressState } from '../../parts/address-state.js';
import { formatUnits } from '../../parts/amounts.js';
import { Answered, Empty } from '../../parts/panel.js';
import { type Column, Table } from '../../parts/table.js';
import { linesOf } from './call-source.js';
import { Machine } from './machine.js';
import { SourceTable } from './source-table.js';
import { endOfFrame, nextLine, overCalls, previousLine } from './stepping.js';

interface Run {
  readonly id: string;
  readonly ranContract: boolean;
}

/** As many as the endpoint answers. */
const MOST = 100_000;

export function Steps({ id, ranContract }: Run) {
  const answer = useLastingAnswer(['steps', id], async () =>
    ranContract ? await sunup<ExecutedSteps>('steps', { txid: id, count: MOST }) : null,
  );
  return (
    <Answered of={answer}>
      {(found) =>
        found === null || found.total === 0 ? (
          <Empty>This transaction ran no code.</Empty>
        ) : (
          <Debugger id={id} {...found} />
        )
      }
    </Answered>
  );
}

interface Move {
  readonly name: string;
  readonly keys: readonly string[];
  readonly to: (steps: readonly ExecutedStep[], at: number) => number;
}

const MOVES: readonly Move[] = [
  { name: 'Back', keys: ['ArrowUp'], to: (_, at) => at - 1 },
  { name: 'Step', keys: ['ArrowDown'], to: (_, at) => at + 1 },
  { name: 'Over', keys: ['o'], to: overCalls },
  { name: 'Out', keys: ['u'], to: endOfFrame },
  { name: 'Line back', keys: ['k'], to: previousLine },
  { name: 'Next line', keys: ['j'], to: nextLine },
];

function Debugger({ id, steps, total, files }: ExecutedSteps & { readonly id: string }) {
  const box = useRef<HTMLDivElement>(null);
  const [chosen, choose] = useAddressState('step', '0');
  // Numbers, so that a hundred thousand steps are not copied at each move.
  const rows = useMemo(() => steps.map((_, at) => at), [steps]);
  const last = steps.length - 1;
  const current = Math.min(last, Math.max(0, Number.parseInt(chosen, 10) || 0));
  const step = steps[current];
  const go = (at: number) => choose(String(Math.min(last, Math.max(0, at))));
  const onKey = (event: KeyboardEvent) => {
    const isRange = (event.target as HTMLElement).tagName === 'INPUT' && event.key.startsWith('Arrow');
    const move = MOVES.find(({ keys }) => keys.includes(event.key));
    if (move === undefined || isRange || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    // A row that scrolls out of sight leaves the page, and the focus would go with it.
    box.current?.focus({ preventScroll: true });
    go(move.to(steps, current));
  };
  const columns: readonly Column<number>[] = [
    {
      title: 'Step',
      widthRem: 4,
      cell: (at) => (
        <button
          type="button"
          class="link"
          aria-current={at === current ? 'step' : undefined}
          onClick={() => choose(String(at))}
        >
          {formatUnits(at)}
        </button>
      ),
    },
    { title: 'pc', widthRem: 3, isNumber: true, cell: (at) => steps[at]?.pc },
    { title: 'Opcode', widthRem: 8, grows: true, cell: (at) => <Opcode {...(steps[at] as ExecutedStep)} /> },
    { title: 'Energy', widthRem: 4, isNumber: true, cell: (at) => formatUnits(steps[at]?.energy ?? 0) },
    { title: 'Left', widthRem: 7, isNumber: true, cell: (at) => formatUnits(steps[at]?.energyLeft ?? 0) },
  ];
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys are shortcuts; the buttons do the same
    <div class="debugger" ref={box} tabIndex={-1} onKeyDown={onKey}>
      <div>
        <div class="stepping">
          {MOVES.map(({ name, keys, to }) => (
            <button
              type="button"
              key={name}
              aria-keyshortcuts={keys.join(' ')}
              title={`Key: ${keys.map(keyName).join(', ')}`}
              onClick={() => go(to(steps, current))}
            >
              {name} <span aria-hidden="true">{keyName(keys[0] ?? '')}</span>
            </button>
          ))}
        </div>
        <label class="field">
          Step {formatUnits(current)} of {formatUnits(last)}
          <input
            type="range"
            min={0}
            max={last}
            value={current}
            onInput={({ currentTarget }) => choose(currentTarget.value)}
          />
        </label>
        {total > steps.length && (
          <p class="muted">
            The first {formatUnits(steps.length)} of {formatUnits(total)} steps.
          </p>
        )}
        <Table label="Steps" columns={columns} rows={rows} keyOf={(at) => at} empty="" shown={current} />
      </div>
      <div class="machine-and-source">
        {step !== undefined && <SourceAt step={step} files={files} />}
        {step !== undefined && <Machine id={id} at={current} step={step} />}
      </div>
    </div>
  );
}

const keyName = (key: string): string => ({ ArrowUp: '↑', ArrowDown: '↓' })[key] ?? key;

function Opcode({ op, depth, error }: ExecutedStep) {
  return (
    <code class={error === undefined ? '' : 'bad'}>
      {'· '.repeat(Math.min(20, depth))}
      {op}
    </code>
  );
}

/** Lines above and below the current one. */
const AROUND = 6;

function SourceAt({ step: { file, line }, files }: { readonly step: ExecutedStep } & Pick<ExecutedSteps, 'files'>) {
  const source = file === undefined ? undefined : files[file];
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area has to be reachable with the keyboard
    <section class="source-at" aria-label="Source line of the step" tabIndex={0}>
      {source === undefined || line === undefined ? (
        <p class="muted">
          {files.length === 0
            ? 'No source is known: start the node with --artifacts DIR to see source lines.'
            : 'This step belongs to no line of a known source.'}
        </p>
      ) : (
        <SourceTable
          label="Source"
          title={`${source.path}:${line}`}
          lines={around(linesOf(source.text), line)}
          current={line}
        />
      )}
    </section>
  );
}

function around(texts: readonly string[], line: number): readonly { readonly line: number; readonly text: string }[] {
  const first = Math.max(1, line - AROUND);
  return texts.slice(first - 1, line + AROUND).map((text, at) => ({ line: first + at, text }));
}
