/**
 * Runs a scenario: a fold over its steps on its own chain. It yields a result for each event and keeps none. Time,
 * keys and random values come from the file, so the same file leads to the same blocks.
 */

import type { Artifact } from '../../artifacts/artifact.js';
import type { KnownContracts } from '../../artifacts/known-contracts.js';
import { reasonOf } from '../../explanation/outcome/failure.js';
import { withoutCredentials } from '../../fork/network/credentials.js';
import type { Remote } from '../../fork/start/open-remote.js';
import type { AppliedBlock } from '../../ledger/apply-block.js';
import type { Chain } from '../../node/chain/chain.js';
import { type ChainObserver, combineObservers } from '../../node/chain/observer.js';
import type { Node } from '../../node/node.js';
import { withRows } from '../../node/with-rows.js';
import { MissingRow } from '../../state/missing-row.js';
import { Contracts } from '../actions/contracts.js';
import { NamedObjects } from '../actions/named-objects.js';
import { StepRun } from '../actions/step-run.js';
import type { Path } from '../format/problems.js';
import type { Scenario } from '../format/scenario.js';
import { Parties } from '../parties.js';
import { RECORDING_ENDED } from '../record/recording-ended.js';
import { RunDigest } from '../results/digest.js';
import type { Difference, DigestResult, GroupResult, Result, RunEnd, TransactionResult } from '../results/result.js';
import {
  groupResult,
  type UnfinishedDigest,
  type UnfinishedGroup,
  type UnfinishedResult,
} from '../results/result-of.js';
import { RULES_VERSION } from '../results/rules-version.js';
import { Totals } from '../results/totals.js';
import { executeSteps, readExpectation } from './execute-steps.js';
import { balanceDifferences, digestDifferences, groupDifferences, transactionDifferences } from './expect.js';
import { goesBack, openChain } from './open-chain.js';
import { replayable } from './replay.js';
import { RolledBack } from './rolled-back.js';
import { setUp } from './set-up.js';

export interface RunOptions {
  /** An empty folder for LevelDB. Absent: in memory. */
  readonly directory?: string | undefined;
  /** Artifacts that the file names, by `artifactKey`; the caller reads the files (`artifact-files.ts`). */
  readonly artifacts: ReadonlyMap<string, Artifact>;
  /** Of a scenario with `fork`: its network; it stays open. */
  readonly network?: Remote | undefined;
  /**
   * Accepts signed transactions of another chain. The callback learns for each whether it had to be changed. Absent:
   * transactions stay unchanged and may be refused.
   */
  readonly replayed?: ((changed: boolean) => void) | undefined;
  /** Receives the chain's events. */
  readonly observer?: ChainObserver | undefined;
  /** Names and sources of the contracts of a recorded chain. */
  readonly knownContracts?: KnownContracts | undefined;
  /** Called after the setup, before the first step. */
  readonly begun?: (chain: Chain) => void;
  /** Called after the last step, before the chain is closed; again if it misses a row. */
  readonly ended?: (chain: Chain, parties: Parties) => void;
  /** Called from time to time with the number of completed top-level steps, including the part of the running one. */
  readonly progress?: ((done: number, total: number) => void | Promise<void>) | undefined;
}

/** After this number of results the run waits for the store, because unwritten batches are in memory. */
const RESULTS_A_PART = 256;

/**
 * @returns the digest and the head
 * @throws ScenarioError for errors that only the run shows
 * @example
 * const run = runScenario(readScenario(text, 'day.scenario.yaml'), { artifacts });
 * for (let next = await run.next(); ; next = await run.next()) {
 *   if (next.done) return next.value.digest;
 *   totals.add(next.value);
 * }
 */
