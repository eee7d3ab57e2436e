/**
 * An operator who watches `/metrics`: gauges are what the interfaces say, and of what is done between two looks each
 * counter has counted exactly that.
 */

import { Violation } from '../run/violation.js';
import { callProgram } from './contracts.js';
import { revertedTo, snapshotTaken } from './developers.js';
import { explained } from './explained.js';
import { transact } from './transactions.js';
import type { Host, User } from './user.js';

const NAME = 'metrics count what happens';

/** By name and labels, as they are written. */
type Samples = ReadonlyMap<string, number>;

/** Durations are the machine's, and the process has figures of its own: both are left out. */
async function samples({ world, asker }: Host): Promise<Samples | undefined> {
  const found = new Map<string, number>();
  const answer = await asker.library('metrics', async () => {
    const page = await world.devnet.fetch('http://localhost/metrics');
    const text = await page.text();
    for (const [, sample, value] of text.matchAll(/^(sunup_\S+(?:\{.*\})?) (\S+)$/gm))
      if (sample !== undefined && !/^\w+_(bucket|sum)\b|^sunup_info/.test(sample)) found.set(sample, Number(value));
    return [page.status, ...found].join(' ');
  });
  return answer === undefined || found.size === 0 ? undefined : found;
}

/** What is expected to have grown, by sample. */
type Growth = Map<string, number>;
const EPOCHS = 'sunup_epochs_total';
type Deed = (host: Host) => Promise<Growth | undefined>;

function add(growth: Growth, sample: string, count: number): void {
  if (count !== 0) growth.set(sample, (growth.get(sample) ?? 0) + count);
}

/** Some transaction: accepted into a block, or refused. */
const send: Deed = async (host) => {
  const { world, people } = host;
  const before = new Set(people.sent);
  const { headNumber } = world;
  await world.choices.of([transact, callProgram, callProgram])(host);
  const growth: Growth = new Map();
  const sent = people.sent.filter((one) => !before.has(one));
  if (world.miningMode !== 'instant' || !world.isRunning) return undefined;
  for (const { txId } of sent) {
    const explanation = await explained(host, txId);
    if (explanation === undefined) continue;
    const { type, outcome, energy, charges } = explanation;
    add(growth, `sunup_transactions_total{type="${type}",result="${outcome.result}"}`, 1);
    add(growth, 'sunup_transactions_accepted_total', 1);
    add(growth, 'sunup_blocks_total', 1);
    add(growth, 'sunup_energy_penalty_total', Number(energy?.penalty ?? 0));
    for (const { resource, source, reason, amount, units = 0 } of charges) {
      const isCoin = resource === 'coin';
      if (isCoin) add(growth, `sunup_fees_sun_total{reason="${reason}",source="${source}"}`, Number(amount));
      const used = Number(isCoin ? units : amount);
      const what = isCoin ? reason : resource;
      if (what === 'energy') add(growth, `sunup_energy_used_total{source="${source}"}`, used);
      if (what === 'bandwidth') add(growth, `sunup_bandwidth_used_bytes_total{source="${source}"}`, used);
    }
  }
  // One that was refused is in no block; its code is another user's.
  return world.headNumber - headNumber === growth.get('sunup_blocks_total') ? growth : undefined;
};

const mine: Deed = async ({ world, asker }) => {
  const { headNumber } = world;
  await asker.rpc('/tre', 'hardhat_mine', [`0x${(1 + world.choices.below(40)).toString(16)}`]);
  return world.isRunning ? new Map([['sunup_blocks_total', world.headNumber - headNumber]]) : undefined;
};

/** Time passes without blocks, then one maintenance ends several epochs. */
const jump: Deed = async ({ world, asker }) => {
  const { headNumber, ledger } = world;
  const [next, interval] = [ledger.long('NEXT_MAINTENANCE_TIME'), ledger.long('MAINTENANCE_TIME_INTERVAL')];
  const atMs = next + interval * BigInt(world.choices.below(4));
  if (next <= ledger.headTimeMs) return undefined;
  await asker.rpc('/tre', 'tron_setNextBlockTimestamp', [Number(atMs)]);
  await asker.rpc('/tre', 'hardhat_mine', ['0x1']);
  if (!world.isRunning || world.ledger.headTimeMs !== atMs) return undefined;
  const epochs = Number((atMs - next) / interval) + 1;
  return new Map([
    ['sunup_blocks_total', world.headNumber - headNumber],
    [EPOCHS, epochs],
  ]);
};

const revert: Deed = async (host) => {
  const { world } = host;
  const id = await snapshotTaken(host);
  if (id === undefined) return undefined;
  const { headNumber } = world;
  const growth = await mine(host);
  if (growth === undefined || world.diskFails) return undefined;
  if (!(await revertedTo(host, id, headNumber))) return undefined;
  add(growth, 'sunup_reverts_total', 1);
  return growth;
};

