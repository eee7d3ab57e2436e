/** Who signs what a form sends: an account of the node, TronLink and its like, a wallet of Ethereum. */

import type { BrowserContext, Page } from 'playwright-core';
import { TronWeb } from 'tronweb';
import { privateKeyToAddress } from 'viem/accounts';
import { expect } from 'vitest';
import type { Devnet } from '../../src/index.js';
import { axeFindings } from './accessibility.js';
import { test } from './browser-test.js';
import { Dashboard } from './opened-dashboard.js';
import { TestWallet } from './wallet.js';

/** Of the wallets; the node does not have it. */
const KEY = '4f3edf983ac636a65a842ce7c78d9aa706d3b113bce9c46f30d7d21715b23b1d';

type Transaction = Parameters<TronWeb['trx']['sign']>[0];

/** Where a wallet puts itself. */
const PLACES = {
  TronLink: 'window.tronLink = { request: ask, tronWeb }; window.tronWeb = tronWeb;',
  'TIP-1193': 'window.tron = { request: ask, tronWeb };',
  tronWeb: 'window.tronWeb = tronWeb;',
} as const;

/** A wallet as TronLink is one: its background has the key and signs, the page has a small `tronWeb`. */
async function installTronLink(context: BrowserContext, place: keyof typeof PLACES) {
  const background = new TronWeb({ fullHost: 'http://127.0.0.1:1', privateKey: KEY });
  const address = String(background.defaultAddress.base58);
  const wallet = { address, agrees: true, asked: [] as string[] };
  await context.exposeBinding('askTronLink', (_, method: string) => {
    wallet.asked.push(method);
    return wallet.agrees;
  });
  await context.exposeBinding('signWithTronLink', (_, transaction: Transaction) => background.trx.sign(transaction));
  const connects = place === 'tronWeb';
  await context.addInitScript(`{
    const tronWeb = {
      defaultAddress: { base58: ${connects ? JSON.stringify(address) : false} },
      trx: { sign: (transaction) => signWithTronLink(transaction) },
    };
    const ask = async ({ method }) => {
      if (!(await askTronLink(method))) throw { code: 4001, message: 'User rejected the request.' };
      tronWeb.defaultAddress = { base58: ${JSON.stringify(address)} };
      return { code: 200 };
    };
    ${PLACES[place]}
  }`);
  return wallet;
}

const screen = async (devnet: Devnet) => `#/contracts/${devnet.predeployed[0]!.address}?tab=Write`;
const OPTIONS = { mining: 'instant', predeploy: ['usdt'] } as const;

/** Fills and sends the form of `approve`, which needs no tokens. */
async function approve(page: Page, spender: string): Promise<void> {
  const form = page.locator('details').filter({ has: page.getByText('approve', { exact: true }) });
  if ((await form.getAttribute('open')) === null) await form.locator('summary').click();
  const [to, amount] = await form.getByRole('textbox').all();
  await to!.fill(spender);
  await amount!.fill('7');
  await form.getByRole('button', { name: 'Send' }).click();
}

/** The screen of a transaction of this sender. */
async function sentBy(page: Page, address: string): Promise<void> {
  const summary = page.getByRole('region', { name: 'Summary' });
  await summary.getByText('Success').waitFor();
  await summary.getByTitle(address).first().waitFor();
}

test('an account of the node signs with its key; what was impersonated stays so', async ({ context }) => {
  await using dashboard = await Dashboard.open(context, OPTIONS, async (devnet) => {
    await devnet.impersonate(devnet.accounts[1]!.address);
    return screen(devnet);
  });
  const { devnet, page } = dashboard;
  const [first, second] = devnet.accounts;
  for (const { address } of [first!, second!]) {
    await page.getByLabel('Sender').selectOption(address);
    await approve(page, first!.address);
    await sentBy(page, address);
    await page.goBack();
  }
  const { transactions } = await new TronWeb({ fullHost: devnet.http.url }).trx.getCurrentBlock();
  expect(transactions![0]!.signature![0]).toMatch(/^0{130}$/);
  // What stops returns what is left: the other account was never in the list.
  await devnet.impersonate(first!.address);
  const left = (await devnet.stopImpersonating(first!.address)) as unknown as { readonly accounts: readonly string[] };
  expect(left.accounts).toEqual([second!.address]);
});

