/**
 * Reads artifacts of all tools: solc's standard JSON output (also in the build info of Hardhat and Foundry, and one
 * contract of it), solc's `--combined-json`, and single-contract files of Hardhat, Foundry and TronBox.
 */

import * as v from 'valibot';
import type { JsonAbi } from '../abi/json-abi.js';
import { readJsonAbi } from '../abi/read-json-abi.js';
import { isHex } from '../primitives/hex.js';
import { memberOf } from '../primitives/outside-names.js';
import { record } from '../primitives/record-schema.js';
import { IN_WORDS } from '../primitives/schema-words.js';
import { type Artifact, ArtifactError, type CompiledCode, type Link } from './artifact.js';

/**
 * The only contract of a file, or the requested one.
 *
 * @param json parsed content
 * @param contract `Token` or `contracts/Token.sol:Token`; without it, the only deployable one
 * @param fallbackName the file's name, for forms without a contract name
 * @throws ArtifactError
 * @example readArtifact(JSON.parse(await readFile('build/contracts/Token.json', 'utf8'))).abi
 */
export function readArtifact(json: unknown, contract?: string, fallbackName?: string): Artifact {
  const all = readArtifacts(json, fallbackName);
  const asked = all.filter((artifact) =>
    contract === undefined
      ? all.length === 1 || artifact.bytecode.object !== ''
      : contract === artifact.name || contract === qualifiedName(artifact),
  );
  const [found] = asked;
  if (found !== undefined && asked.length === 1) return found;
  const names = (asked.length > 1 ? asked : all).map(qualifiedName);
  const shown = names.length > 10 ? [...names.slice(0, 10), '…'] : names;
  if (asked.length > 1) throw new ArtifactError(`the file has several contracts, choose one: ${shown.join(', ')}`);
  throw new ArtifactError(
    contract === undefined
      ? 'the file has no deployable contract'
      : `the file has no contract ${contract}; it has ${shown.join(', ')}`,
  );
}

function qualifiedName({ sourceName, name }: Artifact): string {
  return sourceName === '' ? name : `${sourceName}:${name}`;
}

/**
 * All contracts of a file.
 *
 * @param fallbackName the file's name, for forms without a contract name
 * @throws ArtifactError if the form is unknown
 */
export function readArtifacts(json: unknown, fallbackName = ''): readonly Artifact[] {
  for (const form of FORMS) if (v.is(form.mark, json)) return form.read(json, fallbackName);
  throw new ArtifactError('not an artifact of solc, Hardhat, Foundry or TronBox');
}

export const abiEntries: v.GenericSchema<unknown, JsonAbi> = v.pipe(
  v.unknown(),
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    const read = readJsonAbi(dataset.value);
    if ('abi' in read) return read.abi;
    const { path, message } = read.problem;
    let input: unknown = dataset.value;
    const places = path.map((key) => {
      const place = {
        type: 'unknown' as const,
        origin: 'value' as const,
        input,
        key,
        value: memberOf(input, String(key)),
      };
      input = place.value;
      return place;
    });
    const [first, ...others] = places;
    addIssue({ message, ...(first !== undefined && { path: [first, ...others] }) });
    return NEVER;
  }),
);

/** Old compilers wrote the ABI of `--combined-json` as text. */
const abiOrText = v.union([v.pipe(v.string(), v.parseJson(), abiEntries), abiEntries]);

const ranges = v.array(v.object({ start: v.number(), length: v.number() }));
/** By file, then by library. */
const linkReferences = record(v.string(), record(v.string(), ranges));
/** By id of the declaration. */
const immutableReferences = record(v.string(), ranges);

/** Placeholder of a library address, with its length: `__$…$__`, in old compilers `__Math______…`. */
const PLACEHOLDER = /__.{38}/gu;

function withoutPlaceholders(text: string): string {
  return text.replace(PLACEHOLDER, (placeholder) => '0'.repeat(placeholder.length));
}

const code = v.pipe(
  v.string(),
  v.transform((text) => text.replace(/^0x/, '')),
  v.check((text) => isHex(withoutPlaceholders(text).toLowerCase()), 'expected hex'),
);

