/** Reports on the way from Ethereum to TRON: what a run through `/eth` cost, and what it met that behaves otherwise. */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Contract, ContractFactory, JsonRpcProvider, Wallet } from 'ethers';
import { afterAll, describe, expect, it } from 'vitest';
import { runPortReportCommand } from '../../src/cli/port-report-command.js';
import type { PortReport } from '../../src/explanation/porting/port-report.js';
import { createDevnet, type Devnet } from '../../src/index.js';
import type { Json } from '../../src/primitives/amount-json.js';
import { said } from '../unit/cli/said.js';
import { type Codegen, markedLines, type PortingProject, portingProject } from './porting-contracts.js';

const root = mkdtempSync(path.join(tmpdir(), 'port-report-'));
afterAll(() => rmSync(root, { recursive: true }));

type Report = Json<PortReport>;
type Callable = Record<string, (...given: unknown[]) => Promise<never>>;

interface Chain {
  readonly devnet: Devnet;
  readonly wallet: Wallet;
  deploy(name: string, ...given: unknown[]): Promise<Contract & Callable>;
  /** Sends, whatever comes of it, with plenty of gas. */
  send(contract: Contract, method: string, ...given: unknown[]): Promise<void>;
}

/** Runs `work` on a devnet, and closes it. */
async function onChain(
  project: PortingProject,
  options: Parameters<typeof createDevnet>[0],
  work: (chain: Chain) => Promise<void>,
): Promise<void> {
  const devnet = await createDevnet({ ...options });
  const provider = new JsonRpcProvider(`${devnet.http.url}/eth`, undefined, { cacheTimeout: -1, pollingInterval: 20 });
  const wallet = new Wallet(`0x${devnet.accounts[0]!.privateKey}`, provider);
  try {
    await work({
      devnet,
      wallet,
      async deploy(name, ...given) {
        const { abi, bytecode } = project.contract(name);
        const contract = await new ContractFactory(abi, bytecode, wallet).deploy(...given);
        await contract.waitForDeployment();
        return new Contract(await contract.getAddress(), abi, wallet) as Contract & Callable;
      },
      async send(contract, method, ...given) {
        const data = contract.interface.encodeFunctionData(method, given);
        const sent = wallet.sendTransaction({ to: await contract.getAddress(), data, gasLimit: 3_000_000 });
        // A transaction that fails is answered with an error, as Hardhat's network does.
        await sent
          .then(
            (response) => response.wait(),
            () => undefined,
          )
          .catch(() => undefined);
      },
    });
  } finally {
    provider.destroy();
    await devnet.close();
  }
}

/** Meets everything that can be met. */
async function meetAll({ wallet, deploy, send }: Chain): Promise<void> {
  const quirks = await deploy('Quirks');
  const to = await quirks.getAddress();
  await (await wallet.sendTransaction({ to, value: 1_000_000n })).wait();
  const receiver = await deploy('Receiver');
  const receiverAt = await receiver.getAddress();
  const salt = `0x${'11'.repeat(32)}`;
  const zero = `0x${'00'.repeat(32)}`;
  await quirks.isProducer!.staticCall(wallet.address);
  for (const method of ['random', 'mainnetOnly', 'zeroModulus', 'overwrites']) await quirks[method]!.staticCall();
  await quirks.predict!.staticCall(salt);
  await quirks.predictAsTron!.staticCall(salt);
  await quirks.predictNext!.staticCall(1);
  for (const method of ['blockGas', 'price', 'blob', 'blocks', 'make', 'payMyself', 'precompiles', 'aliases', 'hungry'])
    await send(quirks, method);
  await send(quirks, 'makeAt', salt);
  await send(quirks, 'metered', 3);
  await send(quirks, 'sendTo', receiverAt);
  await send(quirks, 'activate', '0x00000000000000000000000000000000000000A7');
  await send(quirks, 'survive', receiverAt);
  await send(quirks, 'hashes', '0x1234');
  await send(quirks, 'dive', 66);
  const { r, s, v } = wallet.signingKey.sign(salt);
  await quirks.signer!.staticCall(salt, v, r, s, wallet.address);
  await quirks.signer!.staticCall(zero, v, r, s, wallet.address);
  const token = await deploy('Token');
  await send(token, 'transfer', to, 5n);
  await send(quirks, 'pay', await token.getAddress(), wallet.address);
  const doomed = await deploy('Doomed');
  await send(doomed, 'end', wallet.address);
  const shop = await deploy('Shop');
  await send(shop, 'buy');
  await send(shop, 'buyMany', 2);
  await send(shop, 'rate');
  await send(shop, 'refund', wallet.address);
}

