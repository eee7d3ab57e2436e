/** The dashboard of a fork: marks of what is the network's and what is the fork's own. Needs the build. */

import { expect } from 'vitest';
import { createDevnet } from '../../src/index.js';
import { axeFindings } from './accessibility.js';
import { test } from './browser-test.js';
import { clientOf } from './dashboard-chains.js';
import { Dashboard } from './opened-dashboard.js';

test("each screen says what is the network's and what is the fork's own", async ({ context }) => {
  await using network = await createDevnet({ mining: 'instant', predeploy: ['usdt'] });
  const payer = clientOf(network, 0);
  const theirs = await payer.send(payer.builder.sendTrx(network.accounts[1]!.address, 7, payer.address));
  const [token] = network.predeployed;
  await using dashboard = await Dashboard.open(context, {
    fork: network.http.url,
    mining: 'instant',
    mnemonic: 'legal winner thank year wave sausage worth useful legal winner thank yellow',
  });
  const { devnet, page } = dashboard;
  const { host } = new URL(network.http.url);
  const settings = await (await devnet.fetch('/dashboard/settings.json')).json();
  const last = (settings as { readonly fork: { readonly block: number } }).fork.block;
  await page.getByText(`Fork of ${host} at ${last}`).waitFor();
  expect(await axeFindings(page)).toEqual([]);

  const mine = clientOf(devnet, 0);
  const ours = await mine.send(mine.builder.sendTrx(network.accounts[1]!.address, 5, mine.address));
  await devnet.setChainParameters({ getEnergyFee: 99 });
  const shows = async (screen: string, mark: string) => {
    await page.goto(`${devnet.http.url}/#/${screen}`);
    await page.locator('.screen-title').getByText(mark, { exact: true }).waitFor();
  };
  await shows(`blocks/${last}`, 'network');
  await shows(`blocks/${last + 1}`, 'fork');
  await shows(`transactions/${theirs}`, 'network');
  await shows(`transactions/${ours}`, 'fork');
  await shows(`accounts/${mine.address}`, 'fork');
  await shows(`accounts/${network.accounts[1]!.address}`, 'changed on the fork');
  await page.getByRole('table', { name: 'Transactions' }).getByText('network', { exact: true }).waitFor();
  expect(await axeFindings(page)).toEqual([]);
  await shows(`accounts/${network.accounts[2]!.address}`, 'network');
  await shows(`contracts/${token!.address}`, 'network');
  await page.goto(`${devnet.http.url}/#/blocks`);
  const blocks = page.getByRole('table', { name: 'Blocks' });
  await blocks.getByRole('row', { name: new RegExp(`^${last} network`) }).waitFor();
  await page.goto(`${devnet.http.url}/#/governance?parameter=getEnergyFee`);
  await page.getByText('network 100', { exact: true }).waitFor();
  expect(await axeFindings(page)).toEqual([]);
});
