/**
 * What a page of another site can do with a node on this machine: read, and broadcast what somebody has signed. With a
 * real browser: its preflights, its `Sec-Fetch-Site`, its forms.
 */

import { Wallet } from 'ethers';
import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { createDevnet, type Devnet } from '../../src/index.js';
import { test as browserTest } from './browser-test.js';
import { openPage } from './pages.js';
import { NO_ICON, openSite } from './site.js';

const NOBODY = '0x00000000000000000000000000000000000000A1';

const test = browserTest.extend('site', async ({ task: _ }, { onCleanup }) => {
  const site = await openSite(
    { '/': { type: 'text/html', body: `<!doctype html><title>A page</title>${NO_ICON}` } },
    '',
  );
  onCleanup(() => site.close());
  return site;
});

/** Runs in the page: the answer's JSON, or `blocked` where the browser does not show it to the page. */
async function fetchIn(page: Page, url: string, body?: unknown, more = {}): Promise<unknown> {
  const init = JSON.stringify({ ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }), ...more });
  return await page.evaluate(
    `fetch(${JSON.stringify(url)}, ${init}).then((answer) => answer.json()).catch(() => 'blocked')`,
  );
}

const rpc = (method: string, ...params: readonly unknown[]) => ({ jsonrpc: '2.0', id: 1, method, params });

const askIn = (page: Page, devnet: Devnet, method: string, ...params: readonly unknown[]) =>
  // As libraries send it: the browser asks first whether it may.
  fetchIn(page, `${devnet.http.url}/eth`, rpc(method, ...params), { headers: { 'content-type': 'application/json' } });

async function heightOf(devnet: Devnet): Promise<string> {
  const answer = await fetch(`${devnet.http.url}/eth`, {
    method: 'POST',
    body: JSON.stringify(rpc('eth_blockNumber')),
  });
  return ((await answer.json()) as { result: string }).result;
}

const ownAddress = (devnet: Devnet) => new Wallet(devnet.accounts[0]!.privateKey).address;

/** Everything on `/eth` that uses a key of the node, or controls its chain. */
const trusted = (own: string): readonly (readonly [string, ...unknown[]])[] => [
  ['eth_sendTransaction', { from: own, to: NOBODY, value: '0x1' }],
  ['eth_signTransaction', { from: own, to: NOBODY, value: '0x1', gas: '0x5208', nonce: '0x0' }],
  ['eth_sign', own, '0xc0ffee'],
  ['personal_sign', '0xc0ffee', own],
  ['evm_mine'],
  ['evm_snapshot'],
  ['hardhat_setBalance', NOBODY, '0x1'],
  ['tron_setBalance', NOBODY, 1],
];

