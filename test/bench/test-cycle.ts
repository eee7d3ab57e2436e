/**
 * What a test does over and over: snapshot, three signed transactions with their receipts, revert. Through the clients
 * that people use: the library and TronWeb here, viem on anvil there.
 */

import { TronWeb } from 'tronweb';
import { createTestClient, createWalletClient, http, publicActions } from 'viem';
import { mnemonicToAccount } from 'viem/accounts';
import { foundry } from 'viem/chains';
import { createDevnet } from '../../src/index.js';
import { TEST_MNEMONIC } from '../../src/options/test-accounts.js';
import { startAnvil } from './anvil.js';
import { type Bench, median, milliseconds } from './bench.js';

const RUNS = 150;
const WARM_UP = 30;

export const bench: Bench = {
  about: 'snapshot, three transactions with receipts, revert: against viem on anvil',

  async *measure(progress) {
    progress('the library with TronWeb');
    const ours = await onSunup();
    progress('viem on anvil');
    const peer = await onAnvil();
    yield {
      name: 'snapshot, 3 transfers, 3 receipts, revert',
      value: ours,
      unit: 'ms',
      ...(peer !== undefined && { reference: { name: 'viem on anvil', value: peer } }),
      aim: { of: 'ratio', atMost: 1 },
    };
  },
};

async function medianOf(cycle: () => Promise<void>): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < RUNS; run++) times.push(await milliseconds(cycle));
  return median(times.slice(WARM_UP));
}

async function onSunup(): Promise<number> {
  const devnet = await createDevnet();
  const { privateKey } = devnet.accounts[0]!;
  const { trx } = new TronWeb({ fullHost: devnet.http.url, privateKey });
  const time = await medianOf(async () => {
    const before = devnet.snapshot();
    for (let i = 1; i <= 3; i++) {
      const { transaction } = await trx.sendTransaction(devnet.accounts[i]!.address, i);
      const { id } = (await trx.getUnconfirmedTransactionInfo(transaction.txID)) as { readonly id?: string };
      if (id !== transaction.txID) throw new Error(`no receipt of ${transaction.txID}`);
    }
    await devnet.revert(before);
  });
  await devnet.close();
  return time;
}

/** Undefined where there is no anvil. */
async function onAnvil(): Promise<number | undefined> {
  const anvil = await startAnvil();
  if (anvil === undefined) return undefined;
  const transport = http(`http://127.0.0.1:${anvil.port}`);
  const account = mnemonicToAccount(TEST_MNEMONIC);
  const wallet = createWalletClient({ account, chain: foundry, transport });
  const test = createTestClient({ mode: 'anvil', chain: foundry, transport }).extend(publicActions);
  const receivers = [1, 2, 3].map((addressIndex) => mnemonicToAccount(TEST_MNEMONIC, { addressIndex }).address);
  const time = await medianOf(async () => {
    const id = await test.snapshot();
    for (const to of receivers) {
      const hash = await wallet.sendTransaction({ to, value: 1n });
      // viem's own pace of asking is seconds.
      await test.waitForTransactionReceipt({ hash, pollingInterval: 1 });
    }
    await test.revert({ id });
  });
  anvil.stop();
  return time;
}
