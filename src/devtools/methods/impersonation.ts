/** Accounts whose transactions need no signature. TRE calls these accounts `unlocked`. */

import * as v from 'valibot';
import type { Node } from '../../node/node.js';
import type { Address } from '../../primitives/ids.js';
import { toBase58 } from '../../protocol/address.js';
import { address, truth } from '../kinds.js';
import { alias, type DevMethod, method, parameter } from '../table.js';
import { done } from './answers.js';

const accounts = v.pipe(
  v.array(address, 'a list of addresses'),
  v.minLength(1, 'a list of addresses'),
  v.description('a list of addresses'),
);

function impersonated({ operations }: Node) {
  const { accounts, everybody } = operations.impersonated();
  return { accounts: accounts.map((account) => toBase58(account)), everybody };
}

/** Enough for any test; each is a row of the state. */
const MAX_ACCOUNTS = 10_000;

export const impersonationMethods: readonly DevMethod[] = [
  method({
    name: 'tron_impersonate',
    about:
      'accepts transactions of an account (also of a contract) without a signature; fees and all other rules apply',
    parameters: [parameter('address', address)],
    example: ['TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2HC'],
    aliases: ['anvil_impersonateAccount', 'hardhat_impersonateAccount', 'tre_impersonateAccount'],
    aliasAnswer: done,
    otherAliases: [
      alias(
        'tre_unlockedAccounts',
        [parameter('addresses', v.pipe(accounts, v.maxLength(MAX_ACCOUNTS), v.description('a list of addresses')))],
        ({ node }, unlocked: readonly Address[]) => {
          node.operations.impersonate(unlocked);
          return true;
        },
      ),
    ],
    answer: ({ node }, account) => {
      node.operations.impersonate([account]);
      return impersonated(node);
    },
  }),
  method({
    name: 'tron_stopImpersonating',
    about: 'ends tron_impersonate for an account; transactions that are already pending stay pending',
    parameters: [parameter('address', address)],
    example: ['TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2HC'],
    aliases: ['anvil_stopImpersonatingAccount', 'hardhat_stopImpersonatingAccount', 'tre_stopImpersonatingAccount'],
    aliasAnswer: done,
    answer: ({ node }, account) => {
      node.operations.stopImpersonating(account);
      return impersonated(node);
    },
  }),
  method({
    name: 'tron_setAutoImpersonate',
    about: 'turns the acceptance of unsigned transactions of all accounts on or off',
    parameters: [parameter('on', truth)],
    example: [true],
    aliases: ['anvil_autoImpersonateAccount', 'hardhat_autoImpersonateAccount'],
    aliasAnswer: done,
    answer: ({ node }, on) => {
      node.operations.impersonateEverybody(on);
      return impersonated(node);
    },
  }),
];
