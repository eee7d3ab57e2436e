/** The dashboard while the chain under it changes: a revert, a restart of the node. Needs the build. */

import { expect } from 'vitest';
import { createDevnet, type Devnet } from '../../src/index.js';
import { test } from './browser-test.js';
import { clientOf } from './dashboard-chains.js';
import { Dashboard } from './opened-dashboard.js';
import { openPage } from './pages.js';

interface Head {
  readonly block_header: { readonly raw_data: { readonly number: number } };
}

test('a transaction that a revert took away is gone from its screen, and other screens go on', async ({
  context,
  takeFaults,
}) => {
  await using dashboard = await Dashboard.open(context, { mining: 'instant' });
  const { devnet, page } = dashboard;
  const { builder, address, send } = clientOf(devnet, 0);
  const snapshot = await devnet.snapshot();
  const txid = await send(builder.sendTrx(devnet.accounts[1]!.address, 1, address));
  await page.goto(`${devnet.http.url}/#/transactions/${txid}?tab=Changes`);
  await page.getByRole('table', { name: 'Changes on accounts' }).waitFor();
  await devnet.revert(snapshot);
  await page.getByText(`The chain has no transaction ${txid}.`).waitFor();
  await page.getByRole('link', { name: 'Accounts' }).click();
  await page.getByRole('table', { name: 'Accounts' }).getByText('10,000 TRX').first().waitFor();

  // The same transaction again, in another block: its screen shows it.
  const again = await send(builder.sendTrx(devnet.accounts[1]!.address, 2, address));
  await page.goto(`${devnet.http.url}/#/transactions/${again}`);
  await page.getByText('TransferContract').waitFor();
  // A browser reports each refused request, also one that was repeated while the reader left the screen.
  expect((await takeFaults()).filter((fault) => !/status of 404 .*\/sunup\/(explain|trace)/.test(fault))).toEqual([]);
});

test('after a restart of the node the page shows the new chain', async ({ context, takeFaults }) => {
  const first = await createDevnet({ mining: 'instant' });
  const { port } = new URL(first.http.url);
  const page = await openPage(context, `${first.http.url}/`);
  const { builder, address, send } = clientOf(first, 0);
  const txid = await send(builder.sendTrx(first.accounts[1]!.address, 1, address));
  await first.mine(7);
  const showsHeadOf = async (devnet: Devnet) => {
    const head = (await (await devnet.fetch('/wallet/getnowblock')).json()) as Head;
    const tile = page.getByRole('region', { name: 'Block', exact: true });
    await tile.getByText(String(head.block_header.raw_data.number), { exact: true }).waitFor();
  };
  const link = page.getByRole('link', { name: txid.slice(0, 8) });
  await link.waitFor();
  await showsHeadOf(first);
  await first.close();
  await page.getByText('No connection to the node').waitFor();
  // What was there stays in sight meanwhile.
  expect(await link.count()).toBe(1);

  const second = await createDevnet({ mining: 'instant', httpPort: Number(port) });
  await second.mine(3);
  await page.getByText('Live', { exact: true }).waitFor();
  await showsHeadOf(second);
  await link.waitFor({ state: 'detached' });
  await takeFaults();

  await second.mine({ advanceMs: 30 * 86_400_000 });
  await showsHeadOf(second);
  await page.getByText(/ahead of|behind/).waitFor();
  await page.close();
  await second.close();
});
