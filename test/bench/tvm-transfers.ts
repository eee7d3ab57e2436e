/**
 * ERC-20 transfers a second, machine only: no transaction, no signature, no receipt, state in memory. The reference is
 * the stock `@ethereumjs/evm` with the same contract and the same calls in the same process.
 */

import { createEVM } from '@ethereumjs/evm';
import { createAccount, createAddressFromString } from '@ethereumjs/util';
import type { Address } from '../../src/primitives/ids.js';
import { runCall, runCreate } from '../../src/tvm/run.js';
import { AA, address, bytes, contextWith, OWNER } from '../unit/tvm/fixture.js';
import { MAINNET_FLAGS } from '../unit/tvm/mainnet-flags.js';
import { MemoryHost } from '../unit/tvm/memory-host.js';
import type { Bench } from './bench.js';
import { tokenInitCode, transferData } from './token.js';

const SECONDS = 3;
const HOLDERS = 1_000;
const ENERGY = 10_000_000;

const holders: readonly Address[] = Array.from({ length: HOLDERS }, (_, i) => address(0x10000 + i));
const initCode = bytes(tokenInitCode());
const transfers = holders.map((to) => bytes(transferData(to)));

export const bench: Bench = {
  about: 'TRC-20 transfers per second, machine only, against @ethereumjs/evm',

  async *measure(progress) {
    progress('sunup');
    // Each after a round that makes every account a holder.
    const value = await rate(SECONDS, sunupTransfer());
    progress('@ethereumjs/evm');
    const reference = { name: '@ethereumjs/evm', value: await rate(SECONDS, await ethereumTransfer()) };
    yield { name: 'transfers', value, unit: '/s', reference, aim: { of: 'value', atLeast: 30_000 } };
  },
};

async function rate(seconds: number, transfer: (data: Uint8Array) => unknown): Promise<number> {
  for (const data of transfers) await transfer(data);
  const start = performance.now();
  const end = start + 1000 * seconds;
  let count = 0;
  // Only the other machine is asynchronous, and only it shall pay for it.
  while (performance.now() < end) {
    for (const data of transfers.slice(0, 100)) {
      const pending = transfer(data);
      if (pending instanceof Promise) await pending;
    }
    count += 100;
  }
  return Math.round((1000 * count) / (performance.now() - start));
}

function sunupTransfer(): (data: Uint8Array) => void {
  const host = new MemoryHost();
  host.addAccount(OWNER);
  host.createContract({ address: AA, creator: OWNER, version: 0, trxHash: '' });
  const context = { ...contextWith(), flags: MAINNET_FLAGS };
  const payment = { owner: OWNER, contract: AA, callValueSun: 0n, tokenId: 0n, tokenValue: 0n, energyLimit: ENERGY };
  const deployed = runCreate(host, context, { ...payment, initCode });
  if (deployed.runtimeError !== undefined) throw new Error(deployed.runtimeError);
  return (data) => {
    const { runtimeError } = runCall(host, context, { ...payment, data });
    if (runtimeError !== undefined) throw new Error(runtimeError);
  };
}

async function ethereumTransfer(): Promise<(data: Uint8Array) => Promise<void>> {
  const evm = await createEVM();
  const owner = createAddressFromString(`0x${OWNER.slice(2)}`);
  await evm.stateManager.putAccount(owner, createAccount({ balance: 1n }));
  const gasLimit = BigInt(ENERGY);
  const { createdAddress, execResult } = await evm.runCall({ caller: owner, data: initCode, gasLimit });
  if (createdAddress === undefined) throw new Error(`not deployed: ${execResult.exceptionError?.error}`);
  return async (data) => {
    const result = await evm.runCall({ caller: owner, to: createdAddress, data, gasLimit });
    if (result.execResult.exceptionError !== undefined) throw new Error(result.execResult.exceptionError.error);
  };
}
