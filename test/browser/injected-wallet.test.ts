/** A web application with an injected wallet on `/eth`, built with ethers and with viem, in a browser. */

import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { TronWeb } from 'tronweb';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { describe, expect } from 'vitest';
import { createDevnet } from '../../src/index.js';
import { test as browserTest } from './browser-test.js';
import { bundleForPages } from './bundle.js';
import { openPage } from './pages.js';
import { NO_ICON, openSite } from './site.js';
import { TestWallet } from './wallet.js';

const KEYS = [generatePrivateKey(), generatePrivateKey()];
const BALANCE_SUN = 1_000_000_000n;
const NOBODY = '0x00000000000000000000000000000000000000A1';

const HTML = `<!doctype html>
<html lang="en">
<title>A token</title>
${NO_ICON}
<p>Wallet: <output id="wallet"></output>, account: <output id="account"></output>, chain: <output id="chain"></output>,
balance: <output id="balance"></output></p>
<button id="connect">Connect</button>
<button id="use-network">Use the network</button>
<button id="deploy">Deploy</button>
<label>To <input id="to" value="${NOBODY}"></label>
<button id="transfer">Transfer</button>
<button id="sign">Sign</button>
<p>Contract: <output id="contract"></output>, receipt: <output id="receipt"></output>, event: <output id="event"></output>,
signer: <output id="signer"></output></p>
<output id="error"></output>
<script src="dapp.js"></script>
</html>`;

const readToken = () => readFileSync(new URL('../../fixtures/contracts/Token.json', import.meta.url), 'utf8');

interface DappPage {
  readonly page: Page;
  readonly wallet: TestWallet;
  click(name: string): Promise<void>;
  /** Waits until the page shows this text in the place of that name. */
  shows(place: string, text: string | RegExp): Promise<void>;
}

const test = browserTest
  .extend('chainId', ({ devnet }) => chainIdOf(devnet.http.url))
  .extend('openDapp', async ({ devnet, context }, { onCleanup }) => {
    for (const key of KEYS) await devnet.setBalance(privateKeyToAddress(key), BALANCE_SUN);
    const files: Record<string, { type: string; body: string }> = {
      '/': { type: 'text/html', body: HTML },
      '/token.json': { type: 'application/json', body: readToken() },
    };
    const node = new URL(devnet.http.url).host;
    const site = await openSite(
      files,
      `default-src 'none'; script-src 'self'; img-src data:; connect-src 'self' http://${node} ws://${node}`,
    );
    onCleanup(() => site.close());
    const wallet = await TestWallet.install(context, KEYS);
    return async (library: string, host: string, query: Record<string, string> = {}): Promise<DappPage> => {
      files['/dapp.js'] = { type: 'text/javascript', body: await bundleForPages(`${library}-dapp.ts`) };
      const search = new URLSearchParams({ rpc: `http://${node}/eth`, ...query });
      const page = await openPage(context, `http://${host}:${site.port}/?${search}`);
      return {
        page,
        wallet,
        click: (name) => page.getByRole('button', { name, exact: true }).click(),
        shows: (place, text) => page.locator(`#${place}`).filter({ hasText: text }).waitFor({ state: 'attached' }),
      };
    };
  });

/** As the library names the wallet's refusal, which has the code 4001. */
const REJECTED = {
  ethers: /^ACTION_REJECTED/,
  viem: /UserRejectedRequestError|User rejected the request/,
} as const;

