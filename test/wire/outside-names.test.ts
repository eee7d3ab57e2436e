/**
 * Names of JavaScript's object members (`constructor`, `toString`, `__proto__`) at every interface: they are ordinary
 * names, refused if unknown and kept if a user chose them.
 */

import { Metadata } from '@grpc/grpc-js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDevnet, type Devnet } from '../../src/index.js';
import { readScenario } from '../../src/scenario/reader/read-scenario.js';
import { callBytes, ServiceClient } from './grpc-client.js';

const NAMES = ['constructor', '__proto__', 'prototype', 'toString', 'valueOf', 'hasOwnProperty'];
const CALLED = `0x${'00'.repeat(19)}99`;

let devnet: Devnet;
let account: string;
beforeAll(async () => {
  devnet = await createDevnet({ grpcPort: 0, metrics: true });
  account = devnet.accounts[0]!.address;
});
afterAll(() => devnet.close());

async function http(method: string, where: string, body?: string): Promise<string> {
  const answer = await fetch(`${devnet.http.url}${where}`, { method, ...(body !== undefined && { body }) });
  return `${answer.status} ${await answer.text()}`;
}

async function rpc(method: string, params: string): Promise<string> {
  const body = `{"jsonrpc":"2.0","id":1,"method":${JSON.stringify(method)},"params":${params}}`;
  const { error, result } = JSON.parse((await http('POST', '/jsonrpc', body)).slice(4)) as Record<string, unknown>;
  return error === undefined ? `result ${JSON.stringify(result)}` : (error as { message: string }).message;
}

const refused = async (work: () => unknown): Promise<string> => {
  try {
    return `took it: ${JSON.stringify(await work())}`;
  } catch (error) {
    return (error as Error).message;
  }
};

const scenario = (text: string) =>
  refused(() => readScenario(`accounts: { a: 10 TRX }\nsteps: []\n${text}`, 'a.yaml') && 'a scenario');

type Border = readonly [border: string, ask: (name: string) => Promise<string>, refusal: (name: string) => RegExp];

