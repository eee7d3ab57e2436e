/** A slider for each number of the scenario that the reader wants to change; the run follows when it is let go. */

import { useId, useState } from 'preact/hooks';
import type { Setting } from '../../chain/scenarios.js';
import { Empty } from '../../parts/panel.js';

/** Texts by name of the setting, with their unit: `500 TRX`. */
export type Values = Readonly<Record<string, string>>;

interface SlidersProps {
  readonly settings: readonly Setting[];
  readonly values: Values;
  readonly change: (values: Values) => void;
}

/** What people ask about first: what a stake, a price or a factor does. */
const ASKED_FIRST = /^getEnergyFee$|^getTransactionFee$|\.stake\.\w+$|\.(energyFactor|userPercent)$/;
const MAX_FIRST = 6;

/** Those of the file first; of those with a default, first the terms of contracts. */
const weightOf = ({ name, isGiven }: Setting) => (isGiven ? 2 : name.startsWith('contracts.') ? 1 : 0);

function firstOf(settings: readonly Setting[]): readonly Setting[] {
  const asked = settings.filter(({ name }) => ASKED_FIRST.test(name));
  const prices = asked.filter(({ meaning }) => meaning !== undefined);
  const others = asked.filter((one) => !prices.includes(one)).sort((a, b) => weightOf(b) - weightOf(a));
  return [...others.slice(0, MAX_FIRST), ...prices];
}

export function Sliders({ settings, values, change }: SlidersProps) {
  const id = useId();
  const [added, setAdded] = useState<readonly string[]>([]);
  const first = firstOf(settings);
  const shown = settings.filter((one) => first.includes(one) || added.includes(one.name) || one.name in values);
  const others = settings.filter((one) => !shown.includes(one));
  if (settings.length === 0) return <Empty>This scenario has no numbers to change: it is a recording.</Empty>;
  const set = (setting: Setting, number: number) => {
    const { [setting.name]: _, ...rest } = values;
    change(number === setting.value ? rest : { ...rest, [setting.name]: textOf(setting, number) });
  };
  return (
    <div class="sliders">
      {shown.map((setting) => (
        <Slider
          setting={setting}
          text={values[setting.name]}
          set={(number) => set(setting, number)}
          key={setting.name}
        />
      ))}
      <div class="field">
        <label for={id}>Change another number</label>
        <select
          id={id}
          value=""
          onChange={({ currentTarget }) => {
            setAdded([...added, currentTarget.value]);
            currentTarget.value = '';
          }}
        >
          <option value="">{others.length} more</option>
          {groupsOf(others).map(([group, all]) => (
            <optgroup label={group} key={group}>
              {all.map(({ name, value, unit }) => (
                <option value={name} key={name}>
                  {name} = {value} {unit}
                </option>
              ))}
            </optgroup>
          ))}
        </select>
      </div>
    </div>
  );
}

const textOf = ({ unit }: Setting, number: number) => (unit === undefined ? `${number}` : `${number} ${unit}`);

function Slider({
  setting,
  text,
  set,
}: {
  readonly setting: Setting;
  readonly text: string | undefined;
  readonly set: (number: number) => void;
}) {
  const id = useId();
  const { name, value, unit, least, most, meaning } = setting;
  const chosen = text === undefined ? value : Number.parseFloat(text.replaceAll('_', ''));
  // While the slider moves, only its number follows.
  const [moving, setMoving] = useState<number>();
  const now = moving ?? chosen;
  const done = (number: number) => {
    setMoving(undefined);
    if (Number.isFinite(number) && number >= least) set(number);
  };
  return (
    <div class="slider">
      <label for={id} title={meaning ?? name}>
        <code>{name}</code>
        {text !== undefined && (
          <span class="muted">
            {' '}
            in the file {value} {unit}
          </span>
        )}
      </label>
      <input
        id={id}
        type="range"
        min={least}
        max={Math.max(most, chosen)}
        step={Number.isInteger(value) && Number.isInteger(chosen) ? 1 : 'any'}
        value={now}
        aria-valuetext={`${now} ${unit ?? ''}`.trim()}
        onInput={({ currentTarget }) => setMoving(Number(currentTarget.value))}
        onChange={({ currentTarget }) => done(Number(currentTarget.value))}
      />
      <input
        type="number"
        min={least}
        step="any"
        aria-label={`${name}, ${unit ?? 'number'}`}
        value={now}
        onChange={({ currentTarget }) => done(currentTarget.valueAsNumber)}
      />
      <span class="unit">{unit}</span>
      <button type="button" disabled={text === undefined} onClick={() => done(value)} aria-label={`Reset ${name}`}>
        Reset
      </button>
    </div>
  );
}

function groupsOf(settings: readonly Setting[]): readonly (readonly [string, readonly Setting[]])[] {
  const groups = new Map<string, Setting[]>();
  for (const setting of settings) {
    const group = /^(\w+)[.[]/.exec(setting.name)?.[1] ?? 'chain parameters';
    groups.set(group, [...(groups.get(group) ?? []), setting]);
  }
  return [...groups];
}
