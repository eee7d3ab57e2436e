/** The dashboard in a browser. Needs the build (`npm run build`). */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { TronWeb } from 'tronweb';
import { expect, onTestFinished } from 'vitest';
import type { Devnet } from '../../src/index.js';
import { compileProject, writeProject } from '../clients/source-lines.js';
import { axeFindings } from './accessibility.js';
import { test } from './browser-test.js';
import { stakedChain } from './dashboard-chains.js';
import { Dashboard } from './opened-dashboard.js';

const AMOUNT_SUN = 5_000_000;

async function heightOf(devnet: Devnet): Promise<number> {
  const answer = await fetch(`${devnet.http.url}/wallet/getnowblock`);
  const { block_header: header } = (await answer.json()) as { block_header: { raw_data: { number?: number } } };
  return header.raw_data.number ?? 0;
}

/** @returns its id */
async function transfer(devnet: Devnet): Promise<string> {
  const [from, to] = devnet.accounts;
  const tronWeb = new TronWeb({ fullHost: devnet.http.url, privateKey: from!.privateKey });
  const { txid } = await tronWeb.trx.sendTransaction(to!.address, AMOUNT_SUN);
  return txid;
}

test('the overview shows blocks as they come, and what a revert took away is gone', async ({ context }) => {
  await using dashboard = await Dashboard.open(context, { mining: 'instant' });
  const { devnet, page } = dashboard;
  const start = await heightOf(devnet);
  const shows = (height: number) =>
    page.getByRole('region', { name: 'Block', exact: true }).getByText(String(height), { exact: true }).waitFor();
  await shows(start);
  const snapshot = await devnet.snapshot();
  const txid = await transfer(devnet);
  await devnet.mine(2);
  await shows(start + 3);
  await page.getByRole('link', { name: txid.slice(0, 8) }).waitFor();
  expect(await axeFindings(page)).toEqual([]);
  await devnet.revert(snapshot);
  await shows(start);
  await page.getByText('No transactions yet').waitFor();
});

test('the overview shows who paid from which source, and who shares the pools', async ({ context }) => {
  await using dashboard = await Dashboard.open(context, { mining: 'instant', predeploy: ['usdt'] }, async (devnet) => {
    await stakedChain(devnet);
    return '';
  });
  const { devnet, page } = dashboard;
  const [first, second] = devnet.accounts;
  const paid = page.getByRole('region', { name: 'Who paid, by source' });
  await paid.getByRole('img', { name: /Energy: .*Stake, own or delegated to the payer [\d,]+/ }).waitFor();
  await paid.getByRole('tab', { name: 'TRX' }).click();
  await paid.getByRole('img', { name: /TRX: .*Permission update 100 TRX/ }).waitFor();
  await page.waitForURL(({ hash }) => hash === '#/?paid=TRX');
  const shares = page.getByRole('table', { name: 'Largest shares of Energy' });
  await shares.locator(`a[href="#/accounts/${first!.address}"]`).waitFor();
  await shares.locator(`a[href="#/accounts/${second!.address}"]`).waitFor();
  expect(await axeFindings(page)).toEqual([]);
});

test('a search leads to the transaction, its cost and its raw form', async ({ context }) => {
  await using dashboard = await Dashboard.open(context, { mining: 'instant' });
  const { devnet, page } = dashboard;
  const txid = await transfer(devnet);
  const search = page.getByRole('combobox', { name: 'Search' });
  await search.fill(txid);
  await search.press('Enter');
  const summary = page.getByRole('region', { name: 'Summary' });
  await summary.getByText('TransferContract').waitFor();
  await summary.getByText('Success').waitFor();
  await page.getByText('of its free daily bandwidth').waitFor();
  expect(await axeFindings(page)).toEqual([]);
  await page.getByRole('tab', { name: 'Raw' }).click();
  await page.getByText(`${devnet.http.url}/wallet/gettransactionbyid`).waitFor();
  expect(await axeFindings(page)).toEqual([]);

  // The address has the screen and its tab: both survive a reload.
  await page.waitForURL(({ hash }) => hash === `#/transactions/${txid}?tab=Raw`);
  await page.reload();
  await summary.getByText(txid).waitFor();
  await page.getByText(`${devnet.http.url}/wallet/gettransactionbyid`).waitFor();

  await search.fill('nothing like that');
  await search.press('Enter');
  await page.getByRole('alert').getByText('Nothing on this chain is called').waitFor();
});

test('blocks of a long chain come in pages, and only those in sight are in the page', async ({ context }) => {
  await using dashboard = await Dashboard.open(context, { mining: 'manual' }, async (devnet) => {
    for (let count = 0; count < 400; count++) await devnet.mine(1);
    return '#/blocks';
  });
  const { devnet, page } = dashboard;
  const height = await heightOf(devnet);
  const table = page.getByRole('table', { name: 'Blocks' });
  await table.getByRole('link', { name: height.toLocaleString('en-US'), exact: true }).waitFor();
  for (let shown: readonly string[] = []; !shown.includes('0'); ) {
    await table.press('End');
    shown = await table.getByRole('link').allTextContents();
  }
  expect(await table.getByRole('row').count()).toBeLessThan(100);
  await table.getByRole('link', { name: '0', exact: true }).click();
  await page.getByRole('heading', { name: 'Block 0', exact: true }).waitFor();
  await page.getByText('TransferContract').first().waitFor();
});

