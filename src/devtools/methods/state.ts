/** Balances, code and storage, set without a transaction. */

import type { Node } from '../../node/node.js';
import type { Address } from '../../primitives/ids.js';
import { givenBalance } from '../../primitives/most-balance.js';
import { toBase58 } from '../../protocol/address.js';
import { getBalance } from '../../wallet/accounts.js';
import { fullContext } from '../../wallet/context.js';
import { sendDue } from '../../wallet/ethereum.js';
import { address, bytes, integer, sun, truth, word } from '../kinds.js';
import { type DevContext, type DevMethod, method, parameter } from '../table.js';
import { done } from './answers.js';

/** As Ethereum's tools do, whose balances have 256 bits. */
function giveBalance(node: Node, address: Address, wei: bigint): void {
  const balanceSun = givenBalance(wei);
  node.operations.apply('setBalance', { address, balanceSun });
  if (balanceSun !== wei)
    node.warn(
      `a balance of ${wei} sun was requested for ${toBase58(address)}, more than an account can have. It is ${balanceSun} sun, half of the maximum, so that the account can still receive TRX`,
    );
}

const wordText = (value: bigint) => `0x${value.toString(16).padStart(64, '0')}`;

export const stateMethods: readonly DevMethod[] = [
  method({
    name: 'tron_setBalance',
    about: 'sets the balance of an account, in sun; creates the account if it does not exist',
    parameters: [parameter('address', address), parameter('balance', sun)],
    example: ['TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2HC', 5_000_000],
    aliases: ['tre_setAccountBalance', 'evm_setAccountBalance'],
    aliasAnswer: done,
    otherAliases: ['hardhat_setBalance', 'anvil_setBalance', 'tenderly_setBalance'].map((name) => ({
      name,
      parameters: [parameter('address', address), parameter('balance', sun)],
      answer: ({ node }: DevContext, account: Address, wei: bigint) => {
        giveBalance(node, account, wei);
        return true;
      },
    })),
    answer: ({ node }, account, balanceSun) => {
      node.operations.apply('setBalance', { address: account, balanceSun });
      return { balance: String(balanceSun) };
    },
  }),
  method({
    name: 'tron_addBalance',
    about: 'adds an amount in sun to the balance of an account; a negative amount is subtracted',
    parameters: [parameter('address', address), parameter('amount', sun)],
    example: ['TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2HC', 5_000_000],
    otherAliases: ['anvil_addBalance', 'hardhat_addBalance', 'tenderly_addBalance'].map((name) => ({
      name,
      parameters: [parameter('address', address), parameter('amount', sun)],
      answer: ({ node }: DevContext, account: Address, wei: bigint) => {
        giveBalance(node, account, getBalance(fullContext(node), account) + wei);
        return true;
      },
    })),
    answer: ({ node }, account, amountSun) => ({
      balance: String(node.operations.apply('addBalance', { address: account, amountSun })),
    }),
  }),
  method({
    name: 'tron_setNonce',
    about: "sets the nonce of an account's next transaction through /eth; it cannot decrease",
    parameters: [parameter('address', address), parameter('nonce', integer)],
    example: ['TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2HC', 5],
    aliases: ['hardhat_setNonce', 'anvil_setNonce', 'evm_setAccountNonce'],
    aliasAnswer: done,
    answer: async ({ node }, account, nonce) => {
      node.operations.apply('setNonce', { address: account, nonce });
      await sendDue(fullContext(node), account);
      return { nonce: String(nonce) };
    },
  }),
  method({
    name: 'tron_setCreateNonces',
    about:
      "turns Ethereum's addresses for CREATE on or off: they follow from the creator's address and nonce, unlike on TRON networks",
    parameters: [parameter('on', truth)],
    example: [true],
    aliasAnswer: done,
    answer: ({ node }, on) => {
      node.operations.apply('countCreations', { on });
      return { on };
    },
  }),
  method({
    name: 'tron_setCode',
    about: 'sets the runtime code (not the creation code) at an address; 0x removes the contract',
    parameters: [parameter('address', address), parameter('code', bytes)],
    // Code of a contract that returns 42 for any call.
    example: ['TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2HC', '0x602a60005260206000f3'],
    aliases: ['tre_setAccountCode', 'evm_setAccountCode', 'hardhat_setCode', 'anvil_setCode'],
    aliasAnswer: done,
    answer: ({ node }, account, code) => {
      const hash = node.operations.apply('setCode', { address: account, code });
      return { codeHash: `0x${hash}`, bytes: code.length / 2 };
    },
  }),
  method({
    name: 'tron_setStorageAt',
    about: "sets a 32-byte word of a contract's storage; slots are numbered as in Solidity",
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
