/**
 * Lists of a fork of the node: what the fork has done comes first, then all that the node lists, page by page. Holders of
 * a token are those of both, each once, with what the token says on the fork. Logs of the node's blocks are the node's.
 */

import type { Devnet } from '../../../../src/devnet/devnet.js';
import { OptionError } from '../../../../src/options/option-error.js';
import type { Address } from '../../../../src/primitives/ids.js';
import { toBase58 } from '../../../../src/protocol/address.js';
import { callData } from '../../simulated-chain.js';
import { isStored } from '../disk/stored-rows.js';
import { Violation } from '../run/violation.js';
import { trade } from './bazaar.js';
import { builtOn, isForkable, NODE_URL, withNode } from './neighbours.js';
import { idOf, readerOf, wholeOf } from './paged-lists.js';
import type { Host, User } from './user.js';

const NAME = "a fork's list is its own and its network's";
/** More are not compared. */
const MOST = 150;

const whole = (devnet: Pick<Devnet, 'fetch'>, path: string, limit: number, most = MOST) =>
  wholeOf(readerOf(devnet), path, limit, most);

/** Sends as an account of the fork, or as one whose key nobody needs there. @returns the transaction's id */
export async function sendOn(
  devnet: Devnet,
  path: string,
  fields: object,
  privateKey?: string,
): Promise<string | undefined> {
  const transaction = await builtOn(devnet, path, fields, privateKey);
  if (transaction === undefined) return undefined;
  const { text } = await devnet.post('/wallet/broadcasttransaction', transaction.body);
  await devnet.mine(1);
  return /"result": ?true/.test(text) ? transaction.txId : undefined;
}

/** Accounts that have some of a token. */
async function holdersOf({ world, people }: Host, token: Address): Promise<readonly Address[]> {
  const list = await whole(world.devnet, `/v1/contracts/${toBase58(token)}/tokens?`, 200);
  return people.addresses.slice(0, 6).filter((one) => list?.some((holder) => toBase58(one) in holder));
}

/**
 * Somebody sends coin, holders of a token send some of it.
 *
 * @returns transactions of the fork, each with somebody in whose list it has to be
 */
async function actOn(devnet: Devnet, host: Host): Promise<ReadonlyMap<string, Address>> {
  const { world, people } = host;
  const { choices } = world;
  const own = new Map<string, Address>();
  const [account] = devnet.accounts;
  const token = people.bazaar?.coins[0];
  const holders = token === undefined ? [] : await holdersOf(host, token);
  for (let count = 1 + choices.below(3); count > 0; count--) {
    const [from, to] = [choices.of([people.address(0), ...holders]), people.address(choices.below(6))];
    if (token === undefined || choices.chance(0.3)) {
      const fields = { owner_address: account?.addressHex, to_address: to, amount: 1 + choices.below(1_000) };
      const txId = await sendOn(devnet, '/wallet/createtransaction', fields, account?.privateKey);
      if (txId !== undefined) own.set(txId, to);
    } else {
      await devnet.impersonate(toBase58(from));
      const data = callData('transfer(address,uint256)', to, BigInt(choices.below(50)));
      const fields = { owner_address: from, contract_address: token, data, fee_limit: 1_000_000_000 };
      const txId = await sendOn(devnet, '/wallet/triggersmartcontract', fields);
      if (txId !== undefined) own.set(txId, from);
    }
  }
  return own;
}

type Own = Awaited<ReturnType<typeof actOn>>;

