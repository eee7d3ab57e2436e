/** Tests claims of explanations: sufficient values suffice, and past states are exact. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Types } from 'tronweb';
import { afterAll, describe, expect, it } from 'vitest';
import { runRemote } from '../../src/cli/remote.js';
import { createDevnet, type ExplanationInWords } from '../../src/index.js';
import { said } from '../unit/cli/said.js';
import { call, deploy, NOBODY, stake } from './cost-scenarios.js';
import { type Info, refusalOf, TRX, TronWebDevnet } from './tronweb-devnet.js';

const PRICE_SUN = 100;

/** Calls with too low a feeLimit, then with the one that the explanation names, then with one unit less. */
async function expectEnough(
  chain: TronWebDevnet,
  failing: (feeLimit: number) => ReturnType<typeof call>,
  feeLimit: number,
): Promise<ExplanationInWords> {
  const before = () => chain.devnet.snapshot();
  let snapshot = before();
  const failed = await failing(feeLimit);
  const explanation = await chain.devnet.explain(failed.id);
  expect(failed.result).toBe('FAILED');
  const { needed } = explanation.energy!;
  const enough = Number(needed!.feeLimitSun);
  expect(needed!.missingBalanceSun).toBe(0n);
  for (const [limit, result] of [
    [enough, needed!.result],
    [enough - PRICE_SUN, failed.receipt.result],
  ] as const) {
    await chain.devnet.revert(snapshot);
    snapshot = before();
    const info = await failing(limit);
    expect(info.receipt.result).toBe(result);
    if (result === 'SUCCESS') expect(info.receipt.energy_usage_total).toBeLessThanOrEqual(Number(needed!.energy));
  }
  return explanation;
}

describe('a sufficient amount', () => {
  const restock = (chain: TronWebDevnet, shop: string) => (feeLimit: number) =>
    call(
      chain,
      1,
      shop,
      'restock(uint256,uint256)',
      [
        ['uint256', 0],
        ['uint256', 3],
      ],
      { feeLimit },
    );

  it('suffices, and one unit less does not', async () => {
    await using chain = await TronWebDevnet.start();
    const shop = await deploy(chain, 'Shop', { parameters: [NOBODY] });
    const { energy } = await expectEnough(chain, restock(chain, shop.address), 2 * TRX);
    expect(energy!.needed).toMatchObject({ result: 'SUCCESS', callerEnergy: energy!.needed!.energy });
  });

  it('includes the deployer’s share, which grows with the caller’s', async () => {
    await using chain = await TronWebDevnet.start({ networkStake: 'none' });
    await stake(chain, 9, 9_000, 'ENERGY');
    await stake(chain, 0, 1_000, 'ENERGY');
    const shop = await deploy(chain, 'Shop', { parameters: [NOBODY], userFeePercentage: 30 });
    const { energy, text } = await expectEnough(chain, restock(chain, shop.address), TRX);
    expect(Number(energy!.needed!.callerEnergy)).toBe(Math.ceil(Number(energy!.needed!.energy) * 0.3));
    expect(text.join('\n')).toContain('of it paid by the caller');
  });

  it('includes Energy that is returned later', async () => {
    await using chain = await TronWebDevnet.start();
    const token = await deploy(chain, 'Token');
    const filled = await deploy(chain, 'Shop', { parameters: [token.address] });
    await call(chain, 0, token.address, 'transfer(address,uint256)', [
      ['address', filled.address],
      ['uint256', 50],
    ]);
    const buy = [
      ['address', chain.address(2)],
      ['uint256', 40],
    ] as const;
    await call(chain, 1, filled.address, 'buy(address,uint256)', buy, { callValue: 40 });
    const refund = (feeLimit: number) =>
      call(
        chain,
        1,
        filled.address,
        'refund(address,uint256)',
        [
          ['address', chain.address(3)],
          ['uint256', 7],
        ],
        { feeLimit },
      );
    const { energy } = await expectEnough(chain, refund, 0.5 * TRX);
    expect(energy!.needed).toMatchObject({ result: 'SUCCESS' });
  });

  it('names the missing balance', async () => {
    await using chain = await TronWebDevnet.start({ balance: 70 });
    const shop = await deploy(chain, 'Shop', { parameters: [NOBODY] });
    const { transactionBuilder } = chain.client(1);
    await chain.send(1, transactionBuilder.sendTrx(chain.address(2), 66 * TRX, chain.address(1)));
    let snapshot = chain.devnet.snapshot();
    const failed = await restock(chain, shop.address)(1_000 * TRX);
    const { needed } = (await chain.devnet.explain(failed.id)).energy!;
    for (const [more, result] of [
      [0, 'SUCCESS'],
      [-PRICE_SUN, 'OUT_OF_ENERGY'],
    ] as const) {
      await chain.devnet.revert(snapshot);
      snapshot = chain.devnet.snapshot();
      const gift = Number(needed!.missingBalanceSun) + more;
      await chain.send(2, chain.client(2).transactionBuilder.sendTrx(chain.address(1), gift, chain.address(2)));
      expect((await restock(chain, shop.address)(1_000 * TRX)).receipt.result).toBe(result);
    }
  });
});

