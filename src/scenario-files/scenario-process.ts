/**
 * A process that runs one scenario for a client of `/sunup/scenarios`. It opens no file and no connection: artifacts are
 * part of the request, and a scenario on a fork is refused.
 */

import { setImmediate } from 'node:timers/promises';
import type { ScenarioMessage, ScenarioWork } from '../http/scenarios/processes.js';
import type { ScenarioRequest } from '../http/scenarios/request.js';
import { OptionError } from '../options/option-error.js';
import { writeJson } from '../primitives/amount-json.js';
import { ownValue } from '../primitives/outside-names.js';
import { readDocument, type ScenarioDocument } from '../scenario/format/document.js';
import { ScenarioError } from '../scenario/format/problems.js';
import type { Scenario } from '../scenario/format/scenario.js';
import { checkScenario } from '../scenario/reader/read-scenario.js';
import { runReport } from '../scenario/report/run-report.js';
import { sweepReport } from '../scenario/report/sweep.js';
import { artifactsOf } from '../scenario/run/artifact-files.js';
import { withFindings } from '../scenario/what-if/findings.js';
import type { Sweep, VariantOutcome } from '../scenario/what-if/outcome.js';
import { withValues } from '../scenario/what-if/replace-values.js';
import { fileDigest, runVariant } from '../scenario/what-if/run-variant.js';
import { settingsOf } from '../scenario/what-if/settings.js';
import { sweepOf } from '../scenario/what-if/sweep-input.js';
import { readVariation, scalar, VariationError, variantsOf } from '../scenario/what-if/variations.js';
import { runToEnd } from './run-to-end.js';

/** A sweep of more settings is for the command, which uses all processors. */
const MAX_VARIANTS = 1_000;
/** More messages would only be work for the node. */
const PROGRESS_EVERY_MS = 100;

/** Without an answer, because the client has gone or the node has ended. */
process.on('disconnect', () => process.exit());

function say(message: ScenarioMessage): Promise<void> {
  return new Promise((resolve) => process.send?.(message, () => resolve()));
}

/** Shared by all chains: this process has one. */
let saidMs = 0;
async function progress(done: number, total: number): Promise<void> {
  const nowMs = Date.now();
  if (nowMs - saidMs < PROGRESS_EVERY_MS) return;
  saidMs = nowMs;
  await say({ type: 'progress', done, total });
  // A message is sent without a turn of the event loop, in which a disconnection is noticed.
  await setImmediate();
}

process.once('message', async ({ kind, request }: ScenarioWork) => {
  try {
    const document = readDocument(request.scenario, request.file);
    const runs = request.whatIf.length > 0 ? sweep : run;
    await say({ type: 'done', json: kind === 'settings' ? settings(document) : await runs(document, request) });
  } catch (error) {
    if (![ScenarioError, OptionError, VariationError].some((known) => error instanceof known)) throw error;
    await say({ type: 'refused', message: (error as Error).message });
  }
  process.disconnect();
});

function settings(document: ScenarioDocument): string {
  return writeJson({ about: checkScenario(document).about, settings: settingsOf(document) });
}

async function run(document: ScenarioDocument, request: ScenarioRequest): Promise<string> {
  const { file } = request;
  const scenario = withoutFork(checkScenario(changed(document, request)));
  const artifacts = await artifactsIn(request, scenario);
  await say({ type: 'started' });
  const ended = await runToEnd(scenario, { artifacts, db: undefined, progress });
  const { totals, end } = ended;
  const report = request.report ? { report: runReport({ file, scenario, set: request.set, ...ended }) } : {};
  return writeJson({ file, ...end, totals, ...report });
}

/** The document with the values of `set`. */
function changed(document: ScenarioDocument, { set }: ScenarioRequest): ScenarioDocument {
  const given = Object.entries(set).map(([name, value]) => {
    return { name, values: [typeof value === 'string' ? scalar(value) : value] };
  });
  if (given.length === 0) return document;
  const { variations } = sweepOf(document, given);
  return withValues(
    document,
    variations,
    variations.map(({ values: [value] }) => value),
  );
}

async function sweep(document: ScenarioDocument, request: ScenarioRequest): Promise<string> {
  const { file, scenario: text, whatIf } = request;
  const { scenario, variations } = sweepOf(document, whatIf.map(readVariation));
  const variants = variantsOf(variations);
  if (variants.length > MAX_VARIANTS)
    throw new VariationError(
      `the variations have ${variants.length - 1} combinations, the maximum over HTTP is ${MAX_VARIANTS - 1}: use sunup run --what-if`,
    );
  const artifacts = await artifactsIn(request, withoutFork(scenario));
  await say({ type: 'started' });
  const outcomes: VariantOutcome[] = [];
  for (const variant of variants) {
    outcomes.push(await runVariant({ file, text, variations, artifacts }, variant));
    await progress(outcomes.length, variants.length);
  }
  const made: Sweep = {
    ...{ whatIf: 2, file },
    ...(scenario.about !== undefined && { about: scenario.about }),
    fileDigest: fileDigest(text),
    ...{ variations, variants: variants.length, outcomes },
  };
  return writeJson({ ...withFindings(made), ...(request.report && { report: sweepReport(made, scenario) }) });
}

/** A fork would connect the node to any address, and its cache is a folder. */
function withoutFork(scenario: Scenario): Scenario {
  if (scenario.fork === undefined) return scenario;
  const message = 'fork is not possible here, because it connects to a network: run the file with sunup run';
  throw new ScenarioError([scenario.place({ path: ['fork'], ofName: true, message })]);
}

function artifactsIn({ artifacts }: ScenarioRequest, scenario: Scenario) {
  return artifactsOf(scenario, (name) => {
    const given = ownValue(artifacts, name) ?? ownValue(artifacts, name.replace(/^.*[\\/]/, ''));
    if (given === undefined)
      throw new Error('files are not read here; give its content in artifacts, or run the file with sunup run');
    return typeof given === 'string' ? given : JSON.stringify(given);
  });
}
