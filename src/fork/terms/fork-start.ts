/** The start data of a fork, and its assumptions, as plain data. */

import type { AssumptionName } from '../../ledger/genesis/fork-assumptions.js';
import type { BlockId } from '../../primitives/ids.js';
import type { BlockHeader } from '../../protocol/generated/tron.js';
import type { FetchedRow, RowName } from '../../state/remote-rows.js';

/** Name of any table. */
export type TableName = RowName['table'];

/** Read before the fork serves requests. */
export interface ForkStart {
  /** The fork's first block follows this block. */
  readonly head: {
    readonly number: number;
    readonly id: BlockId;
    readonly timestampMs: bigint;
    readonly header: BlockHeader;
  };
  /** Slots are counted from its time; its id ends in the chain id. */
  readonly genesis: { readonly id: BlockId; readonly timestampMs: bigint };
  /** Complete tables: properties (`longs`, `texts`), witnesses with their rewards, proposals and exchanges. */
  readonly rows: readonly FetchedRow[];
  /** Names of the assumptions of `ledger/genesis/fork-assumptions.ts` that no answer replaced. */
  readonly assumptions: readonly AssumptionName[];
}
