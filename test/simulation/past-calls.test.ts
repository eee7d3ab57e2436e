/** Contracts answer from the past as they would have answered then, and nothing of a call stays. */

import { expect, it } from 'vitest';
import type { Address } from '../../src/primitives/ids.js';
import { deployedContractAddress } from '../../src/protocol/address.js';
import { SmartContract, TriggerSmartContract } from '../../src/protocol/generated/smart-contract.js';
import { Transaction_Contract_ContractType as ContractType } from '../../src/protocol/generated/tron.js';
import { triggerConstantContract } from '../../src/wallet/contracts.js';
import { COIN, callData, fixtureBytecode, SimulatedChain, word } from './simulated-chain.js';

async function withMeter(): Promise<{ chain: SimulatedChain; meter: Address }> {
  const chain = await SimulatedChain.open();
  chain.node.mine(1);
  chain.node.mine(1);
  const { transaction } = chain.send(
    ContractType.CreateSmartContract,
    {
      owner_address: chain.address(0),
      new_contract: {
        ...SmartContract.empty,
        origin_address: chain.address(0),
        name: 'Meter',
        bytecode: fixtureBytecode('Meter'),
        origin_energy_limit: 1_000_000n,
      },
    },
    { feeLimitSun: 1_000n * COIN },
  );
  chain.node.mine(1);
  return { chain, meter: deployedContractAddress(transaction.txId, chain.address(0)) };
}

function set(chain: SimulatedChain, meter: Address, value: bigint): void {
  chain.send(
    ContractType.TriggerSmartContract,
    { owner_address: chain.address(1), contract_address: meter, data: callData('set(uint256)', value) },
    { feeLimitSun: 1_000n * COIN },
  );
}

function ask(chain: SimulatedChain, height: number, meter: Address, data: string): string {
  const ledger = chain.node.chain.ledgerAt(height);
  const call = TriggerSmartContract.create({ owner_address: chain.address(2), contract_address: meter, data });
  return triggerConstantContract({ ledger, node: chain.node, solid: false }, call).constant_result[0]!;
}

it('a value is what it was at each height, in runs of empty blocks too', async () => {
  const { chain, meter } = await withMeter();
  const values = new Map<number, bigint>([[chain.node.chain.headNumber, 0n]]);
  for (const [value, empty] of [
    [7n, 0],
    [8n, 200],
    [9n, 1],
    [10n, 3_000],
    [11n, 5],
  ] as const) {
    set(chain, meter, value);
    chain.node.mine(1);
    values.set(chain.node.chain.headNumber, value);
    chain.node.mine(empty);
    values.set(chain.node.chain.headNumber, value);
    values.set(chain.node.chain.headNumber - Math.floor(empty / 2), value);
  }
  // More heights than there are views to keep, in both directions.
  const heights = [...values.keys()].sort((a, b) => a - b);
  for (const height of [...heights, ...heights.toReversed()]) {
    expect(ask(chain, height, meter, callData('value()'))).toBe(word(values.get(height)!));
  }
  // What waits for a block is not of the past.
  set(chain, meter, 12n);
  expect(ask(chain, chain.node.chain.headNumber, meter, callData('value()'))).toBe(word(11n));
});

it('a call that writes writes nothing, neither then nor now', async () => {
  const { chain, meter } = await withMeter();
  set(chain, meter, 5n);
  chain.node.mine(1);
  const then = chain.node.chain.headNumber;
  set(chain, meter, 6n);
  chain.node.mine(1);
  const mark = chain.ledger.state.mark();
  for (const height of [then, then + 1]) ask(chain, height, meter, callData('set(uint256)', 99n));
  expect(ask(chain, then, meter, callData('value()'))).toBe(word(5n));
  expect(ask(chain, then + 1, meter, callData('value()'))).toBe(word(6n));
  expect(chain.ledger.state.mark()).toBe(mark);
});
