/**
 * A follower of the solidified view, as clients of JSON-RPC's solidity port are, below its socket. It is told of blocks
 * that are gone, also where somebody makes the lag longer, and the view steps back.
 */

import { blockIdAt } from '../../../../src/ledger/blocks/block-ids.js';
import type { Ledger } from '../../../../src/ledger/ledger.js';
import type { Chain } from '../../../../src/node/chain/chain.js';
import type { Node } from '../../../../src/node/node.js';
import { FollowedHeads } from './followed-chain.js';
import type { Hearing, Listener } from './listener.js';

export class SolidViewListener implements Listener {
  readonly #heads: FollowedHeads;
  /** When a block was last made; undefined: another has been in force since. A change alone is told with the next block. */
  #lag: Chain['solidityLag'] | undefined;

  constructor(
    private readonly node: Node,
    private readonly hearing: Hearing,
  ) {
    const { chain } = node;
    this.#heads = new FollowedHeads(chain.solidHeight);
    this.#lag = chain.solidityLag;
    node.feed.listen('full', {
      blocksAdded: () => {
        this.#lag = chain.solidityLag;
        return undefined;
      },
      blocksRemoved: () => () => this.#noticeLag(),
    });
    node.feed.listen('solid', {
      blocksAdded: (first, last) => {
        // Blocks of a fork's network have no id here. Later the chain may have other blocks there.
        const ids = Array.from({ length: last - first + 1 }, (_, i) => String(blockIdAt(chain.ledger, first + i)));
        return () => this.#tell(() => this.#added(first, ids));
      },
      blocksRemoved: (first, last) => () => {
        this.#noticeLag();
        this.#tell(() => this.#removed(first, last));
      },
    });
  }

  /** Up to which all of this view's followers were told. */
  get told(): number {
    return Math.min(this.#heads.head, this.node.chain.solidHeight);
  }

  /** A revert may have brought another lag. */
  #noticeLag(): void {
    if (this.node.chain.solidityLag !== this.#lag) this.#lag = undefined;
  }

  #tell(told: () => string | undefined): void {
    if (!this.hearing.isServed()) return;
    const wrong = told();
    if (wrong !== undefined) this.hearing.fail(`the solidified view: ${wrong}`);
  }

  #added(first: number, ids: readonly string[]): string | undefined {
    this.hearing.heard(`${first} ${ids.join()}`);
    if (first > this.#heads.head + 1) {
      // A rollback into a run of empty blocks takes all of it back, and makes the lower ones again without telling them.
      // With the network's lag these can be below the view's end.
      if (this.node.chain.solidityLag !== 'network') return `block ${first} is told after block ${this.#heads.head}`;
      this.#heads.skip(first - 1);
    }
    if (first <= this.#heads.head) return `block ${first} is told after block ${this.#heads.head}, which is not gone`;
    for (const [i, id] of ids.entries()) {
      const wrong = this.#heads.add(first + i, id);
      if (wrong !== undefined) return wrong;
    }
    return undefined;
  }

  #removed(first: number, last: number): string | undefined {
    this.hearing.heard(`removed ${first} ${last}`);
    if (last > this.#heads.head) return `blocks up to ${last} are gone, and ${this.#heads.head} was told`;
    this.#heads.cut(first - 1);
    return undefined;
  }

  difference(ledger: Ledger): string | undefined {
    const { solidHeight, solidityLag } = this.node.chain;
    // As on the network, a refused transaction moves the view, too, and nobody is told before the next block.
    const isTold = solidityLag !== 'network' && solidityLag === this.#lag;
    const height = isTold ? solidHeight : this.told;
    const wrong = this.#heads.difference(height, (number) => String(blockIdAt(ledger, number)));
    return wrong && `the solidified view: ${wrong}`;
  }
}
