/** Epochs and block producers. */

import * as v from 'valibot';
import { ParametersError } from '../../errors/operation-error.js';
import { toBase58 } from '../../protocol/address.js';
import { address, integer, truth } from '../kinds.js';
import { alias, type DevContext, type DevMethod, method, parameter } from '../table.js';
import { done } from './answers.js';

/** Each epoch is an entry of the answer. */
const MAX_EPOCHS = 10_000n;

const OPTIONS =
  'an object with any of count (number of epochs, default 1) and moveClock (true: time advances to the end of each epoch)';
const options = v.optional(
  v.pipe(v.strictObject({ count: v.optional(integer), moveClock: v.optional(truth) }, OPTIONS), v.description(OPTIONS)),
);

/** Ends epochs, and returns data of each maintenance block. */
async function endEpochs({ node, requester }: DevContext, count: bigint, inTime: boolean): Promise<readonly object[]> {
  if (count < 0n || count > MAX_EPOCHS)
    throw new ParametersError(`the number of epochs must be from 0 to ${MAX_EPOCHS}, got ${count}`);
  const ended = await node.mining.endEpochs({ epochs: Number(count), inTime }, requester);
  return ended.map(({ blockNumber, timestampMs, cycle, nextMaintenanceTimeMs }) => ({
    blockNumber,
    timestamp: Number(timestampMs),
    cycle: Number(cycle),
    nextMaintenanceTime: Number(nextMaintenanceTimeMs),
  }));
}

export const epochMethods: readonly DevMethod[] = [
  method({
    name: 'tron_runMaintenance',
    about: 'runs maintenance at once, in one block per epoch; with moveClock, time advances to the end of each epoch',
    parameters: [parameter('options', options)],
    example: [{ count: 2 }],
    answer: (context, { count = 1n, moveClock = false } = {}) => endEpochs(context, count, moveClock),
  }),
  method({
    name: 'tron_advanceCycles',
    about: 'advances time by a number of epochs; each ends with a block that runs maintenance',
    parameters: [parameter('count', integer)],
    example: [2],
    answer: (context, count) => endEpochs(context, count, true),
  }),
  method({
    name: 'tron_setNextWitness',
    about: 'sets the witness that produces the next block, regardless of the schedule',
    parameters: [parameter('address', address)],
    answer: ({ node }, witness) => {
      node.operations.setNextWitness(witness);
      return { nextWitness: toBase58(witness) };
    },
  }),
  method({
    name: 'tron_setCoinbase',
    about: 'sets the witness that produces all following blocks; without an address, blocks follow the schedule',
    parameters: [parameter('address', v.optional(address))],
    example: [],
    otherAliases: ['anvil_setCoinbase', 'hardhat_setCoinbase', 'miner_setEtherbase'].map((name) =>
      alias(name, [parameter('address', address)], ({ node }, witness) => {
        node.operations.setCoinbase(witness);
        return done();
      }),
    ),
    answer: ({ node }, witness) => {
      node.operations.setCoinbase(witness);
      return { coinbase: witness === undefined ? null : toBase58(witness) };
    },
  }),
  method({
    name: 'tron_setSolidityLag',
    about: 'sets how many blocks the solidified state is behind the head; network: as in java-tron',
    parameters: [
      parameter(
        'blocks',
        v.pipe(
          v.union([v.literal('network'), integer], 'a number of blocks, or network'),
          v.description('a number of blocks, or network'),
        ),
      ),
    ],
    example: [19],
    answer: ({ node }, blocks) => {
      if (blocks !== 'network' && (blocks < 0n || blocks > 1_000_000n))
        throw new ParametersError(`the number of blocks must be from 0 to 1000000, got ${blocks}`);
      node.chain.solidityLag = blocks === 'network' ? 'network' : Number(blocks);
      return { solidityLag: node.chain.solidityLag, solidifiedBlock: node.chain.confirmedHeight };
    },
  }),
];
