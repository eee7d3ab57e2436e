/** The commands of docs/tutorials/payment-costs.md, run one after another by the bundled command, against a devnet as the network. */

import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { TronWeb } from 'tronweb';
import { afterAll, expect, test } from 'vitest';
import { buildIfStale } from '../../scripts/build.mjs';
import { createDevnet, type Devnet } from '../../src/index.js';

const PAGE = 'docs/tutorials/payment-costs.md';
const folder = mkdtempSync(path.join(tmpdir(), 'sunup-tutorial-'));
afterAll(() => rmSync(folder, { recursive: true }));

const commands = [...readFileSync(PAGE, 'utf8').matchAll(/^npx sunup (.*)$/gm)].map(([, words]) => words as string);

/** Two days of payments. @returns a payment to a new customer */
async function pay(devnet: Devnet): Promise<string> {
  const [payer] = devnet.accounts as [Devnet['accounts'][0]];
  const [usdt] = devnet.predeployed as [Devnet['predeployed'][0]];
  const tronWeb = new TronWeb({ fullHost: devnet.http.url, privateKey: payer.privateKey });
  let first = '';
  for (const day of [0, 1]) {
    for (const customer of ['11', '22']) {
      const { transaction } = await tronWeb.transactionBuilder.triggerSmartContract(
        usdt.address,
        'transfer(address,uint256)',
        { feeLimit: 100_000_000 },
        [
          { type: 'address', value: TronWeb.address.fromHex(`41${customer.repeat(20)}`) },
          { type: 'uint256', value: 5_000_000 },
        ],
        payer.address,
      );
      const { result } = await tronWeb.trx.sendRawTransaction(await tronWeb.trx.sign(transaction));
      if (result !== true) throw new Error('a payment was refused');
      first ||= transaction.txID;
    }
    if (day === 0) await devnet.mine({ advanceMs: 86_400_000 });
  }
  await devnet.mine();
  return first;
}

test('has ten commands, and each of them works', { timeout: 300_000 }, async () => {
  expect(commands.length).toBe(10);
  await using devnet = await createDevnet({ predeploy: ['usdt'] });
  const txid = await pay(devnet);
  const sunup = `'${process.execPath}' '${await buildIfStale()}'`;
  const outputs: string[] = [];
  for (const words of commands) {
    const line = words
      .replaceAll('https://api.trongrid.io', devnet.http.url)
      .replaceAll('ADDRESS', devnet.accounts[0]!.address)
      .replaceAll('TXID', txid);
    // Rejects for another exit code than 0.
    const { stdout } = await promisify(execFile)('sh', ['-c', `${sunup} ${line}`], {
      cwd: folder,
      env: { ...process.env, SUNUP_FORK_API_KEY: 'KEY' },
    });
    outputs.push(stdout);
  }
  const [explained, again, costs, , , recorded, ran, stakes, prices] = outputs as [string, ...string[]];
  expect(explained).toContain('called transfer(address,uint256)');
  expect(again?.replaceAll(/\n +/g, ' ')).toMatch(/storage of TR7N\w+, slot [0-9a-f]{64}.*: then empty; now 0x/);
  expect(costs).toMatch(/The account paid [\d.]+ TRX for 4 transactions/);
  expect(recorded).toContain('week.scenario.yaml: 4 transactions');
  expect(ran).toMatch(/in this run │ +4 │ +2 │/);
  expect(stakes).toMatch(/of 4 transactions that really happened, 2 cost the same/);
  expect(prices).toMatch(/getEnergyFee/);
  for (const page of ['costs.html', 'what-if.html'])
    expect(readFileSync(path.join(folder, page), 'utf8')).toContain('<!doctype html>');
});
