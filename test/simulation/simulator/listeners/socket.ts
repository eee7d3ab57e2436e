/** A client of `eth_subscribe`: heads, logs and pending transactions over one WebSocket. */

import type { WebSocket } from 'ws';
import { blockIdAt } from '../../../../src/ledger/blocks/block-ids.js';
import type { Ledger } from '../../../../src/ledger/ledger.js';
import type { MemorySockets } from '../network/memory-sockets.js';
import type { Dialect } from '../users/asker.js';
import { FollowedHeads, FollowedLogs } from './followed-chain.js';
import type { Hearing, Listener } from './listener.js';
import { expectedLogs, type Log, textOf } from './rpc-logs.js';

const KINDS = ['newHeads', 'logs', 'newPendingTransactions'] as const;
type Kind = (typeof KINDS)[number];

interface Head {
  readonly number: string;
  readonly hash: string;
  readonly parentHash: string;
}

interface Message {
  readonly id?: number;
  readonly result?: unknown;
  readonly params?: { readonly subscription: string; readonly result: unknown };
}

export class SocketListener implements Listener {
  #socket: WebSocket | undefined;
  #kinds = new Map<string, Kind>();
  #heads: FollowedHeads | undefined;
  #logs = new FollowedLogs();

  constructor(
    private readonly sockets: MemorySockets,
    private readonly dialect: Dialect,
    private readonly headNow: () => number,
    private readonly hearing: Hearing,
  ) {}

  /** Resolves when all subscriptions are open. */
  async connect(): Promise<void> {
    const socket = this.sockets.open(this.dialect);
    this.#socket = socket;
    this.#kinds = new Map();
    this.#heads = undefined;
    this.#logs = new FollowedLogs();
    const { hearing } = this;
    await new Promise<void>((ready) => {
      socket.on('open', () =>
        socket.send(
          JSON.stringify(
            KINDS.map((kind, id) => ({
              jsonrpc: '2.0',
              id,
              method: 'eth_subscribe',
              params: kind === 'logs' ? [kind, {}] : [kind],
            })),
          ),
        ),
      );
      socket.on('message', (data) => {
        if (this.#socket !== socket || !hearing.isServed()) return;
        const text = String(data);
        hearing.heard(text);
        const message = JSON.parse(text) as Message | readonly Message[];
        if (Array.isArray(message)) {
          for (const { id, result } of message) this.#kinds.set(result, KINDS[id] as Kind);
          this.#heads = new FollowedHeads(this.headNow());
          ready();
        } else this.#tell((message as Message).params);
      });
      socket.on('close', (code) => {
        if (this.#socket === socket && hearing.isServed()) hearing.fail(`a WebSocket was closed with ${code}`);
        ready();
      });
      socket.on('error', () => {});
    });
  }

  async reconnect(): Promise<void> {
    const socket = this.#socket;
    this.#socket = undefined;
    socket?.close();
    await this.connect();
  }

  #tell(params: Message['params']): void {
    const kind = params && this.#kinds.get(params.subscription);
    const wrong = kind === undefined ? 'a notification of no subscription' : this.#wrong(kind, params?.result);
    if (wrong !== undefined) this.hearing.fail(`${kind} of ${this.dialect}: ${wrong}`);
  }

  #wrong(kind: Kind, result: unknown): string | undefined {
    if (kind === 'newHeads') {
      const { number, hash, parentHash } = result as Head;
      return this.#heads?.add(Number(number), hash.slice(2), { parentId: parentHash.slice(2) });
    }
    if (kind === 'newPendingTransactions') return undefined;
    const log = result as Log;
    const told = { block: Number(log.blockNumber), text: textOf(log) };
    return log.removed ? this.#logs.remove(told, true) : this.#logs.add(told);
  }

  difference(ledger: Ledger): string | undefined {
    const heads = this.#heads;
    if (heads === undefined) return undefined;
    const wrong = heads.difference(ledger.headNumber, (number) => blockIdAt(ledger, number));
    if (wrong !== undefined) return `${this.dialect}: ${wrong}`;
    const other = this.#logs.difference(heads.from, expectedLogs(ledger, this.dialect, heads.from));
    return other && `${this.dialect}: ${other}`;
  }
}
