/** Lending writes lists of partners anew, which no Energy pays for: it is counted by how long they are. */

import { expect, it } from 'vitest';
import { TriggerSmartContract } from '../../../../src/protocol/generated/smart-contract.js';
import { workLimit } from '../../../../src/tvm/work.js';
import { callContract } from '../../../../src/wallet/calls.js';
import { fullContext } from '../../../../src/wallet/context.js';
import { COIN, SimulatedChain, strangerAddress } from '../../../simulation/simulated-chain.js';

const contract = strangerAddress(0);

it('lending to one is out of time where very many have been lent to', async () => {
  const chain = await SimulatedChain.open({ vmLimit: workLimit(0.4) });
  const { operations } = chain.node;
  chain.node.mine(1);
  // DELEGATERESOURCE of 1 TRX for Energy; its answer is the call's.
  const receiver = chain.address(1).slice(2);
  operations.apply('setCode', { address: contract, code: `73${receiver}620f42406001de5f5260205ff3` });
  operations.apply('setStake', { address: contract, stakes: { energy: 10_000n * COIN }, keepTotals: false });
  const lend = () => {
    const message = { ...TriggerSmartContract.empty, owner_address: chain.address(0), contract_address: contract };
    return callContract(fullContext(chain.node), message);
  };
  const partners = (from: number, to: number) => {
    for (let i = from; i < to; i++) {
      operations.apply('setBalance', { address: strangerAddress(1 + i), balanceSun: 1n });
      operations.apply('setDelegation', { from: contract, to: strangerAddress(1 + i), lent: { energy: COIN } });
    }
  };
  partners(0, 300);
  expect(lend().run).toMatchObject({ contractResult: 1, output: Uint8Array.from([...Array(31).fill(0), 1]) });
  partners(300, 900);
  expect(lend().run.exception?.message).toMatch(/CPU timeout for '?DELEGATERESOURCE/);
  await chain.close();
});
