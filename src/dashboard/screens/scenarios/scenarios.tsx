/** Runs a fee scenario beside the chain: its report, what-if sliders that run it again, and two runs compared. */

import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { useSettings } from '../../chain/chain-context.js';
import { type Setting, settingsOfScenario } from '../../chain/scenarios.js';
import { useAddressState } from '../../parts/address-state.js';
import { Empty, Panel, Problem, Screen } from '../../parts/panel.js';
import { ReportDetails, ReportSummary } from '../../parts/report.js';
import { Compare } from './compare.js';
import { Editor } from './editor.js';
import { useRuns } from './runs.js';
import { Sliders, type Values } from './sliders.js';
import { useSource } from './source.js';

export function Scenarios() {
  const settings = useSettings();
  if (settings === undefined) return <Screen title="Scenarios">{null}</Screen>;
  return (
    <Screen title="Scenarios">
      {settings.devMethods ? (
        <RunnableScenarios />
      ) : (
        <Panel title="Not available" isWide>
          <Empty>
            This node runs no scenarios for this page: developer methods are off (--no-dev-methods), or the page comes
            from another machine (--allow-host, --allow-origin). The command sunup run FILE runs them.
          </Empty>
        </Panel>
      )}
    </Screen>
  );
}

function RunnableScenarios() {
  const source = useSource();
  const { text, example } = source;
  const [setText, keepSet] = useAddressState('set');
  const values = useMemo(() => valuesIn(setText), [setText]);
  const [tab, setTab] = useAddressState('tab');
  const [sweep, setSweep] = useState('');
  const { runs, progress, problem, start, cancel, fail } = useRuns();
  const [compared, setCompared] = useState<{ readonly first?: number; readonly second?: number }>({});
  const [settings, setSettings] = useState<readonly Setting[]>();
  const knownFor = useRef<string | undefined>(undefined);

  const run = async (set: Values, whatIf: readonly string[] = []) => {
    if (text === undefined) return;
    const isNew = knownFor.current !== text.scenario;
    setCompared({});
    // A baseline for the comparison, where the address came with other values.
    if (isNew && Object.keys(set).length > 0 && !(await start(text))) return;
    if (!(await start({ ...text, ...(whatIf.length > 0 ? { whatIf } : { set }) })) || !isNew) return;
    knownFor.current = text.scenario;
    settingsOfScenario(text).then((all) => knownFor.current === text.scenario && setSettings(all), fail);
  };
  const isReady = text !== undefined;
  // An example runs when it is chosen, also by the address.
  useEffect(() => {
    if (example !== '' && isReady) run(values);
  }, [example, isReady]);
  useEffect(() => cancel, []);

  const change = (next: Values) => {
    keepSet(textOf(next));
    run(next);
  };
  const choose = (name: string) => {
    keepSet('');
    source.choose(name);
  };
  const last = runs.at(-1);
  const changed = Object.entries(values).map(([name, value]) => `${name} = ${value}`);
  return (
    <>
      <Panel title="Scenario" isWide>
        <Editor source={source} choose={choose} run={() => run(values)} />
        <div class="run-buttons">
          <button type="button" class="primary" onClick={() => run(values)} disabled={(text?.scenario ?? '') === ''}>
            Run
          </button>
          {changed.length > 0 && (
            <>
              <span class="changed">with {changed.join(', ')}</span>
              <button type="button" onClick={() => change({})}>
                Reset all
              </button>
            </>
          )}
          {progress !== undefined && (
            <>
              <button type="button" onClick={cancel}>
                Cancel
              </button>
              <progress
                aria-label="Progress of the run"
                {...(progress.total > 0 && { value: progress.done, max: progress.total })}
              />
            </>
          )}
          <span class="muted" role="status">
            {progress !== undefined
              ? progress.total === 0
                ? 'Starting …'
                : `${Math.floor((progress.done / progress.total) * 100)} %`
              : last !== undefined && `run ${last.id} has ended`}
          </span>
        </div>
        {[source.problem, problem].map((one) => one !== undefined && <Problem error={one} key={one.message} />)}
      </Panel>
      {runs.length === 0 && text?.scenario === '' && (
        <Panel title="Result" isWide>
          <Empty>
            Choose an example, open a file, or type a scenario: accounts, contracts, and what they do. It runs on a
            chain of its own; this chain does not change.
          </Empty>
        </Panel>
      )}
      {settings !== undefined && (
        <Panel title="What if" isWide>
          <Sliders settings={settings} values={values} change={change} />
          <form
            class="run-buttons"
            onSubmit={(event) => {
              event.preventDefault();
              run({}, sweep.split(/\s*;\s*/).filter(Boolean));
            }}
          >
            <label class="field">
              Several values at once
              <input
                value={sweep}
                spellcheck={false}
                placeholder="getEnergyFee=100,210; accounts.shop.stake.energy=0..5_000 TRX/6"
                onInput={({ currentTarget }) => setSweep(currentTarget.value)}
              />
            </label>
            <button type="submit" disabled={sweep.trim() === ''}>
              Run all
            </button>
          </form>
        </Panel>
      )}
      {last !== undefined && (
        <>
          <Panel title={`Run ${last.id}: ${last.label}`} isWide>
            <ReportSummary report={last.report} />
          </Panel>
          <Panel title="Details" isWide>
            <ReportDetails
              key={last.id}
              report={last.report}
              tab={tab}
              setTab={setTab}
              other={{
                Compare: () => (
                  <Compare
                    runs={runs}
                    first={compared.first}
                    second={compared.second}
                    choose={(place, id) => setCompared({ ...compared, [place]: id })}
                  />
                ),
              }}
            />
          </Panel>
        </>
      )}
    </>
  );
}

/** In the address: `getEnergyFee=210;accounts.shop.stake.energy=500 TRX`. */
function valuesIn(text: string): Values {
  return Object.fromEntries(
    text.split(';').flatMap((one) => {
      const at = one.indexOf('=');
      return at < 1 ? [] : [[one.slice(0, at), one.slice(at + 1)]];
    }),
  );
}

const textOf = (values: Values) =>
  Object.entries(values)
    .map(([name, value]) => `${name}=${value}`)
    .join(';');
