/** Block production: when, and on demand. */

import * as v from 'valibot';
import { OperationError, ParametersError } from '../../errors/operation-error.js';
import type { MiningMode } from '../../node/clock/mining-settings.js';
import type { Mined } from '../../node/control.js';
import type { Node } from '../../node/node.js';
import { integer, truth } from '../kinds.js';
import { alias, type DevContext, type DevMethod, method, parameter } from '../table.js';
import { done } from './answers.js';

/** The same limit as of `mine` for other callers. */
const MAX_BLOCKS = 10_000_000n;

const MODES = 'one of instant, interval, manual';
const mode = v.pipe(v.picklist(['instant', 'interval', 'manual'], MODES), v.description(MODES));

const MINE = 'a timestamp in seconds, or {"timestamp": seconds, "blocks": number}';
const mineOptions = v.optional(
  v.pipe(
    v.union(
      [
        integer,
        v.pipe(
          v.object({ timestamp: v.optional(integer), blocks: v.optional(integer) }),
          v.check(({ timestamp, blocks }) => timestamp !== undefined || blocks !== undefined),
        ),
      ],
      MINE,
    ),
    v.description(MINE),
  ),
);

const TRE_MINE = '{"blocks": number}';
const treMineOptions = v.optional(v.pipe(v.object({ blocks: integer }, TRE_MINE), v.description(TRE_MINE)));

const INTERVAL = 'a number, or an array of the shortest and the longest time in milliseconds';
const interval = v.pipe(
  v.union(
    [
      integer,
      v.pipe(
        v.tuple([integer, integer], INTERVAL),
        v.transform(([shortest]) => ({ shortestMs: shortest })),
      ),
    ],
    INTERVAL,
  ),
  v.description(INTERVAL),
);

function settingsOf({ producer: { settings } }: Node) {
  const { mode, blockTimeMs, timestampStepMs, nextTimestampMs } = settings;
  const number = (value: bigint | undefined) => (value === undefined ? undefined : Number(value));
  return {
    mode,
    blockTimeMs: Number(blockTimeMs),
    timestampIntervalMs: number(timestampStepMs),
    nextBlockTimestampMs: number(nextTimestampMs),
  };
}

/** @throws ParametersError */
function blockCount(given: bigint): number {
  if (given >= 0n && given <= MAX_BLOCKS) return Number(given);
  throw new ParametersError(`the number of blocks must be from 0 to ${MAX_BLOCKS}, got ${given}`);
}

function mine({ node, requester }: DevContext, blocks: bigint, intervalSeconds: bigint) {
  if (intervalSeconds < 0n) throw new ParametersError(`the interval must be 0 or more seconds, got ${intervalSeconds}`);
  return node.mining.mine(
    { blocks: blockCount(blocks), ...(intervalSeconds > 0n && { apartMs: Number(intervalSeconds) * 1_000 }) },
    requester,
  );
}

/** In TRE a block has the time of its production, also in interval mode. */
export function mineAsTre({ node, requester }: DevContext, blocks: number): Promise<Mined> {
  return node.mining.mine({ blocks, byClock: node.emulatesTre }, requester);
}

function setInterval(node: Node, blockTimeMs: bigint): true {
  if (blockTimeMs < 0n) throw new ParametersError(`the interval must be 0 or more, got ${blockTimeMs} ms`);
  const { mode, beside } = node.producer.settings;
  if (blockTimeMs > 0n) node.operations.setMining('interval', blockTimeMs);
  else if (mode === 'interval') node.operations.setMining(beside);
  return true;
}

/** If automine is turned off, interval mining continues. */
function setAutomine(node: Node, on: boolean): true {
  if (on) node.operations.setMining('instant');
  else if (node.producer.mode === 'instant') node.operations.setMining('manual');
  return true;
}

/**
 * The unit of `evm_…` differs: seconds in anvil, milliseconds in Hardhat. The value tells: neither an hour nor 16 ms
 * is plausible.
 */
const MILLISECONDS_FROM = 1_000n;

const minedBlocks = [parameter('blocks', v.optional(integer)), parameter('intervalSeconds', v.optional(integer))];

