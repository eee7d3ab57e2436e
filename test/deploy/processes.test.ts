/**
 * The jobs of `deploy/` with local processes in the place of pods and machines. Commands, options and variables are those
 * of the files; the joined parts are those of a run on one machine, to the byte.
 */

import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { IConfigMap } from 'kubernetes-models/v1/ConfigMap';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildIfStale } from '../../scripts/build.mjs';
import { readResult } from '../simulation/simulator/run/merge.js';
import { digestOf } from '../simulation/simulator/run/result.js';
import { jobOf, LocalCluster, ROOT, readManifests } from './kubernetes.js';
import { LocalRunner, readWorkflow } from './workflows.js';

const folder = mkdtempSync(path.join(tmpdir(), 'sunup-deploy-'));
const bin = path.join(folder, 'bin');

beforeAll(async () => {
  const command = await buildIfStale();
  mkdirSync(bin);
  writeFileSync(path.join(bin, 'sunup'), `#!/bin/sh\nexec '${process.execPath}' '${command}' "$@"\n`);
  chmodSync(path.join(bin, 'sunup'), 0o755);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const sweep = readManifests('sweep.yaml');
const scenario = (sweep.find(({ kind }) => kind === 'ConfigMap') as IConfigMap).data?.['day.scenario.yaml'] ?? '';

/** A command without what makes it a part. */
function unsharded(text: string): string {
  const whole = text.replace(/ --shard "[^"]*"/, '');
  expect(whole).not.toBe(text);
  return whole;
}

/** Without a difference of two long lines where it fails. */
function isSame(one: string, other: string): void {
  expect(readFileSync(one).equals(readFileSync(other)), `${one} and ${other}`).toBe(true);
}

const lastPod = (manifests: typeof sweep) => (jobOf(manifests).spec?.completions ?? 0) - 1;

describe('deploy/kubernetes', () => {
  it('a sweep in pods gives what one process gives', async () => {
    const cluster = new LocalCluster(path.join(folder, 'sweep'), bin);
    const merge = readManifests('sweep-merge.yaml');
    const parts = cluster.claim('sunup-sweep');
    const last = lastPod(sweep);
    for (let index = last; index > 0; index--)
      expect(await cluster.runPod(sweep, index)).toEqual({ code: 0, out: '', err: '' });

    const early = await cluster.runPod(merge);
    expect(early).toMatchObject({ code: 2, err: expect.stringContaining(`part 1 of ${last + 1} is missing`) });
    expect(readdirSync(parts)).not.toContain('sweep.json');

    await cluster.runPod(sweep, 0);
    const before = readFileSync(path.join(parts, '2.json'), 'utf8');
    // Kubernetes may run an index twice.
    await cluster.runPod(sweep, 1);
    expect(readFileSync(path.join(parts, '2.json'), 'utf8') === before).toBe(true);
    // A part of a former sweep with more shards.
    writeFileSync(path.join(parts, `${last + 2}.json`), '{}');

    const merged = await cluster.runPod(merge);
    expect(merged).toMatchObject({ code: 0, err: '', out: expect.stringContaining('lowest fee: ') });
    const alone = path.join(folder, 'alone');
    mkdirSync(alone);
    expect(await cluster.runPod(sweep, 0, { args: unsharded, env: { PARTS: alone } })).toMatchObject({ code: 0 });
    isSame(path.join(parts, 'sweep.json'), path.join(alone, '1.json'));
    expect(readdirSync(parts).filter((name) => !/^\d+\.json$|^sweep\.(json|csv)$/.test(name))).toEqual([]);
  });

  it('a mistake in the scenario has the exit code that ends the job', async () => {
    const cluster = new LocalCluster(path.join(folder, 'mistake'), bin);
    const args = (text: string) => text.replace('getEnergyFee', 'getEnergyFees');
    const pod = await cluster.runPod(sweep, 0, { args });
    expect(pod).toMatchObject({ code: 2, err: expect.stringContaining('did you mean getEnergyFee?') });
    expect(readdirSync(cluster.claim('sunup-sweep')).filter((name) => name.endsWith('.json'))).toEqual([]);
  });

  it('the simulator in pods gives what one process gives', async () => {
    const cluster = new LocalCluster(path.join(folder, 'simulate'), bin);
    const [simulate, merge] = [readManifests('simulate.yaml'), readManifests('simulate-merge.yaml')];
    // Two worlds with little work, the last one short: two pods have nothing to do.
    const env = { SEED: '13', STEPS: '420' };
    const last = lastPod(simulate);
    for (let index = 0; index <= last; index++) {
      const pod = await cluster.runPod(simulate, index, { env });
      expect(pod, pod.out + pod.err).toMatchObject({ code: 0 });
      if (index === 0) expect(await cluster.runPod(merge)).toMatchObject({ code: 2 });
    }
    const merged = await cluster.runPod(merge);
    expect(merged, merged.err).toMatchObject({ code: 0 });
    const whole = await new LocalCluster(path.join(folder, 'simulate-whole'), bin).runPod(simulate, 0, {
      args: unsharded,
      env,
    });
    expect(merged.out.trimEnd().split('\n').at(-1)).toBe(whole.out.trimEnd().split('\n').at(-1));
    const file = path.join(cluster.claim('sunup-simulate'), 'run.json');
    expect(merged.out).toContain(`digest ${digestOf(readResult(readFileSync(file, 'utf8'), file))}`);
  });
});

describe('deploy/github', () => {
  it('a sweep in a matrix gives what one process gives', async () => {
    const workflow = readWorkflow(path.join(ROOT, 'deploy/github/sweep.yml'));
    const checkOut = (to: string) => writeFileSync(path.join(to, 'day.scenario.yaml'), scenario);
    const runner = new LocalRunner(path.join(folder, 'github'), bin, checkOut);
    await runner.run(workflow, 'part', (part) => part !== 2);
    const early = await runner.run(workflow, 'merge');
    expect(early.at(-1)).toMatchObject({ code: 2, err: expect.stringContaining('part 2 of 4 is missing') });
    await runner.run(workflow, 'part', (part) => part === 2);
    const merged = await runner.run(workflow, 'merge');
    expect(merged).toMatchObject([{ code: 0, err: '', out: expect.stringContaining('lowest fee: ') }]);

    const [step] = workflow.jobs.part?.steps.filter(({ run }) => run?.includes('--shard')) ?? [];
    const steps = [{ uses: 'actions/checkout' }, { ...step, run: unsharded(step?.run ?? '') }];
    const alone = new LocalRunner(path.join(folder, 'github-alone'), bin, checkOut);
    await alone.run({ jobs: { part: { steps, strategy: { matrix: { part: [1] } } } } }, 'part');
    isSame(
      path.join(runner.artifact('sweep'), 'sweep.json'),
      path.join(folder, 'github-alone/machines/1/parts/1.json'),
    );
  });
});