/** In standard JSON output and in Foundry's artifacts. */
const codeObject = v.looseObject({
  object: v.optional(code, ''),
  sourceMap: v.optional(v.string()),
  linkReferences: v.optional(linkReferences),
  immutableReferences: v.optional(immutableReferences),
});

const NO_CODE = { object: '' };

function compiledCode({
  object,
  sourceMap,
  linkReferences: links,
  immutableReferences: immutables,
}: v.InferInput<typeof codeObject>): CompiledCode {
  const text = (object ?? '').replace(/^0x/, '');
  const named = Object.entries(links ?? {}).flatMap(([file, libraries]) =>
    Object.entries(libraries).flatMap(([library, places]) =>
      places.map(({ start, length }) => ({ library: `${file}:${library}`, start, length })),
    ),
  );
  return {
    object: withoutPlaceholders(text).toLowerCase(),
    links: named.length > 0 ? named : [...text.matchAll(PLACEHOLDER)].map(linkAt),
    immutables: immutables && Object.values(immutables).flat(),
    sourceMap: sourceMap === '' ? undefined : sourceMap,
  };
}

function linkAt({ 0: placeholder, index }: RegExpExecArray): Link {
  const library = placeholder.startsWith('__$') ? placeholder : placeholder.replace(/^__/, '').replace(/_+$/, '');
  return { library, start: index / 2, length: placeholder.length / 2 };
}

interface Form {
  /** The member that identifies this form. */
  readonly mark: v.GenericSchema<unknown>;
  /** @throws ArtifactError */
  readonly read: (json: unknown, fallbackName: string) => readonly Artifact[];
}

function form<Schema extends v.GenericSchema>(
  mark: v.GenericSchema<unknown>,
  name: string,
  schema: Schema,
  read: (json: v.InferOutput<Schema>, fallbackName: string) => readonly Artifact[],
): Form {
  return {
    mark,
    read: (json, fallbackName) => {
      const { success, output, issues } = v.safeParse(schema, json, IN_WORDS);
      if (success) return read(output, fallbackName);
      const place = v.getDotPath(issues[0]);
      throw new ArtifactError(
        `it looks like ${name}, but ${place === null ? 'it' : place} is not valid: ${problemOf(issues[0])}`,
      );
    },
  };
}

function problemOf({ kind, message, received }: v.BaseIssue<unknown>): string {
  if (kind !== 'schema') return message;
  return received === 'undefined' ? 'it is missing' : `expected ${message}`;
}

const standardContract = v.looseObject({
  abi: v.optional(abiEntries, []),
  storageLayout: v.optional(v.unknown()),
  evm: v.optional(v.looseObject({ bytecode: v.optional(codeObject), deployedBytecode: v.optional(codeObject) }), {}),
});

const standardOutput = v.looseObject({
  contracts: v.optional(record(v.string(), record(v.string(), standardContract)), {}),
});

function ofStandardOutput({ contracts }: v.InferOutput<typeof standardOutput>): readonly Artifact[] {
  return Object.entries(contracts).flatMap(([sourceName, named]) =>
    Object.entries(named).map(([name, contract]) => ofStandardContract(name, sourceName, contract)),
  );
}

function ofStandardContract(
  name: string,
  sourceName: string,
  { abi, evm, storageLayout }: v.InferOutput<typeof standardContract>,
): Artifact {
  return {
    name,
    sourceName,
    abi,
    storageLayout,
    bytecode: compiledCode(evm.bytecode ?? NO_CODE),
    deployedBytecode: compiledCode(evm.deployedBytecode ?? NO_CODE),
  };
}

/** The members that name the contract. */
const metadata = v.looseObject({
  settings: v.optional(v.looseObject({ compilationTarget: v.optional(record(v.string(), v.string()), {}) })),
});
type Metadata = v.InferOutput<typeof metadata>;

/** Metadata as solc writes it. Without it, the file's name is the contract's. */
const metadataText = v.fallback(v.pipe(v.string(), v.parseJson(), metadata), {});

/** The contract's name, and the file that it was compiled from. */
function compilationTarget({ settings }: Metadata, fallbackName: string) {
  const [sourceName = '', name = fallbackName] = Object.entries(settings?.compilationTarget ?? {})[0] ?? [];
  return { name, sourceName };
}

const object = v.looseObject({});