const BORDERS: readonly Border[] = [
  ['a method of /wallet', (n) => http('POST', `/wallet/${n}`, '{}'), () => /^405 /],
  ['a method of /walletsolidity', (n) => http('GET', `/walletsolidity/${n}`), () => /^404 /],
  ['a route of /sunup', (n) => http('GET', `/sunup/${n}`), () => /^404 /],
  ['a route of /v1', (n) => http('GET', `/v1/${n}`), () => /^404 /],
  ['an account of /v1', (n) => http('GET', `/v1/accounts/${n}`), () => /^400 .*no address/],
  [
    'an order of /v1',
    (n) => http('GET', `/v1/accounts/${account}/transactions?order_by=${n}`),
    () => /^400 .*order_by/,
  ],
  ['a file of /docs', (n) => http('GET', `/docs/${n}`), () => /^404 /],
  ['a chain', (n) => http('GET', `/~${n}/wallet/getnowblock`), (n) => new RegExp(`^404 .*no chain ${n}`)],
  ['a chain to remove', (n) => http('DELETE', `/sunup/chains/${n}`), (n) => new RegExp(`^404 .*no chain ${n}`)],
  [
    'an option of a chain',
    (n) => http('POST', '/sunup/chains', `{"${n}":{"accounts":3}}`),
    (n) => new RegExp(`^400 .*${n}`),
  ],
  [
    'a parameter of a chain',
    (n) => http('POST', '/sunup/chains', `{"parameters":{"${n}":1}}`),
    (n) => new RegExp(`^400 .*unknown chain parameter.*${n}`),
  ],
  [
    'a member of a genesis',
    (n) => http('POST', '/sunup/chains', `{"genesis":{"${n}":1}}`),
    (n) => new RegExp(`^400 .*${n}`),
  ],
  [
    'a parameter of a genesis',
    (n) => http('POST', '/sunup/chains', `{"genesis":{"parameters":{"${n}":1}}}`),
    (n) => new RegExp(`^400 .*unknown chain parameter.*${n}`),
  ],
  [
    'a part of a network stake',
    (n) => http('POST', '/sunup/chains', `{"genesis":{"networkStake":{"${n}":1}}}`),
    () => /^400 /,
  ],
  ['the name of a preset', (n) => http('POST', '/sunup/chains', `{"preset":"${n}"}`), () => /^400 .*preset/],
  ['the name of a load', (n) => http('POST', '/sunup/chains', `{"networkStake":"${n}"}`), () => /^400 .*networkStake/],
  ['a predeployed contract', (n) => http('POST', '/sunup/chains', `{"predeploy":["${n}"]}`), () => /^400 .*predeploy/],
  ['a release', (n) => http('POST', '/sunup/chains', `{"nodeVersion":"${n}"}`), () => /^400 .*nodeVersion/],
  ['a member of /sunup/mine', (n) => http('POST', '/sunup/mine', `{"${n}":1}`), (n) => new RegExp(n)],
  ['a method of JSON-RPC', (n) => rpc(n, '[]'), () => /method not found|no method/],
  ['a method of eth', (n) => rpc(`eth_${n}`, '[]'), () => /method not found|no method/],
  [
    'a boolean of JSON-RPC',
    (n) => rpc('eth_getBlockByNumber', `["latest","${n}"]`),
    () => /JSON parse error|method parameters invalid/,
  ],
  ['a block of JSON-RPC', (n) => rpc('eth_getBlockByNumber', `["${n}",true]`), () => /invalid block number/],
  [
    'a member of a call',
    (n) => rpc('eth_call', `[{"to":"${CALLED}","${n}":"0x1"},"latest"]`),
    () => /JSON parse error/,
  ],
  ['a member of a filter', (n) => rpc('eth_newFilter', `[{"${n}":1}]`), () => /JSON parse error/],
  [
    'a tracer',
    (n) => rpc('debug_traceCall', `[{"to":"${CALLED}"},"latest",{"tracer":"${n}"}]`),
    () => /unsupported tracer/,
  ],
  [
    'a tracer of several',
    (n) => rpc('debug_traceCall', `[{"to":"${CALLED}"},"latest",{"tracer":"muxTracer","tracerConfig":{"${n}":{}}}]`),
    () => /unsupported tracer/,
  ],
  [
    'an overridden account',
    (n) => rpc('debug_traceCall', `[{"to":"${CALLED}"},"latest",{"stateOverrides":{"${n}":{"balance":"0x1"}}}]`),
    () => /decoding Hex/,
  ],
  [
    'an overridden account of a simulation',
    (n) =>
      rpc('tron_preview', `[${JSON.stringify({ from: account, to: account })},{"overrides":{"${n}":{"balance":1}}}]`),
    () => /overrides/,
  ],
  [
    'an overridden slot',
    (n) =>
      rpc(
        'tron_preview',
        `[${JSON.stringify({ from: account, to: account })},{"overrides":{"${account}":{"state":{"${n}":"0x1"}}}}]`,
      ),
    () => /overrides/,
  ],
  [
    'a chain parameter to set',
    (n) => rpc('tron_setChainParameters', `[{"${n}":1}]`),
    (n) => new RegExp(`unknown chain parameter.*${n}`),
  ],
  ['a preset to load', (n) => rpc('tron_loadPreset', `["${n}"]`), () => /no preset/],
  ['a field of an account', (n) => rpc('tron_setAccount', `["${account}",{"${n}":1}]`), (n) => new RegExp(n)],
  [
    'a token of an account',
    (n) => rpc('tron_setAccount', `["${account}",{"assetV2":{"${n}":1}}]`),
    (n) => new RegExp(`no token has the id ${n}`),
  ],
  [
    'a type of account',
    (n) => rpc('tron_setAccount', `["${account}",{"type":"${n}"}]`),
    () => /expected one of Normal/,
  ],
  ['a stake', (n) => rpc('tron_setStake', `["${account}",{"${n}":1}]`), (n) => new RegExp(n)],
  ['an option of the library', (n) => refused(() => createDevnet(JSON.parse(`{"${n}":1}`))), (n) => new RegExp(n)],
  [
    'a parameter of the library',
    (n) => refused(() => createDevnet({ parameters: JSON.parse(`{"${n}":1}`) })),
    (n) => new RegExp(`unknown chain parameter.*${n}`),
  ],
  ['a part of a scenario', (n) => scenario(`${n}: { b: 1 }`), (n) => new RegExp(`${n} is unknown`)],
  [
    'a parameter of a scenario',
    (n) => refused(() => run({ network: { parameters: JSON.parse(`{"${n}":1}`) } })),
    (n) => new RegExp(n),
  ],
  [
    'a field of an account in a scenario',
    (n) => scenario(`tokens: { t: { issuer: a, supply: 1, ${n}: 1 } }`),
    (n) => new RegExp(`${n} is unknown`),
  ],
  [
    'a token that an account has',
    (n) => refused(() => run({ accounts: { b: { tokens: JSON.parse(`{"${n}":1}`) } } })),
    (n) => new RegExp(`no token or contract is called ${n}`),
  ],
  [
    'a witness that gets votes',
    (n) => refused(() => run({ accounts: { b: { votes: JSON.parse(`{"${n}":1}`) } } })),
    (n) => new RegExp(`no account is called ${n}`),
  ],
  [
    'a kind of step',
    (n) => refused(() => run({ steps: [JSON.parse(`{"${n}":{}}`)] })),
    (n) => new RegExp(`${n} is unknown`),
  ],
  [
    'an account of a step',
    (n) => refused(() => run({ steps: [{ transfer: { from: n, to: n, amount: 1 } }] })),
    (n) => new RegExp(`no account is called ${n}`),
  ],
  [
    'a contract that comes with Sunup',
    (n) => refused(() => run({ contracts: { c: { fixture: n, deployer: 'a' } } })),
    (n) => new RegExp(`Sunup comes with no contract ${n}`),
  ],
  [
    'a unit of time',
    (n) => refused(() => run({ steps: [{ traffic: { for: '1h', rate: `1 per ${n}`, steps: [] } }] })),
    () => /rate: expected/,
  ],
  [
    'an expected payer',
    (n) => refused(() => run({ expect: { payers: JSON.parse(`{"${n}":1}`) } })),
    (n) => new RegExp(`no account is called ${n}`),
  ],
  ['a path of a what-if', (n) => refused(() => tryWhatIf(n)), (n) => new RegExp(`--what-if ${n}: expected a path`)],
  [
    'an account of a what-if',
    (n) => refused(() => tryWhatIf(`accounts.${n}.stake.energy`)),
    (n) => new RegExp(`the file has no ${n}`),
  ],
  [
    'a field of a what-if',
    (n) => refused(() => tryWhatIf(`accounts.a.${n}.energy`)),
    (n) => new RegExp(`${n} is unknown`),
  ],
  ['a parameter of a what-if', (n) => refused(() => tryWhatIf(`network.parameters.${n}`)), (n) => new RegExp(n)],
];

