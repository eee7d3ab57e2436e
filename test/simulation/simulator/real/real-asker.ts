/**
 * The public interfaces of a real node, over sockets: HTTP, JSON-RPC by POST or over WebSockets, gRPC. An answer has the
 * form that `users/asker.ts` gives it.
 */

import { Agent, request } from 'node:http';
import { type Client, credentials, Client as GrpcClient, type ServiceError, status } from '@grpc/grpc-js';
import { bytesToHex } from '../../../../src/primitives/hex.js';
import { callBytes } from '../../../wire/grpc-client.js';
import { SocketClient } from '../../../wire/socket-client.js';
import { Violation } from '../run/violation.js';
import { type Answer, type Dialect, TELLS } from '../users/asker.js';
import type { SharedHost } from '../users/user.js';
import type { CommandProcess, ReadyEvent } from './command-process.js';
import type { RealWorld } from './real-world.js';

/** Generous, because the machine may be busy with other worlds. */
const LONGEST_REQUEST_MS = 120_000;
/** When a connection breaks, the process may be about to end. */
const END_OF_PROCESS_MS = 10_000;

/** The connections of one process of a node. */
export class Connections {
  readonly #agent = new Agent({ keepAlive: true });
  readonly #sockets = new Map<Dialect, Promise<SocketClient>>();
  #grpc: Client | undefined;

  constructor(
    readonly process: CommandProcess,
    readonly ready: ReadyEvent,
  ) {}

  /** @param isAlone over a connection of its own */
  http(method: 'GET' | 'POST', path: string, body?: string, isAlone = false): Promise<string> {
    return new Promise((resolve, reject) => {
      const agent = isAlone ? new Agent() : this.#agent;
      const asked = request(`${this.ready.http.url}${path}`, { method, agent }, (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (part: string) => {
          text += part;
        });
        response.on('end', () => resolve(`${response.statusCode} ${text}`));
        response.on('error', reject);
      });
      asked.on('error', reject);
      asked.end(body);
    });
  }

  /** The answer as JSON text, as a POST has it. */
  async overSocket(dialect: Dialect, method: string, params: readonly unknown[]): Promise<string> {
    const url = `${this.ready.http.url}${dialect}`;
    const connecting = this.#sockets.get(dialect) ?? SocketClient.connect(url);
    this.#sockets.set(dialect, connecting);
    try {
      const socket = await connecting;
      const closed = socket.closed.then(({ code }) => Promise.reject(new Error(`the WebSocket was closed: ${code}`)));
      return `200 ${JSON.stringify(await Promise.race([socket.request(method, ...params), closed]))}`;
    } catch (error) {
      this.#sockets.delete(dialect);
      throw error;
    }
  }

  async grpc(path: string, message: Uint8Array): Promise<string> {
    // Shared, a subchannel would wait before it connects again, and refuse meanwhile.
    const options = { 'grpc.use_local_subchannel_pool': 1 };
    this.#grpc ??= new GrpcClient(this.ready.grpc!.url, credentials.createInsecure(), options);
    const client = this.#grpc;
    try {
      return bytesToHex(await callBytes(client, path, message));
    } catch (error) {
      // It may have failed to connect while the node had no more files. The next call connects at once.
      if ((error as ServiceError).code === status.UNAVAILABLE && this.#grpc === client) {
        client.close();
        this.#grpc = undefined;
      }
      throw error;
    }
  }

  close(): void {
    this.#agent.destroy();
    this.#grpc?.close();
    for (const socket of this.#sockets.values())
      socket.then(
        ({ socket: open }) => open.terminate(),
        () => {},
      );
  }
}

type Questions = SharedHost['asker'];

export class RealAsker implements Questions {
  constructor(private readonly world: RealWorld) {}

  post(path: string, body: object): Promise<Answer> {
    const text = JSON.stringify(body);
    return this.#ask(`POST ${path} ${text}`, ({ connections }) => connections.http('POST', path, text));
  }

  get(path: string): Promise<Answer> {
    return this.#ask(`GET ${path}`, ({ connections }) => connections.http('GET', path));
  }

  /** By POST, or over a WebSocket. */
  rpc(dialect: Dialect, method: string, params: readonly unknown[]): Promise<Answer> {
    if (this.world.choices.chance(0.3)) return this.rpcOverSocket(dialect, method, params);
    return this.post(dialect, { jsonrpc: '2.0', id: 1, method, params });
  }

  rpcOverSocket(dialect: Dialect, method: string, params: readonly unknown[]): Promise<Answer> {
    return this.#ask(`WebSocket ${dialect} ${method} ${JSON.stringify(params)}`, ({ connections }) =>
      connections.overSocket(dialect, method, params),
    );
  }

  grpc(path: string, message: Uint8Array): Promise<Answer> {
    return this.#ask(`gRPC ${path} ${bytesToHex(message)}`, ({ connections }) =>
      connections.grpc(path, message).catch((error: ServiceError) => {
        const { code, details } = error;
        // These two are of the connection.
        if (code === undefined || code === status.UNAVAILABLE || code === status.CANCELLED) throw error;
        return `refused ${status[code]} ${details}`;
      }),
    );
  }

  /** @returns undefined if the process has ended, or is about to */
  async #ask(question: string, work: (world: RealWorld) => Promise<string>): Promise<Answer> {
    const { world } = this;
    const { process } = world;
    world.counts.requests++;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        const what = `no answer to ${question.slice(0, 300)} after ${LONGEST_REQUEST_MS} ms`;
        reject(new Violation('every request is answered in bounded time', what));
      }, LONGEST_REQUEST_MS);
    });
    try {
      const answer = await Promise.race([work(world), late]);
      world.heard++;
      if (!process.isAlive) return undefined;
      if (/^refused|^[345]\d\d /.test(answer)) world.counts.refusals++;
      this.#requireName(question, answer);
      if (TELLS.test(question)) world.told.hear(answer);
      return answer;
    } catch (error) {
      if (error instanceof Violation) throw error;
      if (world.diskFails) return undefined;
      return await this.#unanswered(question, process, error as Error);
    } finally {
      clearTimeout(timer);
    }
  }

  /** @throws Violation a node that lives, and does not answer */
  async #unanswered(question: string, process: CommandProcess, error: Error): Promise<undefined> {
    if (!process.isAlive) return undefined;
    let timer: NodeJS.Timeout | undefined;
    const lives = new Promise<boolean>((resolve) => {
      timer = setTimeout(() => resolve(true), END_OF_PROCESS_MS);
    });
    const isAlive = await Promise.race([process.ended.then(() => false), lives]);
    clearTimeout(timer);
    if (!isAlive) return undefined;
    throw new Violation('every request is answered in bounded time', `${question.slice(0, 300)}: ${error.message}`);
  }

  /** @throws Violation an answer that no user could understand */
  #requireName(question: string, answer: string): void {
    const isNameless =
      /^500 $|^refused (INTERNAL|UNKNOWN) *$|"code":-32603|AssertionError|TypeError|ReferenceError|\\n {4}at /.test(
        answer,
      );
    // Whose batch the disk refuses is told so; others have a name for it.
    if (isNameless && !this.world.isDamaged && !this.world.diskFails)
      throw new Violation('no error without a name', `${question.slice(0, 500)}: ${answer.slice(0, 1_000)}`);
  }
}
