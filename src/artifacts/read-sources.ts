/**
 * Source information in artifacts: numbers for source maps, contents, hashes. Each tool writes a part of it in its own
 * place; missing or malformed members are skipped.
 */

import * as v from 'valibot';
import { record } from '../primitives/record-schema.js';

export interface SourceFacts {
  /** Paths by number in source maps. */
  readonly numbers: ReadonlyMap<number, string>;
  /** Whether the list is complete: other numbers are then sources that the compiler generated. */
  readonly whole: boolean;
  /** Texts by path. */
  readonly contents: ReadonlyMap<string, string>;
  /** keccak256 by path, hex. */
  readonly hashes: ReadonlyMap<string, string>;
  /**
   * The user's name of a path, if the tool has it: Hardhat 3 passes `contracts/A.sol` to the compiler as
   * `project/contracts/A.sol`.
   */
  readonly names: ReadonlyMap<string, string>;
  /** The related file: Hardhat 3 separates input and output. */
  readonly build: string | undefined;
}

/** A member that is read if it has the expected form. */
const maybe = <Schema extends v.GenericSchema>(schema: Schema) => v.fallback(v.optional(schema), undefined as never);
const maybeRecord = <Schema extends v.GenericSchema>(schema: Schema) => maybe(record(v.string(), schema));

const source = v.looseObject({
  content: maybe(v.string()),
  id: maybe(v.number()),
  keccak256: maybe(v.string()),
});
const sources = maybeRecord(v.fallback(source, {}));

const metadata = v.looseObject({
  sources,
  settings: maybe(v.looseObject({ compilationTarget: maybeRecord(v.string()) })),
});
/** Parsed in Foundry's artifacts, text in the others. */
const metadataOrText = maybe(v.union([v.pipe(v.string(), v.parseJson(), metadata), metadata]));

const output = v.looseObject({
  sources,
  contracts: maybeRecord(maybeRecord(v.fallback(v.looseObject({ metadata: metadataOrText }), {}))),
});

const everything = v.looseObject({
  id: maybe(v.union([v.number(), v.string()])),
  input: maybe(v.looseObject({ sources })),
  /** Of Hardhat 3. */
  userSourceNameMap: maybeRecord(v.string()),
  output: maybe(output),
  ...output.entries,
  /** Of `--combined-json`. */
  sourceList: maybe(v.array(v.string())),
  /** Of the build info of Foundry. */
  source_id_to_path: maybeRecord(v.string()),
  /** Of Foundry, TronBox. */
  metadata: metadataOrText,
  /** Of TronBox. */
  sourcePath: maybe(v.string()),
  source: maybe(v.string()),
  ast: maybe(v.looseObject({ src: maybe(v.string()), absolutePath: maybe(v.string()) })),
});

/** @param json parsed content */
export function readSources(json: unknown): SourceFacts {
  const facts = {
    numbers: new Map<number, string>(),
    contents: new Map<string, string>(),
    hashes: new Map<string, string>(),
    names: new Map<string, string>(),
  };
  const { success, output: all } = v.safeParse(everything, json);
  if (!success) return { ...facts, whole: false, build: undefined };
  const compiled = all.output ?? all;
  for (const [name, path] of Object.entries(all.userSourceNameMap ?? {})) facts.names.set(path, name);
  for (const [path, one] of Object.entries({ ...compiled.sources, ...all.input?.sources, ...all.sources })) {
    if (one.content !== undefined) facts.contents.set(path, one.content);
  }
  for (const [path, { id }] of Object.entries(compiled.sources ?? {}))
    if (id !== undefined) facts.numbers.set(id, path);
  for (const [number, path] of (all.sourceList ?? []).entries()) facts.numbers.set(number, path);
  const whole = facts.numbers.size > 0;
  for (const [number, path] of Object.entries(all.source_id_to_path ?? {})) facts.numbers.set(Number(number), path);
  const metadatas = Object.values(compiled.contracts ?? {}).flatMap((named) => Object.values(named ?? {}));
  for (const { metadata: one } of [all, ...metadatas]) {
    for (const [path, { keccak256: hash, content }] of Object.entries(one?.sources ?? {})) {
      if (hash !== undefined) facts.hashes.set(path, hash.replace(/^0x/, ''));
      if (content !== undefined) facts.contents.set(path, content);
    }
  }
  const [target] = Object.keys(all.metadata?.settings?.compilationTarget ?? {});
  if (typeof all.id === 'number' && target !== undefined) facts.numbers.set(all.id, target);
  const own = target ?? all.ast?.absolutePath ?? all.sourcePath;
  if (own !== undefined) {
    if (all.source !== undefined) facts.contents.set(own, all.source);
    const [, number] = /^\d+:\d+:(\d+)$/.exec(all.ast?.src ?? '') ?? [];
    if (number !== undefined) facts.numbers.set(Number(number), own);
  }
  return { ...facts, whole, build: typeof all.id === 'string' ? all.id : undefined };
}
