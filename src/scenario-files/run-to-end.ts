/** A scenario run to its end, its results folded; in memory, or into an empty folder. */

import type { Artifact } from '../artifacts/artifact.js';
import { holdsChain, openDirectory } from '../devnet/database/chain-database.js';
import type { Remote } from '../fork/start/open-remote.js';
import type { Chain } from '../node/chain/chain.js';
import { OptionError } from '../options/option-error.js';
import { markScenario } from '../platform/data-directory.js';
import type { CallEnergy } from '../prose/report.js';
import { energyPriceSun } from '../resources/energy-price.js';
import type { Scenario } from '../scenario/format/scenario.js';
import type { RunStart } from '../scenario/report/assumptions.js';
import { CallEnergies } from '../scenario/report/call-energy.js';
import { type Span, Timeline } from '../scenario/report/timeline.js';
import type { Result, RunEnd } from '../scenario/results/result.js';
import { type RunTotals, Totals } from '../scenario/results/totals.js';
import { type RunOptions, runScenario } from '../scenario/run/run.js';

export interface RunToEnd extends Pick<RunOptions, 'observer' | 'knownContracts' | 'begun'> {
  readonly artifacts: ReadonlyMap<string, Artifact>;
  /** Of a scenario with `fork`. */
  readonly network?: Remote | undefined;
  /** LevelDB keeps the chain here. Undefined: in memory. */
  readonly db: string | undefined;
  /** Called with each result. */
  readonly onResult?: ((result: Result) => void) | undefined;
  readonly progress?: ((done: number, total: number) => void | Promise<void>) | undefined;
}

export interface Ended {
  readonly totals: RunTotals;
  readonly end: RunEnd;
  readonly spans: readonly Span[];
  /** Of a recording: undefined, because its chain begins with its genesis. */
  readonly start: RunStart | undefined;
  /** Undefined without calls. */
  readonly calls: CallEnergy | undefined;
}

/** @throws ScenarioError, OptionError for a folder that cannot be begun in */
export async function runToEnd(scenario: Scenario, { db, onResult, ...options }: RunToEnd): Promise<Ended> {
  const kept = db === undefined ? undefined : openDirectory(db);
  try {
    if (kept !== undefined && holdsChain(kept.path))
      throw new OptionError('db', `${kept.path} holds a chain already`, 'A scenario begins one: name an empty folder');
    if (kept !== undefined) markScenario(kept.path);
    const totals = new Totals(scenario.network.recorded !== undefined);
    const timeline = new Timeline();
    const calls = new CallEnergies();
    let start: RunStart | undefined;
    const begun: RunOptions['begun'] = (chain) => {
      if (scenario.network.recorded === undefined) start = startOf(chain);
      options.begun?.(chain);
    };
    const running = runScenario(scenario, { ...options, begun, directory: kept?.path });
    for (;;) {
      const { done, value } = await running.next();
      if (done) return { totals: totals.get(), end: value, spans: timeline.get(), start, calls: calls.get() };
      totals.add(value);
      timeline.add(value);
      calls.add(value);
      onResult?.(value);
    }
  } finally {
    await kept?.release();
  }
}

function startOf({ ledger, headTimeMs }: Chain): RunStart {
  return {
    timestampMs: Number(headTimeMs),
    energySun: energyPriceSun(ledger.long('ENERGY_FEE')),
    byteSun: ledger.long('TRANSACTION_FEE'),
  };
}