describe.for([
  ['ethers', '127.0.0.1'],
  // A page of another site: what a published application is.
  ['viem', 'dapp.test'],
] as const)('an application with %s on %s', ([library, host]) => {
  test('finds the wallet, adds the network by its chain id, deploys, sends, and sees receipt and event', async ({
    devnet,
    chainId,
    openDapp,
  }) => {
    const { wallet, click, shows } = await openDapp(library, host);
    const [address] = wallet.addresses;
    await shows('wallet', 'Test Wallet');
    await click('Connect');
    await shows('account', address!);
    await shows('chain', '0x1');
    await click('Use the network');
    await shows('chain', chainId);
    await shows('balance', String(BALANCE_SUN));

    await click('Deploy');
    await shows('contract', /^0x/);
    await click('Transfer');
    await shows('receipt', 'success');
    await shows('event', `${NOBODY} got 5`);
    expect(wallet.questions.map(({ method }) => method)).toEqual([
      'eth_requestAccounts',
      'wallet_addEthereumChain',
      'eth_sendTransaction',
      'eth_sendTransaction',
    ]);

    // On the network's own interfaces it is a call by the account of the wallet, whose key the node does not have.
    const tronWeb = new TronWeb({ fullHost: devnet.http.url });
    const { transactions } = await tronWeb.trx.getCurrentBlock();
    expect(transactions).toMatchObject([
      {
        raw_data: {
          contract: [
            {
              type: 'TriggerSmartContract',
              parameter: { value: { owner_address: address!.toLowerCase().replace('0x', '41') } },
            },
          ],
        },
      },
    ]);
    // The balance that the page shows after it is the account's.
    await shows('balance', String(await tronWeb.trx.getBalance(address!.replace('0x', '41'))));
  });

  test('signs typed data in the wallet, which refuses it for another chain', async ({ chainId, openDapp }) => {
    const { page, wallet, click, shows } = await openDapp(library, host);
    await click('Connect');
    await click('Use the network');
    await shows('chain', chainId);
    await click('Sign');
    await shows('signer', wallet.addresses[0]!);
    const foreign = JSON.stringify({ domain: { chainId: 1 }, types: {}, primaryType: 'EIP712Domain', message: {} });
    expect(await requestIn(page, 'eth_signTypedData_v4', [wallet.addresses[0], foreign])).toMatchObject({
      error: { code: -32_602, message: expect.stringContaining(String(Number(chainId))) },
    });
  });

  test("the person's refusal reaches the application, and the chain stays as it is", async ({
    devnet,
    chainId,
    openDapp,
  }) => {
    const { wallet, click, shows } = await openDapp(library, host);
    wallet.agrees = false;
    await click('Connect');
    await shows('error', REJECTED[library]);
    wallet.agrees = true;
    await click('Connect');
    await shows('account', wallet.addresses[0]!);

    wallet.agrees = false;
    await click('Use the network');
    await shows('error', '4001');
    await shows('chain', '0x1');
    wallet.agrees = true;
    await click('Use the network');
    await shows('chain', chainId);

    wallet.agrees = false;
    const height = await heightOf(devnet.http.url);
    for (const button of ['Deploy', 'Sign']) {
      await click(button);
      await shows('error', REJECTED[library]);
    }
    expect(await heightOf(devnet.http.url)).toBe(height);
  });

  test('another account, another chain and a disconnection reach the application', async ({ chainId, openDapp }) => {
    // Its id has a leading zero, which wallets refuse.
    const other = await createDevnet({ genesisTime: '2026-01-01T00:00:00Z' });
    expect(other.chainId).toMatch(/^0x0/);
    try {
      const { page, wallet, click, shows } = await openDapp(library, host);
      await click('Connect');
      await click('Use the network');
      await shows('chain', chainId);
      await wallet.select(1);
      await shows('account', wallet.addresses[1]!);
      await shows('balance', String(BALANCE_SUN));

      const otherId = await chainIdOf(other.http.url);
      expect(otherId).not.toBe(chainId);
      expect(await requestIn(page, 'wallet_switchEthereumChain', [{ chainId: otherId }])).toMatchObject({
        error: { code: 4902 },
      });
      const added = {
        chainId: otherId,
        chainName: 'Another',
        nativeCurrency: { name: 'TRX', symbol: 'TRX', decimals: 18 },
        rpcUrls: [`${other.http.url}/eth`],
      };
      expect(await requestIn(page, 'wallet_addEthereumChain', [added])).toEqual({ result: null });
      await shows('chain', otherId);
      await shows('balance', /^$/);
      await click('Use the network');
      await shows('chain', chainId);
      await shows('balance', String(BALANCE_SUN));
      expect(wallet.questions.at(-1)!.method).toBe('wallet_switchEthereumChain');

      await wallet.disconnect();
      await shows('account', 'none');
    } finally {
      await other.close();
    }
  });
});

test('a network is not added under an id that is not its own, nor with 6 decimals', async ({ openDapp }) => {
  const wrong = await openDapp('ethers', '127.0.0.1', { chainId: '0x539' });
  await wrong.click('Use the network');
  await wrong.shows('error', /-32602.*does not match 0x539/);
  await wrong.page.close();
  const exact = await openDapp('ethers', '127.0.0.1', { decimals: '6' });
  await exact.click('Use the network');
  await exact.shows('error', /-32602.*Expected the number 18 for 'nativeCurrency.decimals'/);
  await exact.shows('chain', /^$/);
});

async function heightOf(url: string): Promise<string> {
  return await askNode(url, 'eth_blockNumber');
}

async function chainIdOf(url: string): Promise<string> {
  return await askNode(url, 'eth_chainId');
}

async function askNode(url: string, method: string): Promise<string> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: [] });
  const answer = await fetch(`${url}/eth`, { method: 'POST', body });
  return ((await answer.json()) as { result: string }).result;
}

/** A request to the wallet, as a script of the page makes it. */
async function requestIn(page: Page, method: string, params: readonly unknown[]): Promise<unknown> {
  return await page.evaluate(`walletRequest(...${JSON.stringify([method, params])})`);
}
