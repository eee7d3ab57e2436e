/** Block timestamps, and the clock behind them. */

import * as v from 'valibot';
import { ParametersError } from '../../errors/operation-error.js';
import type { Node } from '../../node/node.js';
import { integer } from '../kinds.js';
import { alias, type DevMethod, method, parameter } from '../table.js';
import { mineAsTre } from './mining.js';

/** Larger values are milliseconds, as in ganache and anvil: as seconds they would be after the year 30000. */
const MILLISECONDS_FROM = 1_000_000_000_000n;

/** The clock's time in milliseconds. */
function clockOf({ clock }: Node) {
  return { nowMs: Number(clock.nowMs()), offsetMs: Number(clock.offsetMs()), rate: clock.rate };
}

function offsetSeconds({ clock }: Node): number {
  return Number(clock.offsetMs() / 1_000n);
}

/** In seconds, as contracts see it. */
function setNextInSeconds(node: Node, seconds: bigint): true {
  node.operations.setNextBlockTimestamp(seconds * 1_000n);
  return true;
}

/** TRE's text. LBHT: the latest block header's timestamp. */
function setNextAsTre(node: Node, timestampMs: bigint): true {
  if (timestampMs <= 0n) throw new ParametersError('timestamp must be > 0');
  const { headTimeMs } = node.chain;
  if (timestampMs <= headTimeMs)
    throw new ParametersError(`timestamp must be greater than current LBHT (${headTimeMs} ms)`);
  node.operations.setNextBlockTimestamp(timestampMs);
  return true;
}

const seconds = [parameter('seconds', integer)];

const CLOCK = 'an object with mode ("run" or "freeze"), time (ms) and rate (1 is real time)';
const rate = v.pipe(
  v.union([v.number(), v.pipe(v.string(), v.decimal(), v.transform(Number))], CLOCK),
  v.minValue(0, CLOCK),
  v.maxValue(1_000_000, CLOCK),
);
const clockOptions = v.pipe(
  v.strictObject(
    { mode: v.optional(v.picklist(['run', 'freeze'], CLOCK)), time: v.optional(integer), rate: v.optional(rate) },
    CLOCK,
  ),
  v.description(CLOCK),
);

export const timeMethods: readonly DevMethod[] = [
  method({
    name: 'tron_increaseTime',
    about:
      'advances time without a block; the next block has the new time and runs one maintenance for all epochs that ended',
    parameters: seconds,
    example: [3_600],
    otherAliases: [
      ...['evm_increaseTime', 'anvil_increaseTime', 'hardhat_increaseTime'].map((name) =>
        alias(name, seconds, ({ node }, by) => {
          node.operations.increaseTime(by * 1_000n);
          return offsetSeconds(node);
        }),
      ),
      alias('tre_increaseTime', seconds, async (context, by) => {
        context.node.operations.increaseTime(by * 1_000n);
        return (await mineAsTre(context, 1)).timestampMs;
      }),
    ],
    answer: ({ node }, by) => {
      node.operations.increaseTime(by * 1_000n);
      return clockOf(node);
    },
  }),
  method({
    name: 'tron_setNextBlockTimestamp',
    about: 'sets the timestamp of the next block in milliseconds; the clock continues from there',
    parameters: [parameter('timestampMs', integer)],
    example: [1_900_000_000_123],
    otherAliases: [
      ...['evm_setNextBlockTimestamp', 'anvil_setNextBlockTimestamp'].map((name) =>
        alias(name, seconds, ({ node }, at) => setNextInSeconds(node, at)),
      ),
      alias('tre_setNextBlockTimestamp', [parameter('timestampMs', integer)], ({ node }, at) => setNextAsTre(node, at)),
    ],
    answer: ({ node }, timestampMs) => {
      node.operations.setNextBlockTimestamp(timestampMs);
      return { nextBlockTimestampMs: Number(timestampMs) };
    },
  }),
  method({
    name: 'tron_setBlockTimestampInterval',
    about: 'sets the exact time between two blocks, in seconds',
    parameters: seconds,
    example: [10],
    aliases: ['anvil_setBlockTimestampInterval', 'hardhat_setBlockTimestampInterval'],
    aliasAnswer: () => null,
    answer: ({ node }, step) => {
      node.operations.setTimestampStep(step * 1_000n);
      return { blockTimestampIntervalMs: Number(step) * 1_000 };
    },
  }),
  method({
    name: 'tron_removeBlockTimestampInterval',
    about:
      'ends tron_setBlockTimestampInterval, so that blocks have the time of the clock; returns whether an interval was set',
    parameters: [],
    example: [],
    aliases: ['anvil_removeBlockTimestampInterval', 'hardhat_removeBlockTimestampInterval'],
    answer: ({ node }) => {
      const had = node.producer.settings.timestampStepMs !== undefined;
      node.operations.setTimestampStep(undefined);
      return had;
    },
  }),
  method({
    name: 'tron_setClock',
    about: 'stops the clock (freeze: only blocks advance it), starts it, sets it, or changes its rate',
    parameters: [parameter('clock', clockOptions)],
    example: [{ mode: 'freeze', time: 1_900_000_000_000 }],
    answer: ({ node }, { mode, time, rate: wanted }) => {
      const pace = mode === 'freeze' ? 0 : (wanted ?? (mode === 'run' ? 1 : undefined));
      node.operations.setClock({ timeMs: time, rate: pace });
      const { nowMs, offsetMs, rate } = clockOf(node);
      return { mode: rate === 0 ? 'freeze' : 'run', now: nowMs, offset: offsetMs, rate };
    },
  }),
  method({
    name: 'tron_setTime',
    about: 'sets the clock, in milliseconds, also to an earlier time; each block is still later than its parent',
    parameters: [parameter('timeMs', integer)],
    example: [1_900_000_000_000],
    otherAliases: ['evm_setTime', 'anvil_setTime'].map((name) =>
      alias(name, [parameter('time', integer)], ({ node }, time) => {
        const beforeMs = node.clock.nowMs();
        node.operations.setTime(time > MILLISECONDS_FROM ? time : time * 1_000n);
        return Number((node.clock.nowMs() - beforeMs) / 1_000n);
      }),
    ),
    answer: ({ node }, timeMs) => {
      node.operations.setTime(timeMs);
      return clockOf(node);
    },
  }),
];
