/** Parts of a screen of which one is shown. Arrow keys change it. */

import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

interface TabsProps<Name extends string> {
  readonly names: readonly Name[];
  readonly current: Name;
  readonly choose: (name: Name) => void;
  readonly children: ComponentChildren;
}

export function Tabs<Name extends string>({ names, current, choose, children }: TabsProps<Name>) {
  const id = useId();
  const move = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    const next = names[(names.indexOf(current) + step + names.length) % names.length];
    if (next === undefined) return;
    choose(next);
    document.getElementById(`${id}-${next}`)?.focus();
  };
  return (
    <>
      <div class="tabs" role="tablist" onKeyDown={move}>
        {names.map((name) => (
          <button
            type="button"
            role="tab"
            key={name}
            id={`${id}-${name}`}
            aria-selected={name === current}
            aria-controls={`${id}-panel`}
            tabIndex={name === current ? 0 : -1}
            onClick={() => choose(name)}
          >
            {name}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${current}`}>
        {children}
      </div>
    </>
  );
}
