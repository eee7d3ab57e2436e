/** What was the newest state is, later, the state of that height: the past does not change. */

import { Violation } from '../run/violation.js';
import { programCall } from '../users/programs.js';
import type { Host } from '../users/user.js';
import { isKept, isPast, type Moment, momentNow } from './moment.js';

/** An answer about the state of a block, given while that block was the newest. */
export interface Remembered extends Moment {
  readonly method: string;
  /** Before that of the block. */
  readonly params: readonly unknown[];
  readonly answer: string;
}

const NAME = 'the past does not change';
const KEPT = 16;

type Question = readonly [method: string, ...params: unknown[]];

/** Everything that can be asked of a height. */
function question({ world: { choices }, people }: Host): Question {
  const account = `0x${people.address(choices.below(6)).slice(2)}`;
  const contract = people.programs.length === 0 ? account : `0x${choices.of(people.programs).slice(2)}`;
  return choices.of<Question>([
    ['eth_getBalance', account],
    ['eth_getBalance', contract],
    ['eth_getTransactionCount', account],
    ['eth_getCode', contract],
    ['eth_getStorageAt', contract, `0x${choices.below(4)}`],
    ['eth_getStorageAt', contract, `0x${choices.below(4)}`],
    ['eth_call', { from: account, to: contract, data: `0x${programCall(choices)}` }],
  ]);
}

/** The states of so many blocks as the option says can be read, also where a run of empty ones goes as a whole. */
function enoughIsKept(world: Host['world']): void {
  const {
    shape: { options },
    node: { chain },
    loadedAt,
  } = world;
  const { stateHistory } = options;
  // Nobody was told of a block before the process ended.
  world.tallest = Math.max(world.tallest, chain.headNumber);
  if (typeof stateHistory !== 'number' || !chain.commits.keepsPast) return;
  const { stateFrom } = chain.commits;
  if (stateFrom > Math.max(chain.config.beginsAt, loadedAt, world.tallest - stateHistory))
    throw new Violation(NAME, `there were ${world.tallest} blocks, and states from ${stateFrom} on are kept`);
}

export async function pastStays(host: Host): Promise<void> {
  const { world, asker } = host;
  const { chain } = world.node;
  enoughIsKept(world);
  // A fork that cannot read or keep a row says so; so does a node whose disk fails, or that keeps a part of the past.
  const isRefusal = (answer: string, kept = true) =>
    (world.shape.isFork || world.diskFails || !kept) && answer.includes('"error"');
  for (let i = 0; i < 2; i++) {
    const old = world.choices.of([...world.remembered, undefined]);
    if (old === undefined || !(await isPast(world, old))) continue;
    const answer = await asker.rpc('/eth', old.method, [...old.params, `0x${old.number.toString(16)}`]);
    if (answer !== undefined && answer !== old.answer && !isRefusal(answer, isKept(world, old)))
      throw new Violation(
        NAME,
        `${old.method} ${JSON.stringify(old.params)} at block ${old.number}: ${old.answer}, now ${answer}`,
      );
  }
  const [method, ...params] = question(host);
  const moment = await momentNow(world);
  if (moment === undefined || !world.isRunning) return;
  const answer = await asker.rpc('/eth', method, [...params, 'latest']);
  if (answer === undefined || isRefusal(answer) || chain.headId !== moment.blockId) return;
  world.remembered.push({ ...moment, method, params, answer });
  if (world.remembered.length > KEPT) world.remembered.shift();
}
