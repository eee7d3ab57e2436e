/** What blocks did to balances, checked against what balances were before and after. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { blockIdAt } from '../../../src/ledger/blocks/block-ids.js';
import type { Address } from '../../../src/primitives/ids.js';
import type { Account } from '../../../src/protocol/generated/tron.js';
import { getAccountBalance, getBlockBalance } from '../../../src/wallet/balance-history.js';
import { fullContext } from '../../../src/wallet/context.js';
import { BEGINNING, EVENTFUL, history, perform } from '../../simulation/operations.js';
import { COIN, SimulatedChain, strangerAddress } from '../../simulation/simulated-chain.js';

function identifierOf(chain: SimulatedChain, number: number) {
  return { hash: blockIdAt(chain.ledger, number) ?? '', number: BigInt(number) };
}

const traceOf = (chain: SimulatedChain, number: number) =>
  getBlockBalance(fullContext(chain.node), identifierOf(chain, number));

/** Blocks touch balances in transactions alone: rewards are claims until somebody withdraws them. */
async function expectExplained(chain: SimulatedChain, number: number): Promise<void> {
  const moved = new Map<string, bigint>();
  for (const { operation } of (await traceOf(chain, number)).transaction_balance_trace) {
    expect(operation.map(({ operation_identifier }) => operation_identifier)).toEqual(
      operation.map((_, index) => BigInt(index)),
    );
    for (const { address, amount } of operation) moved.set(address, (moved.get(address) ?? 0n) + amount);
  }
  const before = chain.node.chain.ledgerAt(number - 1).state.tables.accounts;
  const after = chain.node.chain.ledgerAt(number).state.tables.accounts;
  const balance = (account: Account | undefined) => account?.balance ?? 0n;
  const known = [...chain.accounts.map(({ addressHex }) => addressHex as Address), chain.ledger.config.blackhole];
  for (const address of [...known, ...moved.keys()] as Address[]) {
    expect([number, address, moved.get(address) ?? 0n]).toEqual([
      number,
      address,
      balance(after.get(address)) - balance(before.get(address)),
    ]);
  }
}

describe('what a block did to balances', () => {
  it('is what its transactions took and gave, step by step', async () => {
    const chain = await SimulatedChain.open();
    chain.node.mine(1);
    const stranger = strangerAddress(1);
    chain.transfer(0, stranger, 5n * COIN);
    chain.transfer(0, stranger, 2n * COIN);
    chain.node.mine(1);
    const number = chain.node.chain.headNumber;
    const owner = chain.address(0);
    const { block_identifier, timestamp, transaction_balance_trace } = await traceOf(chain, number);
    expect(block_identifier).toEqual(identifierOf(chain, number));
    expect(timestamp).toBe(chain.ledger.headTimeMs);
    const steps = transaction_balance_trace.map(({ operation }) =>
      operation.map(({ address, amount }) => [address, amount]),
    );
    expect(steps).toEqual([
      [
        // Instead of bandwidth.
        [owner, -100_000n],
        // The fee for the new account and the amount, at once.
        [owner, -6n * COIN],
        [stranger, 5n * COIN],
      ],
      [
        [owner, -2n * COIN],
        [stranger, 2n * COIN],
      ],
    ]);
    expect(transaction_balance_trace.map(({ type, status }) => `${type} ${status}`)).toEqual([
      'TransferContract SUCCESS',
      'TransferContract SUCCESS',
    ]);
    await chain.close();
  });

  it('explains every balance, whatever happens, and leaves no trace', async () => {
    await fc.assert(
      fc.asyncProperty(history(10, 60), fc.boolean(), async (operations, burns) => {
        const chain = await SimulatedChain.open({
          witnessVotes: [100, 90],
          parameters: { ...EVENTFUL, ...(burns ? {} : { ALLOW_BLACKHOLE_OPTIMIZATION: 0 }) },
        });
        for (const operation of [...BEGINNING, ...operations]) perform(chain, operation);
        chain.node.mine(1);
        const head = chain.node.chain.headId;
        for (let number = 1; number <= Math.min(chain.node.chain.headNumber, 300); number++) {
          await expectExplained(chain, number);
        }
        expect(chain.node.chain.headId).toBe(head);
        await chain.close();
      }),
      { numRuns: 8, seed: 8 },
    );
  });

  it('lets others have their turn between two transactions, and is refused when one of them has left the chain', async () => {
    let turn: () => void = () => {};
    let turns = 0;
    const yieldTurn = async () => {
      turns++;
      turn();
    };
    const chain = await SimulatedChain.open({ yieldTurn });
    chain.node.mine(1);
    const back = chain.node.snapshot();
    for (let i = 1; i <= 20; i++) chain.transfer(0, chain.address(1), BigInt(i));
    chain.node.mine(1);
    const number = chain.node.chain.headNumber;
    // Blocks that come meanwhile make no difference to what was.
    turn = () => chain.node.mine(1);
    turns = 0;
    const trace = (await traceOf(chain, number)).transaction_balance_trace;
    expect(trace.map(({ operation }) => operation.at(-1)?.amount)).toEqual(
      Array.from({ length: 20 }, (_, i) => BigInt(i + 1)),
    );
    expect(turns).toBe(20);
    turn = () => {
      turn = () => {};
      chain.node.revert(back);
    };
    await expect(traceOf(chain, number)).rejects.toThrow('number and hash do not match');
    await chain.close();
  });

  it('is refused for a block that is not this one', async () => {
    const chain = await SimulatedChain.open();
    chain.node.mine(2);
    const ask = (hash: string, number: bigint) => getBlockBalance(fullContext(chain.node), { hash, number });
    const { hash } = identifierOf(chain, 2);
    await expect(ask('', 0n)).rejects.toThrow('block_identifier hash length not equals 32');
    await expect(ask(hash, -1n)).rejects.toThrow('block_identifier number less than 0');
    await expect(ask(hash, 1n)).rejects.toThrow('number and hash do not match');
    await expect(ask(hash, 1_000_000n)).rejects.toThrow('number and hash do not match');
    expect((await ask(hash, 2n)).transaction_balance_trace).toEqual([]);
    await chain.close();
  });
});

describe('what a balance was at a block', () => {
  it('comes with the block that changed it last', async () => {
    const chain = await SimulatedChain.open();
    const to = strangerAddress(2);
    const heights: number[] = [];
    for (const empty of [3, 50, 2]) {
      chain.transfer(0, to, COIN);
      chain.node.mine(1);
      heights.push(chain.node.chain.headNumber);
      chain.node.mine(empty);
    }
    const at = (number: number) =>
      getAccountBalance(fullContext(chain.node), {
        account_identifier: { address: to },
        block_identifier: identifierOf(chain, number),
      });
    const [first = 0, second = 0, third = 0] = heights;
    for (const [asked, changed, coins] of [
      [first, first, 1n],
      [second - 1, first, 1n],
      [second, second, 2n],
      [third - 1, second, 2n],
      [chain.node.chain.headNumber, third, 3n],
    ] as const) {
      expect(await at(asked)).toEqual({ balance: coins * COIN, block_identifier: identifierOf(chain, changed) });
    }
    // Nothing yet: the block that was asked for.
    expect(await at(first - 1)).toEqual({ balance: 0n, block_identifier: identifierOf(chain, first - 1) });
    await chain.close();
  });
});
