/** The pages that a node serves to browsers. */

import { expect } from 'vitest';
import { axeFindings } from './accessibility.js';
import { test } from './browser-test.js';
import { openPage } from './pages.js';

test('the page at / runs under its policy, leads to the description, and axe finds nothing', async ({
  devnet,
  context,
}) => {
  const page = await openPage(context, devnet.http.url);
  expect(await axeFindings(page)).toEqual([]);
  await page.getByRole('link', { name: 'HTTP API' }).click();
  await page.getByRole('heading', { name: 'Sunup', level: 1 }).waitFor();
});

test('the page at /docs runs under its policy', async ({ devnet, context }) => {
  const page = await openPage(context, `${devnet.http.url}/docs`);
  await page.getByRole('heading', { name: 'Sunup', level: 1 }).waitFor();
});
