/** Copies of the sources with one fault planted: the patches beside this file. */

import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('.', import.meta.url));
const root = path.resolve(folder, '../../..');

export const PLANTED: readonly string[] = readdirSync(folder)
  .filter((file) => file.endsWith('.patch'))
  .map((file) => file.slice(0, -'.patch'.length));

/** Whether only real nodes show it. */
export function isReal(name: string): boolean {
  return readFileSync(path.join(folder, `${name}.patch`), 'utf8').startsWith('mode: real\n');
}

/** @returns a new folder with the sources, for the caller to remove */
export function sourceCopy(): string {
  const copy = mkdtempSync(path.join(tmpdir(), 'sunup-planted-'));
  for (const part of [
    'src',
    'scripts',
    'test/simulation',
    'test/wire/socket-client.ts',
    'package.json',
    'package-lock.json',
  ])
    cpSync(path.join(root, part), path.join(copy, part), { recursive: true });
  for (const part of ['fixtures', 'node_modules']) symlinkSync(path.join(root, part), path.join(copy, part));
  return copy;
}

/** @param name of a patch @returns a new folder with the sources, for the caller to remove */
export function plantedCopy(name: string): string {
  const copy = sourceCopy();
  const problem = applied(name, copy);
  if (problem !== undefined) throw new Error(`${name}.patch does not apply: ${problem}`);
  compileAssembly(copy, readFileSync(path.join(folder, `${name}.patch`), 'utf8'));
  return copy;
}

/** Sources of WebAssembly, and what makes the module of which they are the source. */
const ASSEMBLY: Readonly<Record<string, string>> = {
  'src/tvm/engine/assembly/': 'generate-engine.ts',
  'src/tvm/precompiles/assembly/blake2f.ts': 'generate-blake2f.ts',
  'src/tvm/precompiles/assembly/montgomery.ts': 'generate-montgomery.ts',
};

/** Makes the modules anew whose sources are named: without that, a change there changes nothing. */
export function compileAssembly(copy: string, named: string): void {
  for (const [source, script] of Object.entries(ASSEMBLY)) {
    if (!named.includes(source)) continue;
    const { status, stderr } = spawnSync('npx', ['tsx', path.join('scripts', script)], { cwd: copy, encoding: 'utf8' });
    if (status !== 0) throw new Error(`${source} cannot be compiled: ${stderr}`);
  }
}

/** @returns what the patch takes away and adds: two patches with the same are one fault */
export function changesOf(name: string): string {
  const lines = readFileSync(path.join(folder, `${name}.patch`), 'utf8').split('\n');
  return lines.filter((line) => /^([-+]\s*\S|--- )/.test(line) && !line.startsWith('+++ ')).join('\n');
}

/** @returns why the patch does not fit the sources */
export function misfit(name: string): string | undefined {
  return applied(name, root, '--check');
}

function applied(name: string, cwd: string, ...options: readonly string[]): string | undefined {
  const { status, stderr } = spawnSync('git', ['apply', ...options, path.join(folder, `${name}.patch`)], {
    cwd,
    // A copy is no part of a repository above it.
    env: { ...process.env, GIT_CEILING_DIRECTORIES: tmpdir() },
    encoding: 'utf8',
  });
  return status === 0 ? undefined : stderr;
}
