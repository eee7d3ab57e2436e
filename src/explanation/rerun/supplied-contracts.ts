/** The schema of contracts that a request supplies. */

import * as v from 'valibot';
import { abiEntries } from '../../artifacts/read-artifact.js';
import type { SuppliedContract } from '../../artifacts/supplied-contracts.js';

export const suppliedContracts: v.GenericSchema<unknown, readonly SuppliedContract[]> = v.array(
  v.strictObject({
    hash: v.string(),
    isCreation: v.boolean(),
    name: v.string(),
    abi: abiEntries,
    sourceMap: v.optional(v.string()),
    files: v.array(v.strictObject({ number: v.number(), path: v.string(), text: v.optional(v.string()) })),
  }),
);
