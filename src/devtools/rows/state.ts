/** Accounts and contracts as they are wanted, without a transaction. */

import { address, sun } from '../kinds.js';
import { type DevRow, parameter, row } from '../table.js';

/** Other tools' setters answer that it was done. */
const done = () => true;

export const stateRows: readonly DevRow[] = [
  row({
    name: 'tron_setBalance',
    about: 'gives an account so many sun, no more and no less; makes it if it is not there',
    parameters: [parameter('address', address), parameter('balance', sun)],
    example: ['TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2HC', 5_000_000],
    aliases: [
      'tre_setAccountBalance',
      'evm_setAccountBalance',
      'hardhat_setBalance',
      'anvil_setBalance',
      'tenderly_setBalance',
    ],
    aliasAnswer: done,
    answer: ({ node }, account, balanceSun) => {
      node.operations.apply('setBalance', { address: account, balanceSun });
      return { balance: String(balanceSun) };
    },
  }),
];