describe('the stake with which nothing is burned', () => {
  /** Sends with the additional stake of the explanation, then with one sun less of each. */
  async function expectFree(
    chain: TronWebDevnet,
    i: number,
    sending: (feeLimit: number) => Promise<Info>,
    feeLimit = 1_000 * TRX,
  ): Promise<void> {
    let snapshot = chain.devnet.snapshot();
    const { energy, freeOfCharge } = await chain.devnet.explain((await sending(feeLimit)).id);
    const { energyStakeSun = 0, bandwidthStakeSun = 0, remainingFeeSun } = freeOfCharge!;
    const limit = Number(energy?.needed?.feeLimitSun ?? feeLimit);
    const sentWith = async (energySun: number, bandwidthSun: number): Promise<Info> => {
      await chain.devnet.revert(snapshot);
      snapshot = chain.devnet.snapshot();
      const account = chain.address(i);
      const own = async (resource: 'ENERGY' | 'BANDWIDTH') => {
        const { frozenV2 } = (await chain.client(0).trx.getAccount(account)) as {
          frozenV2: { type?: string; amount?: number }[];
        };
        const type = resource === 'BANDWIDTH' ? undefined : resource;
        return frozenV2?.find((stake) => stake.type === type)?.amount ?? 0;
      };
      if (energySun > 0) await chain.devnet.setStake(account, { energy: (await own('ENERGY')) + energySun });
      if (bandwidthSun > 0)
        await chain.devnet.setStake(account, { bandwidth: (await own('BANDWIDTH')) + bandwidthSun });
      return sending(limit);
    };
    const [forEnergy, forBandwidth] = [Number(energyStakeSun), Number(bandwidthStakeSun)];
    const free = await sentWith(forEnergy, forBandwidth);
    expect(free.result).toBe(undefined);
    expect(BigInt(free.fee ?? 0)).toBe(remainingFeeSun);
    if (forEnergy > 0) expect((await sentWith(forEnergy - 1, forBandwidth)).receipt.energy_fee).toBeGreaterThan(0);
    if (forBandwidth > 0) expect((await sentWith(forEnergy, forBandwidth - 1)).receipt.net_fee).toBeGreaterThan(0);
  }

  const restock = (chain: TronWebDevnet, shop: string) => (feeLimit: number) =>
    call(
      chain,
      1,
      shop,
      'restock(uint256,uint256)',
      [
        ['uint256', 0],
        ['uint256', 3],
      ],
      { feeLimit },
    );

  it('for a call, in addition to used stakes', async () => {
    await using chain = await TronWebDevnet.start();
    const shop = await deploy(chain, 'Shop', { parameters: [NOBODY] });
    await stake(chain, 1, 3_000, 'ENERGY');
    await stake(chain, 1, 100, 'BANDWIDTH');
    await call(chain, 1, shop.address, 'restock(uint256,uint256)', [
      ['uint256', 9],
      ['uint256', 1],
    ]);
    await expectFree(chain, 1, restock(chain, shop.address));
  });

  it('for an out-of-energy call, with the needed feeLimit', async () => {
    await using chain = await TronWebDevnet.start();
    const shop = await deploy(chain, 'Shop', { parameters: [NOBODY] });
    await expectFree(chain, 1, restock(chain, shop.address), 5 * TRX);
  });

  it('for an activation, whose fee no stake pays', async () => {
    await using chain = await TronWebDevnet.start();
    const { transactionBuilder } = chain.client(0);
    await expectFree(chain, 0, () => chain.send(0, transactionBuilder.sendTrx(NOBODY, 25 * TRX, chain.address(0))));
  });
});

