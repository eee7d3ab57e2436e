/** The text of the scenario: dropped, chosen or typed. Artifacts that it names are dropped with it. */

import { useId, useState } from 'preact/hooks';
import type { ScenarioText } from '../../chain/scenarios.js';
import { Problem } from '../../parts/panel.js';
import type { Source } from './source.js';

const LINES = 18;

interface EditorProps {
  readonly source: Source;
  readonly choose: (example: string) => void;
  /** Called by Ctrl+Enter. */
  readonly run: () => void;
}

export function Editor({ source, choose, run }: EditorProps) {
  const id = useId();
  const [problem, setProblem] = useState<Error>();
  const { examples, example, text, edit } = source;
  const take = async (files: FileList | null | undefined) => {
    try {
      if (files != null && files.length > 0) edit(await textOf([...files], text));
      setProblem(undefined);
    } catch (error) {
      setProblem(error as Error);
    }
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    take(event.dataTransfer?.files);
  };
  const artifacts = Object.keys(text?.artifacts ?? {});
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the field for files does the same with the keyboard
    <div class="editor" onDragOver={(event) => event.preventDefault()} onDrop={drop}>
      <div class="editor-fields">
        <label class="field">
          Example
          <select value={example} onChange={({ currentTarget }) => choose(currentTarget.value)}>
            <option value="">my own text</option>
            {examples.map(({ name, about }) => (
              <option value={name} key={name} title={about}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <label class="field">
          Open files, or drop them here: a scenario, artifacts
          <input
            type="file"
            multiple
            accept=".yaml,.yml,.json,.ndjson"
            onChange={({ currentTarget }) => {
              take(currentTarget.files);
            }}
          />
        </label>
      </div>
      {problem !== undefined && <Problem error={problem} />}
      <label for={id} class="muted">
        {text?.file ?? 'Loading …'}
        {artifacts.length > 0 && `, with ${artifacts.join(', ')}`}
      </label>
      <textarea
        id={id}
        rows={LINES}
        spellcheck={false}
        wrap="off"
        placeholder={PLACEHOLDER}
        value={text?.scenario ?? ''}
        onInput={({ currentTarget }) =>
          edit({ ...text, file: text?.file ?? 'my.scenario.yaml', scenario: currentTarget.value })
        }
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) run();
        }}
      />
    </div>
  );
}

const PLACEHOLDER = `accounts:
  shop: { balance: 1_000 TRX }
  supplier:
steps:
  - transfer: { from: shop, to: supplier, amount: 5 TRX }`;

/** @throws Error that says what cannot be used */
async function textOf(files: readonly File[], before: ScenarioText | undefined): Promise<ScenarioText> {
  const read = await Promise.all(files.map(async (file) => ({ name: file.name, text: await file.text() })));
  const artifacts = read.filter(({ text }) => isArtifact(text));
  const [scenario, second] = read.filter((one) => !artifacts.includes(one));
  if (second !== undefined)
    throw new Error(`${scenario?.name} and ${second.name} are both scenarios: open one at a time.`);
  const known = scenario === undefined ? before?.artifacts : {};
  return {
    file: scenario?.name ?? before?.file ?? 'my.scenario.yaml',
    scenario: scenario?.text ?? before?.scenario ?? '',
    artifacts: { ...known, ...Object.fromEntries(artifacts.map(({ name, text }) => [name, text])) },
  };
}

function isArtifact(text: string): boolean {
  try {
    return Array.isArray((JSON.parse(text) as { readonly abi?: unknown } | null)?.abi);
  } catch {
    return false;
  }
}
