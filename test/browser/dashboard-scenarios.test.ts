/** The screen of scenarios, and the HTML page of `sunup run`. Needs the build (`npm run build`). */

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { axeFindings } from './accessibility.js';
import { test } from './browser-test.js';
import { Dashboard } from './opened-dashboard.js';
import { PHONE } from './pages.js';

const root = new URL('../../', import.meta.url);

const MARKUP = '<img src=x onerror="document.title=1">';
const LONG = 'a'.repeat(60);
const OWN = `about: ${JSON.stringify(MARKUP)}
accounts: { shop: 1_000 TRX, supplier: 10 TRX, ${LONG}: 1 TRX }
steps:
  - label: ${JSON.stringify(MARKUP)}
    repeat: { times: 5, steps: [transfer: { from: shop, to: supplier, amount: 5 TRX }] }
`;

const ended = (page: Page, id: number) => page.getByRole('status').getByText(`run ${id} has ended`).waitFor();
const width = (page: Page) => page.evaluate('document.documentElement.scrollWidth');

test('an example of the address runs; a slider runs it again, and the two are compared', async ({ context }) => {
  await using dashboard = await Dashboard.open(context, {}, async () => '#/scenarios?example=02-stake-or-burn');
  const { page } = dashboard;
  await ended(page, 1);
  await page.getByText(/^In 10 days, 30 transactions cost 18\.603 TRX, .*; burner pays/).waitFor();
  await page.getByText('Ten token transfers on ten days, by burning and by stake.', { exact: true }).waitFor();
  await page.getByText('100 sun per Energy, 1,000 sun per byte').waitFor();
  expect(await axeFindings(page)).toEqual([]);

  await page.getByRole('spinbutton', { name: 'getEnergyFee' }).fill('210');
  await page.getByRole('spinbutton', { name: 'getEnergyFee' }).press('Enter');
  await ended(page, 2);
  await page.getByText(/^In 10 days, 30 transactions cost 39\.0663 TRX/).waitFor();
  await page.getByText(/^\d+ results differ from what the file expects of its own values\.$/).waitFor();
  expect(page.url()).toContain('set=getEnergyFee%3D210');

  // The keyboard moves a slider, and the run follows.
  await page.getByRole('slider', { name: 'accounts.scant.stake.energy' }).focus();
  await page.keyboard.press('Home');
  await ended(page, 3);
  await page.getByText('with getEnergyFee = 210, accounts.scant.stake.energy = 0 TRX').waitFor();

  await page.getByRole('tab', { name: 'Compare' }).click();
  await page.getByRole('combobox', { name: 'First run' }).selectOption('1');
  await page.getByRole('combobox', { name: 'Second run' }).selectOption('2');
  const cost = page.getByRole('table', { name: 'As a whole' }).getByRole('row', { name: /^Cost/ });
  expect(await cost.innerText()).toMatch(/18\.603 TRX\s+39\.0663 TRX\s+\+20\.4633 TRX \(\+110 %\)/);
  expect(await cost.getByTitle('18,603,000 sun').count()).toBe(1);
  const frame = page.locator('.d3-flame-graph-label', { hasText: 'dollar.transfer' }).first();
  for (const tab of ['Compare', 'Plots', 'Tables', 'Energy by call']) {
    await page.getByRole('tab', { name: tab }).click();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect([tab, colorScheme, await axeFindings(page)]).toEqual([tab, colorScheme, []]);
    }
    await page.setViewportSize(PHONE);
    expect([tab, await width(page)]).toEqual([tab, PHONE.width]);
    await page.setViewportSize({ width: 1280, height: 800 });
  }
  await frame.waitFor();

  // The address has the example, the values and the tab: a reload runs both again.
  await page.reload();
  await ended(page, 2);
  await frame.waitFor();
  await page.getByRole('button', { name: 'Reset all' }).click();
  await ended(page, 3);
  expect(page.url()).not.toContain('set=');
});

test('several values at once show the cheapest', async ({ context }) => {
  await using dashboard = await Dashboard.open(context, {}, async () => '#/scenarios?example=02-stake-or-burn');
  const { page } = dashboard;
  await ended(page, 1);
  await page
    .getByLabel('Several values at once')
    .fill('getEnergyFee=50,100; accounts.staker.stake.energy=0..1489 TRX/2');
  await page.getByRole('button', { name: 'Run all' }).click();
  await ended(page, 2);
  await page
    .getByText(/^The cheapest of 5 settings is getEnergyFee=50 accounts\.staker\.stake\.energy=1489 TRX: /)
    .waitFor();
  await page.getByRole('img', { name: 'Fees, TRX along getEnergyFee' }).waitFor();
  expect(await axeFindings(page)).toEqual([]);
});

