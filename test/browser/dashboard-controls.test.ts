/** The controls: each changes the chain, and says what it did. */

import { expect } from 'vitest';
import { axeFindings } from './accessibility.js';
import { test } from './browser-test.js';
import { Dashboard } from './opened-dashboard.js';
import { PHONE } from './pages.js';

test('blocks, time, snapshots, balances, parameters', async ({ context }) => {
  await using dashboard = await Dashboard.open(context, { mining: 'manual' }, async () => '#/controls');
  const { devnet, page } = dashboard;
  const [account] = devnet.accounts;
  const form = (name: string) => page.getByRole('form', { name });
  const height = page.locator('.connection');

  await page.getByRole('button', { name: 'Take a snapshot' }).click();
  const goBack = page.getByRole('button', { name: 'Go back to snapshot 0x1' });
  await goBack.waitFor();
  expect(await axeFindings(page)).toEqual([]);

  await form('Make blocks').getByLabel('Blocks').fill('5');
  await form('Make blocks').getByRole('button').click();
  await form('Make blocks').getByText('5 blocks were made.').waitFor();
  await height.getByText(/· 7$/).waitFor();

  await form('Advance time').getByLabel('By').fill('half a day');
  await form('Advance time').getByRole('button').click();
  await form('Advance time').getByRole('alert').getByText('such as 6 h').waitFor();
  await form('Advance time').getByLabel('By').fill('6 h');
  await form('Advance time').getByRole('button').click();
  await form('Advance time').getByText('6 h later').waitFor();

  await form('Faucet').getByLabel('Account').fill('T123');
  await form('Faucet').getByRole('button').click();
  await form('Faucet').getByRole('alert').getByText('expected an address').waitFor();
  await form('Faucet').getByLabel('Account').fill(account!.addressHex);
  await form('Faucet').getByLabel('Amount').fill('0.5');
  await form('Faucet').getByRole('button').click();
  await form('Faucet').getByText('has 10,000.5 TRX').waitFor();

  await form('Set a parameter').getByLabel('Value').fill('210');
  await form('Set a parameter').getByRole('button').click();
  await form('Set a parameter').getByText('getEnergyFee is 210').waitFor();
  expect(await axeFindings(page)).toEqual([]);

  await goBack.click();
  await height.getByText(/· 2$/).waitFor();
  await page.getByText('No snapshot yet').waitFor();
  await page.setViewportSize(PHONE);
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await axeFindings(page)).toEqual([]);
});

test('a dropped artifact is deployed, and its screen opens', async ({ context }) => {
  await using dashboard = await Dashboard.open(context, { mining: 'instant' }, async () => '#/controls');
  const { page } = dashboard;
  const file = page.getByLabel(/choose it/);
  const upload = (name: string, content: string) =>
    file.setInputFiles({ name, mimeType: 'application/json', buffer: Buffer.from(content) });
  await upload('Broken.json', '{"abi":');
  await page.getByRole('alert').getByText('Broken.json is not JSON.').waitFor();
  await upload('Interface.json', JSON.stringify({ abi: [], bytecode: '0x' }));
  await page.getByRole('alert').getByText('an interface or an abstract contract').waitFor();
  // Stores its constructor's argument in slot 0, and has a code of one STOP.
  const abi = [{ type: 'constructor', inputs: [{ name: 'start', type: 'uint256' }], stateMutability: 'nonpayable' }];
  const bytecode = '0x60203803602060003960005160005560016020f3';
  await upload('Counter.json', JSON.stringify({ contractName: 'Counter', abi, bytecode }));
  const deployment = page.getByRole('form', { name: 'Constructor' });
  await deployment.getByLabel('start').fill('many');
  await deployment.getByRole('button').click();
  await deployment.getByRole('alert').getByText('start (uint256): expected a whole number').waitFor();
  await deployment.getByLabel('start').fill('42');
  await deployment.getByRole('button').click();
  const summary = page.getByRole('region', { name: 'Summary' });
  await summary.getByText('Success').waitFor();
  await summary.getByText('deploys').waitFor();
});

test('where developer methods are off, the chain is only shown', async ({ context }) => {
  await using dashboard = await Dashboard.open(context, { devMethods: false }, async () => '#/controls');
  await dashboard.page.getByText('does not let this page change the chain').waitFor();
  expect(await dashboard.page.getByRole('button', { name: 'Mine' }).count()).toBe(0);
});

test('a page of another origin cannot use the controls', async ({ context, takeFaults }) => {
  await using dashboard = await Dashboard.open(context, { mining: 'manual' });
  const { devnet, page } = dashboard;
  await page.goto(devnet.http.url.replace('127.0.0.1', 'evil.test'));
  await page.goto(`${page.url().replace(/#.*/, '')}#/controls`);
  await page.getByText('does not let this page change the chain').waitFor();
  expect((await takeFaults()).filter((fault) => !fault.includes('403'))).toEqual([]);
});
