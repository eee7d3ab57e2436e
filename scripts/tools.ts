/**
 * Runs the pages for other languages and large tools: installs each tool from its registry into a folder that is kept,
 * runs the page's commands against a devnet, writes the output into the page, and examples/results.json with what was
 * run.
 *
 *     npm run tools              all of them
 *     npm run tools -- python    some
 */

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { DevnetOptions } from '../src/index.js';
import { runPage, withFiles } from './doc-pages.js';

interface Tool {
  readonly page: string;
  readonly example: string;
  /** The package that the page is about, with its version. */
  readonly version: string;
  /** Installs the tool into the folder. @returns the folder of its programs */
  readonly install?: (folder: string) => string;
  /** Whether the tool reads the packages of its folder as the project's own, and compilers from it as from its home. */
  readonly isHome?: boolean;
  /** Beside what all have. */
  readonly devnet?: DevnetOptions;
  /** Whether the command that it needs is on this machine. */
  readonly needs: string;
}

const root = path.resolve(import.meta.dirname, '..');

const run = (program: string, words: readonly string[], cwd: string) =>
  execFileSync(program, words, { cwd, stdio: ['ignore', 'inherit', 'inherit'] });

function installPackages(folder: string, ...packages: readonly string[]): string {
  writeFileSync(path.join(folder, 'package.json'), '{"private":true}');
  run('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', ...packages], folder);
  return path.join(folder, 'node_modules/.bin');
}

/** Puts the compiler of the folder where a tool looks before it downloads one, by the lines of a page. */
function putCompiler(folder: string, program: string, words: readonly string[], comment: string): void {
  const page = readFileSync(path.join(root, 'docs/how-to/tre.md'), 'utf8');
  const lines = [...page.matchAll(/```\w+\n(.*?)```/gs)].find(([, code]) => code?.startsWith(comment))?.[1];
  if (lines === undefined) throw new Error(`docs/how-to/tre.md has no "${comment}"`);
  execFileSync(program, [...words, lines], { cwd: folder, env: { ...process.env, HOME: folder } });
}

const NO_SCRIPTS = '--ignore-scripts';
const SOLC = 'solc@0.8.29';

const TOOLS: Readonly<Record<string, Tool>> = {
  cast: {
    page: 'docs/how-to/ethereum-libraries.md',
    example: 'ethereum-libraries',
    version: '@foundry-rs/cast 1.7.1',
    needs: 'jq',
    install: (folder) => installPackages(folder, '@foundry-rs/cast@1.7.1'),
  },
  tronbox: {
    page: 'docs/how-to/tronbox.md',
    example: 'tronbox',
    version: 'tronbox 4.10.0',
    needs: 'npm',
    isHome: true,
    devnet: { tre: true },
    install: (folder) => {
      const programs = installPackages(folder, NO_SCRIPTS, 'tronbox@4.10.0', SOLC);
      putCompiler(folder, 'bash', ['-euc'], '# where TronBox looks');
      return programs;
    },
  },
  hardhat: {
    page: 'docs/how-to/hardhat.md',
    example: 'hardhat',
    version: '@openzeppelin/hardhat-tron 0.1.0',
    needs: 'npm',
    isHome: true,
    devnet: { tre: true },
    install: (folder) => {
      const plugins = ['ethers@3', 'chai-matchers@2', 'network-helpers@1'].map(
        (name) => `@nomicfoundation/hardhat-${name}`,
      );
      const programs = installPackages(
        folder,
        ...[NO_SCRIPTS, 'hardhat@2.29.1', '@openzeppelin/hardhat-tron@0.1.0', ...plugins, 'chai@4', 'ethers@6', SOLC],
      );
      putCompiler(folder, process.execPath, ['-e'], '// puts solc where hardhat-tron looks');
      return programs;
    },
  },
  python: {
    page: 'docs/how-to/python.md',
    example: 'python',
    version: 'tronpy 0.6.2',
    needs: 'python3',
    install: (folder) => {
      run('python3', ['-m', 'venv', '.'], folder);
      run('bin/pip', ['install', '--quiet', 'tronpy==0.6.2'], folder);
      return path.join(folder, 'bin');
    },
  },
  go: {
    page: 'docs/how-to/go.md',
    example: 'go',
    version: 'github.com/decred/dcrd/dcrec/secp256k1/v4 v4.4.1',
    needs: 'go',
  },
  java: {
    page: 'docs/how-to/java.md',
    example: 'java',
    version: 'io.github.tronprotocol:trident 0.10.0',
    needs: 'mvn',
  },
};

const resultsFile = path.join(root, 'examples/results.json');
const results = existsSync(resultsFile) ? JSON.parse(readFileSync(resultsFile, 'utf8')) : {};
const wanted = process.argv.slice(2);

for (const [name, { page, example, version, install, isHome = false, devnet, needs }] of Object.entries(TOOLS)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  execFileSync('which', [needs], { stdio: 'ignore' });
  const programs = install === undefined ? undefined : installed(name, version, install);
  const file = path.join(root, page);
  const { page: fresh, outputs } = await runPage(withFiles(readFileSync(file, 'utf8')), {
    example,
    tool: name,
    // Clients compare the time of the chain with their own.
    devnet: { clock: 'wall', grpcPort: 0, grpcSolidityPort: 0, ...devnet },
    ...(programs !== undefined && {
      env: { PATH: programs, ...(isHome && { HOME: path.resolve(programs, '../..') }) },
      ...(isHome && { modules: path.dirname(programs) }),
    }),
  });
  writeFileSync(file, fresh);
  const same = outputs.length > 0 && outputs.every(({ expected, actual }) => expected === actual);
  console.log(`${name}: ${version}: ${same ? 'prints what the page shows' : 'prints something else: see the page'}`);
  results[name] = { version, page, run: new Date().toISOString().slice(0, 10), sameAsPage: same };
}
writeFileSync(resultsFile, `${JSON.stringify(results, null, 2)}\n`);

/** Installs a version once. */
function installed(name: string, version: string, install: (folder: string) => string): string {
  const folder = path.join(tmpdir(), `sunup-tools-${name}-${version.replace(/^.* /, '')}`);
  const note = path.join(folder, 'programs');
  if (existsSync(note)) return readFileSync(note, 'utf8');
  mkdirSync(folder, { recursive: true });
  const programs = install(folder);
  writeFileSync(note, programs);
  return programs;
}