const base = () => ({ accounts: { a: '10 TRX' }, steps: [] });
async function run(parts: Record<string, unknown>) {
  const { runScenario } = await import('../../src/run-scenario.js');
  const { accounts, ...others } = parts;
  await runScenario({ ...base(), ...others, accounts: { ...base().accounts, ...(accounts as object) } });
  return 'ran';
}
async function tryWhatIf(name: string) {
  const { whatIf } = await import('../../src/run-scenario.js');
  await whatIf(base(), { [name]: [1] });
  return 'ran';
}

describe.each(BORDERS)('%s', (_border, ask, refusal) => {
  it.each(NAMES)('does not know the name %s', async (name) => {
    expect(await ask(name)).toMatch(refusal(name));
  });
});

describe('gRPC', () => {
  it.each(NAMES)('has no method and no chain %s', async (name) => {
    const client = new ServiceClient('Wallet', devnet.grpc!.url);
    try {
      const metadata = new Metadata();
      metadata.set('sunup-chain', name);
      await expect(client.call('GetNowBlock', {}, metadata)).rejects.toThrow(new RegExp(`no chain ${name}`));
      const method = callBytes(client.client, `/protocol.Wallet/${name}`, new Uint8Array());
      await expect(method).rejects.toThrow(/UNIMPLEMENTED/);
    } finally {
      client.close();
    }
  });
});

describe('/metrics', () => {
  it("counts requests for unknown methods without the client's name", async () => {
    for (const name of NAMES) await rpc(name, '[]');
    const page = await http('GET', '/metrics');
    expect(page).toMatch(/^200 # HELP/);
    expect(page).toMatch(/sunup_jsonrpc\w*\{[^}]*method=/);
    for (const name of NAMES) expect(page).not.toContain(name);
  });
});
