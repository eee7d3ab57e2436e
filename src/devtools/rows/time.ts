/** The chain's time: what the next block shows, and the clock that it is taken from. */

import { ParametersError } from '../../errors/operation-error.js';
import type { Node } from '../../node/node.js';
import { integer } from '../kinds.js';
import { alias, type DevRow, parameter, row } from '../table.js';

/** Above this a moment is in milliseconds, as ganache and anvil read it: in seconds it would be after the year 30000. */
const MILLISECONDS_FROM = 1_000_000_000_000n;

/** The clock as it is, in milliseconds. */
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

/** In TRE's words. LBHT: the latest block header's timestamp. */
function setNextAsTre(node: Node, timestampMs: bigint): true {
  if (timestampMs <= 0n) throw new ParametersError('timestamp must be > 0');
  const { headTimeMs } = node.chain;
  if (timestampMs <= headTimeMs)
    throw new ParametersError(`timestamp must be greater than current LBHT (${headTimeMs} ms)`);
  node.operations.setNextBlockTimestamp(timestampMs);
  return true;
}

const seconds = [parameter('seconds', integer)];

export const timeRows: readonly DevRow[] = [
  row({
    name: 'tron_increaseTime',
    about: 'lets so many seconds pass without a block: the next block shows them, with one maintenance for all epochs',
    parameters: seconds,
    example: [3_600],
    otherAliases: [
      ...['evm_increaseTime', 'anvil_increaseTime', 'hardhat_increaseTime'].map((name) =>
        alias(name, seconds, ({ node }, by) => {
          node.operations.increaseTime(by * 1_000n);
          return offsetSeconds(node);
        }),
      ),
      alias('tre_increaseTime', seconds, async ({ node }, by) => {
        node.operations.increaseTime(by * 1_000n);
        return (await node.mining.mine({ blocks: 1 })).timestampMs;
      }),
    ],
    answer: ({ node }, by) => {
      node.operations.increaseTime(by * 1_000n);
      return clockOf(node);
    },
  }),
  row({
    name: 'tron_setNextBlockTimestamp',
    about: 'gives the next block exactly this time in milliseconds, from which the clock goes on',
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
  row({
    name: 'tron_setTime',
    about: 'sets the clock to a moment in milliseconds, also to an earlier one; blocks stay later than their parents',
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
