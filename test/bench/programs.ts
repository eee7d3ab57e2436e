/**
 * Programs that keep the machine busy, as one `eth_call` each, against anvil (revm, native code): warm, every call with
 * another seed, both nodes in turn. What the first call of all takes stands beside the second, of the same node.
 */

import { readFileSync } from 'node:fs';
import solc from 'solc';
import { encodeFunctionData, type Hex as ViemHex } from 'viem';
import type { Hex } from '../../src/primitives/hex.js';
import { deployOnAnvil, startAnvil } from './anvil.js';
import { type Bench, median } from './bench.js';
import { startCommand } from './sunup-command.js';

const SOURCE = 'fixtures/contracts/bench/Programs.sol';
const CALLS = 11;
const ENERGY = '1000000000';
const LIMIT_MS = '60000';

const PROGRAMS: readonly { readonly name: string; readonly method: string; readonly count: number }[] = [
  { name: '100,000 rounds of unchecked multiply, add, shift, xor', method: 'mix', count: 100_000 },
  { name: '50,000 rounds of checked arithmetic and modulo', method: 'lehmer', count: 50_000 },
  { name: '50,000 mulmod', method: 'square', count: 50_000 },
  { name: '20,000 keccak256 of 64 bytes', method: 'hashes', count: 20_000 },
  { name: 'insertion sort of 500 words in memory', method: 'sort', count: 500 },
  { name: '1,000 storage words written and read', method: 'store', count: 1_000 },
  { name: '2,000 calls of itself', method: 'calls', count: 2_000 },
];

interface Node {
  /** Milliseconds of one call. */
  call(method: string, seed: number, count: number): Promise<number>;
}

export const bench: Bench = {
  about: 'programs that keep the virtual machine busy, as eth_call, against anvil',

  async *measure(progress) {
    const { abi, bytecode } = compiled();
    const command = await startCommand([
      ...['--manual', '--constant-energy', ENERGY, '--constant-call-limit', LIMIT_MS, '--vm-limit', LIMIT_MS],
    ]);
    const url = `http://127.0.0.1:${command.port}/eth`;
    const ours = caller(url, await deployOnSunup(url, bytecode), abi);
    const anvil = await startAnvil();
    if (anvil === undefined) progress('anvil is not installed: not measured');
    const peer = anvil && caller(`http://127.0.0.1:${anvil.port}`, await deployOnAnvil(anvil, bytecode), abi);

    // So that the first time of a program is that of its code, not of the process.
    yield { name: 'the first call of the process', value: await ours.call('hashes', 1, 1), unit: 'ms' };
    await peer?.call('hashes', 1, 1);
    for (const { name, method, count } of PROGRAMS) {
      progress(name);
      const first = await ours.call(method, 1, count);
      const second = await ours.call(method, 2, count);
      await peer?.call(method, 1, count);
      const times: number[] = [];
      const theirs: number[] = [];
      for (let i = 0; i < CALLS; i++) {
        times.push(await ours.call(method, 100 + i, count));
        if (peer !== undefined) theirs.push(await peer.call(method, 100 + i, count));
      }
      yield {
        name,
        value: median(times),
        unit: 'ms',
        reference: peer && { name: 'anvil', value: median(theirs) },
        aim: peer && { of: 'ratio', atMost: 3 },
      };
      yield {
        name: `${name}, the first time`,
        value: first,
        unit: 'ms',
        reference: { name: 'the second time', value: second },
      };
    }
    anvil?.stop();
    await command.stop();
  },
};

function compiled(): { readonly abi: readonly unknown[]; readonly bytecode: Hex } {
  const { contracts } = JSON.parse(
    solc.compile(
      JSON.stringify({
        language: 'Solidity',
        sources: { [SOURCE]: { content: readFileSync(SOURCE, 'utf8') } },
        settings: {
          optimizer: { enabled: true, runs: 200 },
          evmVersion: 'london',
          outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } },
        },
      }),
    ),
  );
  const { abi, evm } = contracts[SOURCE].Programs;
  return { abi, bytecode: evm.bytecode.object };
}

async function rpc<Result>(url: string, method: string, ...params: unknown[]): Promise<Result> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const { result, error } = (await response.json()) as { result: Result; error?: { message: string } };
  if (error !== undefined) throw new Error(`${method} at ${url}: ${error.message}`);
  return result;
}

async function deployOnSunup(url: string, bytecode: Hex): Promise<string> {
  const [from] = await rpc<string[]>(url, 'eth_accounts');
  const hash = await rpc<string>(url, 'eth_sendTransaction', { from, data: `0x${bytecode}`, gas: '0x500000' });
  await rpc(url, 'evm_mine');
  return (await rpc<{ contractAddress: string }>(url, 'eth_getTransactionReceipt', hash)).contractAddress;
}

function caller(url: string, to: string, abi: readonly unknown[]): Node {
  return {
    async call(method, seed, count) {
      const data: ViemHex = encodeFunctionData({ abi, functionName: method, args: [BigInt(seed), BigInt(count)] });
      const from = performance.now();
      await rpc(url, 'eth_call', { to, data, gas: '0x3b9aca00' }, 'latest');
      return performance.now() - from;
    },
  };
}