/** What every project does. */
async function nothingSpecial({ wallet, devnet, deploy, send }: Chain): Promise<void> {
  const token = await deploy('Token');
  const vault = await deploy('Vault', await token.getAddress());
  const [at, other] = [await vault.getAddress(), `0x${devnet.accounts[1]!.addressHex.slice(2)}`];
  await send(token, 'transfer', other, 10n ** 18n);
  await send(token, 'approve', at, 2n ** 256n - 1n);
  await send(vault, 'stakeTokens', 10n ** 18n);
  await send(vault, 'tryPay', other, 5n);
  await send(vault, 'tryPay', other, 10n ** 30n);
  await (await wallet.sendTransaction({ to: at, value: 10n ** 6n, gasLimit: 200_000 })).wait();
  await ((await vault.deposit!({ value: 10n ** 9n })) as { wait(): Promise<unknown> }).wait();
  await (wallet.provider as JsonRpcProvider).send('evm_increaseTime', [2 * 86_400]);
  await send(vault, 'withdraw', 10n ** 6n);
  expect(await vault.isInterface!.staticCall()).toBe(true);
  const { chainId } = await wallet.provider!.getNetwork();
  const deadline = 10n ** 11n;
  const signature = await wallet.signTypedData(
    { name: 'Plain', version: '1', chainId, verifyingContract: await token.getAddress() },
    {
      Permit: ['address owner', 'address spender', 'uint256 value', 'uint256 nonce', 'uint256 deadline'].map(
        (field) => {
          const [type, name] = field.split(' ') as [string, string];
          return { name, type };
        },
      ),
    },
    { owner: wallet.address, spender: other, value: 5n, nonce: 0n, deadline },
  );
  const [r, s, v] = [signature.slice(0, 66), `0x${signature.slice(66, 130)}`, Number(`0x${signature.slice(130)}`)];
  await send(token, 'permit', wallet.address, other, 5n, deadline, v, r, s);
  expect(await token.allowance!(wallet.address, other)).toBe(5n);
}

/** The places of all findings, as the fixtures mark them. */
function places({ findings }: Report, executed: boolean): readonly string[] {
  return findings
    .flatMap(({ id, sites }) =>
      sites.flatMap(({ file, line, what, ...site }) =>
        what !== undefined || site.executed !== executed ? [] : [`${file}:${line} ${id}`],
      ),
    )
    .sort();
}

const ROUGH = /^.* (precompile-output|long-address|slot-alias|memory-limit)$/;

describe.each<Codegen>(['plain', 'optimised', 'via-ir'])('with code of solc, %s', (codegen) => {
  const project = portingProject(codegen);
  const folder = path.join(root, codegen);
  const artifacts = project.write(folder);
  /** Assembly and shared code have only the line of their block, or of another use, where code is generated by way of Yul. */
  const shown = (place: string) => (codegen === 'via-ir' ? place.replace(ROUGH, '$1') : place);

  it('names the line of everything that behaves otherwise, calls included', async () => {
    const file = path.join(folder, 'report.json');
    await onChain(project, { portReport: file, artifacts: [artifacts] }, meetAll);
    const report = JSON.parse(readFileSync(file, 'utf8')) as Report;
    expect(report.problems).toEqual([]);
    expect(places(report, true).map(shown).sort()).toEqual(markedLines('finds', codegen).map(shown).sort());
    expect(places(report, false)).toEqual(markedLines('finds unused'));
  });

  it('finds nothing where nothing differs', async () => {
    const file = path.join(folder, 'plain.json');
    await onChain(project, { portReport: file, artifacts: [artifacts] }, nothingSpecial);
    const report = JSON.parse(readFileSync(file, 'utf8')) as Report;
    expect(report.findings.map(({ id, sites }) => [id, sites])).toEqual([]);
    expect(report.energy.rows.map(({ failed }) => failed)).not.toContain(1);
  });
});

async function command(...words: readonly string[]) {
  return said((terminal) => runPortReportCommand(['port-report', ...words], terminal));
}

