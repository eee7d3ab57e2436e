/**
 * The storage layout of a contract, as solc writes it (`storageLayout` in its standard JSON output): slots and types of
 * its variables. Reading values is in `storage-values.ts`.
 */

import * as v from 'valibot';
import { record } from '../primitives/record-schema.js';

const numeral = v.pipe(
  v.string(),
  v.regex(/^\d{1,78}$/),
  v.transform((digits) => BigInt(digits)),
);

/** A variable, or a member of a struct. */
export interface StorageVariable {
  readonly label: string;
  /** In bytes from the right end of the slot. */
  readonly offset: number;
  /** Of a member: from the start of the struct. */
  readonly slot: bigint;
  /** A key of `types`. */
  readonly type: string;
}

export interface StorageType {
  readonly encoding: 'inplace' | 'mapping' | 'dynamic_array' | 'bytes';
  /** `uint256`, `struct Shop.Item[]`, `mapping(address => uint256)` */
  readonly label: string;
  readonly numberOfBytes: bigint;
  /** Of an array's elements. */
  readonly base?: string | undefined;
  /** Of a mapping. */
  readonly key?: string | undefined;
  readonly value?: string | undefined;
  /** Of a struct. */
  readonly members?: readonly StorageVariable[] | undefined;
}

export interface StorageLayout {
  /** The contract's name. */
  readonly contract: string;
  readonly variables: readonly StorageVariable[];
  readonly types: ReadonlyMap<string, StorageType>;
}

const variable = v.object({
  label: v.string(),
  offset: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(31)),
  slot: numeral,
  type: v.string(),
});

const type = v.object({
  encoding: v.picklist(['inplace', 'mapping', 'dynamic_array', 'bytes']),
  label: v.string(),
  numberOfBytes: v.pipe(
    numeral,
    v.check((bytes) => bytes > 0n),
  ),
  base: v.optional(v.string()),
  key: v.optional(v.string()),
  value: v.optional(v.string()),
  members: v.optional(v.array(variable)),
});

const layout = v.object({
  storage: v.array(variable),
  /** Null if there are no variables. */
  types: v.nullable(record(v.string(), type)),
});

/** @param json solc's `storageLayout` @returns undefined if it is absent or has another form */
export function readStorageLayout(contract: string, json: unknown): StorageLayout | undefined {
  const { success, output } = v.safeParse(layout, json);
  if (!success) return undefined;
  return { contract, variables: output.storage, types: new Map(Object.entries(output.types ?? {})) };
}
