/** A transaction of a chain under other settings: `sunup explain TXID --what-if`, `/sunup/explain` with `whatIf`. */

import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runRemote } from '../../src/cli/remote.js';
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
  // Later blocks change nothing of what was.
  await devnet.setChainParameters({ getEnergyFee: 777 });
  await devnet.mine(3);
});
afterAll(() => devnet.close());

const explained = (...words: readonly string[]) =>
  said((say) => runRemote(['explain', receipt.txid, ...words, '--url', devnet.http!.url], say));

it('tells what it would have cost, and nothing else where nothing changes', async () => {
  const { code, out } = await explained(
    ...['--what-if', 'getEnergyFee=100,210', '--what-if', 'accounts.sender.stake.energy=0,1_000 TRX,2_000 TRX'],
    '--json',
  );
  expect(code).toBe(0);
  const { outcomes } = JSON.parse(out);
  const fees = outcomes.map(({ explanation }: { explanation: { feeSun: number } }) => explanation.feeSun);
  const [was, same, thousand, all, dear] = fees;
  expect(was).toBe(Number(receipt.feeSun));
  expect(same).toBe(was);
  const bytes = 346_000;
  expect(thousand).toBe(was - 9_411 * 100);
  expect(all).toBe(bytes);
  expect(dear - bytes).toBe((was - bytes) * 2.1);
  expect(outcomes[2].whatIf).toEqual({ getEnergyFee: '100', 'accounts.sender.stake.energy': '1_000 TRX' });
  // Nothing of it stays.
  expect((await devnet.explain(receipt.txid)).feeSun).toBe(receipt.feeSun);
});

it('knows the contract, its deployer, and prices of bytes', async () => {
  const { out } = await explained(
    ...['--what-if', 'accounts.deployer.stake.energy=0,3000', '--what-if', 'contracts.called.energyFactor=0,34000'],
    ...['--what-if', 'getTransactionFee=0', '--json'],
  );
  const { outcomes } = JSON.parse(out);
  const [, free, dear, shared] = outcomes.map(({ explanation }: { explanation: object }) => explanation);
  expect(free.feeSun).toBe(14_007 * 100);
  expect(dear.energy.total / free.energy.total).toBeCloseTo(4.4, 1);
  expect(shared.energy.origin.paid).toBe(Math.floor(14_007 * 0.4));
  expect(shared.feeSun).toBe((14_007 - Math.floor(14_007 * 0.4)) * 100);
});

it('answers in the library, and takes another limit than was sent', async () => {
  const { txid } = receipt;
  const was = await devnet.explain(txid);
  const dear = await devnet.explain(txid, { whatIf: { getEnergyFee: 210n } });
  expect(Number(dear.energy!.caller.feeSun)).toBe(Number(was.energy!.caller.feeSun) * 2.1);
  const short = await devnet.explain(txid, { whatIf: { feeLimit: '1 TRX' } });
  expect(short).toMatchObject({
    txid,
    outcome: { result: 'OUT_OF_ENERGY' },
    energy: { caller: { feeSun: 1_000_000n } },
  });
  // What it says would have been enough is enough.
  const enough = short.energy!.needed!.feeLimitSun!;
  const again = await devnet.explain(txid, { whatIf: { feeLimit: `${enough} sun` } });
  expect([again.outcome.result, again.feeSun]).toEqual(['SUCCESS', was.feeSun]);
  await expect(devnet.explain(txid, { whatIf: { feeLimit: '1_000_000 TRX' } })).rejects.toThrow(
    /would refuse it: .*fee/i,
  );
  const sent = await devnet.deploy(DOLLAR, { args: [1n, 'Dollar', 'USD', 6] });
  const empty = await devnet.explain(sent.deployment!.txid, { whatIf: { feeLimit: 0 } });
  expect(empty.outcome.succeeded).toBe(false);
});

it('is a table for people, and says where it would have been refused', async () => {
  const { out } = await explained('--what-if', 'accounts.sender.balance=0,5 TRX');
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
  const { code, err, out } = await explained('--what-if', given);
  expect({ code: code > 0, out }).toEqual({ code: true, out: '' });
  expect(err).toMatch(message);
});

it('answers /sunup/explain?whatIf=…', async () => {
  const answer = await devnet.fetch(
    `/sunup/explain?txid=${receipt.txid}&whatIf=${encodeURIComponent('getEnergyFee=210;getTransactionFee=2000')}`,
  );
  const { feeSun, text } = (await answer.json()) as { feeSun: number; text: readonly string[] };
  expect(feeSun).toBe(14_007 * 210 + 346 * 2_000);
  expect(text.join('\n')).toContain('TRX');
});

it.each([
  ['getEnergyFee=5;'.repeat(1_001), 'at most 1000 values are possible'],
  [`getEnergyFee=${'9'.repeat(1_000)}`, 'getEnergyFee=999999999999999999999999999… is too long'],
])('refuses what no question needs: %#', async (whatIf, words) => {
  const answer = await devnet.fetch('/sunup/explain', {
    method: 'POST',
    body: JSON.stringify({ txid: receipt.txid, whatIf }),
  });
  expect(await answer.json()).toEqual({ Error: `whatIf: ${words}` });
});