describe('of a recording', () => {
  const project = portingProject('optimised');
  const folder = path.join(root, 'recorded');
  const artifacts = project.write(folder);
  const recording = path.join(folder, 'run.chain');

  it('has the same costs and findings as the node, but for what only calls have met', async () => {
    const live = path.join(folder, 'live.json');
    let energy = 0n;
    await onChain(project, { portReport: live, record: recording, artifacts: [artifacts] }, async (chain) => {
      chain.devnet.on('block', ({ transactions }) => {
        for (const { energy: used } of transactions) energy += used?.total ?? 0n;
      });
      const provider = chain.wallet.provider as JsonRpcProvider;
      await meetAll(chain);
      // A test suite takes back what a test has done; it cost all the same.
      const snapshot = await provider.send('evm_snapshot', []);
      const doomed = await chain.deploy('Doomed');
      await chain.send(doomed, 'end', chain.wallet.address);
      await provider.send('evm_revert', [snapshot]);
      await chain.deploy('Child', 3);
    });
    const { out, err, code } = await command(recording, '--artifacts', artifacts, '--json');
    expect({ err, code }).toEqual({ err: '', code: 0 });
    const [report, known] = [JSON.parse(out), JSON.parse(readFileSync(live, 'utf8'))] as [Report, Report];
    expect(report).not.toHaveProperty('calls');
    expect(known.calls).toBeGreaterThan(8);
    expect(report.energy).toEqual(known.energy);
    expect(BigInt(report.energy.energy)).toBe(energy);
    const ofCalls = places(known, true).filter((place) => !places(report, true).includes(place));
    const met =
      'chain-id coinbase create-prediction create2-prediction long-address long-address modexp-zero precompile-output prevrandao';
    expect(ofCalls.map((place) => place.replace(/^.* /, '')).sort()).toEqual(met.split(' '));
    // What stands in the code is named all the same, and that it was not executed.
    const ofOpcodes = ofCalls.filter((place) => / (prevrandao|coinbase)$/.test(place));
    expect(places(report, false)).toEqual([...places(known, false), ...ofOpcodes].sort());
    const destroyed = report.findings.find(({ id }) => id === 'selfdestruct')!;
    expect(destroyed.sites).toMatchObject([{ contract: 'Doomed', method: 'end', transactions: 2, executed: true }]);
  });

  it('names contracts by address and offset where there are no artifacts', async () => {
    const { out } = await command(recording, '--json');
    const { findings, energy } = JSON.parse(out) as Report;
    const [site] = findings.find(({ id }) => id === 'selfdestruct')!.sites;
    expect(site).toMatchObject({ contract: expect.stringMatching(/^0x[0-9a-f]{40}$/), transactions: 2 });
    expect(site).toHaveProperty('pc');
    expect(site).not.toHaveProperty('file');
    // Both copies of the contract are one.
    const rows = energy.rows.filter(({ contract }) => contract === site!.contract);
    expect(rows.map(({ calls, method }) => [calls, method])).toEqual([
      [2, undefined],
      [2, expect.stringMatching(/^0x[0-9a-f]{8}$/)],
    ]);
  });

  it('is text for people, Markdown and a page', async () => {
    const forms = await Promise.all(
      [[], ['--markdown'], ['--html']].map((form) => command(recording, '--artifacts', artifacts, ...form)),
    );
    const [text, markdown, html] = forms.map(({ out }) => out) as [string, string, string];
    const [where] = markedLines('finds').flatMap((mark) => /^(.*) create2-address$/.exec(mark)?.[1] ?? []);
    expect(text).toContain(`  ${where}  Quirks.makeAt  1 transaction\n`);
    expect(text).toContain('BREAKS ON TRON\n\n');
    expect(text).toContain('start the node with --port-report FILE'.replace('start', 'Start'));
    expect(markdown).toContain(`| ${where} | 1 transaction | Quirks.makeAt |`);
    const cells = html.replace(/<td [^>]*>/g, '<td>');
    expect(cells).toContain(`<td>${where}</td><td>1 transaction</td><td>Quirks.makeAt</td>`);
    for (const form of [text, markdown, html]) {
      expect(form).toContain('docs/protocol/calls.md#selfdestruct');
      expect(form).toContain('makeAt(bytes32)');
    }
  });

  it('refuses what is no recording, and two forms at once', async () => {
    const file = path.join(folder, 'day.scenario.yaml');
    writeFileSync(file, 'scenario: 1\nsteps: []\n');
    expect(await command(file)).toMatchObject({ code: 2, out: '' });
    expect((await command(path.join(folder, 'absent'))).err).toContain('cannot be read');
    const both = await command(recording, '--json', '--html');
    expect(both).toMatchObject({ code: 2, out: '', err: '--json and --html cannot be combined\n' });
  });
});

