/**
 * Local processes in the place of the machines of a GitHub workflow: each job gets an empty folder, its `run` lines are run
 * as they stand, and artifacts are folders. Steps that install are left out: what they install is here.
 */

import { cpSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { type Ended, type Place, runProcess } from './job-processes.js';

export interface Step {
  readonly name?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
}

export interface WorkflowJob {
  readonly needs?: string;
  readonly strategy?: { readonly matrix: Readonly<Record<string, readonly unknown[]>> };
  readonly steps: readonly Step[];
}

interface Workflow {
  readonly env?: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, WorkflowJob>>;
}

export function readWorkflow(file: string): Workflow {
  return parse(readFileSync(file, 'utf8'));
}

const INSTALLS = /^npm (ci|install) /;

export class LocalRunner {
  #machines = 0;

  /**
   * @param folder for machines and artifacts
   * @param bin the folder of the commands that steps install
   * @param checkOut puts the repository into a folder
   * @param inputs of the workflow
   */
  constructor(
    private readonly folder: string,
    private readonly bin: string,
    private readonly checkOut: (folder: string) => void,
    private readonly inputs: Readonly<Record<string, string>> = {},
  ) {}

  artifact(name: string): string {
    return path.join(this.folder, 'artifacts', name);
  }

  /** All machines of a job. @param only those of some values of the matrix */
  async run({ env, jobs }: Workflow, name: string, only: (value: unknown) => boolean = () => true): Promise<Ended[]> {
    const job = jobs[name];
    if (job === undefined) throw new Error(`no job ${name}`);
    const [[dimension, values] = ['none', [undefined]], ...others] = Object.entries(job.strategy?.matrix ?? {});
    if (others.length > 0) throw new Error('expected a matrix of one dimension');
    const ended: Ended[] = [];
    for (const value of values.filter(only)) {
      const machine = path.join(this.folder, 'machines', String(++this.#machines));
      mkdirSync(machine, { recursive: true });
      const contexts = new Map([
        [`matrix.${dimension}`, String(value)],
        ['strategy.job-total', String(values.length)],
        ...Object.entries(this.inputs).map(([input, text]) => [`inputs.${input}`, text] as const),
      ]);
      for (const step of job.steps) {
        const last = await this.#step(step, contexts, { ...env }, { folder: machine, bin: this.bin });
        if (last === undefined) continue;
        ended.push(last);
        if (last.code !== 0) break;
      }
    }
    return ended;
  }

  /** @returns undefined: no process */
  async #step(
    { uses, run, with: given = {}, env = {} }: Step,
    contexts: ReadonlyMap<string, string>,
    envOfAll: Readonly<Record<string, string>>,
    place: Place,
  ): Promise<Ended | undefined> {
    const filled = (text: string) => fill(String(text), contexts);
    if (run !== undefined) {
      if (INSTALLS.test(run)) return undefined;
      const own = Object.fromEntries(Object.entries(env).map(([name, text]) => [name, filled(text)]));
      return runProcess(['bash', '-e', '-c', filled(run)], { ...envOfAll, ...own }, place);
    }
    const action = uses?.split('@')[0];
    const local = path.join(place.folder, filled(given.path ?? ''));
    if (action === 'actions/checkout') this.checkOut(place.folder);
    else if (action === 'actions/upload-artifact')
      cpSync(local, this.artifact(filled(given.name ?? '')), { recursive: true });
    else if (action === 'actions/download-artifact') {
      const start = (given.pattern ?? '').replace(/\*$/, '');
      for (const name of readdirSync(this.artifact('')).filter((one) => one.startsWith(start)))
        cpSync(this.artifact(name), local, { recursive: true });
    } else if (action !== 'actions/setup-node') throw new Error(`no local form of ${uses}`);
    return undefined;
  }
}

/** @throws for an expression that has no value here */
function fill(text: string, contexts: ReadonlyMap<string, string>): string {
  return text.replace(/\$\{\{ ?(.*?) ?\}\}/g, (_, expression: string) => {
    const value = contexts.get(expression);
    if (value === undefined) throw new Error(`no local value of ${expression}`);
    return value;
  });
}