test('a text of the reader: mistakes with their lines, names that are markup, kept over a reload', async ({
  context,
  takeFaults,
}) => {
  await using dashboard = await Dashboard.open(context, {}, async () => '#/scenarios');
  const { page } = dashboard;
  await page.getByText(/^Choose an example, open a file, or type a scenario/).waitFor();
  const text = page.getByRole('textbox', { name: 'my.scenario.yaml' });
  await text.fill(OWN.replace('to: supplier', 'to: suplier'));
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await page
    .getByRole('alert')
    .getByText(/^my\.scenario\.yaml:5:\d+: no account is called suplier; did you mean/)
    .waitFor();
  // The browser itself tells of the status 400.
  expect(await takeFaults()).toEqual([expect.stringContaining('400')]);
  expect(await axeFindings(page)).toEqual([]);

  await text.fill(OWN);
  await text.press('Control+Enter');
  await ended(page, 1);
  await page.getByText(MARKUP, { exact: true }).first().waitFor();
  await page.getByRole('tab', { name: 'Tables' }).click();
  await page.getByRole('table', { name: 'By step' }).getByText(MARKUP).first().waitFor();
  expect(await page.title()).toBe('Scenarios · Sunup');
  const stake = page.getByRole('spinbutton', { name: `accounts.${LONG}.stake.energy` });
  await stake.fill('100');
  await stake.press('Enter');
  await ended(page, 2);
  await page.getByLabel('Change another number').selectOption('accounts.shop.balance');
  expect(await page.getByRole('spinbutton', { name: 'accounts.shop.balance' }).inputValue()).toBe('1000');
  await page.setViewportSize(PHONE);
  expect(await width(page)).toBe(PHONE.width);
  expect(await axeFindings(page)).toEqual([]);
  await page.reload();
  expect(await text.inputValue()).toBe(OWN);
});

test('files that are opened: a scenario with the artifact that it names', async ({ context }) => {
  await using dashboard = await Dashboard.open(context, {}, async () => '#/scenarios');
  const { page } = dashboard;
  const artifact = new URL('fixtures/artifacts/hardhat/artifacts/contracts/Shop.sol/Till.json', root);
  const scenario =
    'accounts: { a: 1000 TRX }\nsteps:\n  - deploy: { from: a, artifact: out/Till.json, args: [1], as: till }\n';
  await page.getByLabel(/^Open files/).setInputFiles([
    { name: 'till.yaml', mimeType: 'text/yaml', buffer: Buffer.from(scenario) },
    { name: 'Till.json', mimeType: 'application/json', buffer: readFileSync(artifact) },
  ]);
  await page.getByText('till.yaml, with Till.json').waitFor();
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await ended(page, 1);
  await page.getByText(/1 transaction costs [\d.]+ TRX/).waitFor();
});

test('a run shows its progress, and can be cancelled', async ({ context }) => {
  await using dashboard = await Dashboard.open(context, {}, async () => '#/scenarios');
  const { page, devnet } = dashboard;
  await page.getByRole('textbox', { name: 'my.scenario.yaml' }).fill(OWN.replace('times: 5', 'times: 10_000_000'));
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await page.getByRole('progressbar', { name: 'Progress of the run' }).waitFor();
  await page.getByRole('status').getByText('0 %').waitFor();
  // The node goes on.
  await devnet.mine(1);
  expect(await axeFindings(page)).toEqual([]);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('progressbar').waitFor({ state: 'detached' });
  await page.getByRole('combobox', { name: 'Example' }).selectOption('08-bandwidth-burst');
  await ended(page, 1);
});

test('without developer methods it says why', async ({ context }) => {
  await using dashboard = await Dashboard.open(context, { devMethods: false }, async () => '#/scenarios');
  await dashboard.page.getByText(/This node runs no scenarios for this page/).waitFor();
  expect(await axeFindings(dashboard.page)).toEqual([]);
});

test('the HTML page of the command fits a screen, a phone and paper', async ({ context }) => {
  const command = fileURLToPath(new URL('dist/sunup.cjs', root));
  const run = (...words: string[]) =>
    spawnSync(process.execPath, [command, 'run', ...words, '--html'], { encoding: 'utf8', cwd: root }).stdout;
  const file = 'fixtures/scenarios/02-stake-or-burn.scenario.yaml';
  const stakes = 'accounts.staker.stake.energy=0..2000 TRX/5';
  const page = await context.newPage();
  for (const html of [
    run(file, 'fixtures/scenarios/10-at-the-fee-limit.scenario.yaml'),
    run(file, '--what-if', stakes, '--what-if', 'getEnergyFee=100,210'),
  ]) {
    await page.setContent(html);
    for (const [pixels, media] of [
      [1280, 'screen'],
      [390, 'screen'],
      // A4 with its margins.
      [703, 'print'],
    ] as const) {
      await page.setViewportSize({ width: pixels, height: 1000 });
      await page.emulateMedia({ media });
      expect([pixels, await width(page)]).toEqual([pixels, pixels]);
      expect([pixels, await axeFindings(page)]).toEqual([pixels, []]);
    }
  }
});
