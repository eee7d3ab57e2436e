/** TronBox as npm has it, from an empty folder to passing tests, against a node that was started with --tre. */

import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RunningCommand } from '../e2e/command.js';
import { expectSuccess, installedTools, Project, type Ran, type RunOptions, recipe, run, runShell } from './tools.js';

const VERSIONS = {
  tronbox: '4.10.0',
  solc: '0.8.29',
  // Of TronBox's own sample.
  '@openzeppelin/contracts': '5.4.0',
  picocolors: '1.1.1',
};

/** The project of docs/how-to/tronbox.md, and tests of each method of TRE. */
const GUIDE = path.join(import.meta.dirname, '../../examples/tronbox');
const OURS = path.join(import.meta.dirname, 'tronbox');

let project: Project;
let node: RunningCommand;

function tronbox(words: readonly string[], { env, ...options }: Omit<RunOptions, 'cwd'> = {}): Promise<Ran> {
  const file = path.join(project.modules, 'tronbox/build/tronbox.js');
  return run(file, words, { cwd: project.folder, ...options, env: { HOME: project.home, ...env } });
}

beforeAll(async () => {
  project = new Project(await installedTools(VERSIONS));
  project.link();
  const lines = recipe('# where TronBox looks');
  expectSuccess(await runShell(lines, { cwd: project.folder, env: { HOME: project.home } }));
  rmSync(path.join(project.folder, 'node_modules'));
  node = await RunningCommand.start(['--tre'], undefined, { env: { quiet: 'true' } });
});
afterAll(async () => {
  await node[Symbol.asyncDispose]();
  project[Symbol.dispose]();
});

/** What programs that wait for TRE wait for. */
async function listeningUrl(): Promise<string> {
  for (let line = await node.line(); line !== undefined; line = await node.line()) {
    const url = /^TRE now listening on (http:\S+)$/.exec(line)?.[1];
    if (url !== undefined) return url;
  }
  throw new Error('the node ended');
}

describe('TronBox', () => {
  it('makes a sample project, in which the address of the node is the one line to change', async () => {
    const created = await tronbox(['init'], { env: { TRONBOX_CREATE_JAVASCRIPT_PROJECT_WITH_DEFAULTS: '1' } });
    expect(expectSuccess(created)).toContain('Created successfully');
    const config = path.join(project.folder, 'tronbox-config.js');
    const settings = readFileSync(config, 'utf8');
    expect(settings).toContain("fullHost: 'http://127.0.0.1:9090'");
    writeFileSync(config, settings.replace('http://127.0.0.1:9090', await listeningUrl()));
    rmSync(path.join(project.folder, 'contracts'), { recursive: true });
    const sample = path.join(project.modules, 'tronbox/sample-projects/javascript-metacoin');
    for (const folder of ['contracts', 'migrations', 'test']) project.copy(path.join(sample, folder), folder);
    project.copy(path.join(GUIDE, 'contracts'), 'contracts');
    // After the migrations of the sample.
    project.copy(path.join(GUIDE, 'migrations/1_deploy_notes.js'), 'migrations/3_deploy_notes.js');
    project.copy(path.join(OURS, 'test'), 'test');
    project.link();
  });

  it('compiles, with solc from npm where it looks for its compilers', async () => {
    expect(expectSuccess(await tronbox(['compile']))).toMatch(/Compiled successfully using:\s+- solc: 0\.8\.29/);
  });

  it('migrates', async () => {
    const output = expectSuccess(await tronbox(['migrate']));
    for (const name of ['Migrations', 'ConvertLib', 'MetaCoin', 'Notes'])
      expect(output).toMatch(new RegExp(`${name}:\\s+\\(base58\\) T\\w{33}`));
  });

  it('passes the tests of its sample and of each method of TRE, and shows console.log', async () => {
    const output = expectSuccess(await tronbox(['test']));
    expect(output).toContain('20 passing');
    expect(output).not.toMatch(/failing|pending/);
    expect(output).toContain('noted 5\n');
    expect(output).toContain('read by TWer2Ygk5TEheHp3TPuYeqxmB6SsGZmaL6\n');
  });

  it('has a console', async () => {
    const lines = [
      'Notes.deployed().then((notes) => notes.note(7))',
      'Notes.deployed().then((notes) => notes.count())',
    ];
    const output = expectSuccess(await tronbox(['console'], { typed: { prompt: 'tronbox(development)> ', lines } }));
    expect(output).toContain('noted 7');
    expect(output).toMatch(/> 7n\s/);
  });
});