async function listsDiffer(devnet: Devnet, host: Host, own: Own): Promise<string | undefined> {
  const { world, people } = host;
  const { choices } = world;
  const address = choices.of([people.address(choices.below(6)), ...own.values()]);
  const account = toBase58(address);
  const token = people.bazaar?.coins[0];
  const isAscending = choices.chance(0.4);
  const order = isAscending ? 'order_by=block_timestamp,asc&' : '';
  const paths = [
    `/v1/accounts/${account}/transactions?${order}`,
    `/v1/accounts/${account}/transactions/trc20?${order}`,
    `/v1/accounts/${account}/internal-transactions?${order}`,
    ...(token === undefined
      ? []
      : [`/v1/contracts/${toBase58(token)}/events?${order}`, `/v1/contracts/${toBase58(token)}/transactions?${order}`]),
  ];
  for (const [at, path] of paths.entries()) {
    const here = await whole(world.devnet, path, 200);
    if (here === undefined || here.length > MOST) continue;
    // Often the fork's own items fill their page.
    const limit = here.length < MOST / 4 && choices.chance(0.6) ? 1 + choices.below(3) : 1 + choices.below(20);
    const there = await whole(devnet, path, limit, here.length + own.size);
    if (there === undefined) continue;
    const ids = there.map(idOf);
    const isOwn = (id: string) => own.has(id.split(' ', 1)[0] as string);
    const [ofFork, ofNetwork] = [ids.filter(isOwn), ids.filter((id) => !isOwn(id))];
    const inOrder = isAscending ? [...ofNetwork, ...ofFork] : [...ofFork, ...ofNetwork];
    if (inOrder.join() !== ids.join()) return `${path}: items of the fork and of its network are mixed: ${ids}`;
    const expected = here.map(idOf);
    const missing = [...own].find(([txId, whose]) => whose === address && !ids.some((id) => id.startsWith(txId)));
    if (at === 0 && missing !== undefined) return `${path}: ${missing[0]} of the fork is not in it: ${ids}`;
    if (ofNetwork.join() !== expected.join()) return `${path}: the network has ${expected}, the fork ${ids}`;
  }
  return undefined;
}

/** A transaction that a revert takes back, and that is sent again, is listed once. */
async function againDiffers(devnet: Devnet, { people, world }: Host): Promise<string | undefined> {
  const [account] = devnet.accounts;
  const to = people.address(world.choices.below(6));
  const path = `/v1/accounts/${toBase58(to)}/transactions?limit=200`;
  const listed = async () => (await devnet.fetch(`http://localhost${path}`)).text();
  const fields = { owner_address: account?.addressHex, to_address: to, amount: 1 };
  const transaction = await builtOn(devnet, '/wallet/createtransaction', fields, account?.privateKey);
  if (transaction === undefined) return undefined;
  const { txId, body } = transaction;
  const send = async () => {
    await devnet.post('/wallet/broadcasttransaction', body);
    await devnet.mine(1);
    return listed();
  };
  await listed();
  const id = devnet.snapshot();
  const before = await send();
  await devnet.revert(id);
  await listed();
  const after = await send();
  const timesIn = (list: string) => list.split(`"txID":"${txId}"`).length - 1;
  const times = timesIn(after);
  return times <= 1 && times === timesIn(before)
    ? undefined
    : `${path}: ${txId} was sent, taken back and sent again, and is listed ${times} times`;
}

/** Several filters for the same blocks: each gives the network's logs that it asks for. */
async function logsDiffer(devnet: Devnet, { world, people }: Host): Promise<string | undefined> {
  const { choices } = world;
  const token = people.bazaar?.coins[0];
  if (token === undefined) return undefined;
  const word = (address: Address) => `0x${'0'.repeat(24)}${address.slice(2)}`;
  const somebody = () => word(people.address(choices.below(6)));
  const toBlock = `0x${world.headNumber.toString(16)}`;
  for (const topics of [[], [null, somebody()], [null, somebody()], [null, null, somebody()]]) {
    const filter = { fromBlock: '0x0', toBlock, address: `0x${token.slice(2)}`, topics };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_getLogs', params: [filter] });
    const [here, there] = [
      (await world.devnet.post('/jsonrpc', body)).text,
      (await devnet.post('/jsonrpc', body)).text,
    ];
    if (!/"error"/.test(here + there) && here !== there)
      return `eth_getLogs ${JSON.stringify(filter)}: the network has ${here}, the fork ${there}`;
  }
  return undefined;
}

