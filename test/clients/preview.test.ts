/** `devnet.preview`: outcome and cost equal those after sending. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PreviewSubject } from '../../src/index.js';
import { toJson } from '../../src/primitives/amount-json.js';
import { TRX, TronWebDevnet } from './tronweb-devnet.js';

let chain: TronWebDevnet;
let token: string;
beforeAll(async () => {
  chain = await TronWebDevnet.start();
  // The caller's balance at mapping slot 0 of a contract that returns it.
  token = 'TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2HC';
  await chain.devnet.setCode(token, '0x60043560005260406000205460005260206000f3');
});
afterAll(() => chain[Symbol.asyncDispose]());

const transfer = (amount: number) => chain.client(0).transactionBuilder.sendTrx(chain.address(1), amount);
const balance = () => chain.client(0).trx.getBalance(chain.address(1));

describe('a preview', () => {
  it('of an unsigned transaction has its receipt, and changes nothing', async () => {
    const built = await transfer(5);
    const before = await balance();
    const { receipt, text, fees, limits, isOfChain } = await chain.devnet.preview(built);
    expect(text[0]).toMatch(/^Would succeed in block .*; nothing was sent$/);
    expect(text[3]).toBe(`${chain.address(0)} would send 0.000005 TRX to ${chain.address(1)}.`);
    expect({ limits, isOfChain }).toEqual({ limits: undefined, isOfChain: false });
    expect(fees).toMatchObject({
      contractType: 'TransferContract',
      result: 'SUCCESS',
      bandwidth: { paidBy: 'free', fee: 0n, why: expect.stringContaining('enough') },
      totalFee: 0n,
    });
    expect(await balance()).toBe(before);
    const info = await chain.send(0, built);
    expect(receipt).toMatchObject({ id: info.id, receipt: info.receipt });
    const again = await chain.devnet.preview(info.id);
    expect(again.fees).toEqual({ ...fees, blockNumber: info.blockNumber });
    expect(again.text[0]).toMatch(/^Would have succeeded in block /);
  });

  it("of a call has the call's cost", async () => {
    const data = `0x70a08231${'0'.repeat(64)}`;
    const call = { from: chain.address(0), to: token, data, feeLimit: 10 * TRX };
    const { fees, trace, limits } = await chain.devnet.preview(call, { trace: true });
    const { transaction } = await chain
      .client(0)
      .transactionBuilder.triggerSmartContract(token, 'balanceOf(address)', { feeLimit: 10 * TRX }, [
        { type: 'address', value: `41${'0'.repeat(40)}` },
      ]);
    const info = await chain.send(0, transaction);
    const { energy_usage_total: total = 0, energy_fee: fee = 0 } = info.receipt;
    const expected = { energy: { total, fee, burned: total, headroom: expect.any(Number) }, totalFee: info.fee };
    expect(toJson(fees)).toMatchObject(expected);
    expect(trace?.call).toMatchObject({ contract: { name: 'CreatedByTre' } });
    expect(toJson((await chain.devnet.preview(info.id)).fees)).toMatchObject(expected);
    expect(limits?.now).toMatchObject({ energy: BigInt(total), energyFeeSun: BigInt(fee), feeLimitSun: BigInt(fee) });
    expect(limits?.mostFeeSun).toBe(10n * BigInt(TRX));
    expect(fees.ifStaked.energyTrx).toBeGreaterThan(0);
    await chain.devnet.setStake(chain.address(0), { energy: Number(fees.ifStaked.energyTrx) * TRX });
    expect(toJson((await chain.devnet.preview(call)).fees)).toMatchObject({ energy: { fromStake: total, fee: 0 } });
    await chain.devnet.setStake(chain.address(0), { energy: 0 });
  });

  it('runs in the block of the witness whose turn it is', async () => {
    const keeper = chain.address(5);
    // COINBASE at slot 0: a word other than 0 costs 15,000 more than 0.
    await chain.devnet.setCode(keeper, '0x415f5500');
    const { transaction } = await chain
      .client(0)
      .transactionBuilder.triggerSmartContract(keeper, 'keep()', { feeLimit: 10 * TRX }, []);
    const { receipt } = await chain.devnet.preview(transaction);
    const info = await chain.send(0, transaction);
    expect(receipt).toMatchObject({ id: info.id, receipt: info.receipt });
    expect(info.receipt.energy_usage_total).toBeGreaterThan(20_000);
  });

  it('runs on another state, and at another height', async () => {
    const call = { from: chain.address(0), to: token };
    const overrides = { [token]: { code: '0x600160005260016000fd' } };
    const { outcome, receipt } = await chain.devnet.preview(call, { overrides });
    expect(outcome).toMatchObject({ succeeded: false, result: 'REVERT' });
    expect(receipt).toMatchObject({ result: 'FAILED' });
    // Before the token existed, this was a transfer of nothing.
    await expect(chain.devnet.preview(call, { at: 0 })).rejects.toThrow('would be refused');
    await expect(chain.devnet.preview(call, { at: 99_999 })).rejects.toThrow('options.at: expected a height');
  });

  it('accepts tokens without TRX as a token transfer, like sending', async () => {
    const call = { from: chain.address(0), to: chain.address(1), tokenId: 1_000_001, tokenValue: 5 };
    // There is no such token.
    await expect(chain.devnet.preview(call)).rejects.toThrow(/would be refused: asset .* does not exist/);
  });

  it.each([
    [{ nobody: {} }, /^options\.overrides\.nobody: expected an address/],
    [
      { '0x00000000000000000000000000000000000c0de5': { state: { '-1': 1 } } },
      /\.-1: expected a word of up to 32 bytes/,
    ],
    [
      { '0x00000000000000000000000000000000000c0de5': { stateDiff: { x: 1 } } },
      /\.x: expected a word of up to 32 bytes/,
    ],
  ])('is not run on %j', async (overrides, words) => {
    const call = { from: chain.address(0), to: token };
    await expect(chain.devnet.preview(call, { overrides })).rejects.toMatchObject({
      name: 'ParametersError',
      message: expect.stringMatching(words),
    });
  });

  it.each(['value', 'feeLimit', 'tokenValue'])('refuses a %s of more than 64 bits', async (name) => {
    const call = { from: chain.address(0), to: token, [name]: 2n ** 63n };
    await expect(chain.devnet.preview(call)).rejects.toThrow(
      `tx.${name}: expected a whole number of 64 bits, got 9223372036854775808`,
    );
  });

  it('accepts the parameters and stakes of another network', async () => {
    await chain.devnet.setChainParameters({ getTransactionFee: 10, getFreeNetLimit: 0 });
    const call = { from: chain.address(2), to: chain.address(1), value: 1 };
    const feesOf = async (subject: PreviewSubject, preset?: string) =>
      (await chain.devnet.preview(subject, preset === undefined ? {} : { changes: { preset } })).fees;
    const here = await feesOf(call);
    expect(here.bandwidth).toMatchObject({ paidBy: 'burn', price: 10n, fee: 10n * here.bandwidth!.bytes });
    const there = await feesOf(call, 'mainnet');
    expect(there.bandwidth).toMatchObject({ paidBy: 'free', price: 1000n });
    const { id } = await chain.send(2, chain.client(2).transactionBuilder.sendTrx(chain.address(1), 8));
    expect((await feesOf(id)).bandwidth).toMatchObject({ paidBy: 'burn', price: 10n });
    expect((await feesOf(id, 'mainnet')).bandwidth).toMatchObject({ paidBy: 'free' });
    await expect(feesOf(call, 'nowhere')).rejects.toThrow('nowhere');
  });

  it('of invalid input is refused with a message', async () => {
    const rpc = async (method: string, ...params: unknown[]) => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
      return (await (await chain.devnet.fetch('/jsonrpc', { method: 'POST', body })).json()) as {
        error?: { code: number; message: string };
      };
    };
    for (const wrong of ['0x1234', '', 'zz', {}, { raw_data: {} }, { from: 'x' }, { from: token, to: 5 }, 7, null]) {
      const { error } = await rpc('tron_preview', wrong);
      expect([wrong, error?.message]).toEqual([
        wrong,
        expect.stringMatching(/expected a transaction|would be refused/),
      ]);
    }
    const broke = { from: chain.address(0), to: chain.address(1), value: '9223372036854775807' };
    expect(await rpc('tron_preview', broke)).toMatchObject({
      error: { message: expect.stringContaining('would be refused') },
    });
    expect(await rpc('tron_preview', '00'.repeat(32))).toMatchObject({ error: { code: -32_000 } });
  });
});
