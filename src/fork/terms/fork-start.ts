/** What a fork begins with, and what of it is assumed: plain data, whoever has read it. */

import type { AssumptionName } from '../../ledger/genesis/fork-assumptions.js';
import type { BlockId } from '../../primitives/ids.js';
import type { BlockHeader } from '../../protocol/generated/tron.js';
import type { FetchedRow, RowName } from '../../state/remote-rows.js';

/** A table, any. */
export type TableName = RowName['table'];

/** Read before anything is served. */
export interface ForkStart {
  /** The fork's first block follows it. */
  readonly head: {
    readonly number: number;
    readonly id: BlockId;
    readonly timestampMs: bigint;
    readonly header: BlockHeader;
  };
  /** Slots are counted from its time; its id ends in the chain id. */
  readonly genesis: { readonly id: BlockId; readonly timestampMs: bigint };
  /** Properties (`longs`, `texts`), witnesses with their rewards, proposals and exchanges: whole tables. */
  readonly rows: readonly FetchedRow[];
  /** The names of those of `ledger/genesis/fork-assumptions.ts` that were not answered by asking. */
  readonly assumptions: readonly AssumptionName[];
}
