/**
 * Local processes in the place of the pods of `deploy/kubernetes`: what a pod would get from Kubernetes (command, environment,
 * volumes), a process gets from the same lines. A mount path is a folder of this machine wherever it begins the value of
 * a variable.
 */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { IJob } from 'kubernetes-models/batch/v1/Job';
import type { IConfigMap } from 'kubernetes-models/v1/ConfigMap';
import type { IContainer } from 'kubernetes-models/v1/Container';
import type { IPodSpec } from 'kubernetes-models/v1/PodSpec';
import { parseAllDocuments } from 'yaml';
import { type Ended, runProcess } from './job-processes.js';

export const ROOT = path.resolve(import.meta.dirname, '../..');

export interface Manifest {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: { readonly name?: string };
}

export function manifestsOf(text: string): readonly Manifest[] {
  return parseAllDocuments(text).map((document) => {
    const [error] = 'errors' in document ? document.errors : [];
    if (error !== undefined) throw error;
    return document.toJS() as Manifest;
  });
}

export function readManifests(file: string): readonly Manifest[] {
  return manifestsOf(readFileSync(path.join(ROOT, 'deploy/kubernetes', file), 'utf8'));
}

export function jobOf(manifests: readonly Manifest[]): IJob {
  const [job, ...others] = manifests.filter(({ kind }) => kind === 'Job');
  if (job === undefined || others.length > 0) throw new Error('expected one Job');
  return job as IJob;
}

export function podOf(job: IJob): IPodSpec {
  const pod = job.spec?.template.spec;
  if (pod === undefined) throw new Error('the job has no pod');
  return pod;
}

export function containerOf(job: IJob): IContainer {
  const [container, ...others] = podOf(job).containers;
  if (container === undefined || others.length > 0) throw new Error('expected one container');
  return container;
}

/** What a test does otherwise than the file. */
interface Changes {
  readonly args?: (own: string) => string;
  readonly env?: Readonly<Record<string, string>>;
}

/** A cluster of this machine: its volumes, by name, are folders. */
export class LocalCluster {
  #pods = 0;

  /** @param bin the folder of the commands that the images have */
  constructor(
    private readonly folder: string,
    private readonly bin: string,
  ) {}

  claim(name: string): string {
    const folder = path.join(this.folder, 'claims', name);
    mkdirSync(folder, { recursive: true });
    return folder;
  }

  /** @param index of an indexed job */
  runPod(
    manifests: readonly Manifest[],
    index?: number,
    { args = (own) => own, env: given = {} }: Changes = {},
  ): Promise<Ended> {
    const job = jobOf(manifests);
    const container = containerOf(job);
    const name = [job.metadata?.name, index, `pod${++this.#pods}`].filter((part) => part !== undefined).join('-');
    const mounts = (container.volumeMounts ?? []).map((mount) => {
      const volume = podOf(job).volumes?.find((one) => one.name === mount.name);
      if (volume === undefined) throw new Error(`no volume ${mount.name}`);
      return { mountPath: mount.mountPath, folder: this.#volume(volume, manifests) };
    });
    const env: Record<string, string> = {};
    for (const { name: variable, value, valueFrom } of container.env ?? []) {
      const field = valueFrom?.fieldRef?.fieldPath;
      if (value === undefined && field !== 'metadata.name') throw new Error(`${variable} is of an unknown kind`);
      const mount = mounts.find(({ mountPath }) => value === mountPath || value?.startsWith(`${mountPath}/`));
      env[variable] =
        mount === undefined ? (value ?? name) : path.join(mount.folder, value?.slice(mount.mountPath.length) ?? '');
    }
    if (index !== undefined) env.JOB_COMPLETION_INDEX = String(index);
    const home = path.join(this.folder, 'home');
    mkdirSync(home, { recursive: true });
    return runProcess(
      [...(container.command ?? []), ...(container.args ?? []).map(args)],
      { ...env, ...given },
      {
        // The image of the simulator has the sources there.
        folder: container.workingDir === '/source' ? ROOT : home,
        bin: this.bin,
      },
    );
  }

  #volume(
    { name, configMap, persistentVolumeClaim }: NonNullable<IPodSpec['volumes']>[number],
    manifests: readonly Manifest[],
  ): string {
    if (persistentVolumeClaim !== undefined) return this.claim(persistentVolumeClaim.claimName);
    const folder = path.join(this.folder, 'volumes', name);
    mkdirSync(folder, { recursive: true });
    if (configMap === undefined) return folder;
    const map = manifests.find((one) => one.kind === 'ConfigMap' && one.metadata?.name === configMap.name);
    if (map === undefined) throw new Error(`no ConfigMap ${configMap.name}`);
    for (const [file, text] of Object.entries((map as IConfigMap).data ?? {}))
      writeFileSync(path.join(folder, file), text);
    return folder;
  }
}
