/**
 * Callers of every kind: pages of other sites, pages that a renamed host brought here, pages of this machine, and holders
 * of API keys. What controls a chain is refused to strangers and changes nothing; what the network tells, everybody may
 * read; a key has as many requests a second as it has, and costs nobody else any.
 */

import { type Address, isAddress } from '../../../../src/primitives/ids.js';
import { toBase58 } from '../../../../src/protocol/address.js';
import { Violation } from '../run/violation.js';
import type { Host, User } from './user.js';

const NAME = 'a caller may do what it may';

/** Of a node with keys (`run/shape.ts`): `KEY=requests a second`. */
export const API_KEY = { name: 'simulated', perSecond: 4 } as const;
/** After as many in a day, only five are accepted in a second (`access/quotas.ts`). */
export const API_KEY_OF_DAYS = { name: 'simulated-by-day', perSecond: 8, perDay: 6 } as const;
const DAY_MS = 86_400_000n;

type Headers = Readonly<Record<string, string>>;

const STRANGERS: readonly Headers[] = [
  { host: 'localhost:9090', origin: 'https://stranger.example' },
  { host: 'localhost:9090', origin: 'http://8.8.8.8' },
  { host: 'localhost:9090', origin: 'null' },
  { host: 'localhost:9090', origin: 'http://localhost.stranger.example' },
  { host: 'localhost:9090', 'sec-fetch-site': 'cross-site' },
  // A page whose name was pointed at this machine.
  { host: 'stranger.example:9090' },
  { host: '10.0.0.1.stranger.example:9090' },
  { host: 'stranger.example:9090', origin: 'http://stranger.example:9090' },
];

const FRIENDS: readonly Headers[] = [
  { host: 'localhost:9090' },
  { host: '127.0.0.1:9090', origin: 'http://127.0.0.1:9090' },
  { host: 'localhost:9090', origin: 'http://localhost:3000' },
  { host: 'localhost:9090', origin: 'http://192.168.0.7:8080' },
];

interface Question {
  readonly path: string;
  readonly body?: string;
  /** In an answer of JSON-RPC the refusal is an error. */
  readonly isRpc?: true;
}

const rpc = (method: string, params: readonly unknown[]) => ({ jsonrpc: '2.0', id: 1, method, params });

/** What controls the chain, or tells of its keys. */
function controls({ world, people }: Host): readonly Question[] {
  const { choices } = world;
  const account = people.text(choices.below(6));
  const ofRpc = [
    rpc('hardhat_mine', ['0x1']),
    rpc('evm_snapshot', []),
    rpc('evm_increaseTime', [60]),
    rpc('tron_setBalance', [account, 7]),
    rpc('tron_setChainParameters', [{ getEnergyFee: 7 }]),
    rpc('tron_dropAllTransactions', []),
    rpc('debug_traceCall', [{ to: `0x${people.address(0).slice(2)}` }, 'latest', {}]),
  ];
  const call = choices.of(ofRpc);
  const body = choices.chance(0.3) ? [rpc('eth_chainId', []), call] : call;
  const path = choices.of(['/tre', '/eth', '/jsonrpc']);
  return [
    { path: '/sunup/mine', body: '{"blocks":1}' },
    { path: '/sunup/snapshot', body: '' },
    { path: '/sunup/revert', body: '{"id":"0x1"}' },
    { path: '/sunup/dump', body: '' },
    { path: '/sunup/chains', body: '{}' },
    { path: '/sunup/contracts' },
    { path: '/admin/accounts-json' },
    { path, body: JSON.stringify(body), isRpc: true },
    { path, body: JSON.stringify(body), isRpc: true },
    { path, body: JSON.stringify(body), isRpc: true },
  ];
}

const READS = (account: Address): readonly Question[] => [
  { path: '/wallet/getnowblock', body: '' },
  { path: '/walletsolidity/getnowblock' },
  { path: `/v1/accounts/${toBase58(account)}` },
  { path: '/eth', body: JSON.stringify(rpc('eth_chainId', [])), isRpc: true },
  { path: '/jsonrpc', body: JSON.stringify(rpc('eth_blockNumber', [])), isRpc: true },
];

interface Told {
  readonly status: number;
  readonly allowed: string | null;
  readonly text: string;
}

async function asked({ world, asker }: Host, { path, body }: Question, headers: Headers): Promise<Told | undefined> {
  let told: Told | undefined;
  await asker.library(`${path} ${body} ${JSON.stringify(headers)}`, async () => {
    const init = { headers, ...(body !== undefined && { method: 'POST', body }) };
    const answer = await world.devnet.fetch(`http://localhost${path}`, init);
    const text = await answer.text();
    told = { status: answer.status, allowed: answer.headers.get('access-control-allow-origin'), text };
    return [answer.status, told.allowed, text.slice(0, 200)];
  });
  return told;
}

const isRefused = ({ isRpc }: Question, { status, text }: Told) =>
  isRpc ? /"code":4100\b/.test(text) : status === 403;

