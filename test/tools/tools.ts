/**
 * Tools of the field as npm has them, and a place to run them in. They are installed at the first run into a folder that
 * is kept, not with Sunup's own packages: Hardhat alone is 350 MB.
 */

import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'vitest';

export interface Ran {
  readonly code: number | null;
  /** Standard output and standard error in the order they came, without colours. */
  readonly output: string;
}

export interface RunOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  /** What is typed, a line each time that the program waits with its prompt; the end of input after the last. */
  readonly typed?: { readonly prompt: string; readonly lines: readonly string[] };
}

/** The lines of docs/how-to/tre.md that begin with a comment, to be run as somebody would who pasted them. */
export function recipe(comment: string): string {
  const text = readFileSync(new URL('../../docs/how-to/tre.md', import.meta.url), 'utf8');
  const block = [...text.matchAll(/```\w+\n(.*?)```/gs)].find(([, code]) => code?.startsWith(comment));
  if (block?.[1] === undefined) throw new Error(`docs/how-to/tre.md has no "${comment}"`);
  return block[1];
}

/** Runs lines of a shell. */
export function runShell(lines: string, options: RunOptions): Promise<Ran> {
  return ran('bash', ['-euc', lines], options);
}

/** Runs a program of Node. */
export async function run(file: string, words: readonly string[], { cwd, env = {}, typed }: RunOptions): Promise<Ran> {
  return ran(process.execPath, [file, ...words], { cwd, env: { FORCE_COLOR: '0', ...env }, ...(typed && { typed }) });
}

async function ran(program: string, words: readonly string[], { cwd, env, typed }: RunOptions): Promise<Ran> {
  const child = spawn(program, words, { cwd, env: { ...process.env, ...env } });
  let output = '';
  const lines = [...(typed?.lines ?? [])];
  if (typed === undefined) child.stdin.end();
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (typed === undefined || !output.endsWith(typed.prompt)) return;
      const line = lines.shift();
      if (line === undefined) child.stdin.end();
      else child.stdin.write(`${line}\n`);
    });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what begins a colour is one
  return { code, output: output.replaceAll(/\u001b\[[\d;?]*[a-zA-Z]/g, '') };
}

/** Fails with everything that was said. */
export function expectSuccess({ code, output }: Ran): string {
  expect(code, output).toBe(0);
  return output;
}

/** @returns the `node_modules` that has them, with exactly these versions */
export async function installedTools(versions: Readonly<Record<string, string>>): Promise<string> {
  const list = JSON.stringify(versions);
  const id = createHash('sha256').update(list).digest('hex').slice(0, 12);
  const kept = path.join(tmpdir(), `sunup-tools-${id}`);
  const modules = path.join(kept, 'node_modules');
  if (existsSync(modules)) return modules;
  const fresh = mkdtempSync(`${kept}-`);
  writeFileSync(path.join(fresh, 'package.json'), JSON.stringify({ private: true, dependencies: versions }));
  const words = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock', '--loglevel=error'];
  expectSuccess(await ran('npm', words, { cwd: fresh }));
  try {
    renameSync(fresh, kept);
  } catch (error) {
    // Somebody else was faster.
    if (!existsSync(modules)) throw error;
    rmSync(fresh, { recursive: true });
  }
  return modules;
}

/** A project of somebody's, with the tools and a home of its own: where tools keep compilers. */
export class Project implements Disposable {
  readonly folder: string;
  readonly home: string;
  readonly #root = mkdtempSync(path.join(tmpdir(), 'sunup-project-'));

  constructor(readonly modules: string) {
    this.folder = path.join(this.#root, 'project');
    this.home = path.join(this.#root, 'home');
    for (const folder of [this.folder, this.home]) mkdirSync(folder);
  }

  /** Puts what is in `from` into the project, or into a folder of it. */
  copy(from: string, into = ''): void {
    cpSync(from, path.join(this.folder, into), { recursive: true });
  }

  /** Makes the tools' packages the project's own. */
  link(): void {
    symlinkSync(this.modules, path.join(this.folder, 'node_modules'));
  }

  [Symbol.dispose](): void {
    rmSync(this.#root, { recursive: true, force: true });
  }
}
