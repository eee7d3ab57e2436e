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
import { runPage, withFiles } from './doc-pages.js';

interface Tool {
  readonly page: string;
  readonly example: string;
  /** The package that the page is about, with its version. */
  readonly version: string;
  /** Installs the tool into the folder. @returns the folder of its programs */
  readonly install?: (folder: string) => string;
  /** Whether the command that it needs is on this machine. */
  readonly needs: string;
}

const run = (program: string, words: readonly string[], cwd: string) =>
  execFileSync(program, words, { cwd, stdio: ['ignore', 'inherit', 'inherit'] });

const TOOLS: Readonly<Record<string, Tool>> = {
  cast: {
    page: 'docs/how-to/ethereum-libraries.md',
    example: 'ethereum-libraries',
    version: '@foundry-rs/cast 1.7.1',
    needs: 'jq',
    install: (folder) => {
      writeFileSync(path.join(folder, 'package.json'), '{"private":true}');
      run('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', '@foundry-rs/cast@1.7.1'], folder);
      return path.join(folder, 'node_modules/.bin');
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

const root = path.resolve(import.meta.dirname, '..');
const resultsFile = path.join(root, 'examples/results.json');
const results = existsSync(resultsFile) ? JSON.parse(readFileSync(resultsFile, 'utf8')) : {};
const wanted = process.argv.slice(2);

for (const [name, { page, example, version, install, needs }] of Object.entries(TOOLS)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  execFileSync('which', [needs], { stdio: 'ignore' });
  const programs = install === undefined ? undefined : installed(name, version, install);
  const file = path.join(root, page);
  const { page: fresh, outputs } = await runPage(withFiles(readFileSync(file, 'utf8')), {
    example,
    tool: name,
    // Clients compare the time of the chain with their own.
    devnet: { clock: 'wall', grpcPort: 0, grpcSolidityPort: 0 },
    ...(programs !== undefined && { env: { PATH: programs } }),
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
