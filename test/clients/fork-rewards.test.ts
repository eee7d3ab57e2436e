/**
 * What a network owes a voter, on a fork of it: no interface serves the number of the running cycle or the accumulators,
 * only the sum.
 */

import { describe, expect, it } from 'vitest';
import { TRX, TronWebDevnet } from './tronweb-devnet.js';

const NETWORKS = [
  { rules: 'accumulators', parameters: {} },
  { rules: 'pools', parameters: { getAllowNewReward: 0, getAllowTvmVote: 0, getAllowOldRewardOpt: 0 } },
];

describe.each(NETWORKS)('the reward of a voter, by $rules', ({ parameters }) => {
  /** A voter that is owed a reward, on a network of which these epochs were ended by hand. */
  async function networkAfter(epochs: number): Promise<TronWebDevnet> {
    const chain = await TronWebDevnet.start({ balance: 100_000, parameters });
    const [witness, voter] = [chain.address(0), chain.address(1)];
    await chain.send(0, chain.client(0).transactionBuilder.applyForSR(witness, 'http://me'));
    const { transactionBuilder: builder } = chain.client(1);
    await chain.send(1, builder.freezeBalanceV2(10_000 * TRX, 'ENERGY', voter));
    await chain.send(1, builder.vote({ [witness]: 10_000 }, voter));
    for (let epoch = 0; epoch < epochs; epoch++) {
      await chain.devnet.runMaintenance();
      await chain.devnet.mine(30);
    }
    return chain;
  }

  it.each([1, 2, 5])('is on a fork what the network says, after %i epochs within one interval', async (epochs) => {
    await using network = await networkAfter(epochs);
    const owed = await network.client(1).trx.getReward(network.address(1));
    await using fork = await TronWebDevnet.start({ fork: network.devnet.http.url });
    expect(owed > 0).toBe(epochs > 1);
    expect(await fork.client(1).trx.getReward(network.address(1))).toBe(owed);
  });

  it('is paid, and grows from there', async () => {
    await using network = await networkAfter(4);
    await using fork = await TronWebDevnet.start({ fork: network.devnet.http.url });
    const voter = fork.address(1);
    const { trx, transactionBuilder: builder } = fork.client(1);
    const owed = await trx.getReward(voter);
    await fork.devnet.setBalance(voter, 50_000 * TRX);
    const before = await fork.balance(1);
    const withdrawn = await fork.send(1, builder.withdrawBlockRewards(voter));
    expect(withdrawn.withdraw_amount).toBe(owed);
    expect(await fork.balance(1)).toBe(before + owed - (withdrawn.fee ?? 0));
    expect(await trx.getReward(voter)).toBe(0);
    await fork.devnet.mine(30);
    await fork.devnet.runMaintenance();
    expect(await trx.getReward(voter)).toBeGreaterThan(0);
  });
});