describe('past transactions', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'sunup-explain-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('are explained exactly: after other transactions, many blocks, a rollback, and a restart', async () => {
    const db = path.join(folder, 'chain');
    let id: string;
    let then: ExplanationInWords;
    {
      await using chain = await TronWebDevnet.start({ db });
      await stake(chain, 9, 9_000, 'ENERGY');
      await stake(chain, 0, 100, 'ENERGY');
      const token = await deploy(chain, 'Token', { userFeePercentage: 30 });
      const transfer = (amount: number) =>
        call(chain, 1, token.address, 'transfer(address,uint256)', [
          ['address', chain.address(2)],
          ['uint256', amount],
        ]);
      ({ id } = await transfer(500));
      then = await chain.devnet.explain(id);
      expect(then.outcome.reason?.error).toBe('InsufficientBalance');

      // Same sender and contract, but other stakes, another percentage, no ABI, and other factors.
      await transfer(1);
      const { transactionBuilder: builder } = chain.client(0);
      await chain.send(0, builder.updateSetting(token.address, 80, chain.address(0)));
      await chain.send(0, builder.clearABI(token.address, chain.address(0)));
      await stake(chain, 0, 500, 'ENERGY');
      const snapshot = chain.devnet.snapshot();
      await chain.devnet.mine(300);
      await chain.devnet.mine({ advanceMs: 86_400_000 });
      await transfer(2);
      expect(await chain.devnet.explain(id)).toEqual(then);
      await chain.devnet.revert(snapshot);
      expect(await chain.devnet.explain(id)).toEqual(then);
      await transfer(3);
      expect(await chain.devnet.explain(id)).toEqual(then);
      await chain.devnet.mine(5);
    }
    await using again = await createDevnet({ db });
    expect(await again.explain(id)).toEqual(then);
  });

  it('include the effects of earlier transactions in the same block', async () => {
    await using chain = await TronWebDevnet.start({ mining: 'manual' });
    const { trx, transactionBuilder } = chain.client(0);
    const ids: string[] = [];
    for (const amount of [1, 2, 3]) {
      const built = await transactionBuilder.sendTrx(chain.address(1), amount, chain.address(0));
      const { txid } = await trx.sendRawTransaction(await trx.sign(built));
      ids.push(txid!);
    }
    await chain.devnet.mine();
    const told = await Promise.all(ids.map((id) => chain.devnet.explain(id)));
    expect(told.map(({ block }) => [block.index, block.transactions])).toEqual([
      [0, 3],
      [1, 3],
      [2, 3],
    ]);
    const { bytes } = told[0]!.bandwidth!;
    expect(told.map(({ bandwidth }) => bandwidth!.free!.left)).toEqual([600n, 600n - bytes, 600n - 2n * bytes]);
    expect(told.map(({ charges }) => charges[0]!.resource)).toEqual(['bandwidth', 'bandwidth', 'coin']);
  });
});

/**
 * A signed undelegation of 5 TRX of Energy from account 1 to account 0, built by hand, because the builder refuses
 * locked delegations.
 */
async function rollingBack(chain: TronWebDevnet) {
  const { trx, transactionBuilder, utils, address } = chain.client(0);
  const built = (await transactionBuilder.sendTrx(chain.address(1), 1, chain.address(0))) as never as {
    raw_data: { contract: object[] };
    raw_data_hex: string;
    txID: string;
  };
  const [owner_address, receiver_address] = [0, 1].map((at) => address.toHex(chain.address(at)));
  const value = { owner_address, receiver_address, balance: 5 * TRX, resource: 'ENERGY' };
  const type_url = 'type.googleapis.com/protocol.UnDelegateResourceContract';
  built.raw_data.contract = [{ parameter: { value, type_url }, type: 'UnDelegateResourceContract' }];
  const message = utils.transaction.txJsonToPb(built as never);
  const id = utils.transaction.txPbToTxID(message).replace('0x', '');
  return trx.sign({
    ...built,
    raw_data_hex: utils.transaction.txPbToRawDataHex(message),
    txID: id,
  } as unknown as Types.Transaction);
}

