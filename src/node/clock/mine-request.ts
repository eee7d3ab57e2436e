/** Reads a request of `mine` and validates it. */

import * as v from 'valibot';
import { closest } from '../../primitives/closest-name.js';
import { LAST_MOMENT_MS } from '../../primitives/moment.js';

/** Blocks to make, time to advance, or a target time. */
export type MineRequest = BlocksRequest | { readonly advanceMs: number } | { readonly timestampMs: number };

/** Any reason for blocks on demand. */
export type MiningRequest = MineRequest | EpochsRequest;

export interface BlocksRequest {
  readonly blocks: number;
  /** Time between two blocks; absent: from the chain's mode. */
  readonly apartMs?: number;
  /** Exact time of the first one. */
  readonly firstMs?: number;
  /** Each block has the time of its production, also in modes with slots. For a running clock. */
  readonly byClock?: boolean;
}

/** Maintenances, each in its own block. */
export interface EpochsRequest {
  readonly epochs: number;
  /** At their time, which passes; false: before it, in immediate blocks. */
  readonly inTime: boolean;
}

/** Nearly a year of slots. For more, advance time. */
const MAX_BLOCKS = 10_000_000;
const HUNDRED_YEARS_MS = 100 * 365 * 86_400_000;

const LONGEST_SHOWN = 80;

const HINT = 'Write {"blocks":5}, {"advanceMs":3600000} or {"timestampMs":1767225600000}';

/** A number or its digits, because forms and shells send text. */
function wholeNumber(most: number) {
  const range = `must be a whole number from 0 to ${most}`;
  return v.pipe(
    v.union([v.number(), v.pipe(v.string(), v.digits(), v.transform(Number))], range),
    v.safeInteger(range),
    v.minValue(0, range),
    v.maxValue(most, range),
  );
}

const SCHEMAS = {
  blocks: wholeNumber(MAX_BLOCKS),
  advanceMs: wholeNumber(HUNDRED_YEARS_MS),
  timestampMs: wholeNumber(Number(LAST_MOMENT_MS)),
} as const;

const NAMES = Object.keys(SCHEMAS) as readonly (keyof typeof SCHEMAS)[];

/**
 * @param asked a number of blocks, or an object with one of `blocks`, `advanceMs` and `timestampMs`; an empty one
 * means one block
 * @throws RangeError with the reason
 */
export function readMineRequest(asked: unknown): MineRequest {
  if (typeof asked === 'number') return readMineRequest({ blocks: asked });
  if (typeof asked !== 'object' || asked === null || Array.isArray(asked)) {
    throw new RangeError(`mine: ${shown(asked)} is not valid. ${HINT}`);
  }
  const given = Object.entries(asked).filter(([, value]) => value !== undefined);
  const [first, second] = given;
  if (first === undefined) return { blocks: 1 };
  for (const [name] of given) {
    if ((NAMES as readonly string[]).includes(name)) continue;
    const close = closest(name, NAMES);
    throw new RangeError(`mine: unknown option ${cut(name)}. ${close === undefined ? HINT : `Did you mean ${close}?`}`);
  }
  if (second !== undefined) throw new RangeError(`mine: ${first[0]} and ${second[0]} cannot be combined`);
  const [name, value] = first as [keyof typeof SCHEMAS, unknown];
  const { success, output, issues } = v.safeParse(SCHEMAS[name], value);
  if (!success) throw new RangeError(`mine: ${name} is ${shown(value)}, but ${issues[0].message}`);
  return { [name]: output } as unknown as MineRequest;
}

function shown(value: unknown): string {
  return typeof value === 'number' || typeof value === 'bigint' ? String(value) : cut(JSON.stringify(value));
}

/** Long values are truncated. */
function cut(text: string): string {
  return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text;
}
