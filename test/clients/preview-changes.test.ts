/** A transaction of a chain with other values: `sunup estimate TXID --what-if`, and `devnet.preview` with `changes`. */

import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runEstimate } from '../../src/cli/estimate-command.js';
import { createDevnet, type DeployedContract, type Devnet, type Receipt } from '../../src/index.js';
import { said } from '../unit/cli/said.js';

const DOLLAR = JSON.parse(readFileSync(new URL('../../fixtures/contracts/Dollar.json', import.meta.url), 'utf8'));

let devnet: Devnet;
let dollar: DeployedContract;
let receipt: Receipt;
beforeAll(async () => {
  devnet = await createDevnet({ networkStake: 'mainnet' });
  dollar = await devnet.deploy(DOLLAR, { args: [10n ** 15n, 'Dollar', 'USD', 6], userFeePercent: 60 });
  const [deployer, caller, other] = devnet.accounts;
  await dollar.write.transfer!([caller!.address, 1_000n]);
  await dollar.write.transfer!([other!.address, 1n]);
  await devnet.setAccountResources(caller!.address, { freeNetUsage: 600 });
  receipt = await dollar.write.transfer!([other!.address, 1n], { from: caller! });
  expect(deployer!.address).not.toBe(receipt.from);
  // Later blocks do not affect the result.
  await devnet.setChainParameters({ getEnergyFee: 777 });
  await devnet.mine(3);
});
afterAll(() => devnet.close());

const estimated = (...words: readonly string[]) =>
  said((say) => runEstimate(['estimate', receipt.txid, ...words, '--url', devnet.http!.url], say));

it('shows the other cost, and no other difference', async () => {
  const { code, out } = await estimated(
    ...['--what-if', 'getEnergyFee=100,210', '--what-if', 'accounts.sender.stake.energy=0,1_000 TRX,2_000 TRX'],
    '--json',
  );
  expect(code).toBe(0);
  const { outcomes } = JSON.parse(out);
  const fees = outcomes.map(({ preview }: { preview: { feeSun: number } }) => preview.feeSun);
  const [was, same, thousand, all, dear] = fees;
  expect(was).toBe(Number(receipt.feeSun));
  expect(same).toBe(was);
  const bytes = 346_000;
  expect(thousand).toBe(was - 9_411 * 100);
  expect(all).toBe(bytes);
  expect(dear - bytes).toBe((was - bytes) * 2.1);
  expect(outcomes[2].whatIf).toEqual({ getEnergyFee: '100', 'accounts.sender.stake.energy': '1_000 TRX' });
  // The chain is unchanged.
  expect((await devnet.explain(receipt.txid)).feeSun).toBe(receipt.feeSun);
});

it('resolves the called contract, its deployer, and bandwidth prices', async () => {
  const { out } = await estimated(
    ...['--what-if', 'accounts.deployer.stake.energy=0,3000', '--what-if', 'contracts.called.energyFactor=0,34000'],
    ...['--what-if', 'getTransactionFee=0', '--json'],
  );
  const { outcomes } = JSON.parse(out);
  const [, free, dear, shared] = outcomes.map(({ preview }: { preview: object }) => preview);
  expect(free.feeSun).toBe(14_007 * 100);
  expect(dear.energy.total / free.energy.total).toBeCloseTo(4.4, 1);
  expect(shared.energy.origin.paid).toBe(Math.floor(14_007 * 0.4));
  expect(shared.feeSun).toBe((14_007 - Math.floor(14_007 * 0.4)) * 100);
});

it('works in the library, also with another feeLimit', async () => {
  const { txid } = receipt;
  const was = await devnet.explain(txid);
  const dear = await devnet.preview(txid, { changes: { getEnergyFee: 210n } });
  expect(dear.energy!.caller.feeSun * 10n).toBe(was.energy!.caller.feeSun * 21n);
  const short = await devnet.preview(txid, { changes: { feeLimit: '1 TRX' } });
  expect(short).toMatchObject({
    txid,
    outcome: { result: 'OUT_OF_ENERGY' },
    energy: { caller: { feeSun: 1_000_000n } },
    limits: { mostFeeSun: 1_000_000n, outcome: { result: 'SUCCESS' } },
  });
  // The sufficient feeLimit suffices.
  const enough = short.energy!.needed!.feeLimitSun!;
  const again = await devnet.preview(txid, { changes: { feeLimit: enough } });
  expect([again.outcome.result, again.feeSun]).toEqual(['SUCCESS', was.feeSun]);
  await expect(devnet.preview(txid, { changes: { feeLimit: '1_000_000 TRX' } })).rejects.toThrow(
    /would be refused: .*fee/i,
  );
  const sent = await devnet.deploy(DOLLAR, { args: [1n, 'Dollar', 'USD', 6] });
  const empty = await devnet.preview(sent.deployment!.txid, { changes: { feeLimit: 0 } });
  expect(empty.outcome.succeeded).toBe(false);
});

it('is a table for people, with refusals', async () => {
  const { out } = await estimated('--what-if', 'accounts.sender.balance=0,5 TRX');
  const rows = out.split('\n').map((line) => line.split('│').map((cell) => cell.trim()));
  expect(rows.find(([, setting]) => setting === 'original')).toContain('SUCCESS');
  expect(rows.find(([, setting]) => setting === '0')?.[2]).toMatch(/^refused: /);
  expect(rows.find(([, setting]) => setting === '5 TRX')).toContain('SUCCESS');
});

it.each([
  ['getEnergyFees=1', /did you mean getEnergyFee/],
  ['accounts.sender.balance=1000', /add the unit, 1000 TRX or 1000 sun/],
  ['accounts.nobody.balance=1 TRX', /expected sender, deployer, or an address/],
  ['getEnergyFee', /expected NAME=VALUE/],
])('says what is wrong with %s', async (given, message) => {
  const { code, err, out } = await estimated('--what-if', given);
  expect({ code: code > 0, out }).toEqual({ code: true, out: '' });
  expect(err).toMatch(message);
});

it.each([
  [
    Object.fromEntries(Array.from({ length: 1_001 }, (_, at) => [`x${at}`, 5])),
    /^options\.changes: expected .*1000 at most/,
  ],
  [{ getEnergyFee: '9'.repeat(1_000) }, /^options\.changes\.getEnergyFee: expected/],
  [{ getEnergyFee: 0.5 }, /^options\.changes\.getEnergyFee: expected a whole number/],
])('refuses what no question needs: %#', async (changes, words) => {
  await expect(devnet.preview(receipt.txid, { changes })).rejects.toMatchObject({
    name: 'ParametersError',
    message: expect.stringMatching(words),
  });
});