const FORMS: readonly Form[] = [
  form(
    v.looseObject({ output: v.looseObject({ contracts: object }) }),
    'build info of Hardhat or Foundry',
    v.looseObject({ output: standardOutput }),
    ({ output }) => ofStandardOutput(output),
  ),
  form(
    v.looseObject({ contracts: record(v.pipe(v.string(), v.includes(':')), object), version: v.string() }),
    "solc's --combined-json",
    v.looseObject({
      contracts: record(
        v.string(),
        v.looseObject({
          abi: v.optional(abiOrText, []),
          bin: v.optional(code, ''),
          'bin-runtime': v.optional(code, ''),
          srcmap: v.optional(v.string()),
          'srcmap-runtime': v.optional(v.string()),
          'storage-layout': v.optional(v.unknown()),
        }),
      ),
    }),
    ({ contracts }) =>
      Object.entries(contracts).map(([key, contract]) => ({
        name: key.slice(key.lastIndexOf(':') + 1),
        sourceName: key.slice(0, Math.max(0, key.lastIndexOf(':'))),
        abi: contract.abi,
        storageLayout: contract['storage-layout'],
        bytecode: compiledCode({ object: contract.bin, sourceMap: contract.srcmap }),
        deployedBytecode: compiledCode({ object: contract['bin-runtime'], sourceMap: contract['srcmap-runtime'] }),
      })),
  ),
  form(
    v.looseObject({ contracts: record(v.string(), object) }),
    "solc's standard JSON output",
    standardOutput,
    ofStandardOutput,
  ),
  form(
    v.looseObject({ abi: v.array(v.unknown()), bytecode: v.looseObject({ object: v.string() }) }),
    'an artifact of Foundry',
    v.looseObject({
      abi: abiEntries,
      bytecode: codeObject,
      deployedBytecode: v.optional(codeObject, {}),
      storageLayout: v.optional(v.unknown()),
      metadata: v.optional(metadata),
      rawMetadata: v.optional(metadataText),
    }),
    ({ abi, bytecode, deployedBytecode, storageLayout, metadata, rawMetadata }, fallbackName) => {
      const compiled = {
        bytecode: compiledCode(bytecode),
        deployedBytecode: compiledCode(deployedBytecode),
        storageLayout,
      };
      return [{ ...compilationTarget(metadata ?? rawMetadata ?? {}, fallbackName), abi, ...compiled }];
    },
  ),
  form(
    v.looseObject({ abi: v.array(v.unknown()), evm: object }),
    "one contract of solc's standard JSON output",
    v.looseObject({ ...standardContract.entries, metadata: v.optional(metadataText, '') }),
    ({ metadata, ...contract }, fallbackName) => {
      const { name, sourceName } = compilationTarget(metadata, fallbackName);
      return [ofStandardContract(name, sourceName, contract)];
    },
  ),
  form(
    v.looseObject({ abi: v.array(v.unknown()), bytecode: v.string() }),
    'an artifact of Hardhat or TronBox',
    v.looseObject({
      contractName: v.optional(v.string()),
      /** Hardhat's and TronBox's. */
      sourceName: v.optional(v.string()),
      sourcePath: v.optional(v.string()),
      abi: abiEntries,
      bytecode: code,
      deployedBytecode: v.optional(code, ''),
      sourceMap: v.optional(v.string()),
      deployedSourceMap: v.optional(v.string()),
      linkReferences: v.optional(linkReferences),
      deployedLinkReferences: v.optional(linkReferences),
      immutableReferences: v.optional(immutableReferences),
      storageLayout: v.optional(v.unknown()),
    }),
    ({ contractName, sourceName, sourcePath, abi, storageLayout, ...given }, fallbackName) => [
      {
        name: contractName ?? fallbackName,
        sourceName: sourceName ?? sourcePath ?? '',
        abi,
        storageLayout,
        bytecode: compiledCode({
          object: given.bytecode,
          sourceMap: given.sourceMap,
          linkReferences: given.linkReferences,
        }),
        deployedBytecode: compiledCode({
          object: given.deployedBytecode,
          sourceMap: given.deployedSourceMap,
          linkReferences: given.deployedLinkReferences,
          immutableReferences: given.immutableReferences,
        }),
      },
    ],
  ),
];
