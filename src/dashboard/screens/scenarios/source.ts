/** The text of the scenario: of an example, which the address names, or the reader's own, which the browser tab keeps. */

import { useEffect, useState } from 'preact/hooks';
import { type ExampleScenario, exampleScenarios, type ScenarioText } from '../../chain/scenarios.js';
import { useAddressState } from '../../parts/address-state.js';

const KEY = 'sunup-scenario';

export interface Source {
  readonly examples: readonly ExampleScenario[];
  /** Name of the example; empty: the reader's own text. */
  readonly example: string;
  /** Undefined until it is known. */
  readonly text: ScenarioText | undefined;
  readonly problem: Error | undefined;
  readonly choose: (example: string) => void;
  readonly edit: (text: ScenarioText) => void;
}

const NOTHING: ScenarioText = { file: 'my.scenario.yaml', scenario: '' };

export function useSource(): Source {
  const [examples, setExamples] = useState<readonly ExampleScenario[]>();
  const [problem, setProblem] = useState<Error>();
  const [example, choose] = useAddressState('example');
  const [own, setOwn] = useState<ScenarioText>(keptText);
  useEffect(() => {
    exampleScenarios().then(setExamples, setProblem);
  }, []);
  const found = examples?.find(({ name }) => name === example);
  const text = example === '' ? own : found && { file: found.file, scenario: found.scenario };
  const unknown =
    examples !== undefined && example !== '' && found === undefined
      ? new Error(`There is no example ${example}.`)
      : undefined;
  return {
    examples: examples ?? [],
    example,
    text: unknown === undefined ? text : own,
    problem: problem ?? unknown,
    choose,
    edit: (edited) => {
      setOwn(edited);
      try {
        sessionStorage.setItem(KEY, JSON.stringify(edited));
      } catch {
        // More than the browser keeps: the text is lost with the page.
        sessionStorage.removeItem(KEY);
      }
      choose('');
    },
  };
}

function keptText(): ScenarioText {
  const kept = sessionStorage.getItem(KEY);
  return kept === null ? NOTHING : (JSON.parse(kept) as ScenarioText);
}
