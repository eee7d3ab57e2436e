/**
 * The simulator with fixed seeds, as `npm run simulate` runs it: no invariant is broken, and the same seeds do the same
 * in other processes, with another number of workers and in parts. What a world does to its process is a failure at a step.
 */

import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changesOf, misfit, PLANTED, plantedCopy } from './planted/planted-copy.js';
import { bundleSimulator } from './simulator/run/bundle.js';
import { mergeResults, readResult } from './simulator/run/merge.js';
import { StepMeasure } from './simulator/run/pulse.js';
import { reportLines } from './simulator/run/report.js';
import { digestOf, type RunResult } from './simulator/run/result.js';
import { shrinkByChance } from './simulator/run/shrink-by-chance.js';
import { type RunOptions, simulate } from './simulator/run/simulate.js';

let file: string;
beforeAll(async () => {
  file = await bundleSimulator('.');
});
afterAll(() => rmSync(file));

function run(options: Partial<RunOptions>, bundle = file): Promise<RunResult> {
  return simulate(bundle, { plan: { seed: 1, steps: 400 }, commit: 'this', workers: 1, shrinks: false, ...options });
}

describe('simulated worlds', () => {
  it('break no invariant, and are the same again in parts', async () => {
    const plan = { seed: 13, steps: 460 };
    const whole = await run({ plan, workers: 2 });
    expect(whole.failures, reportLines(whole).join('\n')).toEqual([]);
    expect(reportLines(whole).at(-1)).toMatch(/^digest [0-9a-f]{64}$/);
    expect(new Set(whole.worlds.map(({ digest }) => digest)).size).toBe(2);

    // One part has nothing to do.
    const parts: { readonly name: string; readonly result: RunResult }[] = [];
    for (const part of [3, 2, 1]) {
      const name = `${part}.json`;
      const result = await run({ plan, shard: { part, of: 3 } });
      parts.push({ name, result: readResult(JSON.stringify(result), name) });
    }
    expect(parts.map(({ result }) => result.worlds.length)).toEqual([0, 1, 1]);
    const { result, missing } = mergeResults(parts);
    expect(missing).toEqual([]);
    expect(digestOf(result)).toBe(digestOf(whole));
    for (const name of ['steps', 'faults', 'requests', 'blocks', 'chainMs', 'simulatedMs'] as const)
      expect(result.totals[name]).toEqual(whole.totals[name]);
    // A pod that was thought to be lost ends after its successor.
    expect(mergeResults([...parts, parts[2]!]).result).toEqual(result);
  });
});

describe('results of parts', () => {
  const result: RunResult = {
    ...{ simulation: 1, commit: 'this', began: '2026-01-01T00:00:00.000Z', plan: { seed: 7, steps: 1_600 } },
    totals: {
      ...{ steps: {}, faults: {}, requests: 0, refusals: 0, blocks: 0 },
      ...{ chainMs: 0, simulatedMs: 0, machineMs: 0, processorMs: 0 },
    },
    worlds: [],
    failures: [],
  };
  const failure = (seed: number) => ({ seed, step: 3, action: 'mine', invariant: 'coin is conserved', what: 'lost' });
  const first = {
    ...{ ...result, shard: { part: 1, of: 2 } },
    worlds: [
      { seed: 7, digest: 'a' },
      { seed: 9, digest: 'c' },
    ],
  };
  const second = {
    ...{ ...result, shard: { part: 2, of: 2 } },
    worlds: [
      { seed: 8, digest: 'b' },
      { seed: 10, digest: 'd' },
    ],
  };
  const merged = (...results: readonly RunResult[]) =>
    mergeResults(results.map((one, at) => ({ name: `${at}.json`, result: one })));

  it('name the part that is missing, and the one that was stopped', () => {
    expect(merged(second).missing).toEqual(['part 1 of 2 is missing: run it with --shard 1/2']);
    const stopped = { ...first, worlds: first.worlds.slice(0, 1) };
    expect(merged(stopped, second).missing).toEqual(['0.json was stopped before seed 9: run that part again']);
    expect(merged(stopped, second, first).missing).toEqual([]);
  });

  it('have all failures by seed, and the digest of a run that ended at the first', () => {
    const ended = { ...first, worlds: first.worlds.slice(0, 1), failures: [failure(7)] };
    const both = merged({ ...second, failures: [failure(10)] }, ended);
    expect(both.missing).toEqual([]);
    expect(both.result.failures.map(({ seed }) => seed)).toEqual([7, 10]);
    expect(digestOf(both.result)).toBe(digestOf({ ...result, worlds: ended.worlds, failures: [failure(7)] }));
    expect(reportLines(both.result)).toContain('again: npm run simulate -- --seed 7 --steps 4');
    // The first part may have a failure with a smaller seed.
    expect(merged({ ...second, failures: [failure(10)] }).missing).toHaveLength(1);
  });

  it('are refused if they are of another run', () => {
    expect(() => merged(first, { ...second, commit: 'that' })).toThrow('1.json is of commit that, 0.json of this');
    expect(() => merged(first, { ...second, plan: { seed: 7, steps: 800 } })).toThrow(/belongs to another run/);
    expect(() => merged(first, { ...second, shard: { part: 2, of: 3 } })).toThrow(/belongs to another run/);
    const other = { ...second, worlds: [{ seed: 7, digest: 'e' }] };
    expect(() => merged(first, other)).toThrow('seed 7 has two digests: 1.json has e, another part has a');
    expect(() => readResult('{', 'x.json')).toThrow(/x\.json is no JSON/);
    expect(() => readResult(JSON.stringify({ ...first, worlds: [{ seed: 1 }] }), 'x.json')).toThrow(
      'x.json is no result of the simulator: worlds.0.digest',
    );
  });
});