export async function* runScenario(scenario: Scenario, options: RunOptions): AsyncGenerator<Result, RunEnd> {
  const parties = new Parties(scenario.seed);
  let node: Node | undefined;
  const digest = new RunDigest(() => (node as Node).chain.ledger);
  const { encodeValues } = await import('../../abi/encode-values.js');
  let lastBlock: AppliedBlock | undefined;
  const blocks: ChainObserver = {
    blockApplied: (block) => {
      lastBlock = block;
    },
  };
  const rolledBack = new RolledBack();
  const observer = combineObservers(
    digest.observer,
    blocks,
    ...(goesBack(scenario) ? [rolledBack.observer] : []),
    ...(options.observer === undefined ? [] : [options.observer]),
  );
  const { directory, network, knownContracts } = options;
  node = await openChain(scenario, parties, { directory, observer, network, knownContracts });
  try {
    const { chain } = node;
    digest.begun();
    const contracts = new Contracts(parties, options.artifacts, encodeValues);
    const run = new StepRun({
      node,
      parties,
      contracts,
      objects: new NamedObjects(),
      seed: scenario.seed,
      groups: new Map(
        [...scenario.accounts].flatMap(([name, { count }]) => (count === undefined ? [] : [[name, count]])),
      ),
      lastBlock: () => lastBlock as AppliedBlock,
      readExpectation: readExpectation(scenario.place),
      replay: (transaction) => {
        const counting = options.replayed === undefined ? transaction : replayable(node as Node, transaction);
        options.replayed?.(counting !== transaction);
        return counting;
      },
      digest: () => digest.value,
      asksNobody: scenario.network.recorded !== undefined && options.network === undefined,
      execute: (parts, within) => executeSteps(parts, within, scenario.place),
    });
    for (const waited of setUp(scenario, run)) if (waited instanceof MissingRow) await waited.obtain();
    run.startCounting();
    options.begun?.(chain);
    let results = 0;
    let failedExpectations = 0;
    const all = scenario.expect && new Totals();
    let at = 0;
    for (const part of scenario.steps) {
      for (const result of run.each([part])) {
        if (result instanceof MissingRow) {
          await result.obtain();
          continue;
        }
        const finishedResult = await finished(await result, scenario.place);
        if ('differences' in finishedResult) failedExpectations++;
        all?.add(finishedResult);
        yield finishedResult;
        if (++results % RESULTS_A_PART === 0) {
          await chain.durable();
          await options.progress?.(at + run.share, scenario.steps.length);
        }
      }
      await options.progress?.(++at, scenario.steps.length);
    }
    // In a truncated recording nothing says that pending transactions were dropped.
    for (const { part, transaction } of run.waiting) {
      const finishedResult = run.refused(part, transaction, RECORDING_ENDED);
      all?.add(finishedResult);
      yield finishedResult;
      results++;
    }
    if (scenario.expect !== undefined && all !== undefined) {
      const whole = run.placeOf({ path: [], place: 'expect', kind: '', given: {}, steps: [] });
      const sums = groupResult(whole, all.get(), { expect: scenario.expect, path: ['expect'] });
      const finishedResult = await finished(sums, scenario.place);
      if ('differences' in finishedResult) failedExpectations++;
      yield finishedResult;
    }
    await chain.durable();
    await withRows(() => options.ended?.(chain, parties));
    return {
      digest: digest.value,
      rulesVersion: RULES_VERSION,
      genesisId: chain.config.genesisId,
      ...(options.network && { fork: forkReport(scenario, options.network) }),
      rolledBack: rolledBack.transactions,
      head: { number: chain.headNumber, id: chain.headId, timestampMs: Number(chain.headTimeMs) },
      results,
      failedExpectations,
    };
  } finally {
    await node.close();
  }
}

function forkReport({ fork }: Scenario, { start }: Remote): NonNullable<RunEnd['fork']> {
  const { url } = withoutCredentials(fork?.url ?? '');
  return { url, blockNumber: start.head.number, blockId: start.head.id };
}

/** The decoder of failures is loaded at the first failed contract; then expectations can be compared. */
async function finished(
  result: UnfinishedResult | UnfinishedGroup | UnfinishedDigest | Result,
  place: Scenario['place'],
): Promise<Result> {
  if (result.kind === 'group') {
    const { groupCheck, totals, ...rest } = result as UnfinishedGroup;
    if (groupCheck === undefined || totals === undefined) return rest;
    return withDifferences(rest, [...groupDifferences(groupCheck.expect, totals)], groupCheck.path, place);
  }
  if (result.kind === 'digest') {
    const { digestCheck, ...rest } = result as UnfinishedDigest;
    if (digestCheck === undefined) return rest;
    return withDifferences(rest, [...digestDifferences(digestCheck, rest.digest)], digestCheck.path, place);
  }
  if (!('facts' in result || 'check' in result)) return result;
  const { facts, check, ...rest } = result;
  const whole: TransactionResult =
    facts === undefined ? rest : { ...rest, failure: { ...rest.failure, ...(await reasonOf(facts)) } };
  if (check === undefined) return whole;
  const { expect, part, changes } = check;
  const found = [...transactionDifferences(expect, whole), ...balanceDifferences(expect.balanceChanges ?? {}, changes)];
  return withDifferences(whole, found, [...part.path, 'expect'], place);
}

function withDifferences<Of extends TransactionResult | GroupResult | DigestResult>(
  result: Of,
  found: readonly Omit<Difference, 'line' | 'column'>[],
  path: Path,
  place: Scenario['place'],
): Of {
  if (found.length === 0) return result;
  const differences = found.map((difference): Difference => {
    const { line, column } = place({ path: [...path, ...difference.what.split('.')], message: '' });
    return { ...difference, line, column };
  });
  return { ...result, differences };
}
