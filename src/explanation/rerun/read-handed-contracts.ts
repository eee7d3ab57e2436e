/** Contracts as somebody hands them over: is it that? */

import * as v from 'valibot';
import type { HandedContract } from '../../artifacts/handed-contracts.js';
import { abiEntries } from '../../artifacts/read-artifact.js';

export const handedContracts: v.GenericSchema<unknown, readonly HandedContract[]> = v.array(
  v.strictObject({
    hash: v.string(),
    isCreation: v.boolean(),
    name: v.string(),
    abi: abiEntries,
    sourceMap: v.optional(v.string()),
    files: v.array(v.strictObject({ number: v.number(), path: v.string(), text: v.optional(v.string()) })),
  }),
);