/** What the network does after the fork is no part of it, however late the end of the time that is asked for. */
async function laterIsListed(devnet: Devnet, { world, people }: Host): Promise<string | undefined> {
  const [from, to] = [people.address(world.choices.below(6)), people.address(world.choices.below(6))];
  const fields = { owner_address: from, to_address: to, amount: 1 };
  const later = await sendOn(world.devnet, '/wallet/createtransaction', fields, people.keyOf(from));
  if (later === undefined) return undefined;
  const until = `max_timestamp=${world.node.chain.headTimeMs + 1n}&`;
  for (const query of ['', until, `${until}order_by=block_timestamp,asc&`]) {
    const path = `/v1/accounts/${toBase58(to)}/transactions?${query}`;
    const ids = (await whole(devnet, path, 200))?.map(idOf);
    if (ids?.some((id) => id.startsWith(later)))
      return `${path}: ${later} was sent after the fork, and is listed in it`;
  }
  return undefined;
}

async function holdersDiffer(devnet: Devnet, { world, people }: Host): Promise<string | undefined> {
  const token = people.bazaar?.coins[0];
  if (token === undefined) return undefined;
  const path = `/v1/contracts/${toBase58(token)}/tokens?`;
  const there = await whole(devnet, path, 1 + world.choices.below(20));
  const here = await whole(world.devnet, path, 200);
  if (here === undefined || there === undefined || Math.max(here.length, there.length) > MOST) return undefined;
  const listed = there.flatMap((one) => Object.entries(one)) as readonly (readonly [string, string])[];
  const names = listed.map(([name]) => name);
  if (new Set(names).size !== names.length) return `${path}: somebody is listed twice: ${names}`;
  const amounts = new Map(listed);
  for (const holder of people.addresses.slice(0, 6)) {
    const call = { owner_address: holder, contract_address: token, data: callData('balanceOf(address)', holder) };
    const { text } = await devnet.post('/wallet/triggerconstantcontract', JSON.stringify(call));
    const word = /"constant_result": ?\["([0-9a-f]{64})"\]/.exec(text)?.[1];
    const told = amounts.get(toBase58(holder)) ?? '0';
    const isKnown = here.some((one) => toBase58(holder) in one);
    if (word !== undefined && isKnown && String(BigInt(`0x${word}`)) !== told)
      return `${path} of the fork: ${toBase58(holder)} has ${told}, the token says ${BigInt(`0x${word}`)}`;
  }
  return undefined;
}

export const readListsOfAFork: User = async (host) => {
  const { world, asker } = host;
  // Holders first.
  for (let times = world.choices.below(4); times > 0 && world.isRunning; times--) await trade(host);
  if (!world.isQuiet || world.shape.isFork || world.withoutHistory) return;
  if (!(await isStored(world)) || !world.isRunning) return;
  if (!isForkable(world)) return;
  let { headId } = world.node.chain;
  let wrong: string | undefined;
  await asker.library('lists of a fork', () =>
    withNode(host, { fork: NODE_URL, accounts: 1, mining: 'manual' }, async (devnet) => {
      const own = await actOn(devnet, host);
      wrong =
        (await listsDiffer(devnet, host, own)) ??
        (await logsDiffer(devnet, host)) ??
        (await holdersDiffer(devnet, host)) ??
        (await againDiffers(devnet, host));
      if (wrong === undefined && world.miningMode !== 'interval' && world.node.chain.headId === headId) {
        wrong = await laterIsListed(devnet, host);
        headId = world.node.chain.headId;
      }
      return own.size;
    }).catch((error: unknown) => {
      if (error instanceof OptionError) return 'refused';
      throw error;
    }),
  );
  if (wrong !== undefined && world.isRunning && world.node.chain.headId === headId) throw new Violation(NAME, wrong);
};