describe('costs', () => {
  const project = portingProject('optimised');

  it('at the cap are what a contract with the largest factor takes', async () => {
    const file = path.join(root, 'cap.json');
    const artifacts = project.write(path.join(root, 'cap'));
    await onChain(project, { portReport: file, artifacts: [artifacts] }, async ({ devnet, deploy, send, wallet }) => {
      const token = await deploy('Token');
      const vault = await deploy('Vault', await token.getAddress());
      const other = `0x${devnet.accounts[1]!.addressHex.slice(2)}`;
      await send(vault, 'tryPay', other, 0);
      for (const contract of [token, vault])
        await devnet.setContractEnergy(await contract.getAddress(), { energyFactor: 34_000n });
      const { abi } = project.contract('Vault');
      const renamed = new Contract(await vault.getAddress(), abi, wallet);
      await send(renamed, 'tryPay', other, 0);
    });
    const { energy } = JSON.parse(readFileSync(file, 'utf8')) as Report;
    const row = energy.rows.find(({ method }) => method === 'tryPay(address,uint256)')!;
    // The same steps once without a factor and once at the cap.
    expect(row.calls).toBe(2);
    expect(BigInt(row.energySun.atCap)).toBe(BigInt(row.max) * 100n);
    expect(BigInt(row.energySun.withoutFactor)).toBe(BigInt(row.min) * 100n);
    expect(row.penaltyShare).toBeGreaterThan(0.5);
  });

  it('of one transaction are compared with its limits', async () => {
    const file = path.join(root, 'limits.json');
    await onChain(project, { portReport: file }, async ({ deploy, send }) => {
      const quirks = await deploy('Quirks');
      await send(quirks, 'metered', 10_000);
    });
    expect(JSON.parse(readFileSync(file, 'utf8')).findings.map(({ id }: { id: string }) => id)).not.toContain(
      'energy-limit',
    );
    await onChain(
      project,
      { portReport: file, parameters: { getMaxFeeLimit: 1_000_000_000 } },
      async ({ deploy, wallet }) => {
        const quirks = await deploy('Quirks');
        const data = quirks.interface.encodeFunctionData('metered', [20_000]);
        const sent = await wallet.sendTransaction({ to: await quirks.getAddress(), data, gasLimit: 9_000_000 });
        await sent.wait();
      },
    );
    const { findings } = JSON.parse(readFileSync(file, 'utf8')) as Report;
    expect(findings.find(({ id }) => id === 'energy-limit')!.sites).toMatchObject([
      { method: expect.stringMatching(/^0x/), what: expect.stringMatching(/a transaction buys at most 10,000,000$/) },
    ]);
  });
});

it('lists transfers that only /eth accepts, amounts in wei, and addresses that only the option gives', async () => {
  const project = portingProject('optimised');
  const file = path.join(root, 'others.json');
  await onChain(project, { portReport: file, createNonces: true }, async ({ wallet, devnet, deploy, send }) => {
    const other = `0x${devnet.accounts[1]!.addressHex.slice(2)}`;
    const sends = [
      { to: wallet.address, value: 1n },
      { to: other },
      { to: other },
      { to: other, value: 1n, data: '0x12' },
    ];
    for (const transaction of sends) await (await wallet.sendTransaction(transaction)).wait();
    await devnet.setBalance(wallet.address, 10n ** 16n);
    await (await wallet.sendTransaction({ to: other, value: 10n ** 15n })).wait();
    await send(await deploy('Quirks'), 'make');
  });
  const { findings } = JSON.parse(readFileSync(file, 'utf8')) as Report;
  const found = findings.flatMap(({ id, sites }) =>
    sites.flatMap(({ what, times }) => (what === undefined ? [] : [[id, what, times]])),
  );
  expect(found).toEqual([
    ['refused-transfer', 'a transfer of nothing', 2],
    ['refused-transfer', 'a transfer to oneself', 1],
    ['refused-transfer', 'data to an account without code', 1],
    ['ether-amounts', 'a million TRX and more in one transaction', 1],
    ['create-nonces', 'contracts made', 1],
  ]);
});

it('shows names of artifacts and source lines as text, whatever stands in them', async () => {
  const evil = '<script>alert(1)</script>';
  const project = portingProject('optimised', (source) => source.replaceAll('// finds:', `// ${evil}\u001b[2J | x`));
  const folder = path.join(root, 'hostile');
  const output = path.join(project.write(folder), 'output.json');
  const named = readFileSync(output, 'utf8')
    .replaceAll('"Quirks":', `"${evil}\\u001b[2J|Quirks":`)
    .replaceAll('contracts/Quirks.sol', `contracts/${evil}\\u001b[2J.sol`);
  writeFileSync(output, named);
  const recording = path.join(folder, 'run.chain');
  const page = path.join(folder, 'live.html');
  await onChain(project, { record: recording, portReport: page, artifacts: [path.dirname(output)] }, meetAll);
  const pages = [readFileSync(page, 'utf8')];
  for (const form of [[], ['--markdown'], ['--html'], ['--json']]) {
    const { out } = await command(recording, '--artifacts', path.dirname(output), ...form);
    expect(out).toContain('alert(1)');
    if (form[0] === '--html') pages.push(out);
    else if (form[0] !== '--json') expect(out).not.toContain('\u001b');
    if (form[0] === '--markdown') expect(out).not.toMatch(/(?<!\\)<script>/);
  }
  for (const html of pages) {
    expect(html).toContain('&lt;script&gt;');
    expect(html).not.toContain(evil);
    expect(html).not.toContain('\u001b');
  }
});
