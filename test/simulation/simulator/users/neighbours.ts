/**
 * Users with a second chain: a fork of the node (of a fork, where the node is one), further chains behind the same port, scenarios. What the second chain answers follows from the first, or from nothing.
 */

import { readFileSync } from 'node:fs';
import type { Devnet } from '../../../../src/devnet/devnet.js';
import { type StartOptions, startDevnet } from '../../../../src/devnet/running/start.js';
import type { DevnetOptions } from '../../../../src/options/declarations.js';
import { OptionError } from '../../../../src/options/option-error.js';
import { settingsForLibrary } from '../../../../src/options/settings.js';
import type { Machine } from '../../../../src/platform/machine.js';
import { followersOf } from '../../../../src/porting/followers.js';
import { hexToBytes } from '../../../../src/primitives/hex.js';
import { type Address, isAddress } from '../../../../src/primitives/ids.js';
import { Block, Transaction_Contract_ContractType as ContractType } from '../../../../src/protocol/generated/tron.js';
import { sign } from '../../../../src/protocol/signature.js';
import { readScenario } from '../../../../src/scenario/reader/read-scenario.js';
import { RULES_VERSION } from '../../../../src/scenario/results/rules-version.js';
import { runScenario } from '../../../../src/scenario/run/run.js';
import { isStored } from '../disk/stored-rows.js';
import { MemoryPorts } from '../network/memory-ports.js';
import { Violation } from '../run/violation.js';
import { resultOf } from './asker.js';
import { isRefusal } from './developers.js';
import { forkQuestions, seenInFork } from './fork-questions.js';
import { composed, isAccepted, sendHex } from './transactions.js';
import type { Host, User } from './user.js';

const FORK_INVARIANT = 'a fork of the node has its accounts';
export const CHAIN_INVARIANT = 'a further chain is a chain of its own';
const SCENARIO_INVARIANT = 'a scenario has the same digest everywhere';
export const NODE_URL = 'http://node.simulated';

interface Answers {
  readonly post: Devnet['post'];
}

/** Answers about accounts, and what else the question names. The numbers that depend on the time are not in it. */
export async function answersOf(
  { post }: Answers,
  questions: readonly (readonly [string, object])[],
  seen = (text: string) => text,
): Promise<string[]> {
  const texts: string[] = [];
  for (const [path, body] of questions) {
    const { status, text } = await post(path, JSON.stringify(body));
    texts.push(`${path} ${JSON.stringify(body)}: ${status} ${seen(text)}`);
  }
  return texts;
}

/** The first answer that is another one. */
export function differing(one: readonly string[], other: readonly string[]): string | undefined {
  const at = one.findIndex((text, i) => text !== other[i]);
  return at < 0 ? undefined : `${one[at]?.slice(0, 1_500)}\nbut\n${other[at]?.slice(0, 1_500)}`;
}

