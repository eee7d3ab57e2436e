/**
 * A Hardhat project with @openzeppelin/hardhat-tron as npm has it: its tests, and every helper that the plugin exports,
 * against a node that was started with the variables that the plugin hands to TRE.
 */

import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDevnet, type Devnet } from '../../src/index.js';
import { RunningCommand } from '../e2e/command.js';
import { expectSuccess, installedTools, Project, recipe, run } from './tools.js';

const VERSIONS = {
  hardhat: '2.29.1',
  '@openzeppelin/hardhat-tron': '0.1.0',
  '@nomicfoundation/hardhat-ethers': '^3.1.0',
  '@nomicfoundation/hardhat-chai-matchers': '^2.1.0',
  '@nomicfoundation/hardhat-network-helpers': '^1.1.0',
  chai: '^4.5.0',
  ethers: '^6.14.0',
  solc: '0.8.29',
};

/** As the plugin's `docker run` has them (its src/tre/lifecycle.js). */
const VARIABLES = {
  accounts: '10',
  defaultBalance: '1000000000',
  mnemonic: 'test test test test test test test test test test test junk',
  hdPath: "m/44'/60'/0'/0",
  quiet: 'true',
};

/** What clients of TRE have written down. */
const CHAIN_ID = '3360022319';

const GUIDE = path.join(import.meta.dirname, '../../examples/hardhat');

let project: Project;
let network: Devnet;

beforeAll(async () => {
  project = new Project(await installedTools(VERSIONS));
  // The configuration and the contract of docs/how-to/hardhat.md.
  for (const file of ['hardhat.config.cjs', 'contracts']) project.copy(path.join(GUIDE, file), file);
  project.copy(path.join(import.meta.dirname, 'hardhat-tron'));
  project.link();
  writeFileSync(path.join(project.folder, 'package.json'), '{"private":true}');
  await putCompiler();
  network = await createDevnet({ networkStake: 'mainnet' });
});
afterAll(async () => {
  await network.close();
  project[Symbol.dispose]();
});

/** With the script of docs/how-to/tre.md. */
async function putCompiler(): Promise<void> {
  const script = path.join(project.folder, 'put-compiler.cjs');
  writeFileSync(script, recipe('// puts solc where hardhat-tron looks'));
  expectSuccess(await run(script, [], { cwd: project.folder, env: { HOME: project.home } }));
}

/** Runs `hardhat test` against a node of these words and variables. @returns what it printed */
async function tested(words: readonly string[], env: Readonly<Record<string, string>>, ...files: readonly string[]) {
  await using node = await RunningCommand.start(['--tre', '--json', ...words], undefined, { env });
  const { http } = await node.ready();
  const hardhat = path.join(project.modules, 'hardhat/internal/cli/cli.js');
  const surroundings = { HOME: project.home, SUNUP_URL: http.url };
  const output = expectSuccess(await run(hardhat, ['test', ...files], { cwd: project.folder, env: surroundings }));
  expect(output).toContain('TRE already reachable');
  expect(output).not.toMatch(/failing|pending/);
  return output;
}

it.each([
  ['a chain of its own', () => [], VARIABLES],
  ['a chain of its own without the variables', () => [], {}],
  ['a fork', () => ['--fork', network.http.url, '--fork-chain-id', CHAIN_ID], VARIABLES],
])(
  'passes its tests with fixtures, time jumps, impersonation, events and revert reasons on %s',
  async (_, words, env) => {
    expect(await tested(words(), env)).toContain('24 passing');
  },
);

it.each([
  ['with the variables', VARIABLES],
  ['without the variables', {}],
])('deploys with the key that it has written down, %s', async (_, env) => {
  expect(await tested([], env, 'alone/deployer.js')).toContain('2 passing');
});
