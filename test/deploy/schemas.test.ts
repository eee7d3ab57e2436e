/**
 * The files of `deploy/` and of `.github/workflows` are what Kubernetes and GitHub accept, by schemas made from Kubernetes'
 * own and by GitHub's own parser. Damaged ones are not: a check that passes everything would say nothing.
 */

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { Job } from 'kubernetes-models/batch/v1/Job';
import { ConfigMap } from 'kubernetes-models/v1/ConfigMap';
import { PersistentVolumeClaim } from 'kubernetes-models/v1/PersistentVolumeClaim';
import { beforeAll, describe, expect, it } from 'vitest';
import { containerOf, jobOf, type Manifest, manifestsOf, podOf, ROOT } from './kubernetes.js';

const KUBERNETES = path.join(ROOT, 'deploy/kubernetes');
const manifestFiles = readdirSync(KUBERNETES);
const textOf = (file: string) => readFileSync(path.join(KUBERNETES, file), 'utf8');

const MODELS = new Map<string, new (manifest: never) => { validate(): void }>([
  ['batch/v1/Job', Job],
  ['v1/ConfigMap', ConfigMap],
  ['v1/PersistentVolumeClaim', PersistentVolumeClaim],
]);

/** Beside the packages: modules here find them. */
const CACHE = path.join(ROOT, 'node_modules/.cache/sunup');
mkdirSync(CACHE, { recursive: true });

const kindOf = ({ apiVersion, kind }: Manifest) => `${apiVersion}/${kind}`;

/** Types, values and members that must be there; the schemas do not refuse unknown members. @throws */
function checkValues(manifests: readonly Manifest[]): void {
  for (const manifest of manifests) {
    const Model = MODELS.get(kindOf(manifest));
    if (Model === undefined) throw new Error(`no schema of ${kindOf(manifest)}`);
    new Model(manifest as never).validate();
  }
}

