/**
 * A fork of the node that stays while the node goes on: it makes blocks, is rolled back, ends and starts again. What the
 * fork has once answered about the block that was forked, it answers for ever, whatever both have done since.
 */

import type { Devnet } from '../../../../src/devnet/devnet.js';
import { OptionError } from '../../../../src/options/option-error.js';
import { isStored } from '../disk/stored-rows.js';
import { NO_TOKENS } from '../invariants/books.js';
import { isKept, isPast, type Moment, momentNow } from '../invariants/moment.js';
import { Violation } from '../run/violation.js';
import { resultOf } from './asker.js';
import { sendOn } from './fork-lists.js';
import { isForkable, NODE_URL, openNeighbour } from './neighbours.js';
import type { Host, User } from './user.js';

const NAME = 'a fork stays at its block while its network goes on';
const MOST_QUESTIONS = 12;
const DAY_MS = 86_400_000;

const canBeRead = async (world: Host['world'], moment: Moment): Promise<boolean> =>
  isKept(world, moment) && (await isPast(world, moment));

/** Of a block, which comes after the parameters. */
type Question = readonly [method: string, ...params: readonly string[]];

export interface LastingFork {
  readonly devnet: Devnet;
  readonly close: () => Promise<void>;
  /** Of the node, when it was forked. */
  readonly moment: Moment;
  /** Whether it reads storage of the block that was forked, and not of the newest. */
  readonly readsPast: boolean;
  /** Of the node, when the fork may have read rows. */
  readonly visits: Moment[];
  /** The node did not end meanwhile: otherwise the fork goes on reading when it is there again. */
  isVisited: boolean;
  /** First answers, by question. */
  readonly answers: Map<string, { readonly question: Question; readonly answer: string }>;
}

export const visitFork: User = async (host) => {
  const { world } = host;
  if (world.network.faults.length > 0 || world.network.isElsewhere || world.diskFails) return;
  const fork = world.lastingFork ?? (await begun(host));
  if (fork === undefined || !world.isRunning) return;
  const { chain } = world.node;
  if (!(await canBeRead(world, fork.moment)) || fork.isVisited || world.choices.chance(0.05)) {
    world.lastingFork = undefined;
    await world.settle(fork.close());
    return;
  }
  // What is pending is read as well, and is never in the past.
  if (chain.pool.size > 0) return;
  const now = await momentNow(world);
  if (now === undefined || !world.isRunning) return;
  fork.isVisited = true;
  fork.visits.push(now);
  await goOn(host, fork);
  for (const { question, answer } of [...fork.answers.values()]) {
    const now = await ask(host, fork, question);
    if (now !== undefined && now !== answer)
      throw new Violation(NAME, `${question.join(' ')} at block ${fork.moment.number}: ${answer}, and now ${now}`);
  }
  for (let i = 0; i < 2 && fork.answers.size < MOST_QUESTIONS && world.isRunning; i++) await askAnew(host, fork);
  if (world.isRunning) fork.isVisited = false;
};

async function begun(host: Host): Promise<LastingFork | undefined> {
  const { world, asker } = host;
  if (world.miningMode === 'interval' || !(await isStored(world)) || !world.isRunning) return undefined;
  if (!isForkable(world)) return undefined;
  const moment = await momentNow(world);
  if (moment === undefined) return undefined;
  const readsPast = world.choices.chance(0.5);
  await asker.library('the fork: start', async () => {
    try {
      const options = {
        fork: NODE_URL,
        accounts: 0,
        mining: 'manual',
        ...(readsPast && { forkJsonrpc: `${NODE_URL}/eth` }),
      } as const;
      const neighbour = await openNeighbour({ world }, options);
      world.lastingFork = { ...neighbour, moment, readsPast, visits: [], isVisited: false, answers: new Map() };
      return 'begun';
    } catch (error) {
      // The network of a fork of a fork may be another one by now.
      if (world.shape.isFork && error instanceof OptionError) return 'refused';
      throw error;
    }
  });
  return world.lastingFork;
}

