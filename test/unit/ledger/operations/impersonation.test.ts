/** Transactions that nobody signs: what lets one in by itself lasts until it is in a block. */

import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Address } from '../../../../src/primitives/ids.js';
import { Transaction_Contract_ContractType as ContractType } from '../../../../src/protocol/generated/tron.js';
import type { SimulatedChain } from '../../../simulation/simulated-chain.js';
import { closeSound, decreedChain } from './decreed-chain.js';

let chain: SimulatedChain;
let alice: Address;
let bob: Address;
beforeEach(async () => {
  ({ chain, alice, bob } = await decreedChain());
});
afterEach(() => closeSound(chain));

const rows = () => chain.ledger.state.tables.impersonations.entries().map(([key]) => key);
const transfer = () =>
  chain
    .transaction(ContractType.TransferContract, { owner_address: alice, to_address: bob, amount: 5n })
    .withSignatures([]);

it('is kept as long as the transaction waits, and comes back with a revert', () => {
  const before = chain.node.snapshot();
  const transaction = transfer();
  expect(() => chain.node.broadcast(transaction)).toThrow('miss sig or contract');
  chain.node.operations.apply('acceptUnsigned', { txId: transaction.txId });
  chain.node.broadcast(transaction);
  expect(rows()).toEqual([transaction.txId]);
  const pending = chain.node.snapshot();
  chain.node.mine(1);
  expect(rows()).toEqual([]);
  chain.node.revert(pending);
  expect(rows()).toEqual([transaction.txId]);
  chain.node.mine(1);
  expect(chain.ledger.state.tables.transactions.has(transaction.txId)).toBe(true);
  chain.node.revert(before);
  expect(rows()).toEqual([]);
});

it('of an account lasts until it is taken back', () => {
  const { operations } = chain.node;
  operations.impersonate([alice, alice]);
  operations.impersonate([alice, bob]);
  chain.node.broadcast(transfer());
  chain.node.mine(1);
  expect(rows()).toEqual([alice, bob].sort());
  expect([operations.impersonates(alice), operations.impersonates(chain.address(2))]).toEqual([true, false]);
  operations.stopImpersonating(alice);
  operations.stopImpersonating(alice);
  expect(() => chain.node.broadcast(transfer())).toThrow('miss sig or contract');
  operations.impersonateEverybody(true);
  expect(operations.impersonates(chain.address(2))).toBe(true);
});