/** Unknown members: the compiler refuses them in a literal. @returns what it says */
function unknownMembers(texts: readonly string[]): string {
  const folder = mkdtempSync(path.join(CACHE, 'manifests-'));
  try {
    const files = texts.map((text, at) => {
      const file = path.join(folder, `manifest-${at}.ts`);
      const literals = manifestsOf(text).map(
        (manifest, i) =>
          `import type { I${manifest.kind} as I${i} } from 'kubernetes-models/${kindOf(manifest)}';\n` +
          `export const manifest${i}: I${i} = ${JSON.stringify(manifest, undefined, 2)};`,
      );
      writeFileSync(file, literals.join('\n'));
      return file;
    });
    const compiler = path.join(ROOT, 'node_modules/typescript/bin/tsc');
    const options = ['--ignoreConfig', '--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--types', ''];
    const { stdout, stderr } = spawnSync(process.execPath, [compiler, ...options, ...files], { encoding: 'utf8' });
    return stdout + stderr;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe('deploy/kubernetes', () => {
  it.each(manifestFiles)('%s has the values that Kubernetes expects', (file) => {
    checkValues(manifestsOf(textOf(file)));
  });

  it('no file has a member that Kubernetes does not know', () => {
    expect(unknownMembers(manifestFiles.map(textOf))).toBe('');
  });

  it.each([
    ['a number as text', 'completions: 4', "completions: 'four'"],
    ['no containers', /^ {6}containers:/m, '      initContainers:'],
    ['a number in the place of a word', 'operator: In', 'operator: 2'],
    ['another kind', 'kind: Job', 'kind: Jobs'],
  ])('refuses %s', (_, from, to) => {
    const text = textOf('sweep.yaml');
    expect(text.replace(from, to)).not.toBe(text);
    expect(() => checkValues(manifestsOf(text.replace(from, to)))).toThrow();
  });

  it('refuses misspelled members', () => {
    const text = textOf('sweep.yaml');
    const said = unknownMembers([
      text.replace('backoffLimitPerIndex', 'backoffLimitPerIndexes'),
      text.replace('mountPath', 'mountpath'),
      text.replace('readOnlyRootFilesystem', 'readonlyRootFilesystem'),
    ]);
    for (const name of ['backoffLimitPerIndexes', 'mountpath', 'readonlyRootFilesystem'])
      expect(said).toContain(`'"${name}"' does not exist in type`);
  });

  it.each(manifestFiles)('%s needs no rights, and says what it takes', (file) => {
    const job = jobOf(manifestsOf(textOf(file)));
    const { securityContext, automountServiceAccountToken, restartPolicy } = podOf(job);
    const { securityContext: own, resources, env = [] } = containerOf(job);
    expect(securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
    expect(own).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    expect([automountServiceAccountToken, restartPolicy]).toEqual([false, 'Never']);
    expect(resources).toMatchObject({ requests: { cpu: expect.anything() }, limits: { memory: expect.anything() } });
    expect(textOf(file)).not.toMatch(/secret/i);
    const shards = Number(env.find(({ name }) => name === 'SHARDS')?.value);
    const parts = jobOf(manifestsOf(textOf(file.replace('-merge', '')))).spec;
    expect([parts?.completionMode, parts?.completions]).toEqual(['Indexed', shards]);
  });
});

const workflows = [
  path.join(ROOT, 'deploy/github/sweep.yml'),
  ...readdirSync(path.join(ROOT, '.github/workflows')).map((name) => path.join(ROOT, '.github/workflows', name)),
];

/** GitHub's parser as one file: it imports JSON in a way that Node refuses. */
async function bundledParser(): Promise<typeof import('@actions/workflow-parser')> {
  const outfile = path.join(CACHE, 'workflow-parser.mjs');
  await build({
    stdin: { contents: "export * from '@actions/workflow-parser';", resolveDir: ROOT },
    ...{ outfile, bundle: true, platform: 'node', format: 'esm', external: ['yaml', 'cronstrue'] },
  });
  return import(pathToFileURL(outfile).href);
}

let parser: Awaited<ReturnType<typeof bundledParser>>;
beforeAll(async () => {
  parser = await bundledParser();
});

/** @returns what GitHub's parser says against it */
async function mistakesIn(text: string): Promise<readonly string[]> {
  const { parseWorkflow, convertWorkflowTemplate, NoOperationTraceWriter } = parser;
  const { context, value } = parseWorkflow({ name: 'workflow.yml', content: text }, new NoOperationTraceWriter());
  if (value !== undefined) await convertWorkflowTemplate(context, value);
  return context.errors.getErrors().map(String);
}

describe('workflows', () => {
  it.each(workflows.map((file) => path.relative(ROOT, file)))('%s is one that GitHub reads', async (file) => {
    expect(await mistakesIn(readFileSync(path.join(ROOT, file), 'utf8'))).toEqual([]);
  });

  it.each([
    ['an unknown key', 'runs-on', 'run-on'],
    ['an unknown key of a strategy', 'fail-fast', 'failfast'],
    ['an unknown context', 'matrix.part }}/', 'matrx.part }}/'],
    ['a job that is not there', 'needs: part', 'needs: parts'],
    ['an expression that is cut off', /\$\{\{ matrix\.part \}\}$/m, '${{ matrix.part'],
  ])('with %s is refused', async (_, from, to) => {
    const text = readFileSync(path.join(ROOT, 'deploy/github/sweep.yml'), 'utf8');
    expect(text.replace(from, to)).not.toBe(text);
    expect(await mistakesIn(text.replace(from, to))).not.toEqual([]);
  });

  it('deploy/github/sweep.yml installs this version', () => {
    const { version } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'));
    expect(readFileSync(path.join(ROOT, 'deploy/github/sweep.yml'), 'utf8')).toContain(`SUNUP: sunup@${version}\n`);
  });
});
