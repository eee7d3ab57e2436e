/** A past transaction is looked at while others have their turn between those before it. */

import { expect, test } from 'vitest';
import { traceBlock, traceTransaction } from '../../../src/explanation/calls/debug-trace.js';
import { traceOf } from '../../../src/explanation/calls/trace.js';
import { explain } from '../../../src/explanation/explain.js';
import { SimulatedChain } from '../../simulation/simulated-chain.js';

const TRANSFERS = 8;
const CALLS = { tracer: 'callTracer', onlyTopCall: false, withLog: true } as const;

test('the same is seen as at once, while the chain goes on; not when it has gone back', async () => {
  let meanwhile: (() => void) | undefined;
  const chain = await SimulatedChain.open({
    mining: 'manual',
    yieldTurn: () => (meanwhile === undefined ? undefined : Promise.resolve(meanwhile())),
  });
  const { node } = chain;
  const ids: string[] = [];
  for (let i = 0; i < TRANSFERS; i++) ids.push(chain.transfer(0, chain.address(1), BigInt(i + 1)).transaction.txId);
  node.mine(1);
  const block = node.chain.headNumber;
  const last = ids.at(-1)!;
  const looks = [
    () => explain(node, last),
    () => traceOf(node, last),
    () => traceTransaction(node, last, CALLS, 1_000_000),
    () => traceBlock(node, block, CALLS, 1_000_000),
  ];
  for (const look of looks) {
    meanwhile = undefined;
    const atOnce = await look();
    let turns = 0;
    meanwhile = () => {
      turns++;
      chain.transfer(0, chain.address(2), 1n);
      node.mine(1);
      node.operations.apply('setBalance', { address: chain.address(0), balanceSun: 9_000_000n });
    };
    expect(await look()).toEqual(atOnce);
    expect(turns).toBeGreaterThanOrEqual(TRANSFERS - 1);
  }
  meanwhile = () => void node.chain.back.to(block - 1);
  await expect(explain(node, last)).rejects.toThrow('the chain was rolled back meanwhile');
});