/** Witnesses are listed in an order that depends on which rows are not merged yet; in a node that has loaded them, all are. */
export function inAnyOrder(text: string): string {
  return text.startsWith('/wallet/listwitnesses')
    ? text
        .split(/, ?(?=\{)|(?<=\[)|(?=\])/)
        .sort()
        .join()
    : text;
}

/** What runs beside the node on the same machine, and reaches it. */
export function machineBeside(world: Host['world'], isAlive = () => true, ports = new MemoryPorts()): Machine {
  return {
    clock: world.clock.forProcess(isAlive),
    random: { bytes: (length) => new Uint8Array(length) },
    fetch: async (url, init) => {
      if (!world.isRunning) throw new TypeError('fetch failed');
      const { signal: _, ...request } = init;
      return (await world.devnet.fetch(url, request)) as Response;
    },
    listen: ports.listen,
  };
}

/**
 * Whether the node can be a network as it is: a fork begins at the newest block, without what is pending above it. After a
 * request for a maintenance whose block was lost, no network is so, and a fork says it.
 */
export function isForkable({ node: { chain } }: Host['world']): boolean {
  return chain.pool.size === 0 && chain.ledger.long('NEXT_MAINTENANCE_TIME') >= chain.headTimeMs;
}

/** A second node in the same process, in memory. */
export async function openNeighbour(
  { world }: Pick<Host, 'world'>,
  options: DevnetOptions,
  start: Pick<StartOptions, 'withoutFirstBlocks'> = {},
): Promise<{ readonly devnet: Devnet; readonly ports: MemoryPorts; readonly close: () => Promise<void> }> {
  const ports = new MemoryPorts();
  let isAlive = true;
  const settings = settingsForLibrary({ ...options, httpPort: false, clock: 'virtual' });
  const devnet = await startDevnet(settings, {
    ...start,
    followers: await followersOf(settings),
    machine: machineBeside(world, () => isAlive, ports),
  });
  return {
    devnet,
    ports,
    close: async () => {
      await devnet.close();
      isAlive = false;
    },
  };
}

/** One that ends with `work`. */
export async function withNode<Result>(
  host: Host,
  options: DevnetOptions,
  work: (devnet: Devnet, ports: MemoryPorts) => Promise<Result>,
  start?: Pick<StartOptions, 'withoutFirstBlocks'>,
): Promise<Result> {
  const { devnet, ports, close } = await openNeighbour(host, options, start);
  try {
    return await work(devnet, ports);
  } finally {
    await close();
  }
}

/** @returns the id, and what is broadcast; undefined: the node builds no such transaction */
export async function builtOn(
  devnet: Devnet,
  path: string,
  fields: object,
  privateKey?: string,
): Promise<{ readonly txId: string; readonly body: string } | undefined> {
  const built = JSON.parse((await devnet.post(path, JSON.stringify(fields))).text);
  const transaction = built.transaction ?? built;
  if (transaction.txID === undefined) return undefined;
  const signature = privateKey === undefined ? [] : [sign(transaction.txID, privateKey)];
  return { txId: transaction.txID, body: JSON.stringify({ ...transaction, signature }) };
}

/** The network of a fork goes on: what the fork has read of it is of then, what it reads now may be of now. */
export const goOnElsewhere: User = async ({ world }) => {
  const { town } = world.network;
  if (town !== undefined) await world.settle(town.goOn(world.choices));
};

async function freeBytesUsed(devnet: Devnet, address: Address): Promise<number> {
  const { text } = await devnet.post('/wallet/getaccountnet', JSON.stringify({ address }));
  return Number(/"freeNetUsed": ?(\d+)/.exec(text)?.[1] ?? 0);
}

/** A witness wants another share, from the next epoch on. */
async function changeBrokerage(host: Host): Promise<void> {
  const { world, people, asker } = host;
  const { choices } = world;
  const fields = { owner_address: people.witness(choices.below(2)), brokerage: choices.below(101) };
  const transaction = await composed(host, () => people.send(ContractType.UpdateBrokerageContract, fields));
  if (transaction === undefined || !isAccepted(await sendHex(host, transaction)) || !world.isRunning) return;
  const atMs = Number(world.ledger.long('NEXT_MAINTENANCE_TIME'));
  await asker.rpc('/tre', 'tron_setNextBlockTimestamp', [atMs]);
  await asker.rpc('/tre', 'hardhat_mine', ['0x1']);
}

/** A brokerage stays what it is when an epoch of the fork ends: nobody has changed it there. */
async function brokerageDiffers(devnet: Devnet, { world, people }: Host): Promise<string | undefined> {
  const said = () =>
    Promise.all(
      [0, 1].map(
        async (i) => (await devnet.post('/wallet/getBrokerage', JSON.stringify({ address: people.witness(i) }))).text,
      ),
    );
  const before = await said();
  const leftMs = world.ledger.long('NEXT_MAINTENANCE_TIME') - world.ledger.headTimeMs;
  await devnet.mine({ advanceMs: Number(leftMs) });
  const after = await said();
  return before.join() === after.join() ? undefined : `brokerages ${before}, after an epoch of the fork ${after}`;
}

/** A row of the fork is the node's, read while the node stands still. */
export const forkTheNode: User = async (host) => {
  const { world, people, asker } = host;
  if (world.isQuiet && world.choices.chance(0.3)) await changeBrokerage(host);
  // Blocks of the clock would come in between.
  if (!world.isQuiet || world.network.isElsewhere || !(await isStored(world)) || !isForkable(world)) return;
  const contracts = [people.notebook, ...(people.bazaar?.coins ?? []), ...people.programs.slice(-2)];
  const address = people.address(world.choices.below(6));
  const slot = `0x${world.choices.below(3).toString(16)}`;
  const questions = [
    ['/eth', { jsonrpc: '2.0', id: 1, method: 'eth_getBalance', params: [`0x${address.slice(2)}`, 'latest'] }],
    ...contracts.flatMap((contract) => {
      if (contract === undefined) return [];
      const ask = (method: string, ...params: readonly string[]) =>
        ['/eth', { jsonrpc: '2.0', id: 1, method, params: [`0x${contract.slice(2)}`, ...params, 'latest'] }] as const;
      return [ask('eth_getCode'), ask('eth_getStorageAt', slot)];
    }),
  ] as const;
  const rows = forkQuestions(host);
  let wrong: string | undefined;
  let laterWrong: string | undefined;
  const lastsAnEpoch = world.choices.chance(0.5);
  await asker.library('fork', async () => {
    const { headNumber } = world.node.chain;
    const shown = async (devnet: Devnet) => ({
      texts: [...(await answersOf(devnet, questions)), ...(await answersOf(devnet, rows, seenInFork)).map(inAnyOrder)],
      used: await Promise.all(people.addresses.filter(isAddress).map((one) => freeBytesUsed(devnet, one))),
    });
    const here = await shown(world.devnet);
    // With a block of its own, the fork would have paid a witness.
    const isBare = { withoutFirstBlocks: true };
    const options = { fork: NODE_URL, forkBrokerages: true, accounts: 0 };
    const compared = async (devnet: Devnet) => {
      const there = await shown(devnet);
      if (lastsAnEpoch) laterWrong = await brokerageDiffers(devnet, host);
      return there;
    };
    const there = await withNode(host, options, compared, isBare).catch((error: unknown) => {
      // The network of a fork of a fork may be another one by now.
      if (error instanceof OptionError) return error;
      throw error;
    });
    if (there instanceof OptionError) return world.shape.isFork ? 'refused' : Promise.reject(there);
    // What is recovered is rounded.
    const isOther = here.used.some((bytes, i) => Math.abs(bytes - (there.used[i] as number)) > 1);
    if (isOther) wrong = `free bytes used: ${here.used}, in the fork ${there.used}`;
    wrong = differing(here.texts, there.texts) ?? wrong ?? laterWrong;
    if (world.node.chain.headNumber !== headNumber) wrong = undefined;
    return there.texts.length;
  });
  if (wrong !== undefined && world.isRunning) throw new Violation(FORK_INVARIANT, wrong);
};

/** Makes a further chain of the port. @returns its id; undefined: it was refused, or the node has ended */
export async function furtherChain({ world, asker }: Host, options: object = {}): Promise<string | undefined> {
  const made = await asker.post('/sunup/chains', { ...ALONE, ...options });
  return world.isRunning ? chainIdIn(made ?? '') : undefined;
}

const NOTHING = new Uint8Array(0);

/** What a further chain begins with, unless it is to be a fork. */
export const ALONE = { mining: 'manual', clock: 'virtual', accounts: 1, fork: null };

export function chainIdIn(answer: string): string | undefined {
  return /"id": ?"([0-9a-f]{16})"/.exec(answer)?.[1];
}

/** @returns the heads of both views of a further chain over gRPC, each beside that over HTTP */
async function headsOverGrpc({ world, asker }: Host, id: string): Promise<readonly (readonly number[])[] | undefined> {
  await asker.post(`/~${id}/tre`, { id: 1, method: 'tron_setSolidityLag', params: [1 + world.choices.below(3)] });
  const heads: number[][] = [];
  for (const [serves, service, path] of [
    ['full', 'Wallet', 'wallet'],
    ['solidity', 'WalletSolidity', 'walletsolidity'],
  ] as const) {
    const bytes = await asker.grpcTo(serves, `/protocol.${service}/GetNowBlock`, NOTHING, { 'sunup-chain': id });
    const text = await asker.post(`/~${id}/${path}/getnowblock`, {});
    if (bytes === undefined || isRefusal(bytes) || !text?.startsWith('200 ')) return undefined;
    const said = Block.decode(hexToBytes(bytes)).block_header?.raw_data?.number;
    heads.push([Number(said ?? 0n), Number(/"number": ?(\d+)/.exec(text)?.[1] ?? 0)]);
  }
  return heads;
}

/** A further chain of the port: its blocks are not the node's, and it is gone when it is removed. */
export const openFurtherChain: User = async (host) => {
  const { world, asker } = host;
  const { choices } = world;
  if (world.shape.isFork && (world.network.faults.length > 0 || world.network.isElsewhere)) return;
  const isInstant = world.node.producer.mode !== 'interval';
  const { headNumber } = world.node.chain;
  const id = await furtherChain(host);
  if (id === undefined) return;
  const number = async () =>
    Number(resultOf<string>(await asker.post(`/~${id}/eth`, { id: 1, method: 'eth_blockNumber', params: [] })));
  const before = await number();
  const blocks = 1 + choices.below(5);
  await asker.post(`/~${id}/tre`, { id: 1, method: 'hardhat_mine', params: [`0x${blocks.toString(16)}`] });
  const after = await number();
  const seen = await headsOverGrpc(host, id);
  const list = await asker.get('/sunup/chains');
  await asker.library(`DELETE /sunup/chains/${id}`, async () => {
    const { status } = await world.devnet.fetch(`http://localhost/sunup/chains/${id}`, { method: 'DELETE' });
    return status;
  });
  const gone = await asker.get(`/~${id}/wallet/getnowblock`);
  if (!world.isRunning) return;
  const head = world.node.chain.headNumber;
  if (after !== before + blocks || (isInstant && head !== headNumber))
    throw new Violation(
      CHAIN_INVARIANT,
      `${blocks} blocks were made in /~${id}/: its head was ${before} and is ${after}; the node's was ${headNumber} and is ${head}`,
    );
  if (seen?.some(([said, expected]) => said !== expected) === true)
    throw new Violation(CHAIN_INVARIANT, `/~${id}/ over gRPC and over HTTP: ${seen.join(' and ')}`);
  if (list?.includes(id) !== true || !/^404 /.test(gone ?? '404 '))
    throw new Violation(CHAIN_INVARIANT, `/~${id}/ was in the list ${list}, and after its removal answers ${gone}`);
};

/** Scenarios of the project's that take little time, and their digests. */
const SCENARIOS = ['06-several-signatures-and-memos', '07-trc10-issuers-bandwidth', '08-bandwidth-burst'];
const folder = new URL('../../../../fixtures/scenarios/', import.meta.url);

/** Runs a scenario to its end. */
export async function ranAlone(text: string, file: string): Promise<{ digest: string; feeSun: bigint }> {
  const run = runScenario(readScenario(text, file), { artifacts: new Map() });
  let feeSun = 0n;
  for (;;) {
    const { done, value } = await run.next();
    if (done) return { digest: value.digest, feeSun };
    if (value.kind === 'transaction') feeSun += value.feeSun;
  }
}

/** A scenario runs on a chain of its own in the process of the node: its digest is that of any machine. */
export const runAScenario: User = async ({ world, asker }) => {
  const file = `${world.choices.of(SCENARIOS)}.scenario.yaml`;
  const { rulesVersion, digests } = JSON.parse(readFileSync(new URL('digests.json', folder), 'utf8')) as {
    readonly rulesVersion: number;
    readonly digests: Readonly<Record<string, string>>;
  };
  const text = readFileSync(new URL(file, folder), 'utf8');
  let digest: string | undefined;
  await asker.library(`scenario ${file}`, async () => {
    // Of the same names with another seed, nothing is left.
    if (world.choices.chance(0.5)) await ranAlone(text.replace(/^seed: /m, 'seed: not '), file);
    ({ digest } = await ranAlone(text, file));
    return digest;
  });
  if (digest !== undefined && rulesVersion === RULES_VERSION && digest !== digests[file])
    throw new Violation(SCENARIO_INVARIANT, `${file} gave ${digest}, elsewhere ${digests[file]}`);
};