describe('a transaction that is in no block', () => {
  it('has the reason of its refusal, and the end of a lock', async () => {
    await using chain = await TronWebDevnet.start({ mining: 'instant' });
    const { trx, transactionBuilder } = chain.client(0);
    const [owner, receiver] = [chain.address(0), chain.address(1)];
    const refusedReasons: string[] = [];
    chain.devnet.on('refused', ({ reason }) => refusedReasons.push(reason));
    await chain.send(0, transactionBuilder.freezeBalanceV2(100 * TRX, 'ENERGY', owner));
    await chain.send(0, transactionBuilder.delegateResource(5 * TRX, receiver, 'ENERGY', owner, true, 100));
    const head = await chain.devnet.mine(1);
    const transaction = await rollingBack(chain);
    const answer = await trx.sendRawTransaction(transaction);
    expect(answer).toMatchObject({ code: 'CONTRACT_VALIDATE_ERROR' });
    const delegation = await trx.getDelegatedResourceV2(owner, receiver);
    const expires = Number(delegation.delegatedResource.at(-1)!.expire_time_for_energy);
    const blocks = Math.floor((expires - head.timestampMs) / 3_000) + 1;
    const lock = `5 TRX are locked until ${new Date(expires).toISOString()}, for ${blocks} more blocks`;
    const sentence = `transaction ${transaction.txID} was refused, above block ${head.number}: CONTRACT_VALIDATE_ERROR, Contract validate error : insufficient delegateFrozenBalance(Energy), request=5000000, unlock_balance=0. It is not in a block and cost nothing. ${lock} (sunup mine --until advances the time).`;
    await expect(chain.devnet.explain(transaction.txID)).rejects.toThrow(sentence);
    const { code, err } = await said((say) =>
      runRemote(['explain', transaction.txID, '--url', chain.devnet.http.url], say),
    );
    expect([code, err]).toEqual([1, `error: ${sentence}\n`]);
    expect(refusedReasons).toEqual([expect.stringMatching(new RegExp(`unlock_balance=0; ${lock}$`))]);
    // The lock ends after exactly this number of blocks.
    await chain.devnet.mine(blocks - 1);
    expect(refusalOf(await trx.sendRawTransaction(await rollingBack(chain))).code).toBe('CONTRACT_VALIDATE_ERROR');
    await chain.devnet.mine(1);
    expect((await trx.sendRawTransaction(await rollingBack(chain))).result).toBe(true);
    // A refusal is kept across rollbacks, and is gone when the transaction is accepted.
    await expect(chain.devnet.explain(transaction.txID)).rejects.toThrow(sentence);
  });
});

describe('a transaction that cannot be explained', () => {
  it('is refused with the next step, on every interface', async () => {
    await using chain = await TronWebDevnet.start({ mining: 'manual' });
    const { trx, transactionBuilder } = chain.client(0);
    const { url } = chain.devnet.http;
    const built = await transactionBuilder.sendTrx(chain.address(1), 1, chain.address(0));
    const { txid: pending } = await trx.sendRawTransaction(await trx.sign(built));
    const genesis = (await (
      await fetch(`${url}/wallet/getblockbynum`, { method: 'POST', body: '{"num":0}' })
    ).json()) as {
      transactions: { txID: string }[];
    };
    for (const [txid, text, status] of [
      ['00', /^00 is not a transaction id: a transaction id has 64 hex digits/, 400],
      ['', /^nothing is not a transaction id/, 400],
      ['ff'.repeat(32), /^transaction f{64} is not on this chain, nor among the last refused or dropped ones/, 404],
      [pending!, /is pending and has cost nothing yet\. Use sunup explain \w{64} --wait/, 404],
      [genesis.transactions[0]!.txID, /is in the genesis block/, 400],
    ] as const) {
      await expect(chain.devnet.explain(txid)).rejects.toThrow(text);
      const answers = [
        await fetch(`${url}/sunup/explain?txid=${txid}`),
        await fetch(`${url}/sunup/explain`, { method: 'POST', body: JSON.stringify({ txid }) }),
      ];
      for (const answer of answers)
        expect([answer.status, await answer.json()]).toEqual([status, { Error: expect.stringMatching(text) }]);
      if (txid.length !== 64) continue;
      let said = '';
      const say = { out: (line: string) => (said += line), err: (line: string) => (said += line) };
      expect(await runRemote(['explain', txid, '--url', url], say as never)).toBe(1);
      expect(said.replace(/^error: /, '')).toMatch(text);
    }
    const waiting = said((say) => runRemote(['explain', pending!, '--wait', '--url', url], say));
    await chain.devnet.mine(1);
    expect(await waiting).toMatchObject({ code: 0, err: '', out: expect.stringContaining(pending!) });
    const second = await trx.sign(await transactionBuilder.sendTrx(chain.address(1), 2, chain.address(0)));
    await trx.sendRawTransaction(second);
    await chain.devnet.dropTransaction(second.txID);
    await expect(chain.devnet.explain(second.txID)).rejects.toThrow(
      /was accepted and dropped later, above block 3: REMOVED, a client removed it/,
    );
    const empty = await fetch(`${url}/sunup/explain`, { method: 'POST', body: '' });
    expect(await empty.json()).toEqual({ Error: expect.stringMatching(/^nothing is not a transaction id/) });
  });
});
