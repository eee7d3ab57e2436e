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

describe('the page at /docs', () => {
  const test = browserTest.extend('docs', async ({ devnet, context }) => {
    const page = await openPage(context, `${devnet.http.url}/docs`);
    await page.getByRole('heading', { name: 'Sunup', level: 1 }).waitFor();
    return page;
  });

  /** Opens an operation, which belongs to a tag, sends its example, and waits for the answer. */
  async function execute(page: Page, tag: string, id: string): Promise<string> {
    await page.locator(`#operations-tag-${tag}`).click();
    const operation = page.locator(`#operations-${tag}-${id}`);
    await operation.locator('.opblock-summary-control').click();
    await operation.getByRole('button', { name: 'Execute' }).click();
    return await operation.locator('.live-responses-table').innerText();
  }

  test('has nothing that axe finds', async ({ docs }) => {
    expect(await axeFindings(docs)).toEqual([]);
  });

  test.for([
    ['wallet', 'wallet_getaccount_get', 'balance'],
    ['wallet', 'wallet_getaccount_post', 'balance'],
    ['json-rpc', 'eth', 'result'],
  ] as const)('sends an example of %s: %s', async ([tag, id, expected], { docs }) => {
    expect(await execute(docs, tag, id)).toContain(expected);
    expect(await axeFindings(docs)).toEqual([]);
  });

  test('has a dialog for API keys, which the keyboard closes', async ({ docs }) => {
    await docs.getByRole('button', { name: 'Authorize' }).click();
    await docs.getByRole('heading', { name: 'Available authorizations' }).waitFor();
    expect(await axeFindings(docs)).toEqual([]);
    await docs.locator('.close-modal').press('Enter');
    await docs.getByRole('heading', { name: 'Available authorizations' }).waitFor({ state: 'detached' });
  });
});
