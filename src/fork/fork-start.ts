/** What a fork begins with, and what of it is assumed: plain data, whoever has read it. */

import type { BlockId } from '../primitives/ids.js';
import type { BlockHeader } from '../protocol/generated/tron.js';
import type { FetchedRow, RowName } from '../state/fork/remote-rows.js';

/** A table, any. */
export type TableName = RowName['table'];

/** Something that no interface of a node serves, and what a fork takes it to be. */
export interface Assumption {
  readonly name: string;
  /** The tables whose rows it concerns. */
  readonly tables: readonly TableName[];
  /** What is not served. */
  readonly unknown: string;
  readonly assumed: string;
  /** What may come out differently than on the network. */
  readonly effect: string;
}

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
  readonly assumptions: readonly Assumption[];
}
