/**
 * What `npm start`, `npm test`, `npm run build | pictures | verify | simulate | bench | tools` run. A fresh clone needs nothing done before: what is
 * missing is installed, what is stale is built, then the task runs with the remaining arguments. Imports nothing but
 * Node's own modules until the packages are there.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const tsx = ['--import', 'tsx'];

const tasks = {
  start: {
    about: 'install, build if stale, run the devnet: npm start -- --help',
    run: async (args) => {
      const { buildIfStale } = await import('./build.mjs');
      const command = await buildIfStale();
      process.argv.splice(1, process.argv.length, command, ...args);
      await import(pathToFileURL(command).href);
    },
  },
  test: {
    about: 'install, build if stale, run the tests: npm test -- test/unit/layers.test.ts',
    run: async (args) => {
      const { buildIfStale } = await import('./build.mjs');
      await buildIfStale({ declarations: true });
      node(['node_modules/vitest/vitest.mjs', 'run', ...args]);
    },
  },
  build: {
    about: 'bundle and declarations into dist/',
    run: async () => {
      const { build } = await import('./build.mjs');
      await build({ declarations: true });
    },
  },
  pictures: {
    about: 'pictures of all screens of the dashboard, and those of the docs: npm run pictures -- /tmp/pictures staked',
    run: async (args) => {
      const { buildIfStale } = await import('./build.mjs');
      await buildIfStale();
      node([...tsx, 'scripts/dashboard-pictures.ts', ...args]);
    },
  },
  verify: {
    about: 'check recorded chains: npm run verify -- DIR...',
    run: (args) => node([...tsx, 'scripts/verify.ts', ...args]),
  },
  simulate: {
    about: 'simulated nodes, users and faults by seed: npm run simulate -- --seed 7 --steps 4000 --shrink',
    run: (args) => node([...tsx, 'scripts/simulate.ts', ...args]),
  },
  bench: {
    about: 'measure, each figure beside its reference',
    run: (args) => node([...tsx, 'scripts/bench.ts', ...args]),
  },
  tools: {
    about: 'run the guides for tools from registries (Hardhat, Foundry, Python, …): npm run tools -- python',
    run: (args) => node([...tsx, 'scripts/tools.ts', ...args]),
  },
};

const [name, ...rest] = process.argv.slice(2);
const task = tasks[name];
if (task === undefined) {
  console.error(`usage: node scripts/run.mjs TASK [ARGUMENTS]\n`);
  for (const [key, { about }] of Object.entries(tasks)) console.error(`  ${key.padEnd(8)}${about}`);
  process.exit(name === '--help' ? 0 : 2);
}
installIfMissing();
try {
  await task.run(rest);
} catch (error) {
  // esbuild has said where the sources are wrong; a stack of ours adds nothing.
  if (!Array.isArray(error.errors)) throw error;
  process.exitCode = 1;
}

/** Runs Node in the project's folder and, where it fails, ends with its code. */
function node(args) {
  const { status, signal } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? (signal === 'SIGINT' ? 130 : 1));
}

function installIfMissing() {
  const state = installed();
  if (state === 'complete') return;
  // `ci` never writes the lock file but starts from nothing; an existing folder is brought up to date in place.
  const command = state === 'none' ? ['ci'] : ['install', '--no-save', '--prefer-offline'];
  console.error(`sunup: installing packages (npm ${command[0]})`);
  const { status } = spawnSync('npm', [...command, '--include=dev', '--no-fund', '--no-audit', '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
  if (status !== 0) {
    console.error('sunup: npm could not install the packages that package-lock.json names (see above)');
    process.exit(status ?? 1);
  }
}

/** Compares the lock file with what npm noted when it installed; packages for other platforms are optional. */
function installed() {
  const note = `${root}node_modules/.package-lock.json`;
  if (!existsSync(note)) return 'none';
  const there = JSON.parse(readFileSync(note, 'utf8')).packages;
  const wanted = JSON.parse(readFileSync(`${root}package-lock.json`, 'utf8')).packages;
  for (const [path, { version, optional }] of Object.entries(wanted)) {
    if (path === '' || (optional && there[path] === undefined)) continue;
    if (there[path]?.version !== version) return 'stale';
  }
  return 'complete';
}
