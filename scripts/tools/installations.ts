/** Where the tools come from: their registries, and compilers put where each tool looks before it downloads one. */

import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');

/** A folder with a tool, which is kept between runs. */
export interface Installation {
  /** Another version needs another name. */
  readonly name: string;
  /** @returns the folder of its programs */
  readonly install: (folder: string) => string;
}

/** Installs what is not there yet. @returns the folder of its programs */
export function installed({ name, install }: Installation): string {
  const folder = folderOf(name);
  const note = path.join(folder, 'programs');
  if (existsSync(note)) return readFileSync(note, 'utf8');
  mkdirSync(folder, { recursive: true });
  const programs = install(folder);
  writeFileSync(note, programs);
  return programs;
}

export const folderOf = (installation: string) => path.join(tmpdir(), `sunup-tools-${installation}`);

export function run(program: string, words: readonly string[], cwd: string, env: NodeJS.ProcessEnv = {}): void {
  execFileSync(program, words, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'inherit', 'inherit'] });
}

/** Installs packages of npm. No package of a tool needs its install scripts. */
export function installPackages(folder: string, packages: readonly string[], env: NodeJS.ProcessEnv = {}): string {
  writeFileSync(path.join(folder, 'package.json'), '{"private":true}');
  const quiet = ['--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error'];
  run('npm', ['install', '--ignore-scripts', ...quiet, ...packages], folder, env);
  return path.join(folder, 'node_modules/.bin');
}

/**
 * Installs packages that need another Node than this one, with that Node: npm leaves out optional packages that are for
 * another version.
 */
export function installPackagesWithNode(folder: string, node: string, packages: readonly string[]): string {
  const own = path.join(folder, 'node');
  mkdirSync(own);
  writeFileSync(path.join(own, 'package.json'), '{"private":true}');
  // The install script of this package is what fetches the binary, itself a package of npm.
  run('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', `node@${node}`], own);
  const PATH = `${path.join(own, 'node_modules/node/bin')}:${process.env.PATH}`;
  const programs = installPackages(folder, packages, { PATH });
  cpSync(path.join(own, 'node_modules/node/bin/node'), path.join(programs, 'node'));
  return programs;
}

/** Runs the lines of docs/how-to/tre.md that put the compiler of the folder where a tool looks. */
export function putCompilerAsPageSays(
  folder: string,
  program: string,
  words: readonly string[],
  comment: string,
): void {
  const page = readFileSync(path.join(root, 'docs/how-to/tre.md'), 'utf8');
  const lines = [...page.matchAll(/```\w+\n(.*?)```/gs)].find(([, code]) => code?.startsWith(comment))?.[1];
  if (lines === undefined) throw new Error(`docs/how-to/tre.md has no "${comment}"`);
  execFileSync(program, [...words, lines], { cwd: folder, env: { ...process.env, HOME: folder } });
}

/** The version of the `solc` package in the folder, as compilers are listed: 0.8.28 and 0.8.28+commit.7893614a. */
function compilerOf(folder: string): { version: string; longVersion: string; file: string } {
  const modules = path.join(folder, 'node_modules/solc');
  const { version } = JSON.parse(readFileSync(path.join(modules, 'package.json'), 'utf8'));
  const words = ['-p', `require(${JSON.stringify(modules)}).version()`];
  const full = execFileSync(process.execPath, words, { encoding: 'utf8' }).trim();
  return { version, longVersion: full.replace('.Emscripten.clang', ''), file: path.join(modules, 'soljson.js') };
}

/** Puts the compiler of the folder into Hardhat's own cache of compilers. */
export function putCompilerForHardhat(folder: string, cache: 'compilers-v2' | 'compilers-v3'): void {
  const { version, longVersion, file } = compilerOf(folder);
  for (const platform of ['linux-amd64', 'wasm']) {
    const place = path.join(folder, '.cache/hardhat-nodejs', cache, platform);
    mkdirSync(place, { recursive: true });
    writeFileSync(path.join(place, 'list.json'), JSON.stringify({ builds: [{ version, longVersion, path: 'solc' }] }));
    cpSync(file, path.join(place, 'solc'));
    // Hardhat takes the WASM compiler where the native one does not run.
    if (platform !== 'wasm') writeFileSync(path.join(place, 'solc.does.not.work'), '');
  }
}

/** Writes a program that behaves as the compiler's own command, which Foundry runs. @returns its file */
export function writeCompilerCommand(folder: string): string {
  const file = path.join(folder, 'solc');
  const { longVersion } = compilerOf(folder);
  writeFileSync(
    file,
    `#!/usr/bin/env node
if (process.argv.includes('--version')) console.log('solc, the solidity compiler commandline interface\\nVersion: ${longVersion}.Linux.g++');
else process.stdout.write(require('${folder}/node_modules/solc').compile(require('node:fs').readFileSync(0, 'utf8')));
`,
  );
  chmodSync(file, 0o755);
  return file;
}

/** Puts a stand-in for forge-std, which comes from GitHub, where the tool looks for it. */
export function putForgeStd(place: string): void {
  cpSync(path.join(import.meta.dirname, 'forge-std'), path.join(place, 'forge-std'), { recursive: true });
}
