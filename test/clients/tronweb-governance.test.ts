/** TronWeb: witnesses, votes and rewards, proposals that change the chain's parameters. */

import { expect, it } from 'vitest';
import { DAY_MS, TRX, TronWebDevnet } from './tronweb-devnet.js';

const EPOCH_MS = 6 * 3_600_000;

it('becomes a witness, is elected, and shares its rewards with its voters', async () => {
  await using chain = await TronWebDevnet.start({ balance: 100_000 });
  const { transactionBuilder: builder, trx } = chain.client(0);
  const [witness, voter] = [chain.address(0), chain.address(1)];
  const applied = await chain.send(0, builder.applyForSR(witness, 'http://me'));
  expect(applied.fee).toBe(9_999 * TRX);
  expect(await trx.listSuperRepresentatives()).toContainEqual(expect.objectContaining({ url: 'http://me' }));
  await chain.send(0, builder.updateWitness(witness, 'http://still.me'));
  await chain.send(0, builder.updateBrokerage(10, witness));
  expect(await trx.getBrokerage(witness)).toBe(20);

  await chain.send(1, chain.client(1).transactionBuilder.freezeBalanceV2(10_000 * TRX, 'ENERGY', voter));
  await chain.send(1, chain.client(1).transactionBuilder.vote({ [witness]: 10_000 }, voter));
  expect((await trx.getAccount(voter)).votes).toEqual([
    { vote_address: chain.client(0).address.toHex(witness), vote_count: 10_000 },
  ]);
  // Votes count from the next maintenance, and earn in the cycle after it.
  await chain.devnet.mine({ advanceMs: EPOCH_MS });
  const elected = (await trx.listSuperRepresentatives()).find(({ url }) => url === 'http://still.me');
  expect(elected).toMatchObject({ voteCount: 10_000, isJobs: true });
  expect(await trx.getBrokerage(witness)).toBe(10);
  await chain.devnet.mine(100);
  await chain.devnet.mine({ advanceMs: EPOCH_MS });
  const rewards = { witness: await trx.getReward(witness), voter: await trx.getReward(voter) };
  expect(rewards.witness).toBeGreaterThan(0);
  expect(rewards.voter).toBeGreaterThan(rewards.witness);

  const before = await chain.balance(1);
  await chain.devnet.mine({ advanceMs: DAY_MS });
  const due = await trx.getReward(voter);
  const withdrawn = await chain.send(1, chain.client(1).transactionBuilder.withdrawBlockRewards(voter));
  expect(withdrawn.withdraw_amount).toBe(due);
  expect(await chain.balance(1)).toBe(before + due);
  expect(await trx.getReward(voter)).toBe(0);
  expect((await chain.refusal(1, chain.client(1).transactionBuilder.withdrawBlockRewards(voter))).message).toContain(
    'The last withdraw time is',
  );
});

it('continues to produce and solidify blocks after the election of witnesses without known keys', async () => {
  await using chain = await TronWebDevnet.start({ balance: 100_000 });
  const { trx } = chain.client(0);
  for (const i of [0, 1, 2]) {
    await chain.send(i, chain.client(i).transactionBuilder.applyForSR(chain.address(i), `http://w${i}`));
  }
  await chain.send(3, chain.client(3).transactionBuilder.freezeBalanceV2(90_000 * TRX, 'ENERGY', chain.address(3)));
  const votes = { [chain.address(0)]: 30_000, [chain.address(1)]: 20_000, [chain.address(2)]: 10_000 };
  await chain.send(3, chain.client(3).transactionBuilder.vote(votes, chain.address(3)));
  await chain.devnet.mine({ advanceMs: EPOCH_MS });
  await chain.devnet.mine(8);
  const head = (await trx.getCurrentBlock()).block_header.raw_data;
  const producers = new Set<string>();
  for (let number = head.number - 7; number <= head.number; number++) {
    producers.add((await trx.getBlockByNumber(number)).block_header.raw_data.witness_address);
  }
  expect(producers.size).toBe(4);
  // Instant blocks are solidified, too: three later transactions suffice for 70 % of four witnesses.
  const last = await trx.sendTransaction(chain.address(4), 1);
  for (const amount of [2, 3, 4]) await trx.sendTransaction(chain.address(4), amount);
  const { solidityBlock } = (await trx.getNodeInfo()) as unknown as { solidityBlock: string };
  expect(Number(/Num:(\d+)/.exec(solidityBlock)![1])).toBeGreaterThan(head.number);
  expect(await trx.getConfirmedTransaction(last.txid)).toMatchObject({ txID: last.txid });
});

it('proposes, approves, and changes the parameter at maintenance', async () => {
  // A witness with a known key and a balance.
  const key = '15f0bbb1774be40b7a8d7965d637f324bda2f711fc5726a3dcc19585c6950954';
  await using chain = await TronWebDevnet.start({
    genesis: { witnesses: [{ privateKey: key, url: 'http://me', voteCount: 100 }] },
  });
  const { transactionBuilder: builder, trx } = chain.client(0);
  expect(chain.key(0)).toBe(key);
  const me = chain.address(0);
  await chain.send(0, builder.createProposal({ key: 11, value: 210 }, me));
  await chain.send(0, builder.createProposal({ key: 68, value: 2 * TRX }, me));
  await chain.send(0, builder.voteProposal(1, true, me));
  await chain.send(0, builder.deleteProposal(2, me));
  expect(await trx.getProposal(1)).toMatchObject({
    proposal_id: 1,
    parameters: [{ key: 11, value: 210 }],
    approvals: [chain.client(0).address.toHex(me)],
  });
  expect((await trx.listProposals()).map(({ state }) => state)).toEqual(['CANCELED', undefined]);
  const stranger = chain.client(1).transactionBuilder.createProposal({ key: 11, value: 210 }, chain.address(1));
  expect((await chain.refusal(1, stranger)).message).toContain('not exists');

  const energyFee = async () =>
    ((await trx.getChainParameters()) as { key: string; value?: number }[]).find(({ key }) => key === 'getEnergyFee')
      ?.value;
  await chain.devnet.mine({ advanceMs: 3 * DAY_MS - EPOCH_MS });
  expect(await energyFee()).toBe(100);
  await chain.devnet.mine({ advanceMs: 2 * EPOCH_MS });
  expect(await energyFee()).toBe(210);
  expect(await trx.getProposal(1)).toMatchObject({ state: 'APPROVED' });
  expect(await trx.getEnergyPrices()).toMatch(/^0:100,\d+:210$/);
});