/** Requests over HTTP, by route and status. */
const get: Deed = async ({ world, asker, people }) => {
  // The first look has been answered since.
  const growth: Growth = new Map([['sunup_http_request_duration_seconds_count{route="/metrics",status="200"}', 1]]);
  for (let i = world.choices.below(4); i >= 0; i--) {
    const [path, route] = world.choices.of([
      ['/wallet/getnowblock', '/wallet/getnowblock'],
      ['/walletsolidity/getnowblock', '/walletsolidity/getnowblock'],
      [`/v1/accounts/${people.text(0)}`, '/v1/accounts/:address'],
      ['/sunup/explain?txid=00', '/sunup/explain'],
      ['/wallet/getnothing', 'unknown'],
    ] as const);
    const answer = await asker.get(path);
    if (answer === undefined) return undefined;
    // A node with API keys has further statuses.
    add(growth, `sunup_http_request_duration_seconds_count{route="${route}",status="${answer.slice(0, 3)}"}`, 1);
  }
  return growth;
};

const ask: Deed = async ({ world, asker }) => {
  const growth: Growth = new Map();
  for (let i = world.choices.below(4); i >= 0; i--) {
    const [dialect, method, params, label, result] = world.choices.of([
      ['/eth', 'eth_chainId', [], 'eth_chainId', 'ok'],
      ['/jsonrpc', 'eth_blockNumber', [], 'eth_blockNumber', 'ok'],
      ['/tre', 'eth_getBlockByNumber', [], 'eth_getBlockByNumber', 'error'],
      ['/eth', 'eth_nothing', [], 'unknown', 'error'],
    ] as const);
    if ((await asker.rpc(dialect, method, params)) === undefined) return undefined;
    add(growth, `sunup_jsonrpc_request_duration_seconds_count{method="${label}",result="${result}"}`, 1);
  }
  return growth;
};

/** Counters that a deed moves beside what it says. */
const ASIDE = /^sunup_(transactions_refused_total|transactions_dropped_total)/;

/** Whether the sample is a counter that is compared: of requests, only in a deed that says how many there are. */
function isCompared(sample: string, deed: Deed): boolean {
  if (ASIDE.test(sample)) return false;
  if (sample === EPOCHS) return deed === jump;
  if (sample.startsWith('sunup_jsonrpc_request')) return deed === ask;
  if (sample.startsWith('sunup_http_request')) return deed === get;
  return /_total\b/.test(sample);
}

export const watchMeters: User = async (host) => {
  const { world } = host;
  if (world.shape.options.metrics !== true || world.miningMode === 'interval') return;
  if (world.diskFails || world.node.chain.pool.size > 0) return;
  const now = await samples(host);
  if (now === undefined || !world.isRunning) return;
  await gaugesAgree(host, now);
  // With API keys, those questions are counted.
  const before = world.isRunning ? await samples(host) : undefined;
  if (before === undefined || !world.isRunning) return;
  const deed = world.choices.of([send, send, send, mine, jump, revert, ask, get]);
  const growth = await deed(host);
  const after = growth && (await samples(host));
  if (growth === undefined || after === undefined || !world.isRunning || world.diskFails) return;
  for (const sample of new Set([...after.keys(), ...growth.keys()])) {
    if (!isCompared(sample, deed)) continue;
    const grown = (after.get(sample) ?? 0) - (before.get(sample) ?? 0);
    const expected = growth.get(sample) ?? 0;
    // Amounts of coin are beyond what a number tells to the last sun.
    if (Math.abs(grown - expected) > Math.abs(after.get(sample) ?? 0) / 2 ** 52)
      throw new Violation(NAME, `${sample} grew by ${grown}; ${expected} happened`);
  }
};

async function gaugesAgree({ world, asker }: Host, now: Samples): Promise<void> {
  const head = await asker.post('/wallet/getnowblock', {});
  const solid = await asker.post('/walletsolidity/getnowblock', {});
  const pending = await asker.post('/wallet/getpendingsize', {});
  if (pending === undefined || !world.isRunning) return;
  const number = (answer: string | undefined) => Number(/"number": ?(\d+)/.exec(answer ?? '')?.[1] ?? 0);
  const expected: Readonly<Record<string, number>> = {
    sunup_head_block_number: number(head),
    sunup_head_block_timestamp_seconds: Number(/"timestamp": ?(\d+)/.exec(head ?? '')?.[1]) / 1_000,
    // Its state may not be kept any more.
    ...(/"Error"/.test(solid ?? '') ? {} : { sunup_solidified_block_number: number(solid) }),
    sunup_pending_transactions: Number(/"pendingSize": ?(\d+)/.exec(pending)?.[1] ?? 0),
  };
  for (const [sample, value] of Object.entries(expected))
    if (head?.startsWith('200 {"blockID') && now.get(sample) !== value)
      throw new Violation(NAME, `${sample} is ${now.get(sample)}; the interfaces say ${value}`);
}
