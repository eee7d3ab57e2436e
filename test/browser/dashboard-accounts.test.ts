/** The screens of accounts. Needs the build (`npm run build`). */

import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { axeFindings } from './accessibility.js';
import { test } from './browser-test.js';
import { clientOf, stakedChain } from './dashboard-chains.js';
import { Dashboard } from './opened-dashboard.js';
import { DESKTOP, PHONE } from './pages.js';

const DAY_MS = 86_400_000;
const TRX = 1_000_000;

/** In light, in dark, and at the width of a phone, where the page itself must not scroll sideways. */
async function expectUsableByAll(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await axeFindings(page)).toEqual([]);
  }
  await page.setViewportSize(PHONE);
  expect(await axeFindings(page)).toEqual([]);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(PHONE.width);
  await page.setViewportSize(DESKTOP);
}

test('an account shows its stakes, delegations, votes, permissions and tokens, and follows the chain', async ({
  context,
}) => {
  await using dashboard = await Dashboard.open(context, { mining: 'instant', predeploy: ['usdt'] }, async (devnet) => {
    await stakedChain(devnet);
    return '#/accounts';
  });
  const { devnet, page } = dashboard;
  const [first, second, third] = [0, 1, 2].map((account) => clientOf(devnet, account));
  const list = page.getByRole('table', { name: 'Accounts' });
  await list.getByText('4,000 TRX').waitFor();
  await list.getByText('5,700 TRX').waitFor();
  await expectUsableByAll(page);
  await list.getByRole('link').first().click();

  const part = (name: string) => page.getByRole('region', { name, exact: true });
  const summary = part('Summary');
  await summary.getByText(first!.address).waitFor();
  await summary.getByText('4,000 TRX').waitFor();
  const { freeNetUsed, NetUsed } = await first!.tronWeb.trx.getAccountResources(first!.address);
  await part('Bandwidth')
    .getByRole('img', { name: `Free: ${freeNetUsed} of 600 in use` })
    .waitFor();
  await part('Bandwidth').getByRole('img', { name: 'Recovery of Bandwidth' }).waitFor();
  expect(NetUsed).toBeGreaterThan(0);
  await part('Energy').getByRole('img', { name: 'From stake:' }).waitFor();
  const stakes = page.getByRole('table', { name: 'Stakes' });
  const energy = stakes.getByRole('row').filter({ hasText: 'Energy' });
  await energy.getByText('2,700 TRX').waitFor();
  await energy.getByText('1,000 TRX').waitFor();
  await page.getByRole('table', { name: 'Unstakings' }).getByText('in 13 d 23 h').waitFor();
  const given = page.getByRole('table', { name: 'Delegated to others' }).getByRole('row');
  await given.filter({ hasText: 'Energy' }).getByTitle(second!.address).waitFor();
  await given.filter({ hasText: 'Energy' }).getByText('in 23 h').waitFor();
  await given.filter({ hasText: 'Bandwidth' }).getByText('no lock').waitFor();
  await part('Votes and reward').getByText('1,234 of 5,700').waitFor();
  await page.getByRole('table', { name: 'Tokens' }).getByText('9,998.5 USDT').waitFor();
  await expectUsableByAll(page);

  // Time passes: the lock ends, the unstaking can be withdrawn, the usage has recovered. Then all of it is undone.
  const snapshot = await devnet.snapshot();
  await devnet.mine({ advanceMs: 14 * DAY_MS });
  await page.getByText('300 TRX can be withdrawn now').waitFor();
  await given.getByText('ended').waitFor();
  await part('Bandwidth').getByRole('img', { name: 'Free: 0 of 600 in use' }).waitFor();
  await second!.send(second!.builder.sendTrx(first!.address, 5 * TRX, second!.address));
  await summary.getByText('4,005 TRX').waitFor();
  await devnet.revert(snapshot);
  await summary.getByText('4,000 TRX').waitFor();
  await page.getByRole('table', { name: 'Unstakings' }).getByText('in 13 d 23 h').waitFor();

  // A permission of several keys, by the address in another form.
  await page.goto(`${devnet.http.url}/#/accounts/${third!.tronWeb.address.toHex(third!.address)}`);
  const permissions = part('Permissions');
  await permissions.getByText('payments').waitFor();
  await permissions.getByText('threshold 3').waitFor();
  await permissions.getByRole('progressbar', { name: 'Weight 2 of threshold 3' }).waitFor();
  await permissions.getByText('2 contract types allowed').click();
  expect(await permissions.locator('.names').allTextContents()).toEqual(['TransferTriggerSmart']);
  await page.getByRole('table', { name: 'Received from others' }).getByTitle(first!.address).waitFor();
  await expectUsableByAll(page);
});

test('an address without an account, a contract, and a text that is no address', async ({ context }) => {
  const unused = 'TLBaRhANQoJFTqre9Nf1mjuwNWjCJeYqUL';
  await using dashboard = await Dashboard.open(
    context,
    { mining: 'instant', predeploy: ['usdt'] },
    async () => `#/accounts/${unused}`,
  );
  const { devnet, page } = dashboard;
  await page.getByText('This account is not activated.').waitFor();
  await page.getByText('No transactions yet.').waitFor();
  await expectUsableByAll(page);
  const sender = clientOf(devnet, 0);
  await sender.send(sender.builder.sendTrx(unused, 7 * TRX, sender.address));
  await page.getByRole('region', { name: 'Summary' }).getByText('7 TRX').waitFor();

  await page.goto(`${devnet.http.url}/#/accounts/${devnet.predeployed[0]!.address}`);
  await page.getByRole('link', { name: 'Open the contract' }).waitFor();
  await page.goto(`${devnet.http.url}/#/accounts/${unused.replace('L', 'l')}`);
  await page.getByText('is not an address').waitFor();
  expect(await axeFindings(page)).toEqual([]);
});

