/** `sunup record --fork URL --account ADDRESS`, against a devnet as the network, and `sunup run` of what it writes. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { TronWeb } from 'tronweb';
import { afterAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { runRecordCommand } from '../../src/cli/record-command.js';
import { createDevnet, type Devnet } from '../../src/index.js';
import { runScenario, whatIf } from '../../src/run-scenario.js';
import { said } from '../unit/cli/said.js';

const folder = mkdtempSync(path.join(tmpdir(), 'sunup-traffic-'));
afterAll(() => rmSync(folder, { recursive: true }));

const FEE_LIMIT = 1_000_000_000;
const TRX = 1_000_000;

interface Recorded {
  readonly fork: { readonly url: string; readonly cache: string };
  readonly accounts: Record<string, { readonly address: string }>;
  readonly contracts: Record<string, { readonly address: string }>;
  readonly steps: readonly Record<string, Record<string, unknown>>[];
}

/** Two days of a payer: payments of tokens and TRX, a stake, a failure, a note. */
async function openNetwork() {
  const devnet = await createDevnet({ predeploy: ['usdt'] });
  const [payer, shop] = devnet.accounts as [Devnet['accounts'][0], Devnet['accounts'][0]];
  const [usdt] = devnet.predeployed as [Devnet['predeployed'][0]];
  const tronWeb = new TronWeb({ fullHost: devnet.http.url, privateKey: payer.privateKey });
  const { transactionBuilder: builder, trx } = tronWeb;
  const send = async (transaction: unknown) => {
    const { result, code } = await trx.sendRawTransaction(await trx.sign(transaction as never));
    if (result !== true) throw new Error(String(code));
  };
  const pay = async (amount: number | string) => {
    const parameters = [
      { type: 'address', value: shop.address },
      { type: 'uint256', value: amount },
    ];
    const options = { feeLimit: FEE_LIMIT };
    const { transaction } = await builder.triggerSmartContract(
      usdt.address,
      'transfer(address,uint256)',
      options,
      parameters,
      payer.address,
    );
    await send(transaction);
  };
  await pay(5);
  await send(await builder.sendTrx(shop.address, 3 * TRX, payer.address));
  await devnet.mine({ advanceMs: 3_600_000 });
  await send(await builder.freezeBalanceV2(1_000 * TRX, 'ENERGY', payer.address));
  await devnet.mine({ advanceMs: 86_400_000 });
  await pay(7);
  await pay('1000000000000000000000000');
  const noted = await builder.sendTrx(shop.address, 1, payer.address);
  await send(await builder.addUpdateData(noted, 'rent', 'utf8'));
  await send(await builder.updateAccount('a payer', payer.address));
  await devnet.mine();
  return { devnet, payer, shop, usdt };
}

test('writes calls by name, as far apart as they were, with what they were', async () => {
  const { devnet, payer, shop, usdt } = await openNetwork();
  await using _ = devnet;
  const words = ['record', '--fork', devnet.http.url, '--account', payer.address, '--since', '7d'];
  const { code, out, err } = await said((say) => runRecordCommand(words, say));
  expect({ code, err }).toEqual({ code: 0, err: '' });
  const { accounts, contracts, steps, fork } = parse(out) as Recorded;
  expect(accounts).toEqual({ payer: { address: payer.address } });
  expect(contracts).toEqual({ USDT: { address: usdt.address } });
  expect(fork.url).toBe(devnet.http.url);
  expect(steps.map((step) => Object.keys(step)[0])).toEqual([
    ...['call', 'transfer', 'advance', 'stake', 'advance', 'call', 'call', 'transfer'],
  ]);
  expect(steps[0]?.call).toMatchObject({
    from: 'payer',
    contract: 'USDT',
    method: 'transfer(address,uint256)',
    args: [shop.address, '5'],
    was: { result: 'SUCCESS', energy: 13_688 },
  });
  expect(steps[6]?.call).toMatchObject({ was: { result: 'REVERT' } });
  expect(out).toContain('# Left out, because scenarios do not repeat them:\n#   1 AccountUpdateContract');
});

test('is run with the same results where the state is the same, and with what-if', async () => {
  const { devnet, payer } = await openNetwork();
  await using _ = devnet;
  const file = path.join(folder, 'week.scenario.yaml');
  const words = ['record', file, '--fork', devnet.http.url, '--account', payer.address, '--since', '7d'];
  expect(await said((say) => runRecordCommand(words, say))).toMatchObject({ code: 0, err: '' });
  const { totals } = await runScenario(file);
  expect(totals.history).toMatchObject({ transactions: 6, otherResult: 0, differing: 0 });
  // Without a stake of its own in the days before, the payer's Energy of the second day is bought.
  const sweep = await whatIf(file, { 'accounts.payer.stake.energy': [0, '20_000 TRX'] });
  const [bought, staked] = sweep.outcomes.slice(-2);
  expect(staked!.feeSun < bought!.feeSun).toBe(true);
});

test('a model has the rates by hour and the shares of methods, and can be scaled', async () => {
  const { devnet, payer } = await openNetwork();
  await using _ = devnet;
  const file = path.join(folder, 'model.scenario.yaml');
  const words = ['--fork', devnet.http.url, '--account', payer.address, '--since', '7d', '--scale', '20'];
  const idle = ['record', '--fork', devnet.http.url, '--account', devnet.accounts[9]!.address];
  expect(await said((say) => runRecordCommand(idle, say))).toMatchObject({
    code: 1,
    err: expect.stringContaining('there are none in this time'),
  });
  const recorded = await said((say) => runRecordCommand(['record', file, ...words, '--json'], say));
  expect(JSON.parse(recorded.out)).toMatchObject({ file, transactions: 7 });
  const { totals } = await runScenario(file);
  // Twenty times the five transactions that the model has, spread at random.
  expect(totals.transactions).toBeGreaterThan(60);
  expect(totals.transactions).toBeLessThan(240);
  const both = [...words, '--account', devnet.accounts[1]!.address];
  const several = await said((say) => runRecordCommand(['record', ...both], say));
  expect(several).toMatchObject({ code: 2, err: expect.stringContaining('one --account') });
});

test('says what is missing', async () => {
  const noUrl = await said((say) => runRecordCommand(['record', '--account', `T${'1'.repeat(33)}`], say));
  expect(noUrl).toMatchObject({ code: 2, err: expect.stringContaining('--fork is missing') });
  const nothing = await said((say) => runRecordCommand(['record'], say));
  expect(nothing).toMatchObject({ code: 2, err: expect.stringContaining('a file is missing') });
});
