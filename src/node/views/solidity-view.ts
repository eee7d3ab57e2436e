/**
 * Which block the solidity view shows: by default the head at once, because a devnet that makes blocks on demand would
 * leave it behind as soon as there are several witnesses; as an option the lag of a real node, whose view is the last
 * block merged out of its stack of open layers (protocol/http.md#walletsolidity-and-walletpbft).
 *
 * The lag is an artefact of java-tron's SnapshotManager, reproduced because wallets meet it on the network: every
 * applied block leaves a layer, the pool holds one from its first transaction to the next block, and before any layer is
 * opened the oldest are merged while there are more than head - solid + 1.
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
    /** How far the view is behind: not at all, so many blocks, or as on the network. */
    public lag: SolidityLag | number,
  ) {
    this.#merged = head;
    this.#head = head;
    this.#solid = solid;
  }

  /** As a node has it that has just been started. */
  reopen(head: number, solid: number): void {
    this.restore({ merged: head, pendingLayer: false, head, solid });
  }

  /** The height that `/walletsolidity` reads. */
  get height(): number {
    return Math.min(this.#merged, this.#head);
  }

  /** A transaction was processed by the pool: accepted, or refused after the signature check. */
  transactionProcessed(): void {
    if (!this.#pendingLayer) {
      this.#open();
      this.#pendingLayer = true;
    }
    this.#open();
  }

  /** A block was made (`produced`) or taken over; making one opens layers of its own, one more with transactions. */
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
   * A run of empty blocks was made. Each merges what its parent has made solid, so the last two say it all.
   *
   * @param solidBefore what was solid before the last of them
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

/** What is shown of a chain where the lag is not the network's. */
export function laggedHeight(head: number, lag: 'none' | number): number {
  return Math.max(0, head - (lag === 'none' ? 0 : lag));
}
