/** Where a transaction runs: in a block that is being made or applied, or above the head in none yet. */

import type { Address } from '../../primitives/ids.js';

/** The block that a transaction is applied in. */
export interface BlockPlace {
  /**
   * False for the pending pool: java-tron then executes under an empty header
   * (protocol/pipeline.md#execution-of-vm-contracts).
   */
  readonly inBlock: boolean;
  readonly number: number;
  readonly timestampMs: bigint;
  readonly producer: Address | undefined;
}

/** The header under which a broadcast is executed before it is in any block. */
export const PENDING: BlockPlace = { inBlock: false, number: 0, timestampMs: 0n, producer: undefined };

/**
 * The same for one execution, which notes whether anything was read of it. If nothing was, the execution is the same
 * under every header.
 */
export class EmptyHeader implements BlockPlace {
  readonly inBlock = false;
  #wasRead = false;

  get wasRead(): boolean {
    return this.#wasRead;
  }

  get number(): number {
    this.#wasRead = true;
    return PENDING.number;
  }

  get timestampMs(): bigint {
    this.#wasRead = true;
    return PENDING.timestampMs;
  }

  get producer(): Address | undefined {
    this.#wasRead = true;
    return PENDING.producer;
  }
}
