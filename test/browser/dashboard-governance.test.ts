/** The screen of governance. Needs the build (`npm run build`). */

import { expect } from 'vitest';
import { axeFindings } from './accessibility.js';
import { test } from './browser-test.js';
import { approve, FIRST_IS_WITNESS, propose } from './dashboard-chains.js';
import { Dashboard } from './opened-dashboard.js';
import { PHONE } from './pages.js';

const HOUR_MS = 3_600_000;

test('a proposal is approved and changes a parameter; a revert opens it again', async ({ context }) => {
  await using dashboard = await Dashboard.open(context, FIRST_IS_WITNESS, async (devnet) => {
    await propose(devnet, 210);
    return '#/governance';
  });
  const { devnet, page } = dashboard;
  const witnesses = page.getByRole('table', { name: 'Witnesses' });
  await witnesses.getByText('http://me.example').waitFor();
  await witnesses.getByText('20 %').waitFor();
  await page
    .getByRole('region', { name: 'Next election' })
    .getByText(/^5 h 59 min$/)
    .waitFor();
  const proposal = page.getByRole('article', { name: 'Proposal 1' });
  await proposal.getByText('ENERGY_FEE').waitFor();
  await proposal.getByText('100 → 210').waitFor();
  await proposal.getByText('0 of 1 producing witnesses').waitFor();
  const snapshot = await devnet.snapshot();
  await approve(devnet, 1);
  await proposal.getByText('1 of 1 producing witnesses').waitFor();

  const parameters = page.getByRole('region', { name: 'Chain parameters' });
  await page.getByRole('searchbox', { name: 'Filter parameters' }).fill('price of one energy');
  await parameters.getByText('getEnergyFee').waitFor();
  await parameters.getByText(/^1 of \d+$/).waitFor();
  const value = parameters.locator('dd.value');
  expect(await value.textContent()).toBe('100');
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await axeFindings(page)).toEqual([]);
  }

  await devnet.mine({ advanceMs: (3 * 24 + 6) * HOUR_MS });
  await proposal.getByText('Approved', { exact: true }).waitFor();
  await parameters.getByText('210').waitFor();
  await parameters.getByText(/mainnet@[\d-]+ 100/).waitFor();
  await page.getByRole('searchbox', { name: 'Filter parameters' }).fill('');
  await page.getByRole('checkbox', { name: 'Different from mainnet' }).check();
  await parameters.getByText('getEnergyFee').waitFor();
  await devnet.revert(snapshot);
  await proposal.getByText('Open', { exact: true }).waitFor();
  await proposal.getByText('0 of 1 producing witnesses').waitFor();

  await page.getByRole('searchbox', { name: 'Filter parameters' }).fill('nothing like that');
  await parameters.getByText('No parameter is like that.').waitFor();
  await page.getByRole('searchbox', { name: 'Filter parameters' }).fill('');
  await page.getByRole('checkbox', { name: 'Different from mainnet' }).uncheck();
  await page.setViewportSize(PHONE);
  expect(await axeFindings(page)).toEqual([]);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(PHONE.width);
  // The list of screens is wider than the page, and the current one is in sight.
  await page.reload();
  await witnesses.waitFor();
  const current = await page.getByRole('navigation').getByRole('link', { name: 'Governance' }).boundingBox();
  expect(current!.x + current!.width).toBeLessThanOrEqual(PHONE.width);
});

test('what parameters mean can be read by a script', async ({ devnet }) => {
  const answer = await fetch(`${devnet.http.url}/dashboard/protocol.json`);
  const { parameters, contractTypes, preset } = (await answer.json()) as {
    parameters: readonly { key: string; meaning: string; initial: number; mainnet: number }[];
    contractTypes: Record<string, number>;
    preset: string;
  };
  const listed = (await (await fetch(`${devnet.http.url}/wallet/getchainparameters`)).json()) as {
    chainParameter: readonly { key: string; value?: number }[];
  };
  expect(parameters.map(({ key }) => key)).toEqual(expect.arrayContaining(listed.chainParameter.map(({ key }) => key)));
  expect(parameters.every(({ meaning }) => meaning.endsWith('.'))).toBe(true);
  expect(contractTypes.TransferContract).toBe(1);
  expect(preset).toMatch(/^mainnet@/);
});
