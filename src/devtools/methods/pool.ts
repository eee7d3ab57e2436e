/** Pending transactions, and refusals of broadcasts. */

import * as v from 'valibot';
import { ArrangedRefusal } from '../../errors/arranged-refusal.js';
import { ParametersError } from '../../errors/operation-error.js';
import type { Node } from '../../node/node.js';
import type { Hex } from '../../primitives/hex.js';
import { Return_response_code } from '../../protocol/generated/api.js';
import { fullContext } from '../../wallet/context.js';
import { dropNamed } from '../../wallet/ethereum.js';
import { address, bytes, integer } from '../kinds.js';
import { alias, type DevMethod, method, parameter } from '../table.js';

const HASH = 'the id of a transaction: 64 hex digits';
const txId = v.pipe(bytes, v.length(64, HASH), v.description(HASH));
const hash = [parameter('hash', txId)];

const CODES = Object.keys(Return_response_code).filter((name) => name !== 'SUCCESS' && name !== 'UNRECOGNIZED');
const REFUSAL = `{"code", "message", "count"} with a code of ${CODES.join(', ')}`;
const refusal = v.pipe(
  v.strictObject(
    {
      code: v.picklist(CODES, REFUSAL),
      message: v.optional(v.pipe(v.string(), v.maxLength(1_000))),
      count: v.optional(integer),
    },
    REFUSAL,
  ),
  v.description(REFUSAL),
);

/** By its id, or by the hash that Ethereum's tools know it by. */
function dropped(node: Node, id: Hex): boolean {
  return dropNamed(fullContext(node), id);
}

export const poolMethods: readonly DevMethod[] = [
  method({
    name: 'tron_dropTransaction',
    about:
      'removes a pending transaction; other pending transactions stay if they are valid without it; Ethereum transactions with later nonces wait for one with its nonce',
    parameters: hash,
    example: ['00'.repeat(32)],
    otherAliases: [
      alias('hardhat_dropTransaction', hash, ({ node }, id) => dropped(node, id)),
      alias('anvil_dropTransaction', hash, ({ node }, id) => (dropped(node, id) ? `0x${id}` : null)),
    ],
    answer: ({ node }, id) => ({ dropped: dropped(node, id) }),
  }),
  method({
    name: 'tron_dropAllTransactions',
    about: 'removes all pending transactions, also those that wait for their nonce',
    parameters: [],
    example: [],
    aliases: ['anvil_dropAllTransactions', 'hardhat_dropAllTransactions', 'debug_clearTxpool'],
    aliasAnswer: () => null,
    answer: ({ node: { chain } }) => ({ dropped: chain.pool.queued.drop() + chain.pool.remove(() => true) }),
  }),
  method({
    name: 'tron_removePoolTransactions',
    about: 'removes the pending transactions of an account, also those that wait for their nonce',
    parameters: [parameter('address', address)],
    example: ['TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2HC'],
    aliases: ['anvil_removePoolTransactions', 'hardhat_removePoolTransactions'],
    aliasAnswer: () => null,
    answer: ({ node: { chain } }, account) => ({
      dropped: chain.pool.queued.drop(account) + chain.pool.remove(({ owner }) => owner === account),
    }),
  }),
  method({
    name: 'tron_failNextBroadcast',
    about: 'refuses the next broadcasts with an error code of the network, for tests of retries; count 0 ends it',
    parameters: [parameter('refusal', refusal)],
    example: [{ code: 'SERVER_BUSY', count: 2 }],
    answer: ({ node }, { code, message, count = 1n }) => {
      if (count < 0n || count > 1_000_000n) throw new ParametersError(`count must be from 0 to 1000000, got ${count}`);
      node.operations.refuseNextBroadcasts(new ArrangedRefusal(code, message), Number(count));
      return { code, count: Number(count) };
    },
  }),
];
