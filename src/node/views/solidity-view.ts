/**
 * The block that the solidity view shows. Default: the head, because with several witnesses and blocks on demand the
 * view would stay behind. Optional: the lag of a java-tron node, whose view is the last block merged out of its stack
 * of open layers (protocol/http.md#walletsolidity-and-walletpbft).
 *
 * The lag is an artefact of java-tron's SnapshotManager, reproduced because wallets see it on the network: every
 * applied block leaves a layer, the pool has one from its first transaction to the next block, and before a layer is
 * opened, the oldest ones are merged while there are more than head - solid + 1.
 */

export type SolidityLag = 'none' | 'network';

export interface SolidityLayers {
  readonly merged: number;
  readonly pendingLayer: boolean;
  readonly head: number;
  readonly solid: number;
}

export class SolidityView {
  #merged: number;
  #pendingLayer = false;
  #head: number;
  #solid: number;

  constructor(
    head: number,
    solid: number,
    /** The lag of the view: none, a number of blocks, or as on the network. */
    public lag: SolidityLag | number,
  ) {
    this.#merged = head;
    this.#head = head;
    this.#solid = solid;
  }

  /** The state after the start of a node. */
  reopen(head: number, solid: number): void {
    this.restore({ merged: head, pendingLayer: false, head, solid });
  }

  /** The height that `/walletsolidity` reads. */
  get height(): number {
    return Math.min(this.#merged, this.#head);
  }

  /** The pool processed a transaction: accepted, or refused after the signature check. */
  transactionProcessed(): void {
    if (!this.#pendingLayer) {
      this.#open();
      this.#pendingLayer = true;
    }
    this.#open();
  }

  /** A block was produced (`produced`) or imported; production opens its own layers, one more with transactions. */
  blockApplied(head: number, solid: number, produced: boolean, withTransactions: boolean): void {
    this.#pendingLayer = false;
    if (produced) {
      this.#open();
      this.#pendingLayer = true;
      if (withTransactions) this.#open();
      this.#pendingLayer = false;
    }
    this.#open();
    this.#head = head;
    this.#solid = solid;
  }

  /**
   * A run of empty blocks was made. Each merges what its parent made solid, so the last two determine the result.
   *
   * @param solidBefore the solid height before the last of them
   */
  runApplied(head: number, solidBefore: number, solid: number): void {
    this.blockApplied(head - 1, solidBefore, true, false);
    this.blockApplied(head, solid, true, false);
  }

  save(): SolidityLayers {
    return { merged: this.#merged, pendingLayer: this.#pendingLayer, head: this.#head, solid: this.#solid };
  }

  restore(saved: SolidityLayers): void {
    this.#merged = saved.merged;
    this.#pendingLayer = saved.pendingLayer;
    this.#head = saved.head;
    this.#solid = saved.solid;
  }

  #open(): void {
    const allowed = this.#head - this.#solid + 1;
    const layers = this.#head - this.#merged + (this.#pendingLayer ? 1 : 0);
    if (layers > allowed) this.#merged = Math.min(this.#head, this.#merged + (layers - allowed));
  }
}

/** The height of the view if the lag is not the network's. */
export function laggedHeight(head: number, lag: 'none' | number): number {
  return Math.max(0, head - (lag === 'none' ? 0 : lag));
}