/** Strangers control nothing: what they ask is refused, and the chain stays as it is. */
const controlled: User = async (host) => {
  const { world } = host;
  const { choices } = world;
  const question = choices.of(controls(host));
  const headers = choices.of(STRANGERS);
  const moment = () => {
    const { chain, clock, producer } = world.node;
    return [
      chain.headId,
      chain.pool.size,
      clock.runs ? '' : clock.nowMs(),
      JSON.stringify(producer.settings.nextWitness),
    ];
  };
  const before = moment();
  const told = await asked(host, question, headers);
  if (told === undefined || !world.isRunning) return;
  const who = `${question.path} ${question.body}, asked with ${JSON.stringify(headers)}`;
  if (!isRefused(question, told)) throw new Violation(NAME, `${who}: ${told.status} ${told.text.slice(0, 300)}`);
  if (told.status === 403 && told.allowed !== null) throw new Violation(NAME, `${who} lets its page read the refusal`);
  if (world.miningMode !== 'interval' && moment().join() !== before.join())
    throw new Violation(NAME, `${who} was refused, and changed ${before} to ${moment()}`);
};

/** Everybody may read what the network tells, also a page; those of this machine are never refused. */
const read: User = async (host) => {
  const { world, people } = host;
  const { choices } = world;
  const account = people.addresses.find(isAddress);
  if (account === undefined) return;
  const isStranger = choices.chance(0.5);
  const headers = choices.of(isStranger ? STRANGERS : FRIENDS);
  const reads = READS(account).filter(({ path }) => !world.withoutHistory || !path.startsWith('/v1'));
  const question = choices.of(isStranger ? reads : [...reads, { path: '/sunup/contracts' }]);
  const told = await asked(host, question, headers);
  if (told === undefined || !world.isRunning || world.diskFails) return;
  const isReadable = told.allowed === '*' || told.allowed === (headers.origin ?? null);
  // A block of a fork's network may be out of reach.
  if ((told.status !== 200 && told.status !== 502) || isRefused(question, told) || !isReadable)
    throw new Violation(
      NAME,
      `${question.path}, asked with ${JSON.stringify(headers)}: ${told.status}, readable by ${told.allowed}: ${told.text.slice(0, 300)}`,
    );
};

/** As many requests in one second as the key has, and one more; then another caller. */
const used: User = async (host) => {
  const { world, people } = host;
  if (world.shape.options.apiKeys === undefined) return read(host);
  const { name, perSecond } = API_KEY;
  const question = { path: '/wallet/getnowblock' };
  const { clock } = world.process;
  await world.pass(31_000);
  if (!world.isRunning) return;
  const sinceMs = clock.nowMs();
  // A suspension lasts thirty seconds of the machine's clock, which may drift, and be set back.
  const { keyUsedMs } = people;
  if (keyUsedMs !== undefined && sinceMs > keyUsedMs - 1_000n && sinceMs - keyUsedMs < 30_000n) return;
  const statuses: (number | undefined)[] = [];
  for (let i = 0; i <= perSecond; i++)
    statuses.push((await asked(host, question, { 'TRON-PRO-API-KEY': name }))?.status);
  const unknown = await asked(host, question, { 'TRON-PRO-API-KEY': `${name}s` });
  const nobody = await asked(host, question, {});
  people.keyUsedMs = clock.nowMs();
  if (nobody === undefined || world.diskFails || clock.nowMs() - sinceMs >= 1_000n) return;
  const found = [...statuses, unknown?.status, nobody.status];
  const expected = [...Array.from({ length: perSecond }, () => 200), 429, 401, 200];
  if (found.join() !== expected.join())
    throw new Violation(
      NAME,
      `${perSecond + 1} requests with a key of ${perSecond} a second, one with an unknown key, one without: ${found}`,
    );
};

/** On two days as many requests as the key has for a day, and one more. */
const usedForDays: User = async (host) => {
  const { world } = host;
  if (world.shape.options.apiKeys === undefined || world.miningMode === 'interval') return read(host);
  await usedForADay(host);
  if (world.isRunning) await usedForADay(host);
};

const usedForADay: User = async (host) => {
  const { world, people } = host;
  const { name, perSecond, perDay } = API_KEY_OF_DAYS;
  const { clock } = world.process;
  world.clock.jump(Number(DAY_MS));
  const sinceMs = clock.nowMs();
  const day = sinceMs / DAY_MS;
  // A clock may have been set back.
  if (people.keyUsedOnDay !== undefined && day <= people.keyUsedOnDay) return;
  people.keyUsedOnDay = day;
  const statuses: (number | undefined)[] = [];
  for (let i = 0; i <= perDay; i++)
    statuses.push((await asked(host, { path: '/wallet/getnowblock' }, { 'TRON-PRO-API-KEY': name }))?.status);
  const nowMs = clock.nowMs();
  if (statuses.includes(undefined) || world.diskFails || nowMs - sinceMs >= 1_000n || nowMs / DAY_MS !== day) return;
  const expected = [...Array.from({ length: perDay }, () => 200), 429];
  if (statuses.join() !== expected.join())
    throw new Violation(
      NAME,
      `${perDay + 1} requests of one second with a key of ${perSecond} a second, ${perDay} a day: ${statuses}`,
    );
};

export const callAsAnybody: User = (host) =>
  host.world.choices.of([controlled, controlled, read, used, usedForDays])(host);
