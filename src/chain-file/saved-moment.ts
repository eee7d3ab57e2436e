/** A node's chain at one moment, as the lines of a chain file. The chain may go on while the lines are written. */

import { decodeBeginning } from '../ledger/genesis/genesis-text.js';
import type { Chain } from '../node/chain/chain.js';
import type { QueuedTransaction } from '../node/chain/nonce-queue.js';
import type { PooledTransaction } from '../node/chain/pool.js';
import type { DumpedClock } from '../node/clock/clock.js';
import type { Head } from '../node/control.js';
import type { SavedEnd } from '../node/steps/saved-chain.js';
import { StoredSteps } from '../node/steps/steps.js';
import type { InitialOptions } from '../node/storage/open-chain.js';
import type { FetchedRow } from '../state/remote-rows.js';
import { headText, lineText, queuedMembers, rowLine, stepLine, transactionHex } from './lines.js';

export class SavedMoment {
  readonly head: Head;
  readonly steps: StoredSteps;
  readonly #begins: string;
  readonly #end: SavedEnd;
  readonly #pending: readonly PooledTransaction[];
  readonly #queued: readonly QueuedTransaction[];
  /** A superset is harmless: rows that are read later do not change earlier steps. */
  readonly #fetched: AsyncIterable<FetchedRow> | undefined;

  constructor(chain: Chain, clock: DumpedClock) {
    const { meta } = chain.ledger.state.tables;
    const begun = meta.get('begun');
    if (begun === undefined) throw new Error('the initial settings of the chain are missing');
    const stated = meta.get('stated');
    const { solidity, pending } = chain.back.snapshot();
    this.head = chain.head;
    this.#fetched = chain.store.fetchedRows?.();
    this.steps = new StoredSteps(chain);
    this.#begins = headText(decodeBeginning(begun), {
      ends: true,
      ...(stated !== undefined && { stated: JSON.parse(stated) as InitialOptions }),
    });
    this.#end = { solidity, clock };
    this.#pending = pending;
    this.#queued = chain.pool.queued.entries().flatMap(([, waiting]) => waiting);
  }

  /** Each line with its newline. */
  async *lines(): AsyncIterable<string> {
    yield this.#begins;
    for (const step of this.steps) yield lineText(stepLine(step));
    let rows = 0;
    for await (const row of this.#fetched ?? []) {
      rows++;
      yield lineText(rowLine(row));
    }
    const { number, id } = this.head;
    const pending = this.#pending.map(({ transaction }) => transactionHex(transaction));
    const counts = { steps: this.steps.length, rows, head: { number, id } };
    const queued = this.#queued.map(queuedMembers);
    yield lineText({ end: { ...counts, ...this.#end, pending, ...(queued.length > 0 && { queued }) } });
  }
}
