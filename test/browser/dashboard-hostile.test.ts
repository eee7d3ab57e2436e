/** Data of a chain that would break a careless page: names, texts, sizes. Needs the build (`npm run build`). */

import { expect } from 'vitest';
import type { DeployedContract } from '../../src/index.js';
import { compile } from '../clients/tronweb-devnet.js';
import { axeFindings } from './accessibility.js';
import { test } from './browser-test.js';
import { clientOf } from './dashboard-chains.js';
import { Dashboard } from './opened-dashboard.js';
import { DESKTOP, PHONE } from './pages.js';

const MARKUP = '<img src=x onerror=alert(1)>';

const SOURCE = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
contract Hostile {
  event Transfer(address indexed from, address indexed to, uint256 value);
  uint256 public sum;
  constructor(address holder) { emit Transfer(address(0), holder, 5); }
  function name() external pure returns (string memory) { return string.concat(unicode"${MARKUP}\\u202e", string(new bytes(3000))); }
  function symbol() external pure returns (string memory) { return "\\n\\t\\x1b[31m</td><script>alert(1)</script>"; }
  function decimals() external pure returns (uint256) { return 10 ** 15; }
  function balanceOf(address) external pure returns (uint256) { return 5; }
  function dive(uint256 depth) external { if (depth > 0) this.dive(depth - 1); else sum++; }
  function spin(uint256 rounds) external { for (uint256 i; i < rounds; i++) sum += i; }
  function many(uint256[1000] calldata values) external { sum += values[999]; }
  function store(bytes calldata data) external { sum += data.length; }
}`;

const TRX = 1_000_000;

type Writes = Readonly<Record<string, (args: readonly unknown[], options?: object) => Promise<{ txid: string }>>>;

test('hostile names, memos and sizes neither become markup nor break the page', async ({ context }) => {
  const { abi, bytecode } = compile(SOURCE, 'Hostile');
  const ids: Record<string, string> = {};
  await using dashboard = await Dashboard.open(context, { mining: 'instant' }, async (devnet) => {
    const { address, builder, tronWeb, send } = clientOf(devnet, 0);
    const hostile = await devnet.deploy(
      { contractName: MARKUP, abi: abi as DeployedContract['abi'], bytecode: `0x${bytecode}` },
      { args: [address] },
    );
    const { dive, spin, many, store } = hostile.write as unknown as Writes;
    const options = { feeLimit: 10_000n * BigInt(TRX) };
    ids.dive = (await dive!([60n], options)).txid;
    ids.spin = (await spin!([1_500n], options)).txid;
    ids.many = (await many!([Array.from({ length: 1_000 }, (_, at) => BigInt(at))], options)).txid;
    ids.store = (await store!([`0x${'ab'.repeat(200_000)}`], options)).txid;
    const memo = `${MARKUP}\u0000\u0007\u001b[31m\u202e`;
    ids.memo = await send(
      tronWeb.transactionBuilder
        .sendTrx(devnet.accounts[1]!.address, 1, address)
        .then((transaction) => builder.addUpdateData(transaction, memo, 'utf8')),
    );
    return `#/accounts/${address}`;
  });
  const { devnet, page } = dashboard;
  const isText = async () => {
    expect(await page.locator('img, script:not([src])').count()).toBe(0);
    await page.setViewportSize(PHONE);
    // Charts take their new width in the next frame.
    const width = await page.evaluate(
      'new Promise((told) => requestAnimationFrame(() => requestAnimationFrame(() => told(document.documentElement.scrollWidth))))',
    );
    expect(width).toBeLessThanOrEqual(PHONE.width);
    await page.setViewportSize(DESKTOP);
  };
  const open = (id: string, query = '') => page.goto(`${devnet.http.url}/#/transactions/${ids[id]}${query}`);
  await page.getByRole('table', { name: 'Tokens' }).getByRole('row').nth(1).waitFor();
  await page.getByRole('table', { name: 'Transactions' }).getByRole('row').nth(5).waitFor();
  await isText();

  await open('memo');
  await page.getByText(`${MARKUP}␀␇␛[31m`).waitFor();
  await isText();

  await open('dive', '?tab=Calls');
  const open1 = page.getByRole('button', { name: /does$/ });
  await open1.first().waitFor();
  for (let closed = page.getByRole('button', { expanded: false, name: /does$/ }); (await closed.count()) > 0; )
    await closed.first().click();
  expect(await open1.count()).toBe(61);
  await isText();
  expect(await axeFindings(page)).toEqual([]);
  await open('dive', '?tab=Energy');
  await page.getByRole('img', { name: /61 calls deep/ }).waitFor();

  await open('many', '?tab=Calls');
  await page.getByText('dive').or(page.getByText(/many/)).first().waitFor();
  await isText();

  await open('store', '?tab=Raw');
  await page.getByText('The copy has all of them.').first().waitFor();
  expect(await page.locator('pre').first().textContent()).toHaveLength(50_000);

  await open('spin', '?tab=Steps');
  const slider = page.getByRole('slider');
  await slider.press('End');
  expect(Number(await slider.inputValue())).toBeGreaterThan(50_000);
  await page.locator('.machine').getByText('STOP at').waitFor();
  // Rows out of sight are not in the page.
  expect(await page.getByRole('table', { name: 'Steps' }).getByRole('row').count()).toBeLessThan(100);
  await page.getByRole('button', { name: 'Back' }).first().click();
  await page.locator('.machine').getByText('JUMPDEST at').waitFor();
  await isText();
});