test.for(Object.keys(PLACES) as (keyof typeof PLACES)[])('a wallet at %s signs', async (place, { context }) => {
  const wallet = await installTronLink(context, place);
  await using dashboard = await Dashboard.open(context, OPTIONS, async (devnet) => {
    await devnet.setBalance(wallet.address, 1_000_000_000);
    return screen(devnet);
  });
  const { devnet, page } = dashboard;
  const sender = page.getByLabel('Sender');
  if (place !== 'tronWeb') {
    wallet.agrees = false;
    await sender.selectOption('tron');
    await page.getByRole('alert').getByText('User rejected the request.').waitFor();
    await sender.locator(`option[value="${devnet.accounts[0]!.address}"]:checked`).waitFor({ state: 'attached' });
    expect(await axeFindings(page)).toEqual([]);
    wallet.agrees = true;
  }
  await sender.selectOption('tron');
  await sender.getByText(wallet.address).waitFor({ state: 'attached' });
  await approve(page, devnet.accounts[0]!.address);
  await sentBy(page, wallet.address);
  expect(wallet.asked).toHaveLength(place === 'tronWeb' ? 0 : 2);
});

test('a wallet of Ethereum adds this chain, and sends', async ({ context }) => {
  const wallet = await TestWallet.install(context, [`0x${KEY}`]);
  const address = TronWeb.address.fromHex(`41${privateKeyToAddress(`0x${KEY}`).slice(2)}`);
  await using dashboard = await Dashboard.open(context, OPTIONS, async (devnet) => {
    await devnet.setBalance(address, 1_000_000_000);
    return screen(devnet);
  });
  const { devnet, page } = dashboard;
  await page.getByLabel('Sender').selectOption('Test Wallet');
  await page.getByText(`Test Wallet: ${address}`).waitFor({ state: 'attached' });
  await approve(page, devnet.accounts[0]!.address);
  await sentBy(page, address);
  expect(wallet.questions.map(({ method }) => method)).toEqual([
    'eth_requestAccounts',
    'wallet_addEthereumChain',
    'eth_sendTransaction',
  ]);

  await page.goBack();
  await page.getByLabel('Sender').selectOption('Test Wallet');
  wallet.agrees = false;
  await approve(page, devnet.accounts[0]!.address);
  await page.getByRole('alert').getByText('Test Wallet: User rejected the request.').waitFor();
});

test('a wallet of Ethereum deploys an artifact', async ({ context }) => {
  const wallet = await TestWallet.install(context, [`0x${KEY}`]);
  const address = TronWeb.address.fromHex(`41${privateKeyToAddress(`0x${KEY}`).slice(2)}`);
  await using dashboard = await Dashboard.open(context, { mining: 'instant' }, async (devnet) => {
    await devnet.setBalance(address, 1_000_000_000);
    return '#/controls';
  });
  const { page } = dashboard;
  const artifact = JSON.stringify({ contractName: 'Stop', abi: [], bytecode: '0x60016000f3' });
  const file = { name: 'Stop.json', mimeType: 'application/json', buffer: Buffer.from(artifact) };
  await page.getByLabel(/choose it/).setInputFiles(file);
  await page.getByLabel('Sender').selectOption('Test Wallet');
  await page.getByText(`Test Wallet: ${address}`).waitFor({ state: 'attached' });
  await page.getByRole('form', { name: 'Constructor' }).getByRole('button').click();
  await sentBy(page, address);
  expect(wallet.questions.at(-1)!.method).toBe('eth_sendTransaction');
});

test('where the node sends for nobody, a wallet does', async ({ context }) => {
  const wallet = await installTronLink(context, 'TronLink');
  await using dashboard = await Dashboard.open(
    context,
    { ...OPTIONS, devMethods: false, balance: 1_000n, privateKeys: [KEY] },
    screen,
  );
  const { devnet, page } = dashboard;
  await page.getByLabel('Sender').selectOption('tron');
  await page.getByText(`TronLink: ${wallet.address}`).waitFor({ state: 'attached' });
  await approve(page, devnet.accounts[0]!.address);
  await page.getByRole('region', { name: 'Summary' }).getByTitle(wallet.address).first().waitFor();
});
