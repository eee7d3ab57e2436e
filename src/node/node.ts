/**
 * A node: a chain, the clock it lives by, and who makes its blocks. What surfaces and the library hold.
 *
 * Owns the choice of when a broadcast becomes a block, and snapshots of everything. Knows no wire.
 */

import type { Hex } from '../primitives/hex.js';
import type { Address } from '../primitives/ids.js';
import { sign } from '../protocol/signature.js';
import type { SignedTransaction } from '../protocol/transaction.js';
import type { AppliedTransaction } from '../ledger/apply-transaction.js';
import { Chain, type ChainOptions, type ChainSnapshot } from './chain.js';
import type { Clock } from './clock.js';
import { type MiningMode, Producer, type ProducerOptions } from './producer.js';

export interface NodeOptions {
  readonly chain: Omit<ChainOptions, 'settings'> & { readonly settings: Omit<ChainOptions['settings'], 'signFor'> };
  readonly producer: ProducerOptions;
  readonly clock: Clock;
  /** Private keys of witnesses, by the address they sign for. */
  readonly witnessKeys: ReadonlyMap<Address, Hex>;
}

interface NodeSnapshot {
  readonly chain: ChainSnapshot;
  readonly clock: bigint;
  readonly mode: MiningMode;
}

/** Raised by `revert` for an id that never was, or was used up by reverting to it or to an earlier one. */
export class UnknownSnapshotError extends Error {
  override readonly name = 'UnknownSnapshotError';
  constructor(readonly id: string) {
    super(`there is no snapshot ${id}`);
  }
}

export class Node {
  readonly chain: Chain;
  readonly clock: Clock;
  readonly producer: Producer;
  readonly #snapshots = new Map<string, NodeSnapshot>();
  #lastSnapshot = 0;

  private constructor(chain: Chain, clock: Clock, producer: Producer) {
    this.chain = chain;
    this.clock = clock;
    this.producer = producer;
  }

  static async open(options: NodeOptions): Promise<Node> {
    const { witnessKeys } = options;
    const signFor = (signer: Address, headerHash: Hex): Hex => {
      const key = witnessKeys.get(signer) ?? witnessKeys.values().next().value;
      if (key === undefined) throw new Error('a block of ours has to be signed, and there is no key');
      return sign(headerHash, key);
    };
    const chain = await Chain.open({ ...options.chain, settings: { ...options.chain.settings, signFor } });
    options.clock.moveTo(chain.headTimeMs);
    const producer = new Producer(chain, options.clock, options.witnessKeys, options.producer);
    return new Node(chain, options.clock, producer);
  }

  /**
   * Takes a transaction into the pool; with instant mining makes its block at once.
   *
   * @throws JavaException the refusal
   */
  broadcast(transaction: SignedTransaction): AppliedTransaction {
    const applied = this.chain.broadcast(transaction);
    if (this.producer.mode === 'instant') this.producer.mineInstant();
    return applied;
  }

  mine(count: number): void {
    this.producer.mine(count);
  }

  advance(byMs: bigint): void {
    this.producer.advance(byMs);
  }

  /** Remembers height, state, pending pool, views, time and mining mode. Costs nothing until used. */
  snapshot(): string {
    const id = `0x${(++this.#lastSnapshot).toString(16)}`;
    this.#snapshots.set(id, { chain: this.chain.snapshot(), clock: this.clock.save(), mode: this.producer.mode });
    return id;
  }

  /** Goes back to a snapshot, which is then used up with all that came after it. @throws UnknownSnapshotError */
  revert(id: string): void {
    const snapshot = this.#snapshots.get(id);
    if (snapshot === undefined) throw new UnknownSnapshotError(id);
    let reached = false;
    for (const known of [...this.#snapshots.keys()]) {
      reached ||= known === id;
      if (reached) this.#snapshots.delete(known);
    }
    this.chain.revert(snapshot.chain);
    this.clock.restore(snapshot.clock);
    this.producer.mode = snapshot.mode;
  }

  async close(): Promise<void> {
    await this.chain.close();
  }
}
