/** A debugger on the recorded steps: opcode, Energy, stack, memory, storage. Arrow keys move through the steps. */

import { useState } from 'preact/hooks';
import { rpc } from '../../chain/ask.js';
import { useAnswer } from '../../chain/chain-context.js';
import { formatUnits } from '../../parts/amounts.js';
import { Answered, Empty } from '../../parts/panel.js';
import { type Column, Table } from '../../parts/table.js';

interface Step {
  readonly pc: number;
  readonly op: string;
  readonly gas: number;
  readonly gasCost: number;
  readonly depth: number;
  readonly stack?: readonly string[];
  readonly memory?: readonly string[];
  readonly storage?: Readonly<Record<string, string>>;
  readonly error?: string;
}

type Numbered = Step & { readonly at: number };

export function Steps({ id, ranContract }: { readonly id: string; readonly ranContract: boolean }) {
  const answer = useAnswer(['steps', id], async () => {
    if (!ranContract) return [];
    const asked = [`0x${id}`, { enableMemory: true }];
    return (await rpc<{ readonly structLogs: readonly Step[] }>('debug_traceTransaction', asked, 'eth')).structLogs;
  });
  return (
    <Answered of={answer}>
      {(steps) => (steps.length === 0 ? <Empty>This transaction ran no code.</Empty> : <Debugger steps={steps} />)}
    </Answered>
  );
}

function Debugger({ steps }: { readonly steps: readonly Step[] }) {
  const [current, setCurrent] = useState(0);
  const step = steps[Math.min(current, steps.length - 1)];
  const move = (event: KeyboardEvent) => {
    const next = { ArrowDown: current + 1, ArrowUp: current - 1 }[event.key];
    if (next === undefined || (event.target as HTMLElement).tagName === 'INPUT') return;
    event.preventDefault();
    setCurrent(Math.min(steps.length - 1, Math.max(0, next)));
  };
  const columns: readonly Column<Numbered>[] = [
    {
      title: 'Step',
      widthRem: 4,
      cell: ({ at }) => (
        <button
          type="button"
          class="link"
          aria-current={at === current ? 'step' : undefined}
          onClick={() => setCurrent(at)}
        >
          {formatUnits(at)}
        </button>
      ),
    },
    { title: 'pc', widthRem: 3, isNumber: true, cell: ({ pc }) => pc },
    {
      title: 'Opcode',
      widthRem: 8,
      grows: true,
      cell: ({ op, depth, error }) => (
        <code class={error === undefined ? '' : 'bad'}>
          {'· '.repeat(Math.min(20, depth - 1))}
          {op}
        </code>
      ),
    },
    { title: 'Energy', widthRem: 4, isNumber: true, cell: ({ gasCost }) => formatUnits(gasCost) },
    { title: 'Left', widthRem: 7, isNumber: true, cell: ({ gas }) => formatUnits(gas) },
  ];
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: arrow keys are a shortcut; the buttons in the list do the same
    <div class="debugger" onKeyDown={move}>
      <div>
        <label class="field">
          Step {formatUnits(current)} of {formatUnits(steps.length - 1)}
          <input
            type="range"
            min={0}
            max={steps.length - 1}
            value={current}
            onInput={({ currentTarget }) => setCurrent(Number(currentTarget.value))}
          />
        </label>
        <Table
          label="Steps"
          columns={columns}
          rows={steps.map((recorded, at) => ({ ...recorded, at }))}
          keyOf={({ at }) => at}
          empty=""
          shown={current}
        />
      </div>
      {step !== undefined && <State step={step} />}
    </div>
  );
}

function State({ step: { op, pc, stack = [], memory = [], storage = {}, error } }: { readonly step: Step }) {
  const slots = Object.entries(storage);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area has to be reachable with the keyboard
    <section class="machine" aria-label="Machine before the step" tabIndex={0}>
      <h3>
        <code>{op}</code> at {pc}
      </h3>
      {error !== undefined && <p class="problem">{error}</p>}
      <h4>Stack, top first</h4>
      {stack.length === 0 ? <p class="muted">empty</p> : <Words words={[...stack].reverse()} />}
      <h4>Memory</h4>
      {memory.length === 0 ? <p class="muted">empty</p> : <Words words={memory} isMemory />}
      {slots.length > 0 && (
        <>
          <h4>Storage that was touched</h4>
          {slots.map(([slot, word]) => (
            <p key={slot}>
              <code class="hash">
                <span class="muted">{slot}</span> {word}
              </code>
            </p>
          ))}
        </>
      )}
    </section>
  );
}

const WORD_BYTES = 32;

function Words({ words, isMemory }: { readonly words: readonly string[]; readonly isMemory?: boolean }) {
  return (
    <ol class="words" start={0}>
      {words.map((word, at) => (
        <li key={at}>
          <code class="hash">
            <span class="muted">{isMemory === true ? (at * WORD_BYTES).toString(16).padStart(4, '0') : at}</span>{' '}
            {word.replace(/^0x/, '')}
          </code>
        </li>
      ))}
    </ol>
  );
}
