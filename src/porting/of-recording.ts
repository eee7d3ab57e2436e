/** The port report of a recording: the recording is replayed and analysed. */

import path from 'node:path';
import { ArtifactFolders } from '../devnet/artifacts/artifact-folders.js';
import type { PortReport } from '../explanation/porting/port-report.js';
import { PortWatch } from '../explanation/porting/port-watch.js';
import type { Log } from '../platform/log.js';
import { readDocument } from '../scenario/format/document.js';
import { ScenarioError } from '../scenario/format/problems.js';
import { checkScenario } from '../scenario/reader/read-scenario.js';
import { differencesIn } from '../scenario-files/differences.js';
import { artifactsFrom, textOf } from '../scenario-files/read-files.js';
import { runToEnd } from '../scenario-files/run-to-end.js';

export interface RecordingOptions {
  /** Folders with artifacts, for names and source lines. */
  readonly artifacts: readonly string[];
  /** Receives differences between the replay and the recording, and what cannot be read. */
  readonly log: Log;
  readonly progress?: (done: number, total: number) => void | Promise<void>;
}

/** @param file a recording or a dump @throws ScenarioError if the file is neither, or cannot be replayed */
export async function portReportOf(file: string, { artifacts, log, progress }: RecordingOptions): Promise<PortReport> {
  const scenario = checkScenario(readDocument(textOf(file), file));
  if (scenario.network.recorded === undefined)
    throw new ScenarioError([
      scenario.place({
        path: [],
        message: 'this is a scenario, not a recording. Record a run of your tests with sunup --record FILE',
      }),
    ]);
  const watch = new PortWatch(false);
  await runToEnd(scenario, {
    artifacts: await artifactsFrom(path.dirname(file), scenario),
    db: undefined,
    knownContracts: artifacts.length === 0 ? undefined : new ArtifactFolders(artifacts, log),
    observer: watch.observer,
    begun: (chain) => watch.begin(chain),
    progress,
    onResult: (result) => {
      for (const difference of differencesIn(file, result)) log.warn(difference);
    },
  });
  return watch.report() as PortReport;
}
