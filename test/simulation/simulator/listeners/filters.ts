/**
 * A client that polls filters of JSON-RPC: one of blocks, one of logs. A revert to a snapshot gives it the filters of then,
 * so it remembers what it knew then.
 */

import { blockIdAt } from '../../../../src/ledger/blocks/block-ids.js';
import type { Ledger } from '../../../../src/ledger/ledger.js';
import type { Asker, Dialect } from '../users/asker.js';
import { FollowedHeads, FollowedLogs } from './followed-chain.js';
import type { Hearing, Listener } from './listener.js';
import { expectedLogs, type Log, textOf } from './rpc-logs.js';

interface Filters {
  readonly blocks: string;
  readonly logs: string;
  readonly heads: FollowedHeads;
  readonly toldLogs: FollowedLogs;
}

export class FilterListener implements Listener {
  #filters: Filters | undefined;
  readonly #saved = new Map<string, Filters>();

  constructor(
    private readonly asker: Asker,
    private readonly dialect: Dialect,
    private readonly headNow: () => number,
    private readonly hearing: Hearing,
  ) {}

  async reconnect(): Promise<void> {
    this.#filters = undefined;
    const head = this.headNow();
    const blocks = await this.#result<string>('eth_newBlockFilter', []);
    const logs = await this.#result<string>('eth_newFilter', [{ fromBlock: '0x0' }]);
    if (blocks === undefined || logs === undefined || head !== this.headNow()) return;
    this.#filters = { blocks, logs, heads: new FollowedHeads(head), toldLogs: new FollowedLogs() };
  }

  async #result<Result>(method: string, params: readonly unknown[]): Promise<Result | undefined> {
    const answer = await this.asker.rpc(this.dialect, method, params);
    return answer === undefined ? undefined : (JSON.parse(answer.slice(4)) as { readonly result?: Result }).result;
  }

  /** A snapshot was taken. */
  save(id: string): void {
    if (this.#filters !== undefined) this.#saved.set(id, copyOf(this.#filters));
  }

  /** It was reverted to. */
  restore(id: string): void {
    const saved = this.#saved.get(id);
    this.#filters = saved && copyOf(saved);
  }

  async difference(ledger: Ledger): Promise<string | undefined> {
    if (this.#filters === undefined) await this.reconnect();
    const filters = this.#filters;
    if (filters === undefined) return undefined;
    const { heads, toldLogs } = filters;
    const ids = await this.#result<readonly string[]>('eth_getFilterChanges', [filters.blocks]);
    const logs = await this.#result<readonly Log[]>('eth_getFilterChanges', [filters.logs]);
    // Expired: nobody has asked for five minutes.
    if (ids === undefined || logs === undefined) this.#filters = undefined;
    if (ids === undefined || logs === undefined || !this.hearing.isServed()) return undefined;
    for (const id of ids) {
      const wrong = heads.add(Number.parseInt(id.slice(2, 18), 16), id.slice(2));
      if (wrong !== undefined) return `a filter: ${wrong}`;
    }
    for (const log of logs) {
      const told = { block: Number(log.blockNumber), text: textOf(log) };
      const wrong = log.removed ? toldLogs.remove(told, true) : toldLogs.add(told);
      if (wrong !== undefined) return `a filter: ${wrong}`;
    }
    // A block that came meanwhile is told with the next poll.
    if (heads.head < ledger.headNumber && ledger.headNumber !== this.headNow()) return undefined;
    const wrong = heads.difference(ledger.headNumber, (number) => blockIdAt(ledger, number));
    const other = wrong ?? toldLogs.difference(heads.from, expectedLogs(ledger, heads.from));
    return other && `a filter: ${other}`;
  }
}

function copyOf({ heads, toldLogs, ...ids }: Filters): Filters {
  return { ...ids, heads: heads.copy(), toldLogs: toldLogs.copy() };
}
