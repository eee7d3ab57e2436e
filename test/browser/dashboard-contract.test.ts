/** A contract's screen: its cost, its methods as forms, its events and storage. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import solc from 'solc';
import { expect, onTestFinished } from 'vitest';
import type { ContractArtifact, Devnet } from '../../src/index.js';
import { axeFindings } from './accessibility.js';
import { test } from './browser-test.js';
import { Dashboard } from './opened-dashboard.js';
import { PHONE } from './pages.js';

test('a token is read and written by forms, and its events come', async ({ context }) => {
  await using dashboard = await Dashboard.open(
    context,
    { mining: 'instant', predeploy: ['usdt'] },
    async (devnet) => `#/contracts/${devnet.predeployed[0]!.address}`,
  );
  const { devnet, page } = dashboard;
  const [owner, other] = devnet.accounts;
  await page.getByRole('region', { name: 'Who pays for a call' }).getByText('100 %').waitFor();
  await page.getByText('× base price').waitFor();
  expect(await axeFindings(page)).toEqual([]);

  const balanceOf = page.locator('details').filter({ hasText: 'balanceOf' });
  const read = async (address: string) => {
    await page.getByRole('tab', { name: 'Read' }).click();
    await balanceOf.locator('summary').click();
    await balanceOf.getByRole('textbox').fill(address);
    await balanceOf.getByRole('button', { name: 'Read' }).click();
  };
  await read('nobody');
  await balanceOf.getByRole('alert').getByText('expected an address').waitFor();
  await balanceOf.getByRole('textbox').fill(other!.address);
  await balanceOf.getByRole('button', { name: 'Read' }).click();
  const before = BigInt((await balanceOf.getByRole('status').locator('code').first().textContent()) ?? '');

  await page.getByRole('tab', { name: 'Write' }).click();
  await page.getByLabel('Sender').selectOption(owner!.address);
  const transfer = page.locator('details').filter({ has: page.getByText('transfer', { exact: true }) });
  await transfer.locator('summary').click();
  const [to, amount] = await transfer.getByRole('textbox').all();
  await to!.fill(other!.address);
  await amount!.fill('1_000');
  await transfer.getByRole('button', { name: 'Send' }).click();
  await page.getByRole('region', { name: 'Summary' }).getByText('Success').waitFor();
  await page.getByText('transfer(address,uint256)').first().waitFor();
  await page.getByRole('tab', { name: 'Events' }).click();
  await page.getByRole('tabpanel').getByText(`to: ${other!.address}, value: 1000`).waitFor();

  await page.goBack();
  await read(other!.address);
  await balanceOf.getByText(String(before + 1_000n), { exact: true }).waitFor();
  await page.getByRole('tab', { name: 'Events' }).click();
  await page.getByRole('table', { name: 'Events' }).getByText('Transfer').first().waitFor();
  expect(await axeFindings(page)).toEqual([]);
  await page.getByRole('tab', { name: 'Storage' }).click();
  await page.getByRole('textbox', { name: 'Slot' }).fill('0x0');
  await page.getByRole('cell', { name: /^0x[0-9a-f]{64}$/ }).waitFor();
  await page.setViewportSize(PHONE);
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await axeFindings(page)).toEqual([]);
});

test('an address without a contract says so', async ({ context }) => {
  await using dashboard = await Dashboard.open(
    context,
    {},
    async (devnet) => `#/contracts/${devnet.accounts[0]!.address}`,
  );
  await dashboard.page.getByRole('alert').getByText('There is no contract at').waitFor();
});

test('past epochs stand beside the threshold, and say how far they reach', async ({ context }) => {
  await using dashboard = await Dashboard.open(context, { mining: 'instant', predeploy: ['usdt'] }, async (devnet) => {
    await devnet.runMaintenance({ count: 3 });
    await devnet.setContractEnergy(devnet.predeployed[0]!.address, { energyFactor: 12_000, energyUsage: 5_000 });
    await devnet.runMaintenance();
    return `#/contracts/${devnet.predeployed[0]!.address}`;
  });
  const { devnet, page } = dashboard;
  const panel = page.getByRole('region', { name: 'Energy factor' });
  await panel.getByText('4 epochs, since the chain began').waitFor();
  await panel.getByRole('img', { name: /0 of 4 past epochs were above the threshold/ }).waitFor();
  await panel.getByText('Past epochs as a table').click();
  const newest = panel.getByRole('table', { name: 'Past epochs' }).locator('[aria-rowindex="2"]');
  await newest.getByText('5,000', { exact: true }).waitFor();
  await newest.getByText('2.2 ×').waitFor();
  expect(await axeFindings(page)).toEqual([]);
  await devnet.runMaintenance();
  await panel.getByText('5 epochs, since the chain began').waitFor();
});

const SHELF = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
contract Shelf {
  struct Entry { address who; string note; }
  address owner = msg.sender;
  bool open = true;
  string motto = "<img src=x onerror=alert(1)>";
  uint16[] numbers;
  mapping(address => Entry[]) entries;
  constructor() {
    for (uint16 i; i < 250; i++) numbers.push(i * 2);
    entries[msg.sender].push(Entry(msg.sender, "the first"));
  }
}`;

test('storage is read by variable, where the artifacts have its layout', async ({ context, takeFaults }) => {
  const { abi, bytecode, deployedBytecode, storageLayout } = compileWithLayout(SHELF, 'Shelf');
  const folder = mkdtempSync(path.join(tmpdir(), 'sunup-shelf-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  await using dashboard = await Dashboard.open(context, { mining: 'instant', artifacts: [folder] }, async (devnet) => {
    const { address } = await devnet.deploy({ contractName: 'Shelf', abi, bytecode: bytecode.object });
    return `#/contracts/${address}?tab=Storage`;
  });
  const { devnet, page } = dashboard;
  await page.getByText('Variables are not known: no artifact has the storage layout').waitFor();
  await page.getByRole('textbox', { name: 'Slot' }).waitFor();
  writeFileSync(path.join(folder, 'Shelf.json'), JSON.stringify({ abi, bytecode, deployedBytecode, storageLayout }));
  await page.getByRole('button', { name: 'Look again' }).click();
  const variables = page.getByRole('table', { name: 'Variables' });
  await variables.getByText('“<img src=x onerror=alert(1)>”').waitFor();
  await variables.getByText('true', { exact: true }).waitFor();
  await variables.getByText('250 elements').waitFor();
  expect(await axeFindings(page)).toEqual([]);

  await variables.getByRole('button', { name: 'numbers' }).click();
  await page.getByRole('button', { name: 'Higher →' }).click();
  await page.getByRole('button', { name: 'Higher →' }).click();
  await page.getByText('200 to 249 of 250').waitFor();
  await page.waitForURL(/from=200/);
  await page.reload();
  await page.getByRole('table', { name: 'numbers' }).getByText('400', { exact: true }).waitFor();

  await page.getByRole('button', { name: 'All variables' }).click();
  await variables.getByRole('button', { name: 'entries' }).click();
  await page.getByLabel('Key (address)').fill('nobody');
  await page.getByRole('button', { name: 'Show' }).click();
  await page.getByRole('alert').getByText('expected an address').waitFor();
  await page.getByRole('button', { name: 'All variables' }).click();
  await variables.getByRole('button', { name: 'entries' }).click();
  await page.getByLabel('Key (address)').fill(devnet.accounts[0]!.address);
  await page.getByRole('button', { name: 'Show' }).click();
  await page.getByText('“the first”').waitFor();
  // Until the key was valid, the page may have asked again when it was refreshed.
  expect([...new Set(await takeFaults())]).toEqual([expect.stringContaining('400')]);
  await page.getByRole('button', { name: '0', exact: true }).click();
  await page.getByRole('table', { name: '0' }).getByText('9 bytes').waitFor();
  await page.getByLabel('By slot').click();
  await page.getByRole('cell', { name: /^0x0*1[0-9a-f]{40}$/ }).waitFor();
  await page.setViewportSize(PHONE);
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await axeFindings(page)).toEqual([]);
});

/** As Foundry writes it with `extra_output = ["storageLayout"]`. */
function compileWithLayout(source: string, name: string) {
  const outputSelection = { '*': { '*': ['abi', 'evm.bytecode', 'evm.deployedBytecode', 'storageLayout'] } };
  const settings = { evmVersion: 'london', outputSelection };
  const input = { language: 'Solidity', sources: { 'One.sol': { content: source } }, settings };
  const { abi, evm, storageLayout } = JSON.parse(solc.compile(JSON.stringify(input))).contracts['One.sol'][name];
  return { abi, ...evm, storageLayout } as {
    readonly abi: ContractArtifact['abi'];
    readonly bytecode: { readonly object: string };
    readonly deployedBytecode: object;
    readonly storageLayout: object;
  };
}

