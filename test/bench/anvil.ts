/** anvil as people get it from npm (`@foundry-rs/anvil`), in a process of its own: the peer that calls are measured against. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { type AddressInfo, connect, createServer } from 'node:net';
import path from 'node:path';
import type { Hex } from '../../src/primitives/hex.js';

export interface Anvil {
  readonly port: number;
  rpc<Result>(method: string, ...params: unknown[]): Promise<Result>;
  stop(): Promise<void>;
}

const require = createRequire(import.meta.url);

function binary(): string | undefined {
  const architecture = process.arch === 'x64' ? 'amd64' : process.arch;
  try {
    const manifest = require.resolve(`@foundry-rs/anvil-${process.platform}-${architecture}/package.json`);
    return path.join(path.dirname(manifest), 'bin', 'anvil');
  } catch {
    // No binary for this machine: the figures go without a peer.
    return undefined;
  }
}

/** Undefined where npm has no anvil for this machine. */
export async function startAnvil(): Promise<Anvil | undefined> {
  const file = binary();
  if (file === undefined) return undefined;
  const port = await freePort();
  // Not its log: it writes a line for each request.
  const child = spawn(file, ['--silent', '--port', String(port)], { stdio: ['ignore', 'ignore', 'inherit'] });
  while (child.exitCode === null && !(await accepts(port))) await new Promise((resolve) => setTimeout(resolve, 20));
  if (child.exitCode !== null) throw new Error('anvil ended before it listened');
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
    async stop() {
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
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

/** Deploys init code from its first account. */
export async function deployOnAnvil(anvil: Anvil, initCode: Hex): Promise<{ contract: string; owner: string }> {
  const [owner] = await anvil.rpc<string[]>('eth_accounts');
  const hash = await anvil.rpc<string>('eth_sendTransaction', { from: owner, data: `0x${initCode}`, gas: '0x1c9c380' });
  const { contractAddress } = await anvil.rpc<{ contractAddress: string }>('eth_getTransactionReceipt', hash);
  return { contract: contractAddress, owner: owner! };
}
