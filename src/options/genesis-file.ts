/** The schema of a genesis in a file or object. `devnet/genesis/genesis.ts` applies it. */

import * as v from 'valibot';
import { readTextUpTo } from '../platform/bounded-text.js';
import { toJson } from '../primitives/amount-json.js';
import { record } from '../primitives/record-schema.js';
import { onlyMembers } from '../primitives/schema-words.js';
import type { WholeNumber } from '../primitives/whole-number.js';
import { OptionError } from './option-error.js';

const HINT = 'See the example in docs/reference/genesis.md';
/** Enough for some hundred thousand accounts. */
const MAX_BYTES = 32 * 1024 * 1024;

/**
 * The content of `--genesis FILE`. Amounts are in sun, as decimal text or whole numbers; addresses are base58check or
 * hex.
 *
 * @example
 * { "timestamp": "2026-01-01T00:00:00Z", "accounts": [{ "address": "TMVQ…", "balance": "1000000000" }],
 *   "witnesses": [{ "privateKey": "…", "url": "http://me", "voteCount": 100 }], "parameters": { "getEnergyFee": 210 } }
 */
export interface GenesisFile {
  readonly timestamp?: number | string | undefined;
  readonly parentHash?: string | undefined;
  readonly accounts?:
    | readonly { readonly name?: string | undefined; readonly address: string; readonly balance: WholeNumber }[]
    | undefined;
  readonly witnesses?:
    | readonly {
        readonly address?: string | undefined;
        /** The key that signs its blocks; absent: another witness's key signs. */
        readonly privateKey?: string | undefined;
        readonly url?: string | undefined;
        readonly voteCount?: WholeNumber | undefined;
      }[]
    | undefined;
  readonly preset?: string | undefined;
  readonly parameters?: Readonly<Record<string, WholeNumber>> | undefined;
  /** The stake of others: a name, or totals in TRX. Absent: none. */
  readonly networkStake?:
    | string
    | {
        readonly totalEnergyWeight?: WholeNumber | undefined;
        readonly totalNetWeight?: WholeNumber | undefined;
        readonly totalTronPowerWeight?: WholeNumber | undefined;
      }
    | undefined;
}

const WHOLE = 'must be a whole number; beyond 2^53 as a string';
const wholeNumber = v.union(
  [
    v.pipe(v.number(), v.safeInteger(WHOLE)),
    v.pipe(v.string(), v.regex(/^-?\d+$/, WHOLE)),
    // Stored as in a file: databases keep the text of their genesis.
    v.pipe(v.bigint(), v.transform(toJson<bigint>)),
  ],
  WHOLE,
);
const weight = v.optional(
  v.pipe(
    wholeNumber,
    v.check((value) => BigInt(value) >= 0n && BigInt(value) < 2n ** 62n, 'must be an amount of TRX, 0 or more'),
  ),
);
const text = v.string('must be a string');
const privateKey = v.pipe(text, v.regex(/^(0x)?[\da-fA-F]{64}$/, 'must be 32 bytes of hex'));
const list = <Item extends v.GenericSchema>(item: Item) => v.optional(v.array(item, 'must be a list'));

const SCHEMA: v.GenericSchema<unknown, GenesisFile> = onlyMembers({
  timestamp: v.optional(
    v.union([v.number(), v.string()], 'must be a time: 2026-01-01T00:00:00Z, or milliseconds since 1970'),
  ),
  parentHash: v.optional(text),
  accounts: list(onlyMembers({ name: v.optional(text), address: text, balance: wholeNumber })),
  witnesses: list(
    onlyMembers({
      address: v.optional(text),
      privateKey: v.optional(privateKey),
      url: v.optional(text),
      voteCount: v.optional(wholeNumber),
    }),
  ),
  preset: v.optional(text),
  parameters: v.optional(record(v.string(), wholeNumber, 'must be an object: { parameter: number }')),
  networkStake: v.optional(
    v.lazy((given) =>
      typeof given === 'string'
        ? v.string()
        : onlyMembers({ totalEnergyWeight: weight, totalNetWeight: weight, totalTronPowerWeight: weight }),
    ),
  ),
});

/**
 * @param given a file name, or the content
 * @throws OptionError if the file cannot be read or a value is invalid; the message names the place
 */
export function readGenesisFile(given: string | object): GenesisFile {
  const { success, output, issues } = v.safeParse(SCHEMA, typeof given === 'string' ? readJson(given) : given);
  if (success) return output;
  // An unknown field is the likely cause of a missing one: report it first.
  const issue = issues.find(({ expected }) => expected === 'never') ?? issues[0];
  const place = v.getDotPath(issue);
  throw new OptionError('genesis', place === null ? issue.message : `has ${place}, which ${issue.message}`, HINT);
}

function readJson(path: string): unknown {
  try {
    return JSON.parse(readTextUpTo(path, MAX_BYTES));
  } catch (error) {
    throw new OptionError('genesis', `cannot be read: ${(error as Error).message}`, HINT);
  }
}