export const miningMethods: readonly DevMethod[] = [
  method({
    name: 'tron_mineBlocks',
    about:
      'produces blocks (default: one), the first with the pending transactions; intervalSeconds is the time between two blocks',
    parameters: minedBlocks,
    example: [3, 60],
    aliases: ['hardhat_mine'],
    aliasAnswer: done,
    otherAliases: [
      alias('anvil_mine', minedBlocks, async (context, blocks = 1n, seconds = 0n) => {
        await mine(context, blocks, seconds);
        return null;
      }),
      alias('evm_mine', [parameter('options', mineOptions)], async ({ node, requester }, options = {}) => {
        const { timestamp, blocks = 1n } = typeof options === 'bigint' ? { timestamp: options } : options;
        const firstMs = timestamp === undefined ? {} : { firstMs: Number(timestamp) * 1_000 };
        await node.mining.mine({ blocks: blockCount(blocks), ...firstMs }, requester);
        return '0x0';
      }),
      alias('tre_mine', [parameter('options', treMineOptions)], async (context, { blocks } = { blocks: 1n }) => {
        if (blocks < 1n || blocks > 100n) throw new ParametersError('blocks should between (0, 100]');
        if (context.node.mining.busy) throw new OperationError('node is already manual mining');
        await mineAsTre(context, Number(blocks));
        return '0x0';
      }),
    ],
    answer: (context, blocks = 1n, seconds = 0n) => mine(context, blocks, seconds),
  }),
  method({
    name: 'tron_setMining',
    about:
      'sets when blocks are produced: instant (for each transaction), interval (every blockTimeMs milliseconds) or manual (on demand)',
    parameters: [parameter('mode', mode), parameter('blockTimeMs', v.optional(integer))],
    example: ['interval', 6_000],
    otherAliases: [
      ...['evm_setAutomine', 'anvil_setAutomine', 'hardhat_setAutomine'].map((name) =>
        alias(name, [parameter('on', truth)], ({ node }, on) => setAutomine(node, on)),
      ),
      ...['evm_setIntervalMining', 'hardhat_setIntervalMining'].map((name) =>
        alias(name, [parameter('interval', interval)], ({ node }, every) => {
          if (typeof every !== 'bigint') return setInterval(node, every.shortestMs);
          return setInterval(node, every < MILLISECONDS_FROM ? every * 1_000n : every);
        }),
      ),
      alias('anvil_setIntervalMining', [parameter('seconds', integer)], ({ node }, every) =>
        setInterval(node, every * 1_000n),
      ),
      alias('tre_blockTime', [parameter('seconds', integer)], ({ node }, every) => {
        if (every < 0n || every > 60n) throw new ParametersError('block time should between [0, 60] in second');
        node.operations.setMining(every === 0n ? 'instant' : 'interval', every === 0n ? undefined : every * 1_000n);
        return true;
      }),
    ],
    answer: ({ node }, wanted: MiningMode, blockTimeMs) => {
      node.operations.setMining(wanted, blockTimeMs);
      return settingsOf(node);
    },
  }),
  method({
    name: 'tron_getMining',
    about: 'returns when blocks are produced and how their timestamps are set',
    parameters: [],
    example: [],
    otherAliases: [
      ...['anvil_getAutomine', 'hardhat_getAutomine'].map((name) =>
        alias(name, [], ({ node }) => node.producer.mode === 'instant'),
      ),
      alias('anvil_getIntervalMining', [], ({ node }) =>
        node.producer.mode === 'interval' ? Number(node.producer.settings.blockTimeMs / 1_000n) : null,
      ),
    ],
    answer: ({ node }) => settingsOf(node),
  }),
  method({
    name: 'tron_pauseMining',
    about: 'stops automatic block production until tron_resumeMining',
    parameters: [],
    example: [],
    otherAliases: [
      alias('miner_stop', [], ({ node, path }) => {
        // TRE answers but does nothing.
        if (path !== 'tre') node.operations.pauseMining();
        return true;
      }),
    ],
    answer: ({ node }) => {
      node.operations.pauseMining();
      return settingsOf(node);
    },
  }),
  method({
    name: 'tron_resumeMining',
    about: 'resumes block production as before tron_pauseMining',
    parameters: [],
    example: [],
    otherAliases: [
      alias('miner_start', [parameter('threads', v.optional(integer))], ({ node, path }) => {
        if (path !== 'tre') node.operations.resumeMining();
        return true;
      }),
    ],
    answer: ({ node }) => {
      node.operations.resumeMining();
      return settingsOf(node);
    },
  }),
];
