/** `sunup/vitest`, `sunup/jest` and `sunup/testing` from the published package, in their test runners. */

import { spawn } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDevnet } from '../../src/index.js';
import { installPackage, npm } from './installed-package.js';

const root = path.resolve(import.meta.dirname, '../..');
const folder = mkdtempSync(path.join(tmpdir(), 'sunup-runners-'));
/** Not in the project's dependencies: some 300 packages for this file alone. Installed on first use, and kept. */
const runners = path.join(root, 'node_modules/.cache/test-runners');
const WANTED = { mocha: '11.7.5', jest: '30.2.0' };

beforeAll(async () => {
  if (!existsSync(path.join(runners, 'node_modules/jest')) || !existsSync(path.join(runners, 'node_modules/mocha'))) {
    mkdirSync(runners, { recursive: true });
    writeFileSync(path.join(runners, 'package.json'), '{ "private": true }');
    const names = Object.entries(WANTED).map(([name, version]) => `${name}@${version}`);
    await npm(['install', '--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund', ...names], runners);
  }
  await installPackage(folder);
  for (const name of ['vitest', 'tronweb']) {
    symlinkSync(path.join(root, 'node_modules', name), path.join(folder, 'node_modules', name), 'junction');
  }
  copyFileSync(path.join(root, 'examples/testing/Token.json'), path.join(folder, 'Token.json'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Ended {
  readonly code: number | null;
  readonly output: string;
}

function run(words: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Ended> {
  // vitest's own variables would affect the vitest that is started here.
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(VITEST|NODE_OPTIONS|TEST$|NODE_ENV|FORCE_COLOR)/.test(name),
  );
  const child = spawn(process.execPath, words, {
    cwd: folder,
    env: { ...Object.fromEntries(inherited), NO_COLOR: '1', ...env },
  });
  let output = '';
  child.stdout.on('data', (text) => (output += text));
  child.stderr.on('data', (text) => (output += text));
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, output })));
}

function write(name: string, text: string): string {
  writeFileSync(path.join(folder, name), text);
  return name;
}

const TOKEN = `JSON.parse(readFileSync('Token.json', 'utf8'))`;

