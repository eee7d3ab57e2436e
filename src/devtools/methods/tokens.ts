/** Token balances without a transfer. */

import * as v from 'valibot';
import { OperationError } from '../../errors/operation-error.js';
import { address, integer, members, truth, word } from '../kinds.js';
import { type DevMethod, method, parameter } from '../table.js';
import { done } from './answers.js';

const SOMEBODY = 'TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2HC';
const TOKEN = '0x00000000000000000000000000000000000c0de5';
/** Code of a contract that answers every call like `balanceOf`: with the entry of a mapping at slot 0. */
const BALANCES = '0x60043560005260406000205460005260206000f3';

export const tokenMethods: readonly DevMethod[] = [
  method({
    name: 'tron_setTrc10Balance',
    about: 'sets the balance of a TRC-10 token; the total supply does not change',
    parameters: [
      parameter('address', address),
      parameter('tokenId', integer),
      parameter('amount', integer),
      parameter(
        'options',
        v.optional(members('force: allow a token that does not exist', { force: v.optional(truth) })),
      ),
    ],
    example: [SOMEBODY, 1_000_001, 500, { force: true }],
    answer: ({ node }, account, id, amount, options) => {
      if (id < 1n) throw new OperationError(`tokenId must be 1 or more, got ${id}`);
      const tokenId = String(id);
      const force = options?.force ?? false;
      node.operations.apply('setTokenBalance', { address: account, tokenId, amount, force });
      return { tokenId, balance: amount };
    },
  }),
  method({
    name: 'tron_dealTrc20',
    about:
      'sets the balance of a TRC-20 token in the storage word that balanceOf reads; the total supply does not change',
    parameters: [parameter('account', address), parameter('token', address), parameter('amount', word)],
    example: [SOMEBODY, TOKEN, 1_000_000],
    exampleAfter: [['tron_setCode', TOKEN, BALANCES]],
    aliases: ['anvil_dealERC20', 'hardhat_dealERC20', 'anvil_setERC20Balance'],
    aliasAnswer: done,
    answer: ({ node }, account, token, amount) => {
      node.operations.apply('dealToken', { account, token, amount });
      return { balance: amount };
    },
  }),
];
