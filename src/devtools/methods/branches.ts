/** Methods that replace the chain: fewer blocks, other blocks, a reset, or a dump. */

import * as v from 'valibot';
import { heldFile, packedChain, readChainFile } from '../../chain-file/file.js';
import { OperationError, ParametersError } from '../../errors/operation-error.js';
import { bytesToHex, hexToBytes } from '../../primitives/hex.js';
import { SignedTransaction } from '../../protocol/transaction.js';
import { bytes, integer, truth } from '../kinds.js';
import { alias, type DevContext, type DevMethod, method, parameter } from '../table.js';
import { done } from './answers.js';

const depth = parameter('depth', v.optional(integer, 1));
const further = v.optional(
  v.pipe(
    v.array(v.tuple([bytes, integer])),
    v.description('a list of [hex of a signed transaction, offset of the new block, from 0]'),
  ),
);

function readTransaction(hex: string): SignedTransaction {
  try {
    return SignedTransaction.decode(hexToBytes(hex));
  } catch {
    throw new ParametersError('expected signed transactions of this network, as hex of protocol.Transaction');
  }
}

const transactionsOf = (pairs: readonly (readonly [string, bigint])[] = []) =>
  pairs.map(([hex, block]) => ({ transaction: readTransaction(hex), block: Number(block) }));

/** A text of V8 has at most 512 MB. */
const MAX_DUMP_BYTES = 200 * 1024 * 1024;

async function dump({ node, requester }: DevContext): Promise<string> {
  return `0x${bytesToHex(await packedChain(node, { requester, mostBytes: MAX_DUMP_BYTES }))}`;
}

export const branchMethods: readonly DevMethod[] = [
  method({
    name: 'tron_rollback',
    about: 'removes the last blocks; their transactions are discarded',
    parameters: [depth],
    example: [1],
    usesUpSnapshots: true,
    aliases: ['anvil_rollback'],
    aliasAnswer: () => null,
    answer: async ({ node, requester }, count) => {
      await node.branches.rollback(Number(count), requester);
      return node.chain.head;
    },
  }),
  method({
    name: 'tron_reorg',
    about:
      'replaces the last blocks by new ones, with the same transactions unless keep is false, and with additional ones',
    parameters: [depth, parameter('keep', v.optional(truth, true)), parameter('transactions', further)],
    example: [1],
    usesUpSnapshots: true,
    otherAliases: [
      alias('anvil_reorg', [depth, parameter('transactions', further)], async ({ node, requester }, count, pairs) => {
        const transactions = transactionsOf(pairs);
        await node.branches.reorg(Number(count), { keepTransactions: false, transactions }, requester);
        return null;
      }),
    ],
    answer: async ({ node, requester }, count, keepTransactions, pairs) => {
      await node.branches.reorg(Number(count), { keepTransactions, transactions: transactionsOf(pairs) }, requester);
      return node.chain.head;
    },
  }),
  method({
    name: 'tron_reset',
    about: 'resets the chain to its first state; the chain id stays',
    parameters: [],
    example: [],
    usesUpSnapshots: true,
    otherAliases: ['anvil_reset', 'hardhat_reset'].map((name) =>
      alias(name, [parameter('options', v.optional(v.looseObject({})))], async ({ node, requester }, options) => {
        // viem always sends an empty `forking` member.
        const { forking } = (options ?? {}) as { readonly forking?: object | null };
        if (Object.values(forking ?? {}).some((wanted) => wanted !== undefined && wanted !== null))
          throw new OperationError(
            node.chain.config.beginsAt === 0
              ? `${name}: this chain is not a fork; reset it without forking`
              : `${name}: a fork can only be reset to the block that it started at; omit forking`,
          );
        await node.branches.reset(requester);
        return true;
      }),
    ),
    answer: async ({ node, requester }) => {
      await node.branches.reset(requester);
      return node.chain.head;
    },
  }),
  method({
    name: 'tron_dump',
    about: 'returns the whole chain with its history as one file, for tron_load or sunup --load-state',
    parameters: [],
    example: [],
    otherAliases: ['anvil_dumpState', 'hardhat_dumpState'].map((name) =>
      alias(name, [parameter('preserveHistoricalStates', v.optional(truth))], (context) => dump(context)),
    ),
    answer: (context) => dump(context),
  }),
  method({
    name: 'tron_load',
    about: 'replaces the chain by a dump; the dump must have the same genesis',
    parameters: [parameter('dump', bytes)],
    usesUpSnapshots: true,
    aliases: ['anvil_loadState', 'hardhat_loadState'],
    aliasAnswer: done,
    answer: async ({ node, requester }, given) => {
      await node.loader.load(await readChainFile(heldFile(hexToBytes(given))), undefined, requester);
      return node.chain.head;
    },
  }),
];
