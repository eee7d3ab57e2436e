/** Accounts and contracts as they are wanted, without a transaction. */

import { address, bytes, sun, word } from '../kinds.js';
import { type DevRow, parameter, row } from '../table.js';
import { done } from './answers.js';

const wordText = (value: bigint) => `0x${value.toString(16).padStart(64, '0')}`;

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
  row({
    name: 'tron_addBalance',
    about: 'gives an account so many sun more; a negative amount takes them away',
    parameters: [parameter('address', address), parameter('amount', sun)],
    example: ['TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2HC', 5_000_000],
    aliases: ['anvil_addBalance', 'hardhat_addBalance', 'tenderly_addBalance'],
    aliasAnswer: done,
    answer: ({ node }, account, amountSun) => ({
      balance: String(node.operations.apply('addBalance', { address: account, amountSun })),
    }),
  }),
  row({
    name: 'tron_setCode',
    about: 'gives an address code that runs (not the code that deploys it); 0x takes the contract away',
    parameters: [parameter('address', address), parameter('code', bytes)],
    // Answers 42, whatever it is asked.
    example: ['TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2HC', '0x602a60005260206000f3'],
    aliases: ['tre_setAccountCode', 'evm_setAccountCode', 'hardhat_setCode', 'anvil_setCode'],
    aliasAnswer: done,
    answer: ({ node }, account, code) => {
      const hash = node.operations.apply('setCode', { address: account, code });
      return { codeHash: `0x${hash}`, bytes: code.length / 2 };
    },
  }),
  row({
    name: 'tron_setStorageAt',
    about: "writes a word of a contract's storage, by Solidity's number of the slot",
    parameters: [parameter('address', address), parameter('slot', word), parameter('value', word)],
    example: ['TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2HC', '0x0', `0x${'2a'.padStart(64, '0')}`],
    aliases: [
      'tre_setAccountStorageAt',
      'evm_setAccountStorageAt',
      'ganache_setStorageAt',
      'hardhat_setStorageAt',
      'anvil_setStorageAt',
    ],
    aliasAnswer: done,
    answer: ({ node }, account, slot, value) => {
      node.operations.apply('setStorage', { address: account, slot, value });
      return { slot: wordText(slot), value: wordText(value) };
    },
  }),
];