describe('a history that fails by chance', () => {
  const steps = Array.from({ length: 150 }, (_, step) => step);
  const said: string[] = [];
  const says = (line: string) => said.push(line);

  it('is shrunk from its last steps', async () => {
    const fails = async (some: readonly number[]) => some.includes(149) && some.includes(143);
    const { shortest, repeats, failed } = await shrinkByChance(steps, fails, { says });
    expect(shortest).toEqual([143, 149]);
    expect(failed).toBeGreaterThan(1);
    expect(repeats).toBeLessThan(20);
    expect(said[0]).toBe('repeat 1 of at most 40: 1 of 150 steps');
  });

  it('is not repeated for ever, and nothing is claimed that was not seen', async () => {
    const never = await shrinkByChance(steps, async () => false, { says });
    expect(never).toEqual({ repeats: 10, failed: 0 });
    let tries = 0;
    const once = async () => tries++ === 6;
    const { shortest, repeats, failed } = await shrinkByChance(steps, once, { mostRepeats: 20, says });
    expect([shortest?.length, repeats, failed]).toEqual([64, 20, 1]);
  });
});

it('all planted faults fit the sources, and no two are the same', () => {
  expect(PLANTED.length).toBeGreaterThan(40);
  const names = PLANTED.map((name) => [changesOf(name), name] as const);
  expect(names.filter(([changes], at) => names.findIndex(([other]) => other === changes) !== at)).toEqual([]);
  expect(PLANTED.flatMap((name) => misfit(name) ?? [])).toEqual([]);
});

/** Which of the users that do comes first in a world changes with the table of users. */
const TAKES_A_SNAPSHOT = expect.stringMatching(
  new RegExp(
    `^(${[
      ...['take a snapshot', 'drop a snapshot', 'roll back to a snapshot', 'try and revert', 'stop and revert'],
      ...['read again', 'vote a proposal through', 'record a session', 'rename a token', 'look into a mirror'],
      ...['watch the meters', 'hurry the clock', 'let empty time pass twice', 'keep a chain in memory'],
    ].join('|')})$`,
  ),
);

describe('a world that does not come back', () => {
  /** One of its first steps takes a snapshot. */
  const plan = { seed: 7, steps: 400 };

  async function withPlanted(name: string, options: Partial<RunOptions>): Promise<RunResult> {
    const copy = plantedCopy(name);
    const bundle = await bundleSimulator(copy);
    try {
      return await run(options, bundle);
    } finally {
      rmSync(bundle);
      rmSync(copy, { recursive: true, force: true });
    }
  }

  it('fails at the step that has no end', async () => {
    const { failures } = await withPlanted('snapshot-without-end', { plan, stepLimit: { processorMs: 5_000 } });
    expect(failures).toMatchObject([{ seed: 7, action: TAKES_A_SNAPSHOT, invariant: 'work comes to an end' }]);
  });

  it('is measured by the work of its step, and by pulses without any', () => {
    const heard = (ms: readonly number[]) => {
      const measure = new StepMeasure(3_000);
      measure.hear('2900000\n');
      measure.begin();
      return measure.hear(ms.map((one) => `${one * 1_000}\n`).join(''));
    };
    expect(heard([2_950, 3_000, 3_050, 3_100])).toBeUndefined();
    // A process has many worlds; its first pulse in one tells of all.
    expect(new StepMeasure(3_000).hear('900000000\n')).toBeUndefined();
    expect(heard([5_899])).toBeUndefined();
    expect(heard([5_900])).toBe('the step did not end in 3 s of a processor');
    expect(heard([2_901, 2_901])).toBeUndefined();
    expect(heard([2_901, 2_901, 2_902])).toBe(
      'the step waits for something that does not come: in 3 s it used 2 ms of a processor',
    );
  });

  it('fails at the step that ended its process, and has a shorter history', async () => {
    const { failures } = await withPlanted('rejection-that-nobody-hears', { plan, shrinks: true });
    const [{ step, shortest } = { step: -1, shortest: undefined }] = failures;
    const what = expect.stringContaining('Error: 0x1 is not kept');
    expect(failures).toMatchObject([{ action: TAKES_A_SNAPSHOT, invariant: 'no error without a name', what }]);
    expect(shortest).toEqual([step]);
  });
});
