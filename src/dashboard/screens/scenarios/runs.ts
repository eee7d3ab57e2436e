/** Runs of this screen, kept while the page is open. */

import { useCallback, useRef, useState } from 'preact/hooks';
import { type Progress, type ReportAnswer, runScenario, type ScenarioRun } from '../../chain/scenarios.js';

export interface Run {
  /** From 1. */
  readonly id: number;
  /** What is special about it: `getEnergyFee = 210`. */
  readonly label: string;
  readonly report: ReportAnswer;
}

export interface Runs {
  readonly runs: readonly Run[];
  /** Of the present run; undefined: none. */
  readonly progress: Progress | undefined;
  readonly problem: Error | undefined;
  /** Cancels the present run, and starts another. @returns whether it came to its end */
  readonly start: (run: ScenarioRun) => Promise<boolean>;
  readonly cancel: () => void;
  readonly fail: (problem: Error) => void;
}

/** Older ones are forgotten. */
const MAX_RUNS = 20;

export function useRuns(): Runs {
  const [runs, setRuns] = useState<readonly Run[]>([]);
  const [progress, setProgress] = useState<Progress>();
  const [problem, setProblem] = useState<Error>();
  const present = useRef<AbortController | undefined>(undefined);
  const count = useRef(0);
  const cancel = useCallback(() => {
    present.current?.abort();
    present.current = undefined;
    setProgress(undefined);
  }, []);
  const start = useCallback(async (run: ScenarioRun) => {
    cancel();
    const own = new AbortController();
    present.current = own;
    setProblem(undefined);
    setProgress({ done: 0, total: 0 });
    try {
      const report = await runScenario(run, own.signal, (told) => {
        if (present.current === own) setProgress(told);
      });
      if (present.current !== own) return false;
      const id = ++count.current;
      setRuns((all) => [...all.slice(1 - MAX_RUNS), { id, label: labelOf(run), report }]);
      return true;
    } catch (error) {
      if (present.current === own) setProblem(error as Error);
      return false;
    } finally {
      if (present.current === own) {
        present.current = undefined;
        setProgress(undefined);
      }
    }
  }, []);
  return { runs, progress, problem, start, cancel, fail: setProblem };
}

function labelOf({ file, set = {}, whatIf = [] }: ScenarioRun): string {
  const changes = Object.entries(set).map(([name, value]) => `${name} = ${value}`);
  return [file, ...changes, ...whatIf].join(', ');
}