test('names and memos of the chain are text, never markup', async ({ context }) => {
  const markup = '<img src=x onerror=alert(1)>';
  await using dashboard = await Dashboard.open(context, { mining: 'instant' }, async (devnet) => {
    const [account] = devnet.accounts;
    const tronWeb = new TronWeb({ fullHost: devnet.http.url, privateKey: account!.privateKey });
    const deployment = await tronWeb.transactionBuilder.createSmartContract(
      { abi: [], bytecode: '602a60005260206000f3', feeLimit: 1_000_000_000, name: markup },
      account!.address,
    );
    const { txid } = await tronWeb.trx.sendRawTransaction(await tronWeb.trx.sign(deployment));
    return `#/transactions/${txid}`;
  });
  const { page } = dashboard;
  await page.getByText(markup).first().waitFor();
  expect(await page.locator('img, script:not([src])').count()).toBe(0);
});

test('without developer methods it shows the chain, without costs', async ({ context }) => {
  await using dashboard = await Dashboard.open(context, { mining: 'instant', devMethods: false });
  const { devnet, page } = dashboard;
  const txid = await transfer(devnet);
  await page.getByText('Live (every 3 s)').waitFor();
  await page.getByText('This node does not report what transactions cost').waitFor();
  await page.goto(`${devnet.http.url}/#/transactions/${txid}`);
  await page.getByText('TransferContract').waitFor();
  await page.getByText('Costs and calls need developer methods').waitFor();
});

test('the Energy of a call is shown by function and by source line, and its steps one by one', async ({ context }) => {
  const root = mkdtempSync(path.join(tmpdir(), 'dashboard-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const artifacts = writeProject('standard-json', 'plain', root);
  await using dashboard = await Dashboard.open(
    context,
    { mining: 'instant', artifacts: [artifacts] },
    async (devnet) => {
      const output = compileProject('plain').output as never;
      const sums = await devnet.deploy(output, { contract: 'Sums' });
      const till = await devnet.deploy(output, { contract: 'Till', libraries: { Sums: sums.address } });
      const spin = (till.write as unknown as Record<string, (values: readonly unknown[]) => Promise<{ txid: string }>>)
        .spin!;
      return `#/transactions/${(await spin([3n])).txid}`;
    },
  );
  const { page } = dashboard;
  await page.getByRole('tab', { name: 'Calls' }).click();
  await page.getByRole('tabpanel').getByText('delegatecall').first().waitFor();

  // The source of a call is beside the tree, with the Energy of its lines.
  const source = page.getByRole('region', { name: 'Source of the call' });
  const row = source.getByRole('row', { name: /sum \+= Sums\.square/ });
  await row.waitFor();
  expect(Number((await row.getByRole('cell').first().textContent())?.replaceAll(',', ''))).toBeGreaterThan(100);
  await page.getByRole('button', { name: 'source' }).nth(1).click();
  await source.getByRole('table', { name: 'Sums.square' }).waitFor();
  await page.waitForURL(({ hash }) => hash.includes('call=1'));
  expect(await axeFindings(page)).toEqual([]);

  await page.getByRole('tab', { name: 'Changes' }).click();
  const changes = page.getByRole('table', { name: 'Changes on accounts' });
  await changes
    .getByRole('row', { name: /Energy in use|Balance/ })
    .first()
    .waitFor();
  expect(await axeFindings(page)).toEqual([]);

  await page.getByRole('tab', { name: 'Energy' }).click();
  const flame = page.getByRole('img', { name: /Energy by call/ });
  await flame.locator('.d3-flame-graph-label', { hasText: 'Till.spin' }).filter({ visible: true }).first().waitFor();
  await flame
    .locator('.d3-flame-graph-label', { hasText: 'Sums.square' })
    .filter({ visible: true })
    .first()
    .click({ force: true });
  await page.getByText('for (uint256 i = 0; i < n; i++) sum += Sums.square(i);').waitFor();
  expect(await axeFindings(page)).toEqual([]);

  await page.getByRole('tab', { name: 'Steps' }).click();
  const machine = page.locator('.machine');
  await machine.getByText('PUSH1 at 0').waitFor();
  await page.getByRole('button', { name: '2', exact: true }).click();
  await machine.getByText('MSTORE at 4').waitFor();
  await machine.getByText(/80$/).first().waitFor();
  await page.keyboard.press('ArrowDown');
  await machine.getByText('at 5').waitFor();

  // By source line, then out of a call and over one.
  const line = page.getByRole('region', { name: 'Source line of the step' }).locator('tr[aria-current]');
  const opcode = machine.getByRole('heading').first();
  const slider = page.getByRole('slider');
  const press = async (key: string) => {
    const before = Number(await slider.inputValue()).toLocaleString('en-US');
    await page.keyboard.press(key);
    await page
      .locator('.debugger label')
      .filter({ hasNotText: `Step ${before} of` })
      .waitFor();
  };
  const pressUntil = async (key: string, reached: () => Promise<boolean>) => {
    while (!(await reached())) await press(key);
  };
  const isOn = async (text: string) => (await line.allTextContents()).some((shown) => shown.includes(text));
  await pressUntil('j', () => isOn('function spin'));
  await pressUntil('j', () => isOn('function square'));
  await press('u');
  expect(await isOn('sum += Sums.square(i)')).toBe(true);
  await pressUntil('ArrowDown', async () => (await opcode.textContent())?.startsWith('DELEGATECALL') === true);
  await press('o');
  expect(await isOn('sum += Sums.square(i)')).toBe(true);
  const reached = await slider.inputValue();
  await page.waitForURL(({ hash }) => hash.endsWith(`step=${reached}`));
  await page.reload();
  await line.waitFor();
  expect(await slider.inputValue()).toBe(reached);

  await page.getByRole('slider').press('End');
  await machine.getByText(/^(RETURN|STOP) at/).waitFor();
  expect(await axeFindings(page)).toEqual([]);
});
