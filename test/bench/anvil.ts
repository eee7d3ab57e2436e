/** anvil as people get it from npm (`@foundry-rs/anvil`), in a process of its own: the peer that calls are measured against. */

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Hex } from '../../src/primitives/hex.js';

export interface Anvil {
  readonly port: number;
  rpc<Result>(method: string, ...params: unknown[]): Promise<Result>;
  stop(): void;
}

const VERSION = '1.7.1';

/**
 * Installed on first use and not among the project's packages: it has one package for each platform, and a lock file
 * made where a registry lacks some of them would stop every other install.
 */
function binary(): string | undefined {
  const architecture = process.arch === 'x64' ? 'amd64' : process.arch;
  const name = `@foundry-rs/anvil-${process.platform}-${architecture}`;
  const cache = path.resolve('node_modules/.cache/anvil');
  const file = path.join(cache, 'node_modules', name, 'bin', 'anvil');
  if (existsSync(file)) return file;
  const { status } = spawnSync('npm', ['install', '--prefix', cache, '--no-audit', '--no-fund', `${name}@${VERSION}`], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return status === 0 ? file : undefined;
}

/** Undefined where there is none. */
export async function startAnvil(): Promise<Anvil | undefined> {
  const file = binary();
  if (file === undefined) return undefined;
  const port = 20_000 + (process.pid % 20_000);
  // Not its log: it writes a line for each request.
  const child = spawn(file, ['--silent', '--port', String(port)], { stdio: ['ignore', 'ignore', 'inherit'] });
  const kill = () => child.kill();
  process.once('exit', kill);
  child.once('exit', () => process.off('exit', kill));
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