describe('a page of another site', () => {
  test('reads, and broadcasts a signed transaction', async ({ devnet, context, site }) => {
    const page = await openPage(context, `http://site.test:${site.port}/`);
    const { result: chainId } = (await askIn(page, devnet, 'eth_chainId')) as { result: string };
    const wallet = new Wallet(devnet.accounts[0]!.privateKey);
    const signed = await wallet.signTransaction({
      ...{ to: NOBODY, value: 5n, nonce: 0, chainId: BigInt(chainId) },
      ...{ gasLimit: 100_000n, gasPrice: 1_000n },
    });
    expect(await askIn(page, devnet, 'eth_sendRawTransaction', signed)).toMatchObject({ result: /^0x/ });
    expect(await askIn(page, devnet, 'eth_getBalance', NOBODY, 'latest')).toMatchObject({ result: '0x5' });
    expect(await fetchIn(page, `${devnet.http.url}/wallet/getnowblock`)).toHaveProperty('block_header');
  });

  test("cannot use the node's keys nor control its chain", async ({ devnet, context, site }) => {
    const origin = `http://site.test:${site.port}`;
    const page = await openPage(context, `${origin}/`);
    const height = await heightOf(devnet);
    for (const [method, ...params] of trusted(ownAddress(devnet))) {
      const { error } = (await askIn(page, devnet, method, ...params)) as { error?: { message: string } };
      expect(error?.message, method).toContain(`${method} is refused for pages of ${origin}: start sunup with`);
    }
    expect(await heightOf(devnet)).toBe(height);
  });

  test('cannot over a WebSocket', async ({ devnet, context, site }) => {
    const page = await openPage(context, `http://site.test:${site.port}/`);
    const url = JSON.stringify(`${devnet.http.url.replace('http', 'ws')}/eth`);
    const ask = (request: object) =>
      page.evaluate(`new Promise((resolve) => {
        const socket = new WebSocket(${url});
        socket.onopen = () => socket.send(${JSON.stringify(JSON.stringify(request))});
        socket.onmessage = ({ data }) => { socket.close(); resolve(JSON.parse(data)); };
      })`);
    expect(await ask(rpc('eth_blockNumber'))).toHaveProperty('result');
    expect(await ask(rpc('evm_mine'))).toMatchObject({ error: { message: expect.stringContaining('is refused') } });
  });

  test('cannot by simple requests, forms or addresses in a page', async ({ devnet, context, site, takeFaults }) => {
    const page = await openPage(context, `http://site.test:${site.port}/`);
    const height = await heightOf(devnet);
    const mine = `${devnet.http.url}/sunup/mine`;
    expect(await fetchIn(page, mine, {})).toBe('blocked');
    expect(await fetchIn(page, mine, {}, { mode: 'no-cors' })).toBe('blocked');
    expect(await fetchIn(page, `${devnet.http.url}/sunup/chains`, {})).toBe('blocked');
    expect(await fetchIn(page, `${devnet.http.url}/eth`, rpc('evm_mine'), { mode: 'no-cors' })).toBe('blocked');
    await page.evaluate(`new Promise((resolve) => {
      const picture = new Image();
      picture.onload = picture.onerror = resolve;
      picture.src = ${JSON.stringify(`${devnet.http.url}/admin/set-env?instamine=false`)};
    })`);
    expect((await takeFaults()).join('\n')).toContain('403');
    await Promise.all([
      page.waitForURL(mine),
      page.evaluate(`{
        const form = document.body.appendChild(document.createElement('form'));
        Object.assign(form, { method: 'POST', action: ${JSON.stringify(mine)} }).submit();
      }`),
    ]);
    expect(await page.textContent('body')).toContain('is refused');
    expect(await heightOf(devnet)).toBe(height);
    await takeFaults();
  });

  test('cannot by a name of its own that leads to this machine', async ({ devnet, context, takeFaults }) => {
    const page = await openPage(context, `http://rebound.test:${devnet.http.port}/docs`);
    const height = await heightOf(devnet);
    // The same origin for the browser: it shows the page every answer.
    expect(await fetchIn(page, '/sunup/mine', {})).toMatchObject({ Error: expect.stringContaining('rebound.test') });
    expect(await fetchIn(page, '/eth', rpc('evm_mine'))).toMatchObject({
      error: { message: expect.stringContaining('rebound.test') },
    });
    expect(await heightOf(devnet)).toBe(height);
    await takeFaults();
  });

  test('can all of it with --allow-origin, as a page of this machine can without', async ({ context, site }) => {
    await using devnet = await createDevnet({ allowOrigin: [`http://site.test:${site.port}`] });
    for (const host of ['site.test', '127.0.0.1']) {
      const page = await openPage(context, `http://${host}:${site.port}/`);
      for (const [method, ...params] of trusted(ownAddress(devnet))) {
        const answer = (await askIn(page, devnet, method, ...params)) as { error?: { message: string } };
        expect(answer.error?.message, method).toBeUndefined();
      }
      expect(await fetchIn(page, `${devnet.http.url}/sunup/mine`, {})).not.toBe('blocked');
    }
  });
});
