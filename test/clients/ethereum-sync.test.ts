/** Sending that answers with the receipt (EIP-7966), as viem's functions that end with Sync use it. */

import {
  createPublicClient,
  createTestClient,
  createWalletClient,
  defineChain,
  http,
  keccak256,
  webSocket,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterEach, expect, it } from 'vitest';
import { createDevnet, type Devnet } from '../../src/index.js';

const NOBODY = '0x00000000000000000000000000000000000000a1';

let devnet: Devnet;
afterEach(() => devnet.close());

async function begin(mining: 'instant' | 'manual') {
  devnet = await createDevnet({ mining });
  const url = `${devnet.http.url}/eth`;
  const transport = http(url, { retryCount: 0 });
  const chain = defineChain({
    id: Number(devnet.chainId),
    name: 'sunup',
    nativeCurrency: { name: 'TRX', symbol: 'TRX', decimals: 6 },
    rpcUrls: { default: { http: [url] } },
  });
  const account = privateKeyToAccount(`0x${devnet.accounts[0]!.privateKey}`);
  return {
    url,
    signer: createWalletClient({ account, chain, transport }),
    node: createTestClient({ mode: 'anvil', chain, transport }),
  };
}

it('answers with the receipt of a transaction that viem signs, or the node', async () => {
  const { signer, node } = await begin('instant');
  const receipt = await signer.sendTransactionSync({ to: NOBODY, value: 5n });
  expect(receipt).toMatchObject({ status: 'success', to: NOBODY, transactionIndex: 0 });
  const [from] = await signer.getAddresses();
  const call = { method: 'eth_sendTransactionSync', params: [{ from, to: NOBODY, value: '0x1' }] } as never;
  expect(await node.request(call)).toMatchObject({ status: '0x1', to: NOBODY, transactionIndex: '0x0' });
});

it('waits for the block', async () => {
  const { signer, node, url } = await begin('manual');
  const socket = createPublicClient({ transport: webSocket(url.replace('http', 'ws')) });
  const isPending = new Promise((resolve) => socket.watchPendingTransactions({ onTransactions: resolve }));
  // The subscription is made.
  await socket.getChainId();
  const sent = signer.sendTransactionSync({ to: NOBODY, value: 5n });
  await isPending;
  await node.mine({ blocks: 1 });
  expect(await sent).toMatchObject({ status: 'success', transactionIndex: 0 });
  (await socket.transport.getRpcClient()).close();
});

it('names the pending transaction after the time that the sender gave', async () => {
  const { signer, node } = await begin('manual');
  for (const [nonce, timeout] of [1, '0x1'].entries()) {
    const raw = await signer.signTransaction({ to: NOBODY, gas: 21_000n, gasPrice: 100n, nonce } as never);
    const call = { method: 'eth_sendRawTransactionSync', params: [raw, timeout] } as never;
    const hash = keccak256(raw);
    await expect(node.request(call)).rejects.toMatchObject({ cause: { code: 4, data: hash } });
    expect(await node.getTxpoolStatus()).toMatchObject({ pending: nonce + 1 });
    expect(await createPublicClient({ transport: http(node.transport.url) }).getTransaction({ hash })).toMatchObject({
      blockNumber: null,
    });
  }
});

it.each([0, -1, 1.5, 'soon', true])('refuses the timeout %j', async (timeout) => {
  const { node } = await begin('instant');
  const call = { method: 'eth_sendRawTransactionSync', params: ['0x02', timeout] } as never;
  await expect(node.request(call)).rejects.toThrow(/expected (milliseconds|a number)/);
});
