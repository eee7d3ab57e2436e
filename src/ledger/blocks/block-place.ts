/** Context of an execution: a block that is being made or applied, or the pool. */

import type { Address } from '../../primitives/ids.js';

/** The block that a transaction is applied in. */
export interface BlockPlace {
  /**
   * False for the pool: java-tron then executes under an empty header
   * (protocol/pipeline.md#execution-of-vm-contracts).
   */
  readonly inBlock: boolean;
  readonly number: number;
  readonly timestampMs: bigint;
  readonly producer: Address | undefined;
}

/** The header for executing a broadcast before a block contains it. */
export const PENDING: BlockPlace = { inBlock: false, number: 0, timestampMs: 0n, producer: undefined };

/**
 * The same for one execution, which records whether the header was read. If not, the execution has the same effects
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