/** Deploys a contract whose code is one STOP. */
function deploy(devnet: Devnet, contractName: string, methods: readonly string[] = []) {
  const abi = methods.map((name) => ({ type: 'function', name, inputs: [], outputs: [], stateMutability: 'payable' }));
  return devnet.deploy({ contractName, abi: abi as ContractArtifact['abi'], bytecode: '0x60016000f3' });
}

test('all contracts are listed; search and order are in the address', async ({ context }) => {
  await using dashboard = await Dashboard.open(context, { mining: 'instant', predeploy: ['usdt'] }, async (devnet) => {
    for (let number = 0; number < 130; number++) await deploy(devnet, `Vault ${number}`);
    await deploy(devnet, '<b>Bank</b>', ['withdraw', 'pay']);
    return '#/contracts';
  });
  const { devnet, page } = dashboard;
  const table = page.getByRole('table', { name: 'Contracts' });
  const first = table.locator('[aria-rowindex="2"]');
  await page.getByText('132 contracts', { exact: true }).waitFor();
  await first.getByText('<b>Bank</b>').waitFor();
  expect(await axeFindings(page)).toEqual([]);

  // The last row is on the second page, which the node is asked for when the row comes into sight.
  await table.focus();
  await page.keyboard.press('End');
  await table.locator('[aria-rowindex="133"]').getByText('USDT').waitFor();

  await page.getByLabel('Order').selectOption('Name');
  await first.getByText('<b>Bank</b>').waitFor();
  await page.getByLabel('Search contracts').fill('vault 12');
  await page.getByText('11 contracts', { exact: true }).waitFor();
  await page.waitForURL(/order=name&search=vault\+12/);
  await page.reload();
  await page.getByText('11 contracts', { exact: true }).waitFor();
  await first.getByText('Vault 12', { exact: true }).waitFor();

  await page.getByLabel('Search contracts').fill('WITHDRAW');
  await first.getByText('withdraw()').waitFor();
  await page.getByLabel('Search contracts').fill('nothing');
  await page.getByText('No contract is like that.').waitFor();
  await page.getByLabel('Search contracts').fill('');
  await page.getByLabel('Order').selectOption('Newest first');
  await deploy(devnet, 'Later');
  await first.getByText('Later').waitFor();
  await page.setViewportSize(PHONE);
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await axeFindings(page)).toEqual([]);
});

