/** anvil as people get it from npm (`@foundry-rs/anvil`), in a process of its own: the peer that calls are measured against. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { connect } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Hex } from '../../src/primitives/hex.js';

export interface Anvil {
  readonly port: number;
  rpc<Result>(method: string, ...params: unknown[]): Promise<Result>;
  stop(): void;
}

const require = createRequire(import.meta.url);

function binary(): string | undefined {
  const architecture = process.arch === 'x64' ? 'amd64' : process.arch;
  try {
    const manifest = require.resolve(`@foundry-rs/anvil-${process.platform}-${architecture}/package.json`);
    return path.join(path.dirname(manifest), 'bin', 'anvil');
  } catch {
    // npm has none for this machine, or it was not installed.
    return undefined;
  }
}

/** Undefined where there is none. */
export async function startAnvil(): Promise<Anvil | undefined> {
  const file = binary();
  if (file === undefined) return undefined;
  const port = 20_000 + (process.pid % 20_000);
  // Not its log: it writes a line for each request.
  const child = spawn(file, ['--silent', '--port', String(port)], { stdio: ['ignore', 'ignore', 'inherit'] });
  process.once('exit', () => child.kill());
  while (!(await accepts(port))) {
    if (child.exitCode !== null) throw new Error('anvil ended before it listened');
    await sleep(20);
  }
  return {
    port,
    async rpc<Result>(method: string, ...params: unknown[]) {
      const response = await fetch(`http://127.0.0.1:${port}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      });
      const { result, error } = (await response.json()) as { result: Result; error?: { message: string } };
      if (error !== undefined) throw new Error(`anvil ${method}: ${error.message}`);
      return result;
    },
    stop: () => void child.kill(),
  };
}

async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/** Deploys init code from its first account; the contract's address. */
export async function deployOnAnvil(anvil: Anvil, initCode: Hex): Promise<string> {
  const [from] = await anvil.rpc<string[]>('eth_accounts');
  const hash = await anvil.rpc<string>('eth_sendTransaction', { from, data: `0x${initCode}`, gas: '0x500000' });
  for (;;) {
    const receipt = await anvil.rpc<{ contractAddress: string } | null>('eth_getTransactionReceipt', hash);
    if (receipt !== null) return receipt.contractAddress;
    await sleep(20);
  }
}
