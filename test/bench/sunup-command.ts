/** The built command in a process of its own, as people run it. */

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Hex } from '../../src/primitives/hex.js';
import type { Address } from '../../src/primitives/ids.js';

export interface Command {
  readonly process: ChildProcess;
  readonly port: number;
  /** Undefined without gRPC. */
  readonly grpcPort: number | undefined;
  readonly accounts: readonly { readonly addressHex: Address; readonly privateKey: Hex }[];
  post(path: string, body?: object): Promise<Record<string, unknown>>;
  /** Resolves when the process has ended. */
  stop(): Promise<void>;
}

const NO_GRPC = ['--grpc-port', 'off', '--grpc-solidity-port', 'off'];

/** `scripts/bench.ts` says where it was built to. */
export function commandFile(): string {
  const file = process.env.SUNUP_COMMAND;
  if (file === undefined) throw new Error('SUNUP_COMMAND does not name the built command');
  return file;
}

interface Ready {
  readonly http: { readonly port: number; readonly url: string };
  readonly grpc?: { readonly port: number };
  readonly accounts: Command['accounts'];
}

/** Starts it on a free port; resolves when it says that it is ready. */
export async function startCommand(
  options: readonly string[] = [],
  withGrpc = false,
  env: NodeJS.ProcessEnv = {},
): Promise<Command> {
  const grpc = withGrpc ? ['--grpc-port', '0', '--grpc-solidity-port', '0'] : NO_GRPC;
  const child = spawn(process.execPath, [commandFile(), '--json', '--http-port', '0', ...grpc, ...options], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  });
  const kill = () => child.kill();
  process.once('exit', kill);
  child.once('exit', () => process.off('exit', kill));
  const lines = createInterface({ input: child.stdout });
  const [line] = (await once(lines, 'line')) as [string];
  const { http, grpc: listening, accounts } = JSON.parse(line) as Ready;
  return {
    process: child,
    port: http.port,
    grpcPort: listening?.port,
    accounts,
    async post(path, body = {}) {
      const response = await fetch(`${http.url}${path}`, { method: 'POST', body: JSON.stringify(body) });
      return (await response.json()) as Record<string, unknown>;
    },
    async stop() {
      if (child.exitCode === null) {
        child.kill('SIGTERM');
        await once(child, 'exit');
      }
    },
  };
}

/** Resident memory of a process in MB (10^6 bytes). */
export function residentMegabytes(pid: number): number {
  const kilobytes =
    process.platform === 'linux'
      ? /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
      : execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' }).trim();
  return (Number(kilobytes) * 1024) / 1e6;
}

/**
 * Memory of a process that is not a file's, in MB: LevelDB maps its tables, and their pages are the system's file cache.
 * All resident memory where the system is not Linux.
 */
export function ownMegabytes(pid: number): number {
  if (process.platform !== 'linux') return residentMegabytes(pid);
  const kilobytes = /^RssAnon:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  if (kilobytes === undefined) throw new Error(`process ${pid} has ended`);
  return (Number(kilobytes) * 1024) / 1e6;
}
