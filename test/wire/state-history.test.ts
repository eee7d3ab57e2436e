/** State older than `--state-history` is refused with the option's name on every interface. */

import { expect, test } from 'vitest';
import { createDevnet, NotExplainableError } from '../../src/index.js';

const KEPT = 256;

test('the refusal of old state names the oldest available block', async () => {
  await using devnet = await createDevnet({ stateHistory: KEPT, mining: 'manual' });
  const post = async (path: string, body: object) => {
    const response = await fetch(`${devnet.http.url}${path}`, { method: 'POST', body: JSON.stringify(body) });
    return (await response.json()) as Record<string, unknown>;
  };
  const rpc = async (method: string, ...params: unknown[]) => {
    const { error } = await post('/eth', { jsonrpc: '2.0', id: 1, method, params });
    return (error as { message: string } | undefined)?.message;
  };
  const [alice, bob] = devnet.accounts;
  const { TronWeb } = await import('tronweb');
  const tronWeb = new TronWeb({ fullHost: devnet.http.url, privateKey: alice!.privateKey });
  const { txid } = await tronWeb.trx.sendTransaction(bob!.address, 1);
  await devnet.mine(1);
  for (let i = 0; i < KEPT + 20; i++) {
    await devnet.setBalance(bob!.address, 1_000_000 + i);
    await devnet.mine(1);
  }
  const now = (await post('/wallet/getnowblock', {})) as { block_header: { raw_data: { number: number } } };
  const from = now.block_header.raw_data.number - KEPT;
  const refusal = `is not kept; the oldest kept state is that of block ${from}. To keep more from now on`;
  const hex = (number: number) => `0x${number.toString(16)}`;

  const address = `0x${alice!.addressHex.slice(2)}`;
  expect(await rpc('eth_getBalance', address, hex(3))).toContain(`the state of block 3 ${refusal}`);
  expect(await rpc('eth_call', { from: address, to: address, data: '0x' }, hex(3))).toContain(refusal);
  expect(await rpc('debug_traceBlockByNumber', hex(3))).toContain(refusal);
  expect(await rpc('debug_traceTransaction', `0x${txid}`)).toMatch(/^the state of block 2 /);
  expect(await rpc('debug_traceTransaction', `0x${txid}`)).toContain(refusal);
  await expect(devnet.explain(txid!)).rejects.toThrow(NotExplainableError);
  await expect(devnet.explain(txid!)).rejects.toThrow(refusal);
  await expect(devnet.trace(txid!)).rejects.toThrow(refusal);
  const third = (await post('/wallet/getblockbynum', { num: 3 })) as { blockID: string };
  const block_identifier = { hash: third.blockID, number: 3 };
  const account_identifier = { address: alice!.addressHex };
  expect(String((await post('/wallet/getblockbalance', block_identifier)).Error)).toContain(refusal);
  expect(String((await post('/wallet/getaccountbalance', { account_identifier, block_identifier })).Error)).toContain(
    refusal,
  );
  await expect(devnet.rollback(KEPT + 10)).rejects.toThrow(`its state is kept from block ${from} on`);

  // Kept state is available, and so are requests without old state.
  expect(await rpc('eth_getBalance', address, hex(from))).toBeUndefined();
  expect(await rpc('eth_getTransactionReceipt', `0x${txid}`)).toBeUndefined();
  expect(await rpc('eth_getBlockByNumber', hex(3), true)).toBeUndefined();
});

test('a revert finds the state of the solidified block, however many blocks have come since', async () => {
  const witnesses = Array.from({ length: 7 }, (_, i) => ({
    privateKey: String(i + 1).padStart(64, '0'),
    url: `http://witness${i}`,
    voteCount: 100 - i,
  }));
  const options = { stateHistory: KEPT, mining: 'manual', solidified: 'head', genesis: { witnesses } } as const;
  await using devnet = await createDevnet(options);
  const [account] = devnet.accounts;
  const finalized = async () => {
    const params = [`0x${account!.addressHex.slice(2)}`, 'finalized'];
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_getBalance', params });
    return (await fetch(`${devnet.http.url}/eth`, { method: 'POST', body })).json();
  };
  // Each state differs from the one before.
  const changeAndMine = async (balance: number) => {
    await devnet.setBalance(account!.address, balance);
    await devnet.mine(1);
  };
  for (let i = 1; i < 20; i++) await changeAndMine(i);
  const before = await finalized();
  expect(before).toMatchObject({ result: expect.stringMatching(/^0x/) });
  const snapshot = await devnet.snapshot();
  for (let i = 0; i < 2 * KEPT; i++) await changeAndMine(1_000 + i);
  await devnet.revert(snapshot);
  expect(await finalized()).toEqual(before);
});
