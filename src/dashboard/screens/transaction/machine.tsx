/** Stack, memory and storage before a step. */

import type { ExecutedStep, ExecutedSteps } from '../../chain/answers.js';
import { sunup } from '../../chain/ask.js';
import { useLastingAnswer } from '../../chain/chain-context.js';
import { formatUnits } from '../../parts/amounts.js';
import { Answered } from '../../parts/panel.js';

/** States come for this many steps at once, so that most moves wait for nothing. */
const AT_ONCE = 32;

interface MachineProps {
  readonly id: string;
  /** Number of the step. */
  readonly at: number;
  readonly step: ExecutedStep;
}

export function Machine({ id, at, step: { op, pc, error } }: MachineProps) {
  const from = at - (at % AT_ONCE);
  const answer = useLastingAnswer(['states', id, from], () =>
    sunup<ExecutedSteps>('steps', { txid: id, from, count: AT_ONCE, state: true }),
  );
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area has to be reachable with the keyboard
    <section class="machine" aria-label="Machine before the step" tabIndex={0}>
      <h3>
        <code>{op}</code> at {pc}
      </h3>
      {error !== undefined && <p class="problem">{error}</p>}
      <Answered of={answer}>{({ steps }) => <State {...(steps[at - from] as ExecutedStep)} />}</Answered>
    </section>
  );
}

const WORD_DIGITS = 64;

function State({ stack = [], memory = '', memoryBytes = 0, storage = {} }: ExecutedStep) {
  const slots = Object.entries(storage);
  const words = memory.match(new RegExp(`.{1,${WORD_DIGITS}}`, 'g')) ?? [];
  return (
    <>
      <h4>Stack, top first</h4>
      {stack.length === 0 ? <p class="muted">empty</p> : <Words words={[...stack].reverse()} />}
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
      <h4>Memory</h4>
      {words.length === 0 ? <p class="muted">empty</p> : <Words words={words} isMemory />}
      {memoryBytes > (memory.length * WORD_BYTES) / WORD_DIGITS && (
        <p class="muted">The beginning of {formatUnits(memoryBytes)} bytes.</p>
      )}
    </>
  );
}

const WORD_BYTES = 32;

function Words({ words, isMemory }: { readonly words: readonly string[]; readonly isMemory?: boolean }) {
  return (
    <ol class="words" start={0}>
      {words.map((word, at) => (
        <li key={at}>
          <code class="hash">
            <span class="muted">{isMemory === true ? (at * WORD_BYTES).toString(16).padStart(4, '0') : at}</span> {word}
          </code>
        </li>
      ))}
    </ol>
  );
}
