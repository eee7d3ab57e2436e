/** A node that refuses, answers with something else, or is slow; a chain below a path. Needs the build. */

import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { axeFindings } from './accessibility.js';
import { test } from './browser-test.js';
import { clientOf } from './dashboard-chains.js';
import { Dashboard } from './opened-dashboard.js';

const MARKUP = '<img src=x onerror="document.title=1">';
const TRX = 1_000_000;

/** Without them, the page has no connection. */
const CONNECTION = /\/(getnowblock|getpendingsize|events)\b/;
const ASKED = ['**/wallet/**', '**/v1/**', '**/sunup/**', '**/tre'];

async function answerAll(page: Page, status: number, body: string): Promise<void> {
  for (const path of ASKED) {
    await page.route(path, (route) =>
      CONNECTION.test(route.request().url()) ? route.continue() : route.fulfill({ status, body }),
    );
  }
}

test.for([
  ['refuses', 500, JSON.stringify({ Error: MARKUP })],
  ['is busy', 503, MARKUP],
  ['answers with a page', 200, `<!doctype html><script>document.title=1</script>${MARKUP}`],
  ['answers with nothing', 200, ''],
] as const)(
  'a node that %s: screens say so, run nothing of it, and recover with the next block',
  async ([, status, body], { context, takeFaults }) => {
    await using dashboard = await Dashboard.open(context, { mining: 'manual', predeploy: ['usdt'] });
    const { devnet, page } = dashboard;
    const screens = [
      [`accounts/${devnet.accounts[0]!.address}`, '10,000 TRX'],
      [`contracts/${devnet.predeployed[0]!.address}`, 'Who pays for a call'],
      ['contracts', '1 contract'],
      ['blocks/1', 'Root of transactions'],
      ['governance', 'getEnergyFee'],
    ] as const;
    for (const [screen, complete] of screens) {
      await answerAll(page, status, body);
      await page.goto('about:blank');
      await page.goto(`${devnet.http.url}/#/${screen}`);
      await page.getByRole('alert').first().waitFor();
      expect(await page.locator('main img, main script').count()).toBe(0);
      expect(await page.title()).toMatch(/· Sunup$/);
      expect([screen, await axeFindings(page)]).toEqual([screen, []]);
      // A browser reports each refused request.
      const faults = (await takeFaults()).filter((fault) => !/Failed to load resource: .* (500|503)/.test(fault));
      expect([screen, faults]).toEqual([screen, []]);
      await page.unrouteAll();
      await devnet.mine(1);
      await page.getByText(complete).first().waitFor();
      await page.getByRole('alert').first().waitFor({ state: 'detached' });
    }
    await takeFaults();
  },
);

test('a slow node: what has come is shown, and other screens can be opened meanwhile', async ({ context }) => {
  await using dashboard = await Dashboard.open(context, { mining: 'instant' });
  const { devnet, page } = dashboard;
  const { builder, address, send } = clientOf(devnet, 0);
  const txid = await send(builder.sendTrx(devnet.accounts[1]!.address, 5 * TRX, address));
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/sunup/explain', async (route) => {
    await released;
    await route.continue();
  });
  await page.goto(`${devnet.http.url}/#/transactions/${txid}`);
  await page.getByText('Loading …').first().waitFor();
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await axeFindings(page)).toEqual([]);
  }
  await page.getByRole('link', { name: 'Blocks' }).click();
  await page.getByRole('table', { name: 'Blocks' }).getByRole('link').first().waitFor();
  await page.goBack();
  release();
  await page.getByRole('region', { name: 'Summary' }).getByText('TransferContract').waitFor();
});

test('a caller over its quota reads the words of the node', async ({ context, takeFaults }) => {
  await using dashboard = await Dashboard.open(context, {
    mining: 'instant',
    rateLimit: { anonymous: 1, suspend: 3_600 },
  });
  await dashboard.page.getByText(/^The node refuses .*: request rate exceeded the allowed_rps/).waitFor();
  expect(await axeFindings(dashboard.page)).toEqual([]);
  expect((await takeFaults()).filter((fault) => !fault.includes('429'))).toEqual([]);
});

test('the dashboard of a further chain asks that chain only', async ({ context }) => {
  await using dashboard = await Dashboard.open(context, { mining: 'instant' }, async (devnet) => {
    const body = JSON.stringify({ accounts: 2, balance: 777, mining: 'instant' });
    const answer = await devnet.fetch('/sunup/chains', { method: 'POST', body });
    const { path } = (await answer.json()) as { readonly path: string };
    return `${path.slice(1)}#/accounts`;
  });
  const { page } = dashboard;
  const { pathname: below } = new URL(page.url());
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.getByText('777 TRX').first().waitFor();
  for (const name of ['Overview', 'Blocks', 'Transactions', 'Contracts', 'Governance', 'Scenarios', 'Controls']) {
    await page.getByRole('navigation').getByRole('link', { name, exact: true }).click();
    await page.getByRole('heading', { level: 1, name }).waitFor();
    await page.locator('.loading').first().waitFor({ state: 'detached' });
  }
  await page.getByRole('form', { name: 'Make blocks' }).getByLabel('Blocks').fill('3');
  await page.getByRole('form', { name: 'Make blocks' }).getByRole('button').click();
  await page.getByText('3 blocks were made.').waitFor();
  expect(asked.length).toBeGreaterThan(10);
  expect(asked.filter((path) => !path.startsWith(below))).toEqual([]);
});

test('names in an ABI are text, whatever they are', async ({ context }) => {
  const script = '</script><script>document.title=1</script>';
  await using dashboard = await Dashboard.open(context, { mining: 'instant' }, async (devnet) => {
    const { builder, address, send } = clientOf(devnet, 0);
    const inputs = [{ name: MARKUP, type: 'uint256' }];
    const abi = [
      { type: 'function', name: script, inputs, outputs: inputs, stateMutability: 'view' },
      { type: 'function', name: `${script}2`, inputs, outputs: [], stateMutability: 'nonpayable' },
      { type: 'function', name: 'constructor', inputs: [], outputs: [], stateMutability: 'view' },
      { type: 'function', name: '__proto__', inputs: [], outputs: [], stateMutability: 'view' },
      { type: 'event', name: script, inputs: [{ name: MARKUP, type: 'uint256', indexed: false }] },
    ];
    const options = { abi, bytecode: '602a60005260206000f3', feeLimit: 1_000 * TRX, name: MARKUP.slice(0, 32) };
    await send(builder.createSmartContract(options as never, address));
    const answer = await devnet.fetch('/sunup/contracts', { method: 'POST', body: '{}' });
    const { contracts } = (await answer.json()) as { readonly contracts: readonly [{ readonly address: string }] };
    return `#/contracts/${contracts[0].address}`;
  });
  const { page } = dashboard;
  await page.getByText(script, { exact: true }).waitFor();
  await page.getByText('__proto__').waitFor();
  await page.locator('details').filter({ hasText: script }).first().locator('summary').click();
  await page.getByText(MARKUP).first().waitFor();
  expect(await axeFindings(page)).toEqual([]);
  for (const name of ['Write', 'Events', 'Storage']) {
    await page.getByRole('tab', { name }).click();
    await page.locator('.loading').first().waitFor({ state: 'detached' });
  }
  expect(await page.locator('main img, main script').count()).toBe(0);
  expect(await page.title()).toMatch(/· Sunup$/);
});