test('the search field lists contracts and methods, with the keyboard', async ({ context }) => {
  await using dashboard = await Dashboard.open(context, { mining: 'instant', predeploy: ['usdt'] }, async (devnet) => {
    for (let number = 0; number < 9; number++) await deploy(devnet, `Vault ${number}`, ['withdraw']);
    await deploy(devnet, '<b>Bank</b>', ['pay', 'withdraw']);
    return '';
  });
  const { page } = dashboard;
  const search = page.getByRole('combobox', { name: 'Search' });
  const matches = page.getByRole('listbox', { name: 'Contracts that match' });
  await search.fill('vault');
  await matches.getByRole('option', { name: 'All 9 contracts that match' }).waitFor();
  expect(await axeFindings(page)).toEqual([]);
  await search.press('ArrowDown');
  await search.press('ArrowDown');
  await matches.getByRole('option', { name: 'Vault 7', selected: true }).waitFor();
  await search.press('Escape');
  await matches.waitFor({ state: 'detached' });
  await search.fill('vault 3');
  await matches.getByRole('option', { name: 'Vault 3' }).waitFor();
  await search.press('Enter');
  await page.getByRole('heading', { name: 'Vault 3' }).waitFor();

  // A method of one contract: its form is open.
  await search.fill('transferFrom');
  await matches.getByRole('option', { name: /transferFrom\(address,address,uint256\)/ }).click();
  await page.getByRole('heading', { name: 'USDT' }).waitFor();
  await page.getByRole('tab', { name: 'Write', selected: true }).waitFor();
  await page.locator('details[open]').getByText('transferFrom', { exact: true }).waitFor();

  // The last option leads to the list of all.
  await search.fill('withdraw');
  await matches.getByRole('option', { name: /Bank/ }).waitFor();
  await search.press('ArrowUp');
  await matches.getByRole('option', { name: 'All 10 contracts that match', selected: true }).waitFor();
  await page.setViewportSize(PHONE);
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await axeFindings(page)).toEqual([]);
  await search.press('Enter');
  await page.getByText('10 contracts', { exact: true }).waitFor();
  expect(await page.getByLabel('Search contracts').inputValue()).toBe('withdraw');
  await search.fill('nobody is called so');
  await search.press('Enter');
  await page.getByRole('alert').getByText('Nothing on this chain is called “nobody is called so”.').waitFor();
});

test('without developer methods there is no list of contracts', async ({ context }) => {
  await using dashboard = await Dashboard.open(context, { devMethods: false }, async () => '#/contracts');
  await dashboard.page.getByText('The list of contracts needs developer methods').waitFor();
});
