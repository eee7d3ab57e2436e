/** The schemas of the lines of a chain file. Content is checked where it is applied. */

import * as v from 'valibot';
import { record } from '../primitives/record-schema.js';

/** The version increases with each incompatible change of the lines. */
export const CHAIN_FILE_VERSION = 1;

const wholeNumber = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const hex = v.pipe(v.string(), v.regex(/^([0-9a-f]{2})*$/));
const blockId = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/));
const decimal = v.pipe(v.string(), v.regex(/^-?\d{1,15}$/));
const long = v.pipe(v.string(), v.regex(/^-?\d{1,19}$/));
const relaxes = v.optional(v.literal(true));

const HEAD = v.object({
  sunup: v.literal('chain'),
  version: v.literal(CHAIN_FILE_VERSION),
  about: v.optional(v.string()),
  genesis: v.optional(blockId),
  stated: v.optional(record(v.string(), v.string())),
  ends: v.optional(v.literal(true)),
  begun: v.looseObject({}),
});

export const BEGINNING = v.looseObject({
  timestampMs: long,
  parentHash: hex,
  accounts: v.array(v.looseObject({ name: v.string(), address: hex, balanceSun: long })),
  witnesses: v.array(v.looseObject({ address: hex, url: v.string(), voteCount: long })),
  contracts: v.optional(
    v.array(
      v.looseObject({
        address: hex,
        name: v.string(),
        owner: hex,
        bytecode: hex,
        code: hex,
        abi: hex,
        storage: v.array(v.tuple([hex, hex])),
      }),
    ),
  ),
  fork: v.optional(v.looseObject({ number: wholeNumber, id: blockId, header: hex })),
  longs: v.array(v.tuple([v.string(), long])),
  texts: v.array(v.tuple([v.string(), v.string()])),
  settings: v.string(),
});

const REFUSAL = { transaction: hex, code: v.string(), message: v.string() };
const PRODUCTION = { time: wholeNumber, witness: hex, signature: v.optional(hex), relaxes, id: v.optional(blockId) };

/** By the name of a line's single member. */
export const LINES = {
  networkRow: v.object({
    table: v.string(),
    key: v.string(),
    block: wholeNumber,
    value: v.unknown(),
  }),
  broadcast: hex,
  refused: v.object({ ...REFUSAL, byNode: v.optional(v.literal(true)) }),
  dropped: v.object(REFUSAL),
  import: v.object({ ...PRODUCTION, transactions: v.array(hex) }),
  produce: v.object({ ...PRODUCTION, transactions: v.optional(v.array(hex)) }),
  produceEmpty: v.object({ blocks: v.pipe(wholeNumber, v.minValue(1)), relaxes, id: v.optional(blockId) }),
  operation: v.object({ name: v.string(), arguments: v.unknown() }),
  goBack: v.object({ block: wholeNumber, operations: wholeNumber, id: v.optional(blockId) }),
  digest: v.object({ is: v.optional(v.string()), rules: v.optional(wholeNumber) }),
  end: v.object({
    steps: wholeNumber,
    rows: wholeNumber,
    head: v.object({ number: wholeNumber, id: blockId }),
    clock: v.object({ nowMs: decimal, offsetMs: v.optional(decimal) }),
    solidity: v.object({ merged: wholeNumber, pendingLayer: v.boolean(), head: wholeNumber, solid: wholeNumber }),
    pending: v.array(hex),
    queued: v.optional(v.array(v.object({ sender: hex, transaction: hex }))),
  }),
} as const;

export type LineKind = keyof typeof LINES;
export type Members<Kind extends LineKind> = v.InferOutput<(typeof LINES)[Kind]>;

/** Whether a text begins like a chain file. */
export function isChainFile(text: string): boolean {
  return /^\{\s*"sunup"\s*:\s*"chain"/.test(text);
}

/** @throws DamagedLine, or ChainFileError for another version */
export function headIn(line: unknown): v.InferOutput<typeof HEAD> {
  if (typeof line === 'object' && line !== null && 'version' in line && line.version !== CHAIN_FILE_VERSION)
    throw new ChainFileError(`it has version ${line.version}, this Sunup reads version ${CHAIN_FILE_VERSION}`);
  return shaped(HEAD, line);
}

/** Content that Sunup does not understand: applying the file would give another chain. */
export class ChainFileError extends Error {
  override readonly name = 'ChainFileError';
}

/** A line, or a part of it, that cannot be read; the message says why. */
export class DamagedLine extends Error {}

export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new DamagedLine('it is no JSON');
  }
}

/** @throws DamagedLine for another shape */
export function shaped<Schema extends v.GenericSchema>(schema: Schema, value: unknown): v.InferOutput<Schema> {
  const { success, output, issues } = v.safeParse(schema, value, { abortEarly: true });
  if (success) return output;
  const place = v.getDotPath(issues[0]);
  throw new DamagedLine(place === null ? 'it has the form of another line' : `its ${place} has the wrong form`);
}

/** The kind of a line and its members. @throws DamagedLine */
export function kindOf(line: unknown): readonly [kind: LineKind, members: unknown] {
  const [member, second] = typeof line === 'object' && line !== null ? Object.entries(line) : [];
  if (member === undefined || second !== undefined || !Object.hasOwn(LINES, member[0]))
    throw new DamagedLine(`it must have one member of ${Object.keys(LINES).join(', ')}`);
  return member as [LineKind, unknown];
}
