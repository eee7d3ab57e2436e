/** Runs the bundled command as a separate process on free ports, and reads its output. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface, type Interface } from 'node:readline';
import { buildIfStale } from '../../scripts/build.mjs';

/** The JSON event of `--json` when requests are answered. */
export interface ReadyEvent {
  readonly event: 'ready';
  readonly version: string;
  readonly http: { readonly url: string; readonly port: number };
  readonly grpc?: { readonly url: string; readonly port: number };
  readonly grpcSolidity: readonly { readonly url: string; readonly port: number }[];
  readonly chainId: string;
  readonly genesisId: string;
  readonly dataDirectory: { readonly path: string; readonly temporary: boolean };
  readonly accounts: readonly { readonly address: string; readonly addressHex: string; readonly privateKey: string }[];
}

export class RunningCommand implements AsyncDisposable {
  readonly #lines: AsyncIterator<string>;
  #errors = '';

  private constructor(
    readonly process: ChildProcess,
    reader: Interface,
  ) {
    this.#lines = reader[Symbol.asyncIterator]();
    process.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#errors += text;
    });
  }

  /** Starts `file` (default: the bundle, built if it is stale) on free ports. */
  static async start(
    words: readonly string[],
    file?: string,
    { httpPort = 0, env = {} }: { readonly httpPort?: number; readonly env?: NodeJS.ProcessEnv } = {},
  ): Promise<RunningCommand> {
    const command = file ?? (await buildIfStale());
    const ports = ['--http-port', String(httpPort), '--grpc-port', '0', '--grpc-solidity-port', '0'];
    const process_ = spawn(process.execPath, [command, ...ports, ...words], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...env },
    });
    return new RunningCommand(process_, createInterface({ input: process_.stdout! }));
  }

  /** The next line on standard output; `undefined` after the last. */
  async line(): Promise<string | undefined> {
    const { value, done } = await this.#lines.next();
    return done ? undefined : value;
  }

  /** The ready event of a command that was started with `--json`. */
  async ready(): Promise<ReadyEvent> {
    const line = await this.line();
    if (line === undefined) throw new Error(`the command ended before it was ready: ${this.#errors}`);
    return JSON.parse(line);
  }

  /** The rest of its output, and its exit code. */
  async end(signal?: NodeJS.Signals): Promise<{ code: number | null; lines: string[]; errors: string }> {
    const closed = this.process.exitCode === null ? once(this.process, 'close') : undefined;
    if (signal !== undefined) this.process.kill(signal);
    const lines: string[] = [];
    for (let line = await this.line(); line !== undefined; line = await this.line()) lines.push(line);
    await closed;
    return { code: this.process.exitCode, lines, errors: this.#errors };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.process.exitCode === null && this.process.signalCode === null) {
      this.process.kill('SIGKILL');
      await once(this.process, 'close');
    }
  }
}
