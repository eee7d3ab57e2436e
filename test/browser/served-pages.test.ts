/** The pages that a node serves to browsers, besides the dashboard. */

import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { axeFindings } from './accessibility.js';
import { test as browserTest } from './browser-test.js';
import { openPage } from './pages.js';

describe('the page at / without the dashboard', () => {
  browserTest.override('devnetOptions', { dashboard: false });
  browserTest('runs under its policy, leads to the description, and axe finds nothing', async ({ devnet, context }) => {
    const page = await openPage(context, devnet.http.url);
    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole('link', { name: 'HTTP API' }).click();
    await page.getByRole('heading', { name: 'Sunup', level: 1 }).waitFor();
  });
});

/** Opens an operation of a tag that is open, sends its example, and waits for the answer. */
async function execute(page: Page, tag: string, id: string): Promise<string> {
  const operation = page.locator(`#operations-${tag}-${id}`);
  await operation.locator('.opblock-summary-control').click();
  await operation.getByRole('button', { name: 'Execute' }).click();
  const answer = await operation.locator('.live-responses-table').innerText();
  expect([id, await axeFindings(page)]).toEqual([id, []]);
  await operation.locator('.opblock-summary-control').click();
  return answer;
}

// On one page: to show 300 operations takes seconds.
browserTest(
  'the page at /docs sends examples, and its dialog for API keys is closed by the keyboard',
  async ({ devnet, context }) => {
    const docs = await openPage(context, `${devnet.http.url}/docs`);
    await docs.getByRole('heading', { name: 'Sunup', level: 1 }).waitFor();
    expect(await axeFindings(docs)).toEqual([]);

    await docs.getByRole('button', { name: 'Authorize' }).click();
    await docs.getByRole('heading', { name: 'Available authorizations' }).waitFor();
    expect(await axeFindings(docs)).toEqual([]);
    await docs.locator('.close-modal').press('Enter');
    await docs.getByRole('heading', { name: 'Available authorizations' }).waitFor({ state: 'detached' });

    await docs.locator('#operations-tag-wallet').click();
    expect(await execute(docs, 'wallet', 'wallet_getaccount_get')).toContain('balance');
    expect(await execute(docs, 'wallet', 'wallet_getaccount_post')).toContain('balance');
    await docs.locator('#operations-tag-wallet').click();
    await docs.locator('#operations-tag-json-rpc').click();
    expect(await execute(docs, 'json-rpc', 'eth')).toContain('result');
  },
);
