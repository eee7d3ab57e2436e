/** A form that changes the chain, and what came of it. */

import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';
import { askAgain } from '../chain/chain-context.js';

export interface Field {
  readonly name: string;
  /** Beside the name: a unit, a form. */
  readonly hint?: string;
  readonly initial?: string;
  readonly isNumber?: boolean;
}

interface ActionFormProps {
  readonly title: string;
  readonly fields: readonly Field[];
  readonly button: string;
  /** @returns a sentence about the effect */
  readonly act: (values: readonly string[]) => Promise<ComponentChildren>;
}

export function ActionForm({ title, fields, button, act }: ActionFormProps) {
  const id = useId();
  const [values, setValues] = useState(fields.map(({ initial = '' }) => initial));
  const [outcome, setOutcome] = useState<{ readonly text: ComponentChildren; readonly isProblem: boolean }>();
  const [isWaiting, setWaiting] = useState(false);
  const submit = async (event: Event) => {
    event.preventDefault();
    setWaiting(true);
    try {
      setOutcome({ text: await act(values), isProblem: false });
      await askAgain();
    } catch (error) {
      setOutcome({ text: (error as Error).message, isProblem: true });
    } finally {
      setWaiting(false);
    }
  };
  return (
    <form class="action" onSubmit={submit} aria-label={title}>
      <h3>{title}</h3>
      <div class="action-fields">
        {fields.map(({ name, hint, isNumber }, at) => (
          <div class="field" key={name}>
            <label for={`${id}-${at}`}>
              {name} {hint !== undefined && <span class="muted">{hint}</span>}
            </label>
            <input
              id={`${id}-${at}`}
              value={values[at]}
              spellcheck={false}
              inputMode={isNumber === true ? 'decimal' : 'text'}
              onInput={({ currentTarget }) =>
                setValues(values.map((value, place) => (place === at ? currentTarget.value : value)))
              }
            />
          </div>
        ))}
        <button type="submit" disabled={isWaiting}>
          {isWaiting ? 'Working …' : button}
        </button>
      </div>
      {outcome !== undefined && (
        <p class={outcome.isProblem ? 'problem' : 'answer'} role={outcome.isProblem ? 'alert' : 'status'}>
          {outcome.text}
        </p>
      )}
    </form>
  );
}