/** Blocks of its own, and changes, which are above the block that was forked. */
async function goOn({ world, asker, people }: Host, { devnet }: LastingFork): Promise<void> {
  const { choices } = world;
  if (choices.chance(0.5)) return;
  const address = people.text(choices.below(6));
  await asker.library('the fork: mine', () => devnet.mine(1));
  if (choices.chance(0.5) && world.isRunning)
    await asker.library('the fork: setBalance', () => devnet.setBalance(address, choices.below(1_000)));
  if (choices.chance(0.1) && world.isRunning) await issueToken({ world, asker, people }, devnet);
}

/** A token of the fork's own: its id comes after those of the network. */
async function issueToken({ world, asker, people }: Host, devnet: Devnet): Promise<void> {
  const owner_address = people.address(world.choices.below(6));
  const startMs = Number(world.ledger.headTimeMs) + 30 * DAY_MS;
  const token = {
    ...{ owner_address, name: '466f726b', abbr: '46', url: '75', total_supply: 1_000, trx_num: 1, num: 1 },
    ...{ start_time: startMs, end_time: startMs + DAY_MS },
  };
  await asker.library('the fork: issue a token', async () => {
    await devnet.setBalance(owner_address, 2_000_000_000);
    await devnet.impersonate(owner_address);
    // Somebody issues one token only.
    if ((await sendOn(devnet, '/wallet/createassetissue', token)) === undefined) return 'refused';
    const { text } = await devnet.post('/wallet/getassetissuebyaccount', JSON.stringify({ address: owner_address }));
    const id = /"id": ?"(\d+)"/.exec(text)?.[1];
    if (world.isRunning && id !== undefined && Number(id) <= NO_TOKENS)
      throw new Violation(NAME, `a token of the fork has the id ${id}`);
    return text;
  });
}

/** A row is of the block that was forked, or of a block at which the fork has read. */
async function askAnew(host: Host, fork: LastingFork): Promise<void> {
  const { world, people, asker } = host;
  const { choices } = world;
  const account = `0x${people.address(choices.below(6)).slice(2)}`;
  const contracts = [people.notebook, ...people.programs, ...(people.bazaar?.coins ?? [])];
  // Most changes of storage are those of the notebook.
  const named = choices.chance(0.5) ? people.notebook : choices.of(contracts);
  const contract = `0x${(named ?? people.address(0)).slice(2)}`;
  const slot = `0x${choices.of([0, 0, 1, 2, 3, 10, 10, 20, 20]).toString(16)}`;
  const question = choices.of<Question>([
    ['eth_getBalance', account],
    ['eth_getBalance', contract],
    ['eth_getCode', contract],
    ['eth_getStorageAt', contract, slot],
    ['eth_getStorageAt', contract, slot],
    ['eth_getStorageAt', contract, slot],
  ]);
  const { headId } = world.node.chain;
  const answer = await ask(host, fork, question);
  if (answer === undefined || !world.isRunning) return;
  const [method, ...params] = question;
  const here = new Map<number, string | undefined>();
  const isOfThen = fork.readsPast && method === 'eth_getStorageAt';
  for (const { number } of [fork.moment, ...(isOfThen ? [] : fork.visits)])
    if (!here.has(number))
      here.set(number, resultOf<string>(await asker.rpc('/eth', method, [...params, `0x${number.toString(16)}`])));
  if (!world.isRunning) return;
  let isKnown = true;
  for (const moment of fork.visits) isKnown &&= await canBeRead(world, moment);
  isKnown &&= world.isRunning && world.node.chain.headId === headId;
  if (isKnown && ![...here.values()].includes(answer))
    throw new Violation(
      NAME,
      `${question.join(' ')} at block ${fork.moment.number}: the fork says ${answer}, the node ${[...here].join('; ')}`,
    );
  fork.answers.set(question.join(' '), { question, answer });
}

/** Undefined: the fork says why it does not know. */
async function ask(
  { world, asker }: Host,
  fork: LastingFork,
  [method, ...params]: Question,
): Promise<string | undefined> {
  const block = `0x${fork.moment.number.toString(16)}`;
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: [...params, block] });
  let answer: string | undefined;
  await asker.library(`the fork: ${method} ${params.join(' ')} at ${block}`, async () => {
    const { status, text } = await fork.devnet.post('/eth', body);
    answer = `${status} ${text}`;
    return text;
  });
  return world.isRunning ? resultOf<string>(answer) : undefined;
}
