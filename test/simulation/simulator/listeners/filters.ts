/**
 * A client that polls filters of JSON-RPC, of the node or of its solidity port: of blocks, of logs, of logs up to a block
 * and of those from a later one on, of pending transactions. A revert to a snapshot gives it the filters of then, so it
 * remembers what it knew then.
 */

import { blockIdAt } from '../../../../src/ledger/blocks/block-ids.js';
import type { Ledger } from '../../../../src/ledger/ledger.js';
import type { SignedTransaction } from '../../../../src/protocol/transaction.js';
import { transactionsIn } from '../invariants/scan.js';
import { type Answer, type Dialect, resultOf } from '../users/asker.js';
import { FollowedHeads, FollowedLogs } from './followed-chain.js';
import type { Hearing, Listener } from './listener.js';
import { expectedLogs, hashIn, type Log, textOf } from './rpc-logs.js';

/** Blocks after its beginning of which a filter with an end tells logs; another one begins there. */
const FIRST_BLOCKS = 12;

interface LogFilter {
  readonly id: string;
  readonly told: FollowedLogs;
  /** Its first block. */
  readonly first: number;
  /** Its last block. */
  readonly to?: number;
}

interface PendingFilter {
  readonly id: string;
  readonly told: ReadonlySet<string>;
  /** Pending at the last poll: not told again. */
  readonly known: ReadonlySet<string>;
}

interface Filters {
  readonly blocks: string;
  readonly heads: FollowedHeads;
  readonly logs: readonly LogFilter[];
  /** Only where the dialect has it. */
  readonly pending?: PendingFilter | undefined;
}

/** Whom it asks. */
export interface FilteredView {
  readonly name: string;
  readonly dialect: Dialect;
  ask(method: string, params: readonly unknown[]): Promise<Answer>;
  /** Its newest block. */
  heightNow(): number;
  heightIn(ledger: Ledger): number;
  pendingNow(): readonly SignedTransaction[];
}

export class FilterListener implements Listener {
  #filters: Filters | undefined;
  readonly #saved = new Map<string, Filters>();

  constructor(
    private readonly view: FilteredView,
    private readonly hearing: Hearing,
  ) {}

  async reconnect(): Promise<void> {
    this.#filters = undefined;
    const { view } = this;
    const head = view.heightNow();
    const known = this.#pendingHashes();
    const blocks = await this.#result<string>('eth_newBlockFilter', []);
    const pending = view.dialect === '/eth' ? await this.#result<string>('eth_newPendingTransactionFilter', []) : '';
    const logs: LogFilter[] = [];
    for (const [first, to] of [[0], [0, head + FIRST_BLOCKS], [head + FIRST_BLOCKS]] as const) {
      const range = { fromBlock: hex(first), ...(to !== undefined && { toBlock: hex(to) }) };
      const id = await this.#result<string>('eth_newFilter', [range]);
      if (id !== undefined) logs.push({ id, first, told: new FollowedLogs(), ...(to !== undefined && { to }) });
    }
    const isSame = head === view.heightNow() && sameSet(known, this.#pendingHashes());
    if (blocks === undefined || pending === undefined || logs.length < 3 || !isSame) return;
    this.#filters = {
      ...{ blocks, logs, heads: new FollowedHeads(head) },
      pending: pending === '' ? undefined : { id: pending, told: known, known },
    };
  }

  #pendingHashes(): ReadonlySet<string> {
    const { view } = this;
    return new Set(view.pendingNow().map((transaction) => hashIn(view.dialect, transaction)));
  }

  async #result<Result>(method: string, params: readonly unknown[]): Promise<Result | undefined> {
    return resultOf<Result>(await this.view.ask(method, params));
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
    const height = this.view.heightIn(ledger);
    const wrong =
      (await this.#headsDiffer(filters, ledger, height)) ??
      (await this.#logsDiffer(filters, ledger, height)) ??
      (await this.#pendingDiffers(filters, ledger));
    return wrong && `${this.view.name}: ${wrong}`;
  }

  /** Undefined: expired, because nobody has asked for five minutes, or not served any more. */
  async #changes<Change>(id: string): Promise<readonly Change[] | undefined> {
    const changes = await this.#result<readonly Change[]>('eth_getFilterChanges', [id]);
    if (changes === undefined) this.#filters = undefined;
    return this.hearing.isServed() ? changes : undefined;
  }

  async #headsDiffer({ blocks, heads }: Filters, ledger: Ledger, height: number): Promise<string | undefined> {
    const ids = await this.#changes<string>(blocks);
    if (ids === undefined) return undefined;
    for (const id of ids) {
      const wrong = heads.add(Number.parseInt(id.slice(2, 18), 16), id.slice(2));
      if (wrong !== undefined) return wrong;
    }
    // A block that came meanwhile is told with the next poll.
    if (heads.head < height && height !== this.view.heightNow()) return undefined;
    return heads.difference(height, (number) => blockIdAt(ledger, number));
  }

  async #logsDiffer({ logs, heads }: Filters, ledger: Ledger, height: number): Promise<string | undefined> {
    for (const { id, told, first, to } of logs) {
      const changes = await this.#changes<Log>(id);
      if (changes === undefined) return undefined;
      for (const log of changes) {
        const one = { block: Number(log.blockNumber), text: textOf(log) };
        if (one.block < first) return `a log of block ${one.block} is told, from block ${first} on was asked`;
        const wrong = log.removed ? told.remove(one, true) : told.add(one);
        if (wrong !== undefined) return wrong;
      }
      if (heads.head < height && height !== this.view.heightNow()) continue;
      const last = to === undefined ? height : Math.min(to, height);
      const from = Math.max(heads.from, first - 1);
      const wrong = told.difference(from, expectedLogs(ledger, this.view.dialect, from, last));
      if (wrong !== undefined) return `from block ${first} to ${to ?? 'the head'}: ${wrong}`;
    }
    return undefined;
  }

  /** All that is pending is told once, and all that is in a block was told. */
  async #pendingDiffers(filters: Filters, ledger: Ledger): Promise<string | undefined> {
    const { pending, heads } = filters;
    if (pending === undefined) return undefined;
    const before = this.#pendingHashes();
    const hashes = await this.#changes<string>(pending.id);
    if (hashes === undefined) return undefined;
    const known = this.#pendingHashes();
    const told = new Set(pending.told);
    for (const hash of hashes.map((one) => one.slice(2))) {
      if (pending.known.has(hash)) return `${hash} is told as pending again`;
      told.add(hash);
    }
    // A block of the clock came while it was asked.
    if (!sameSet(before, known)) {
      this.#filters = undefined;
      return undefined;
    }
    this.#filters = { ...filters, pending: { ...pending, told, known } };
    const expected = new Set(known);
    for (const { transaction } of transactionsIn(ledger, heads.from + 1))
      expected.add(hashIn(this.view.dialect, transaction));
    const missing = [...expected].find((hash) => !told.has(hash) && !pending.known.has(hash));
    return missing && `${missing} was never told as pending`;
  }
}

const hex = (number: number): string => `0x${number.toString(16)}`;

function sameSet(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return one.size === other.size && [...one].every((member) => other.has(member));
}

function copyOf({ heads, logs, ...others }: Filters): Filters {
  return { ...others, heads: heads.copy(), logs: logs.map((one) => ({ ...one, told: one.told.copy() })) };
}
