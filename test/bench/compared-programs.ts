/**
 * Programs as one `eth_call` each, on the built command and on anvil (revm, native code): warm, every call with another
 * seed, both nodes in turn. What the first call of all takes stands beside the second, of the same node.
 */

import { encodeFunctionData, type Hex as ViemHex } from 'viem';
import type { Hex } from '../../src/primitives/hex.js';
import { deployOnAnvil, startAnvil } from './anvil.js';
import { type Figure, median } from './bench.js';
import type { CompiledContract } from './contract-source.js';
import { type Command, startCommand } from './sunup-command.js';

const CALLS = 11;
const ENERGY = '1000000000';
const GAS = '0x3b9aca00';
const LIMIT_MS = '60000';
const FIRST_SEED = 100;

export interface Program {
  readonly name: string;
  readonly method: string;
  args(seed: number): readonly unknown[];
  /** On anvil, where the same contract has another address. */
  onAnvil?(seed: number): readonly unknown[];
}

/** Programs of one node, called one at a time. */
export interface ProgramNode {
  /** Milliseconds of one call. */
  call(method: string, args: readonly unknown[]): Promise<number>;
}

export interface ProgramCommand extends ProgramNode {
  readonly command: Command;
}

/** The built command with the contract, without limits that a program would meet. */
export async function startProgramCommand(
  { abi, bytecode }: CompiledContract,
  options: readonly string[] = [],
): Promise<ProgramCommand> {
  const command = await startCommand([
    ...['--manual', '--constant-energy', ENERGY, '--constant-call-limit', LIMIT_MS, '--vm-limit', LIMIT_MS],
    ...options,
  ]);
  const url = `http://127.0.0.1:${command.port}/eth`;
  return { command, ...programNode(url, await deployOnSunup(url, bytecode), abi) };
}

/** Yields two figures for each program: warm against anvil, the first time against the second. */
export async function* comparePrograms(
  compiled: CompiledContract,
  programs: readonly Program[],
  ours: ProgramNode,
  progress: (text: string) => void,
): AsyncGenerator<Figure> {
  const anvil = await startAnvil();
  if (anvil === undefined) progress('anvil is not installed: not measured');
  const address = anvil && (await deployOnAnvil(anvil, compiled.bytecode));
  const peer = anvil && programNode(`http://127.0.0.1:${anvil.port}`, address as string, compiled.abi);
  for (const { name, method, args, onAnvil = args } of programs) {
    progress(name);
    const first = await ours.call(method, args(1));
    const second = await ours.call(method, args(2));
    await peer?.call(method, onAnvil(1));
    const times: number[] = [];
    const theirs: number[] = [];
    for (let seed = FIRST_SEED; seed < FIRST_SEED + CALLS; seed++) {
      times.push(await ours.call(method, args(seed)));
      if (peer !== undefined) theirs.push(await peer.call(method, onAnvil(seed)));
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

function programNode(url: string, to: string, abi: readonly unknown[]): ProgramNode {
  return {
    async call(method, args) {
      const data: ViemHex = encodeFunctionData({ abi, functionName: method, args });
      const from = performance.now();
      await rpc(url, 'eth_call', { to, data, gas: GAS }, 'latest');
      return performance.now() - from;
    },
  };
}
