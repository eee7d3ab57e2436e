/**
 * The dashboard on a chain with more than ten thousand transactions, loaded from a dump; nightly with a hundred thousand.
 * Needs the build (`npm run build`).
 */

import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Locator, Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { axeFindings } from './accessibility.js';
import { test } from './browser-test.js';
import { Dashboard } from './opened-dashboard.js';

const COMMAND = path.resolve(import.meta.dirname, '../../dist/sunup.cjs');
const BLOCKS = 240;
const IN_A_BLOCK = Number(process.env.SUNUP_LONG_CHAIN ?? 40);
const LAST_BLOCK = 4_000;
/** Rows of a table in sight and around it. */
const MOST_ROWS = 100;
/** Of JavaScript: 10 with either length. A hundred thousand transactions would be some hundred. */
const MOST_MEGABYTES = 25;

/** @returns a dump: transfers of one account in 240 blocks, then a block with 4,000 of them, then a small one */
async function longChain(folder: string): Promise<string> {
  const transfers = (times: number) => ({
    block: [{ repeat: { times, steps: [{ transfer: { from: 'shop', to: 'customer', amount: '1 TRX' } }] } }],
  });
  const scenario = {
    accounts: { shop: '1_000_000 TRX', customer: '1 TRX' },
    steps: [{ repeat: { times: BLOCKS, steps: [transfers(IN_A_BLOCK)] } }, transfers(LAST_BLOCK), transfers(1)],
  };
  const file = path.join(folder, 'long.scenario.json');
  const db = path.join(folder, 'db');
  const dump = path.join(folder, 'long.chain');
  writeFileSync(file, JSON.stringify(scenario));
  const sunup = (...words: string[]) => promisify(execFile)(process.execPath, [COMMAND, ...words]);
  await sunup('run', file, '--db', db);
  await sunup('record', dump, '--from', db);
  return dump;
}

/** Presses End until the last row is in sight. @returns how often */
async function scrollToEnd(table: Locator, isAtEnd: () => Promise<boolean>): Promise<number> {
  await table.focus();
  let presses = 0;
  for (; !(await isAtEnd()); presses++) {
    await table.press('End');
    expect(await table.getByRole('row').count()).toBeLessThan(MOST_ROWS);
  }
  return presses;
}

async function megabytes(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  await session.detach();
  return usedSize / 1_048_576;
}

const COUNT = (BLOCKS * IN_A_BLOCK + LAST_BLOCK).toLocaleString('en');

test(`${COUNT} transactions: only rows in sight are in the page, and few questions are asked`, async ({ context }) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'sunup-long-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const loadState = await longChain(folder);
  await using dashboard = await Dashboard.open(context, { loadState, mining: 'instant' }, async () => '#/');
  const { devnet, page } = dashboard;
  /** Each question once: on a slow machine a screen asks again for what may have changed meanwhile. */
  const asked = new Map<string, string>();
  page.on('request', (request) => {
    asked.set(`${request.url()} ${request.postData()}`, new URL(request.url()).pathname);
  });
  const open = async (screen: string) => {
    asked.clear();
    await page.goto('about:blank');
    await page.goto(`${devnet.http.url}/#/${screen}`);
  };
  /** The page's own files are not among them. */
  const questions = () =>
    [...asked.values()].filter((path) => path !== '/' && !/^\/dashboard\/.*\.(js|css)$/.test(path));
  const few = (most: number) => expect(questions().length < most ? [] : questions()).toEqual([]);
  const rowOf = (table: Locator, index: number) => table.locator(`[aria-rowindex="${index}"]`);

  // However long the chain is, a screen begins with a few questions, and with a part of the past.
  const head = page.getByRole('region', { name: 'Block', exact: true });
  await open('');
  await page.getByRole('row').filter({ hasText: '1 TRX' }).nth(7).waitFor();
  // On a slow machine the page shows first what has come of the past.
  const { block_header } = (await (await devnet.fetch('/wallet/getnowblock')).json()) as {
    readonly block_header: { readonly raw_data: { readonly number: number } };
  };
  const height = String(block_header.raw_data.number);
  await head.locator('.value').getByText(height, { exact: true }).waitFor();
  few(20);

  await open('blocks');
  const blocks = page.getByRole('table', { name: 'Blocks' });
  await rowOf(blocks, 2).getByText(height, { exact: true }).waitFor();
  await scrollToEnd(blocks, async () => (await blocks.getByRole('link', { name: '0', exact: true }).count()) > 0);
  few(12);
  expect(await axeFindings(page)).toEqual([]);
  await blocks.press('Home');
  await rowOf(blocks, 2).getByRole('link').first().waitFor();

  // A block with thousands of transactions, by the keyboard.
  await rowOf(blocks, 3).getByRole('link').first().press('Enter');
  const inBlock = page.getByRole('table', { name: 'Transactions' });
  await page.getByText(`${LAST_BLOCK} transactions`, { exact: true }).waitFor();
  await scrollToEnd(inBlock, async () => (await rowOf(inBlock, LAST_BLOCK + 1).count()) > 0);
  await rowOf(inBlock, LAST_BLOCK + 1)
    .getByRole('link')
    .first()
    .press('Enter');
  await page.getByRole('region', { name: 'Summary' }).getByText('TransferContract').waitFor();
  const account = await page.getByRole('region', { name: 'Summary' }).getByRole('link').first().getAttribute('href');

  await open('transactions');
  const transactions = page.getByRole('table', { name: 'Transactions' });
  await rowOf(transactions, LAST_BLOCK).or(rowOf(transactions, 2)).first().waitFor();
  await expect
    .poll(async () => Number(await transactions.getAttribute('aria-rowcount')), { timeout: 120_000 })
    .toBeGreaterThan(1_000);
  // Further ones may come of the past, so the last row is another one then.
  await scrollToEnd(transactions, async () => {
    const last = Number(await transactions.getAttribute('aria-rowcount'));
    return (await rowOf(transactions, last).count()) > 0;
  });
  few(12);
  expect(await axeFindings(page)).toEqual([]);

  // The newest and older pages of an account.
  await open(account!.slice(2));
  const history = page.getByRole('table', { name: 'Transactions' });
  await rowOf(history, 21).waitFor();
  const [newest] = await history.getByRole('link').allTextContents();
  await page.getByRole('button', { name: 'Older' }).press('Enter');
  await page.getByText('Page 2', { exact: true }).waitFor();
  await history.getByRole('link', { name: newest! }).waitFor({ state: 'detached' });
  await history.getByRole('row').nth(20).waitFor();
  expect(await history.getByRole('row').count()).toBe(21);
  few(40);

  expect(await megabytes(page)).toBeLessThan(MOST_MEGABYTES);
});