test('transactions come in pages, and the name of a token is text', async ({ context }) => {
  const markup = '<img/src=x/onerror=alert(1)>';
  await using dashboard = await Dashboard.open(context, { mining: 'instant' }, async (devnet) => {
    const { address, builder, send } = clientOf(devnet, 0);
    const start = Date.now() + DAY_MS;
    const asset = {
      name: markup,
      abbreviation: '<b>',
      totalSupply: 1_234_500,
      precision: 3,
      url: 'http://x',
      saleEnd: start + DAY_MS,
    };
    await send(
      builder.createToken({ ...asset, description: markup, trxRatio: 1, tokenRatio: 1, saleStart: start }, address),
    );
    for (let amount = 1; amount <= 22; amount++) {
      await send(builder.sendTrx(devnet.accounts[1]!.address, amount, address));
    }
    return `#/accounts/${address}`;
  });
  const { page } = dashboard;
  const tokens = page.getByRole('table', { name: 'Tokens' });
  await tokens.getByText(markup).waitFor();
  await tokens.getByText('1,234.5 <b>').waitFor();
  expect(await page.locator('img, script:not([src])').count()).toBe(0);
  const table = page.getByRole('table', { name: 'Transactions' });
  await table.getByText('0.000022 TRX').waitFor();
  await table.getByRole('row').nth(20).waitFor();
  expect(await table.getByRole('row').count()).toBe(21);
  await page.getByRole('button', { name: 'Older' }).click();
  await table.getByText('0.000001 TRX').waitFor();
  await table.getByText('AssetIssue').waitFor();
  expect(await page.getByRole('button', { name: 'Older' }).isDisabled()).toBe(true);
  // The page is in the address.
  await page.waitForURL(({ hash }) => hash.includes('pages='));
  await page.reload();
  await table.getByText('AssetIssue').waitFor();
  await page.getByRole('button', { name: 'Newer' }).click();
  await table.getByText('0.000022 TRX').waitFor();
});

test('without the history index and developer methods it says what is missing', async ({ context }) => {
  await using dashboard = await Dashboard.open(
    context,
    { mining: 'instant', history: false, devMethods: false },
    async (devnet) => `#/accounts/${devnet.accounts[0]!.address}`,
  );
  const { devnet, page } = dashboard;
  await page.getByText('The history index is off').waitFor();
  await page.getByText('TRC-20 tokens need the history index').waitFor();
  const summary = page.getByRole('region', { name: 'Summary' });
  await summary.getByText('10,000 TRX').waitFor();
  const sender = clientOf(devnet, 1);
  await sender.send(sender.builder.sendTrx(devnet.accounts[0]!.address, TRX, sender.address));
  await summary.getByText('10,001 TRX').waitFor();
  await page.getByRole('link', { name: 'Accounts' }).click();
  await page.getByRole('table', { name: 'Accounts' }).getByText('10,001 TRX').waitFor();
});

test('stakes and delegations of Stake 1.0, and more delegations than are asked for at once', async ({ context }) => {
  const parameters = { UNFREEZE_DELAY_DAYS: 0, ALLOW_CANCEL_ALL_UNFREEZE_V2: 0, MAX_DELEGATE_LOCK_PERIOD: 86_400 };
  await using dashboard = await Dashboard.open(
    context,
    { mining: 'instant', accounts: 55, parameters },
    async (devnet) => {
      const { address, builder, send } = clientOf(devnet, 0);
      await send(builder.freezeBalance(300 * TRX, 3, 'ENERGY', address));
      for (const receiver of devnet.accounts.slice(1)) {
        await send(builder.freezeBalance(10 * TRX, 3, 'BANDWIDTH', address, receiver.address));
      }
      return `#/accounts/${address}`;
    },
  );
  const { page } = dashboard;
  const stakes = page.getByRole('table', { name: 'Stakes' });
  await stakes.getByRole('columnheader', { name: 'Stake 1.0' }).waitFor();
  await stakes.getByRole('row').filter({ hasText: 'Energy' }).getByText('300 TRX').waitFor();
  await stakes.getByRole('row').filter({ hasText: 'Bandwidth' }).getByText('540 TRX').waitFor();
  await page.getByText('Stake 1.0 of 300 TRX for Energy can be taken back in 2 d 23 h.').waitFor();
  const given = page.getByRole('table', { name: 'Delegated to others' });
  await given.getByText('in 2 d 23 h').first().waitFor();
  expect(await given.getAttribute('aria-rowcount')).toBe('51');
  await page.getByRole('button', { name: 'Show 50 more accounts' }).click();
  await page.getByRole('table', { name: 'Delegated to others' }).and(page.locator('[aria-rowcount="55"]')).waitFor();
  await expectUsableByAll(page);
});

test('usage recovers by the slots of the chain', async ({ context }) => {
  await using dashboard = await Dashboard.open(context, { mining: 'instant', slotMs: 500 }, async (devnet) => {
    const { address, builder, send } = clientOf(devnet, 0);
    await send(builder.sendTrx(devnet.accounts[1]!.address, 1, address));
    return `#/accounts/${address}`;
  });
  const { page } = dashboard;
  // With slots of three seconds, the window would be six days long.
  await page
    .getByRole('region', { name: 'Bandwidth' })
    .getByText(/^in (1 d|23 h \d+ min)$/)
    .waitFor();
});