describe('vitest', () => {
  const vitest = path.join(root, 'node_modules/vitest/vitest.mjs');
  const runVitest = (file: string) => run([vitest, 'run', '--root', '.', '--dir', '.', file, '--config', config()]);

  it('runs tests with the fixture: one devnet a file, each test with the initial chain', async () => {
    write(
      'good.vitest.ts',
      `import { readFileSync } from 'node:fs';
      import { describe } from 'vitest';
      import { devnetTest, expect, test as plain } from 'sunup/vitest';
      const test = devnetTest({ accounts: 3 }, async (devnet) => ({
        token: await devnet.deploy(${TOKEN}, { args: [1000n] }),
      }));
      let first: unknown;
      describe.each([1, 2, 3])('round %i', () => {
        test('sends', async ({ devnet, setup: { token } }) => {
          first ??= devnet;
          expect(devnet).toBe(first);
          expect(devnet.accounts).toHaveLength(3);
          const [, bob] = devnet.accounts;
          const sending = token.write.transfer([bob, 5n]);
          await expect(sending).toEmit('Transfer', { to: bob, value: 5n });
          await expect(sending).toChangeTokenBalance(token, bob!, 5n);
          await expect(token.write.transfer([bob, 5000n])).toRevertWith();
          expect(await token.read.balanceOf([bob])).toBe(5n);
        });
      });
      plain.beforeAll(async ({ devnet }) => { await devnet.mine(7); });
      plain('a hook sets up the chain for all tests of a file', async ({ devnet }) => {
        const block = await (await devnet.fetch('/wallet/getnowblock')).json();
        expect(block.block_header.raw_data.number).toBeGreaterThan(6);
        expect(devnet.accounts).toHaveLength(10);
      });`,
    );
    const { code, output } = await runVitest('good.vitest.ts');
    expect(output).toMatch(/Tests {2}4 passed/);
    expect(code).toBe(0);
  });

  it('shows failures with the explanation, and names writes that a test did not await', async () => {
    write(
      'bad.vitest.ts',
      `import { readFileSync } from 'node:fs';
      import { devnetTest, expect } from 'sunup/vitest';
      const test = devnetTest({}, async (devnet) => ({ token: await devnet.deploy(${TOKEN}, { args: [1000n] }) }));
      test('emits nothing such', async ({ devnet, setup: { token } }) => {
        await expect(token.write.transfer([devnet.accounts[1], 5n])).toEmit('Approval');
      });
      test('leaves a write', async ({ devnet, setup: { token } }) => {
        void token.write.transfer([devnet.accounts[1], 5n]);
      });
      test('is not disturbed by it', async ({ devnet, setup: { token } }) => {
        expect(await token.read.balanceOf([devnet.accounts[1]])).toBe(0n);
      });
      test.concurrent('at once', async ({ devnet }) => { await devnet.mine(); });
      test.concurrent('with this', async ({ devnet }) => { await devnet.mine(); });`,
    );
    const { code, output } = await runVitest('bad.vitest.ts');
    expect(output).toMatch(/expected Approval, but it emitted\s+Transfer of T\w+ with \{ from: .*feeLimit: /s);
    expect(output).toMatch(
      /the test ended before these operations were complete: transfer\(address,uint256\) of .*\. Await them; if mining is off/,
    );
    expect(output).toContain('two tests use one devnet at the same time');
    expect(output).toMatch(/✓ bad.vitest.ts > is not disturbed by it/);
    expect(code).toBe(1);
  });

  it('keeps transaction costs in a file, and shows Energy by method, for test files that run in parallel', async () => {
    const file = (title: string) =>
      `import { readFileSync } from 'node:fs';
      import { devnetTest, expect } from 'sunup/vitest';
      const test = devnetTest({}, async (devnet) => ({ token: await devnet.deploy(${TOKEN}, { args: [1000n] }) }));
      for (const name of ['${title}', 'later'])
        test(name, async ({ devnet, setup: { token } }) => {
          for (const amount of [process.env.AMOUNT ?? 5, 6])
            await expect(token.write.transfer([devnet.accounts[1], BigInt(amount)])).toMatchFeeSnapshot();
        });`;
    for (const name of ['one', 'two']) write(`${name}.fees.vitest.ts`, file('sends'));
    const words = [vitest, 'run', '--root', '.', '--dir', '.', '.fees.', '--config', config()];
    words.push('--reporter=verbose', '--reporter=sunup/energy-reporter');
    const snapshot = () => readFileSync(path.join(folder, '.fee-snapshot'), 'utf8').trimEnd().split('\n').slice(1);
    const first = await run(words, { CI: '' });
    expect(first.code).toBe(0);
    expect(first.output).toMatch(
      /\n10 transactions: Energy .*\n\nContract +Method .* Burned\nToken +deployment, .* 2 +0 .*\n.*transfer\(address,uint256\) +8 +0 /,
    );
    const before = snapshot();
    expect(before).toEqual(
      ['one', 'two'].flatMap((name) =>
        ['later', 'later (2)', 'sends', 'sends (2)'].map((test) =>
          expect.stringMatching(`^${name}.fees.vitest.ts > ${test.replace(/[()]/g, '.')}: energy [1-9]`),
        ),
      ),
    );
    // One test is renamed, and its transactions fail.
    write('one.fees.vitest.ts', file('moves'));
    const inCi = await run(words, { CI: 'true', AMOUNT: '5000' });
    expect(inCi.code).toBe(1);
    expect(inCi.output).toMatch(/two\.fees\.vitest\.ts > sends to cost what \.fee-snapshot says:\s+result +SUCCESS → /);
    expect(inCi.output).toContain('one.fees.vitest.ts > moves is not in .fee-snapshot, and this run does not write it');
    expect(inCi.output).toMatch(/\.fee-snapshot has 2 lines that no test uses \(remove with -u.*:\n {2}one.*sends\n/);
    expect(inCi.output).toMatch(
      /6 transactions: Energy .* \(-[\d,]+, -\d+\.\d %\), .*transfer\(address,uint256\) +0 +4 .* other number of calls\n/s,
    );
    expect(snapshot()).toEqual(before);
    const updated = await run([...words, '-u'], { CI: '', AMOUNT: '5000' });
    expect(updated).toMatchObject({
      code: 0,
      output: expect.stringContaining('.fee-snapshot has 2 lines that no test uses (removed)'),
    });
    expect(snapshot().filter((line) => line.startsWith('one.'))).toEqual([
      expect.stringMatching(/ > later: .*, REVERT$/),
      expect.stringContaining(' > later (2): '),
      expect.stringContaining(' > moves: '),
      expect.stringContaining(' > moves (2): '),
    ]);
  });

  it('has types for the fixture and the matchers', async () => {
    write(
      'types.ts',
      `import { devnetTest, expect, test } from 'sunup/vitest';
      import { loadFixture, useDevnet } from 'sunup/testing';
      test('x', async ({ devnet }) => {
        await expect(devnet.receipt('00')).toRevertWith({ panic: 0x11 });
        // @ts-expect-error an amount is a number
        await expect(devnet.receipt('00')).toChangeBalance(devnet.accounts[0]!, 'much');
        export_(await loadFixture(devnet, async (chain) => chain.chainId.length));
      });
      devnetTest({ accounts: 1 }, async () => ({ five: 5 }))('y', async ({ setup: { five } }) => export_(five));
      export const { devnet } = useDevnet();
      declare function export_(value: number): void;`,
    );
    const tsc = path.join(root, 'node_modules/typescript/bin/tsc');
    const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2023', '--skipLibCheck'];
    const types = ['--typeRoots', path.join(root, 'node_modules/@types'), '--types', 'node'];
    expect(await run([tsc, ...options, ...types, 'types.ts'])).toMatchObject({ output: '', code: 0 });
  });

  function config(): string {
    return write(
      'vitest.config.js',
      `export default { test: { include: ['*.vitest.ts'], reporters: ['verbose'], pool: 'forks', testTimeout: 900_000, hookTimeout: 900_000 } };`,
    );
  }
});

describe('the test files of the guides in docs/how-to', () => {
  const guides = readdirSync(path.join(root, 'docs/how-to')).filter(
    (name) => name.startsWith('test-') || name === 'clients-without-a-port.md',
  );
  const recipes = guides.flatMap((name) => [
    ...readFileSync(path.join(root, 'docs/how-to', name), 'utf8').matchAll(/```(?:js|ts)\n\/\/ (\S+)\n(.*?)```/gs),
  ]);
  const vitest = path.join(root, 'node_modules/vitest/vitest.mjs');
  const noLimit = '{ test: { testTimeout: 900_000, hookTimeout: 900_000 } }';
  const runs: Record<string, () => Promise<Ended>> = {
    'token.test.ts': () =>
      run([
        vitest,
        'run',
        '--root',
        '.',
        'token.test.ts',
        '--config',
        write('recipe.config.js', `export default ${noLimit};`),
      ]),
    'token.node.test.mjs': () => run(['--test', 'token.node.test.mjs']),
    'token.mocha.mjs': () =>
      run([path.join(runners, 'node_modules/mocha/bin/mocha.js'), '--no-timeout', 'token.mocha.mjs']),
    'token.jest.mjs': () => {
      write('recipe.jest.json', '{ "testMatch": ["**/token.jest.mjs"], "transform": {}, "testTimeout": 900000 }');
      const words = ['--watchman=false', '--config', 'recipe.jest.json'];
      return run([path.join(runners, 'node_modules/jest/bin/jest.js'), ...words], {
        NODE_OPTIONS: '--experimental-vm-modules',
      });
    },
    'token.mjs': () => run(['token.mjs']),
    'payout.fork.test.ts': () => onFork('payout.fork.test.ts'),
    'clients.mjs': () => run(['clients.mjs']),
  };

  /** First with a network, then from the cache, as in the project's CI. */
  async function onFork(name: string): Promise<Ended> {
    const text = readFileSync(path.join(folder, name), 'utf8');
    const network = await createDevnet({ networkStake: 'mainnet', predeploy: ['usdt'], seed: 'network' });
    const [usdt, holder] = text.match(/\bT[A-Za-z1-9]{33}\b/g)!;
    await network.setBalance(holder!, 1_000_000_000);
    await network.dealTrc20(holder!, usdt!, 50_000_000);
    write(name, text.replace('https://api.trongrid.io', network.http.url));
    const words = [
      vitest,
      'run',
      '--root',
      '.',
      name,
      '--config',
      write('fork.config.js', `export default ${noLimit};`),
    ];
    const online = await run(words, { CI: '' });
    await network.close();
    if (online.code !== 0) return online;
    expect(readFileSync(path.join(folder, '.fee-snapshot'), 'utf8')).toContain(
      `${name} > pays a newcomer: energy 28,688,`,
    );
    return run(words, { CI: 'true' });
  }

  it('are the ones that are run here', () => {
    expect(recipes.map(([, name]) => name).sort()).toEqual(Object.keys(runs).sort());
  });

  it.each(recipes.map(([, name, text]) => [name!, text!]))('%s', async (name, text) => {
    write(name, text);
    const { output, code } = await runs[name]!();
    expect({ code, output: code === 0 ? '' : output }).toEqual({ code: 0, output: '' });
  });
});

describe('a fork', () => {
  const hooks = 'import { after, afterEach, before, beforeEach, it } from "node:test";';
  const mocha = path.join(runners, 'node_modules/mocha/bin/mocha.js');
  const jest = path.join(runners, 'node_modules/jest/bin/jest.js');
  const kinds = [
    { name: 'node', head: hooks, given: 'hooks: { before, after, beforeEach, afterEach },', words: ['--test'] },
    { name: 'mocha', head: '', given: '', words: [mocha, '--no-timeout'] },
    {
      name: 'jest',
      head: "import 'sunup/jest';",
      given: '',
      words: [jest, '--watchman=false', '--config', 'fork.json'],
    },
  ];

  it('is the devnet of the other runners, with the network and then from the cache', async () => {
    const network = await createDevnet({ networkStake: 'mainnet', predeploy: ['usdt'], seed: 'network' });
    const [{ address: holder } = { address: '' }] = network.accounts;
    const usdt = network.predeployed[0]!.address;
    const runAll = async (env: NodeJS.ProcessEnv) => {
      for (const { name, head, given, words } of kinds) {
        const file = write(
          `fork.${name}.mjs`,
          `import assert from 'node:assert/strict';
          import { assertChangesTokenBalance, useDevnet } from 'sunup/testing'; ${head}
          const chain = useDevnet({ ${given}
            options: { fork: '${network.http.url}', forkCache: 'rows.${name}', forkOffline: !!process.env.CI },
            setup: async (devnet) => {
              await devnet.impersonate('${holder}');
              return { usdt: await devnet.contractAt(undefined, '${usdt}') };
            },
          });
          for (const round of [1, 2])
            it('pays a newcomer ' + round, async () => {
              const [, , , bob] = chain.devnet.accounts;
              const sending = chain.setup.usdt.write.transfer([bob, 5_000_000n], { from: '${holder}' });
              await assertChangesTokenBalance(sending, chain.setup.usdt, bob, 5_000_000n);
              assert.equal((await sending).energy, 28_688n);
            });`,
        );
        write('fork.json', `{ "testMatch": ["**/fork.jest.mjs"], "transform": {}, "testTimeout": 900000 }`);
        const more = name === 'jest' ? { NODE_OPTIONS: '--experimental-vm-modules' } : {};
        const { code, output } = await run([...words, file], { ...env, ...more });
        expect({ name, code, output: code === 0 ? '' : output }).toEqual({ name, code: 0, output: '' });
      }
    };
    await runAll({ CI: '' });
    await network.close();
    await runAll({ CI: 'true' });
  });
});

/** The same tests for two runners. */
function suite(head: string, equal: string): string {
  return `${head}
  const chain = useDevnet({
    ${head.includes('node:test') ? 'hooks: { before, after, beforeEach, afterEach },' : ''}
    setup: async (devnet) => ({ token: await devnet.deploy(${TOKEN}, { args: [1000n] }) }),
  });
  for (const round of [1, 2]) {
    it('sends ' + round, async () => {
      const { devnet, setup: { token } } = chain;
      const bob = devnet.accounts[1];
      ${equal}(await token.read.balanceOf([bob]), 0n);
      const sending = token.write.transfer([bob, 5n]);
      await assertEmits(sending, 'Transfer', { to: bob, value: 5n });
      await assertChangesTokenBalance(sending, token, bob, 5n);
      await assertRevertsWith(token.write.transfer([bob, 5000n]));
      ${equal}(await token.read.balanceOf([bob]), 5n);
    });
  }
  it('fails with an explanation', async () => {
    await assertEmits(chain.setup.token.write.transfer([chain.devnet.accounts[1], 5n]), 'Approval');
  });`;
}

const IMPORTS = `import { readFileSync } from 'node:fs';
  import { assertChangesTokenBalance, assertEmits, assertRevertsWith, useDevnet } from 'sunup/testing';`;
const COMPLAINT = /expected Approval, but it emitted\s+Transfer of T\w+ with .*feeLimit: /s;

describe('node:test', () => {
  it('runs tests with useDevnet', async () => {
    const head = `${IMPORTS} import assert from 'node:assert'; import { after, afterEach, before, beforeEach, it } from 'node:test';`;
    write('suite.node.mjs', suite(head, 'assert.equal'));
    const env = { SUNUP_ENERGY_REPORT: 'energy-of-run' };
    const { output, code } = await run(['--test', '--test-reporter=tap', 'suite.node.mjs'], env);
    expect(output).toMatch(/# pass 2\n# fail 1\n/);
    expect(output).toMatch(COMPLAINT);
    expect(code).toBe(1);
    const told = await run([
      'node_modules/sunup/dist/sunup.cjs',
      'energy-report',
      'energy-of-run',
      '--json',
      'node.json',
    ]);
    expect(told).toMatchObject({ code: 0, output: expect.stringMatching(/ +transfer\(address,uint256\) +3 +2 /) });
  });
});

describe('runners without snapshots', () => {
  const hooks = 'import { after, afterEach, before, beforeEach, describe, it } from "node:test";';
  const runnersOf: Record<
    string,
    { readonly head: string; readonly hooks: string; readonly words: readonly string[] }
  > = {
    'node:test': {
      head: hooks,
      hooks: 'hooks: { before, after, beforeEach, afterEach },',
      words: ['--test', '--test-reporter=tap'],
    },
    mocha: {
      head: '',
      hooks: '',
      words: [path.join(runners, 'node_modules/mocha/bin/mocha.js'), '--no-timeout'],
    },
  };

  it.each(Object.keys(runnersOf))('%s: transaction costs in a file, and Energy by method', async (name) => {
    const { head, hooks, words } = runnersOf[name]!;
    const key = name.replace(':', '-');
    const file = write(
      `fees.${key}.mjs`,
      `import { assertMatchesFeeSnapshot, useDevnet } from 'sunup/testing'; ${head}
      describe('fees', () => {
        const chain = useDevnet({
          ${hooks}
          setup: async (devnet) => ({ token: await devnet.deploy('Token.json', { args: [1000n] }) }),
        });
        const send = (amount) => chain.setup.token.write.transfer([chain.devnet.accounts[1], BigInt(amount)]);
        it('are kept', async () => {
          await assertMatchesFeeSnapshot(send(process.env.AMOUNT));
          await assertMatchesFeeSnapshot(send(7));
        });
        it('have names', async () => assertMatchesFeeSnapshot(send(process.env.AMOUNT), { name: 'a new holder' }));
        it.skip('are for later', () => {});
      });`,
    );
    const runFees = (amount: string, env: NodeJS.ProcessEnv) =>
      run([...words, file], { CI: '', AMOUNT: amount, ...env });
    const snapshot = path.join(folder, '.fee-snapshot');
    const lines = () =>
      readFileSync(snapshot, 'utf8')
        .split('\n')
        .filter((line) => line.startsWith(file));
    const costs = (from: string) => expect.stringMatching(`^${file} > fees > ${from}: energy [1-9]`);
    const energy = `energy-of-${key}`;
    const first = await runFees('5', { SUNUP_ENERGY_REPORT: energy });
    expect({ ...first, output: first.code === 0 ? '' : first.output }).toEqual({ code: 0, output: '' });
    expect(lines()).toEqual([costs('are kept'), costs('are kept .2.'), costs('have names > a new holder')]);
    // A removed test, one without transactions, and a skipped one.
    const others = ['are gone', 'have names (2)', 'are for later'].map(
      (name) => `${file} > fees > ${name}: energy 1, penalty 0, bandwidth 1, burned 1 TRX\n`,
    );
    writeFileSync(snapshot, readFileSync(snapshot, 'utf8') + others.join(''));
    const before = lines();
    const inCi = await runFees('5000', { CI: 'true', SUNUP_ENERGY_REPORT: energy });
    expect(inCi.code).toBeGreaterThan(0);
    expect(inCi.output).toMatch(/fees > are kept to cost what \.fee-snapshot says:\s+(# +)?result +SUCCESS → /);
    expect(inCi.output).toMatch(/a new holder to cost what/);
    expect(lines()).toEqual(before);
    const updated = await runFees('5000', { SUNUP_FEE_SNAPSHOT: 'all' });
    expect(updated).toMatchObject({ code: 0, output: expect.stringContaining('that no test uses (removed)') });
    expect(lines().map((line) => line.replace(/.* > fees > (.*): energy.* TRX/, '$1'))).toEqual([
      'are for later',
      // node:test does not list tests that it has not run.
      ...(name === 'mocha' ? [] : ['are gone']),
      'are kept, REVERT',
      'are kept (2)',
      'have names > a new holder, REVERT',
    ]);
    const told = await run(['node_modules/sunup/dist/sunup.cjs', 'energy-report', energy, '--json', `${key}.json`]);
    expect(told).toMatchObject({ code: 0, output: expect.stringMatching(/ +transfer\(address,uint256\) +3 +2 /) });
  });
});

describe('jest', () => {
  it('runs tests with useDevnet, its global hooks, and the matchers', async () => {
    const matching = `it('matches', async () => {
      const { devnet, setup: { token } } = chain;
      await expect(token.write.transfer([devnet.accounts[1], 5n])).toEmit('Transfer');
      await expect(token.write.transfer([devnet.accounts[1], 5000n])).not.toBeSuccessful();
    });`;
    const head = `${IMPORTS} import 'sunup/jest'; const equal = (a, b) => expect(a).toBe(b);`;
    write('suite.jest.mjs', `${suite(head, 'equal')}\n${matching}`);
    write(
      'jest.config.mjs',
      `export default { testMatch: ['**/suite.jest.mjs'], transform: {}, testTimeout: 900_000, haste: { enableSymlinks: false } };`,
    );
    const jest = path.join(runners, 'node_modules/jest/bin/jest.js');
    const { output, code } = await run([jest, '--watchman=false'], { NODE_OPTIONS: '--experimental-vm-modules' });
    expect(output).toMatch(/Tests: +1 failed, 3 passed/);
    expect(output).toMatch(COMPLAINT);
    expect(code).toBe(1);
  });

  it('keeps transaction costs in a file', async () => {
    write(
      'fees.jest.mjs',
      `import 'sunup/jest';
      import { useDevnet } from 'sunup/testing';
      const chain = useDevnet({ setup: async (devnet) => ({ token: await devnet.deploy('Token.json', { args: [1000n] }) }) });
      describe('fees', () => {
        it('are kept', async () => {
          const sending = chain.setup.token.write.transfer([chain.devnet.accounts[1], BigInt(process.env.AMOUNT)]);
          await expect(sending).toMatchFeeSnapshot();
        });
        it.skip('are for later', () => {});
      });`,
    );
    write(
      'fees.json',
      '{ "testMatch": ["**/fees.jest.mjs"], "transform": {}, "testTimeout": 900000, "reporters": [["sunup/energy-reporter", { "json": "jest.json" }]] }',
    );
    const jest = path.join(runners, 'node_modules/jest/bin/jest.js');
    const env = { NODE_OPTIONS: '--experimental-vm-modules', CI: '' };
    const runFees = (amount: string, ...words: string[]) =>
      run([jest, '--watchman=false', '--config', 'fees.json', ...words], { ...env, AMOUNT: amount });
    const line = () => readFileSync(path.join(folder, '.fee-snapshot'), 'utf8').match(/^fees\.jest\.mjs.*$/m)?.[0];
    expect(await runFees('5')).toMatchObject({ code: 0, output: expect.stringMatching(/\n2 transactions: Energy /) });
    expect(line()).toMatch(/^fees\.jest\.mjs > fees are kept: energy /);
    expect(await runFees('5000', '--ci')).toMatchObject({
      code: 1,
      output: expect.stringContaining('other number of calls'),
    });
    expect(await runFees('5000', '--updateSnapshot')).toMatchObject({ code: 0 });
    expect(line()).toMatch(/, REVERT$/);
    // A removed test, one without transactions, and a skipped one.
    const file = path.join(folder, '.fee-snapshot');
    const gone = [
      'fees.jest.mjs > fees are gone',
      'fees.jest.mjs > fees are kept (2)',
      'fees.jest.mjs > fees are for later',
    ];
    const others = gone.map((name) => `${name}: energy 1, penalty 0, bandwidth 1, burned 1 TRX\n`);
    writeFileSync(file, readFileSync(file, 'utf8') + others.join(''));
    const { code, output } = await runFees('5000');
    expect(code).toBe(0);
    expect(output).toContain(`.fee-snapshot has 2 lines that no test uses (remove with -u`);
    for (const name of gone.slice(0, 2)) expect(output).toContain(name);
    await runFees('5000', '--updateSnapshot');
    expect(readFileSync(file, 'utf8')).not.toMatch(/fees\.jest\.mjs > .*(are gone|\(2\))/);
    expect(readFileSync(file, 'utf8')).toContain('fees are for later');
  });
});
