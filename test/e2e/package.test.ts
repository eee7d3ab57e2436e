import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseAst } from 'vitest/node';
import { ServiceClient } from '../wire/grpc-client.js';
import { askReflection } from '../wire/reflection-client.js';
import { RunningCommand } from './command.js';
import { installPackage } from './installed-package.js';

/** The published package: packed, installed into an empty folder, and used from there. */

const root = path.resolve(import.meta.dirname, '../..');
const run = promisify(execFile);
const folder = mkdtempSync(path.join(tmpdir(), 'sunup-package-'));
const installed = path.join(folder, 'node_modules/sunup');

/** Of the dashboard: the repository has them, the package does not. */
const PICTURES = path.join('docs/images/dashboard/');

/** What may be an import or require of a package, also in a string. */
const MAY_ASK = /\b(?:from|import|(?:__)?require\d*)\s*\(?\s*(?:\/\*.*?\*\/\s*)*["'][\w@]/s;

/** The packages and files that a file imports or requires. */
function specifiersIn(text: string): readonly string[] {
  const found: string[] = [];
  find(parseAst(text), found);
  return found;
}

function find(node: unknown, found: string[]): void {
  if (typeof node !== 'object' || node === null) return;
  const {
    type,
    source,
    callee,
    arguments: words,
  } = node as Record<string, { value?: unknown; name?: string } & unknown[]>;
  const requires = String(type) === 'CallExpression' && /^(__)?require\d*$/.test(callee?.name ?? '');
  const specifier = requires ? (words?.[0] as { value?: unknown } | undefined)?.value : source?.value;
  if (typeof specifier === 'string') found.push(specifier);
  for (const child of Object.values(node)) find(child, found);
}

beforeAll(() => installPackage(folder));

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the published package', () => {
  it('has the bundle, the declarations, the licences and the documents, and nothing else', () => {
    const files = readdirSync(installed, { recursive: true, encoding: 'utf8' }).map((file) =>
      file.replaceAll('\\', '/'),
    );
    expect(files).toEqual(
      expect.arrayContaining([
        'dist/sunup.cjs',
        'dist/index.js',
        'dist/types/index.d.ts',
        'dist/dashboard/index.html',
        'dist/scenario-process.js',
        'dist/scenarios.json',
        'README.md',
        'LICENSE',
      ]),
    );
    expect(files).toContain('dist/THIRD-PARTY-LICENSES.txt');
    const allowed =
      /^(dist(\/.*\.(js|cjs|d\.ts|txt))?|dist\/scenarios\.json|dist\/api-page(\/swagger-ui[a-z-]*\.(css|js))?|dist\/dashboard(\/[\w-]+\.(css|js|html)(\.gz)?)?|dist\/types(\/[a-z-]+)*|dist\/prebuilds(\/[a-z0-9-]+(\/secp256k1(\.[a-z]+)?\.node)?)?|docs(\/[a-z-]+)*(\/[A-Za-z0-9-]+\.(md|schema\.json|svg))?|(deploy|examples)(\/[\w.-]+)*|package\.json|[A-Z]+(\.md)?)$/;
    expect(files.filter((file) => !allowed.test(file))).toEqual([]);
  });

  it('installs only packages that cannot be bundled', () => {
    const { dependencies, optionalDependencies = {} } = JSON.parse(
      readFileSync(path.join(installed, 'package.json'), 'utf8'),
    );
    const names = [...Object.keys(dependencies), ...Object.keys(optionalDependencies)];
    expect(names.sort()).toEqual(['classic-level', 'tiny-secp256k1']);
    expect(existsSync(path.join(folder, 'node_modules/fastify'))).toBe(false);
  });

  it('installs nothing with a known security advisory: not elliptic, a dependency of the secp256k1 package', () => {
    for (const name of ['elliptic', 'secp256k1', 'bn.js', 'hash.js'])
      expect(existsSync(path.join(folder, 'node_modules', name)), name).toBe(false);
  });

  it('includes the secp256k1 addon, which recovers signers', () => {
    const { resolve } = createRequire(path.join(installed, 'dist/index.js'));
    const curve = createRequire(import.meta.url)(resolve('./secp256k1-bindings.cjs'));
    const [key, digest] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
    const { signature, recid } = curve.ecdsaSign(digest, key);
    const publicKey = Buffer.from(curve.publicKeyCreate(key, false)).toString('hex');
    expect(Buffer.from(curve.ecdsaRecover(signature, recid, digest, false)).toString('hex')).toBe(publicKey);
    const platforms = readdirSync(path.join(installed, 'dist/prebuilds')).sort();
    expect(platforms).toEqual(['darwin-arm64', 'linux-x64', 'win32-x64']);
  });

  it('needs no package at run time that it does not install', () => {
    const asked = new Set<string>();
    for (const name of readdirSync(path.join(installed, 'dist')).filter((file) => /\.c?js$/.test(file))) {
      const text = readFileSync(path.join(installed, 'dist', name), 'utf8');
      // Half of the bundle is not parsed.
      for (const specifier of MAY_ASK.test(text) ? specifiersIn(text) : [])
        if (!/^\./.test(specifier) && !isBuiltin(specifier)) asked.add(specifier);
    }
    expect([...asked]).toEqual(expect.arrayContaining(['classic-level/binding.js', 'tiny-secp256k1']));
    // Optional peers: for deploying contracts, running tests, and the event queue.
    for (const name of ['tronweb', 'vitest', 'zeromq']) asked.delete(name);
    // Colours for a debug log that is never on, required in a `try`.
    asked.delete('supports-color');
    // They would make `ws` faster, which viem can load but does not here; also required in a `try`.
    for (const name of ['bufferutil', 'utf-8-validate']) asked.delete(name);
    const { resolve } = createRequire(path.join(installed, 'dist/index.js'));
    for (const specifier of asked) expect(() => resolve(specifier), specifier).not.toThrow();
  });

  it('is a command for npx', async () => {
    const { stdout } = await run('npx', ['--no-install', 'sunup', '--version'], { cwd: folder });
    const { version } = JSON.parse(readFileSync(path.join(installed, 'package.json'), 'utf8'));
    expect(stdout.trim()).toBe(version);
  });

  it('answers requests after its ready line, and leaves nothing behind', async () => {
    await using command = await RunningCommand.start(['--json'], path.join(installed, 'dist/sunup.cjs'));
    const { http, dataDirectory } = await command.ready();
    expect((await fetch(`${http.url}/healthcheck`)).status).toBe(200);
    const page = await (await fetch(`${http.url}/docs`)).text();
    for (const [, file] of page.matchAll(/(?:src|href)="([^"]+)"/g)) {
      expect([file, (await fetch(`${http.url}/${file}`)).status]).toEqual([file, 200]);
    }
    const block = (await (await fetch(`${http.url}/wallet/getnowblock`)).json()) as { blockID: string };
    expect(block.blockID).toMatch(/^[0-9a-f]{64}$/);
    const [example] = (await (await fetch(`${http.url}/sunup/scenarios`)).json()) as { scenario: string }[];
    const body = JSON.stringify({ scenario: example!.scenario });
    const run = await fetch(`${http.url}/sunup/scenarios/run`, { method: 'POST', body });
    expect(await run.json()).toMatchObject({ failedExpectations: 0 });
    expect(existsSync(dataDirectory.path)).toBe(true);
    const { code, errors } = await command.end('SIGINT');
    expect({ code, errors }).toEqual({ code: 0, errors: '' });
    expect(existsSync(dataDirectory.path)).toBe(false);
  });

  it('serves gRPC and its reflection, which are loaded on demand', async () => {
    await using command = await RunningCommand.start(
      ['--json', '--grpc-port=0'],
      path.join(installed, 'dist/sunup.cjs'),
    );
    const { url } = (await command.ready()).grpc!;
    const wallet = new ServiceClient('Wallet', url);
    expect(await wallet.call('GetNowBlock2')).toHaveProperty('blockid');
    wallet.close();
    for (const version of ['v1', 'v1alpha'] as const) {
      const [services, file] = await askReflection(
        url,
        version,
        { list_services: '' },
        { file_containing_symbol: 'protocol.Wallet' },
      );
      expect(services?.list_services_response?.service).toHaveLength(4);
      expect(file?.file_descriptor_response?.file_descriptor_proto.length).toBeGreaterThan(5);
    }
    expect((await command.end('SIGINT')).errors).toBe('');
  });

  it('is a library with types', async () => {
    writeFileSync(
      path.join(folder, 'use.ts'),
      `import { createDevnet, type Devnet, type DevnetOptions } from 'sunup';
       const options: DevnetOptions = { accounts: 2, balance: '1.5' };
       const devnet: Devnet = await createDevnet(options);
       const block: { block_header: object } = await (await fetch(devnet.http.url + '/wallet/getnowblock')).json();
       console.log(JSON.stringify({ accounts: devnet.accounts.map((one) => one.address), header: block.block_header }));
       await devnet.close();
       // @ts-expect-error a misspelled option
       export const wrong: DevnetOptions = { acounts: 1 };`,
    );
    const tsc = path.join(root, 'node_modules/typescript/bin/tsc');
    const options = ['--strict', '--module', 'nodenext', '--target', 'es2023', '--outDir', folder];
    const types = ['--typeRoots', path.join(root, 'node_modules/@types'), '--types', 'node'];
    await run(process.execPath, [tsc, ...options, ...types, 'use.ts'], { cwd: folder });
    const { stdout } = await run(process.execPath, ['use.js'], { cwd: folder });
    expect(JSON.parse(stdout)).toMatchObject({
      accounts: ['TWer2Ygk5TEheHp3TPuYeqxmB6SsGZmaL6', 'TPjjvMwjPoDC32V2dGDYTkLH4E5LAtBZ6C'],
      header: { raw_data: {} },
    });
  });

  it('has types that compile with the oldest supported settings', async () => {
    writeFileSync(
      path.join(folder, 'old.ts'),
      `import { createDevnet, type Devnet, type Mined } from 'sunup';
       import { type Eip1193Provider, eip1193Provider } from 'sunup/testing';
       const devnet: Devnet = await createDevnet();
       export const mined: Mined = await devnet.mine({ advanceMs: 1 });
       export const provider: Eip1193Provider = eip1193Provider(devnet);
       await devnet.close();`,
    );
    const tsc = path.join(root, 'node_modules/typescript/bin/tsc');
    const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022', '--lib', 'es2022'];
    // Only our types, none of Node or the DOM; declarations are checked too.
    await run(process.execPath, [tsc, ...options, '--types', '', '--skipLibCheck', 'false', 'old.ts'], { cwd: folder });
  });

  it('includes the fee functions as one small file for browsers, with types that need no others', async () => {
    const file = path.join(installed, 'dist/fees.js');
    const text = readFileSync(file, 'utf8');
    expect(specifiersIn(text)).toEqual([]);
    expect(text.length).toBeLessThan(25_000);
    expect(text).not.toMatch(/\b(process|Buffer|require)\b/);
    writeFileSync(
      path.join(folder, 'fees.ts'),
      `import { type FeeNetwork, networkFrom, transactionBytes } from 'sunup/fees';
       const network: FeeNetwork = networkFrom([{ key: 'getEnergyFee', value: 100 }]);
       export const sun: bigint = network.energyPriceSun * BigInt(transactionBytes('00', 1));`,
    );
    const tsc = path.join(root, 'node_modules/typescript/bin/tsc');
    const options = ['--strict', '--module', 'nodenext', '--target', 'es2020', '--lib', 'es2020', '--outDir', folder];
    await run(process.execPath, [tsc, ...options, '--types', '', '--skipLibCheck', 'false', 'fees.ts'], {
      cwd: folder,
    });
    const { stdout } = await run(process.execPath, ['-e', "import('./fees.js').then((m) => console.log(m.sun))"], {
      cwd: folder,
    });
    expect(stdout.trim()).toBe('13400n');
  });

  it('runs scenarios in programs, with types', async () => {
    writeFileSync(
      path.join(folder, 'scenario.ts'),
      `import { runScenario, type ScenarioRun, whatIf } from 'sunup/scenario';
       const shop = {
         accounts: { shop: '100 TRX', newcomer: null },
         contracts: { dollar: { fixture: 'Dollar', deployer: 'shop', args: [1_000_000n, 'Dollar', 'USD', 6] } },
         steps: [{ transfer: { from: 'shop', to: 'newcomer', amount: 1 } }],
       };
       const run: ScenarioRun = await runScenario(shop);
       const { outcomes } = await whatIf(shop, { getCreateNewAccountFeeInSystemContract: [0, 5n] });
       console.log(JSON.stringify([run.totals.feeSun, ...outcomes.map(({ feeSun }) => feeSun)].map(Number)));
       // @ts-expect-error a scenario has steps
       runScenario({ accounts: {} }).catch(() => undefined);`,
    );
    const tsc = path.join(root, 'node_modules/typescript/bin/tsc');
    const options = ['--strict', '--module', 'nodenext', '--target', 'es2022', '--lib', 'es2022,dom'];
    await run(process.execPath, [tsc, ...options, '--types', '', '--skipLibCheck', 'false', 'scenario.ts'], {
      cwd: folder,
    });
    const { stdout } = await run(process.execPath, ['scenario.js'], { cwd: folder });
    expect(JSON.parse(stdout)).toEqual([1_100_000, 1_100_000, 100_000, 100_005]);
  });

  it('runs the example of the README', async () => {
    const example = [...readFileSync(path.join(installed, 'README.md'), 'utf8').matchAll(/```js\n(.*?)```/gs)]
      .map(([, code]) => code!)
      .find((code) => code.includes('createDevnet'))!;
    writeFileSync(path.join(folder, 'example.js'), `${example}\nconsole.log('done');`);
    if (!existsSync(path.join(folder, 'node_modules/tronweb'))) {
      symlinkSync(path.join(root, 'node_modules/tronweb'), path.join(folder, 'node_modules/tronweb'), 'junction');
    }
    const { stdout } = await run(process.execPath, ['example.js'], { cwd: folder });
    expect(stdout).toMatch(/done\n$/);
  });

  it('has no dead link in its documents', () => {
    const documents = readdirSync(installed, { recursive: true, encoding: 'utf8' }).filter((file) =>
      file.endsWith('.md'),
    );
    expect(documents.length).toBeGreaterThan(8);
    const dead: string[] = [];
    for (const document of documents) {
      const text = readFileSync(path.join(installed, document), 'utf8');
      for (const [, target] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
        const [file = '', anchor] = target!.split('#');
        if (/^[a-z]+:/.test(file)) continue;
        const linked = file === '' ? document : path.join(path.dirname(document), file);
        // A reader of the package has their texts instead.
        const at = linked.startsWith(PICTURES) ? root : installed;
        const there = existsSync(path.join(at, linked));
        const has = () => headingsOf(readFileSync(path.join(installed, linked), 'utf8')).includes(anchor!);
        if (!there || (anchor !== undefined && !has())) dead.push(`${document}: ${target}`);
      }
    }
    expect(dead).toEqual([]);
  });
});

/** The anchors that a document's headings get. */
function headingsOf(markdown: string): string[] {
  return [...markdown.matchAll(/^#+ (.*)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-'),
  );
}
