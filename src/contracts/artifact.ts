/** Converts an artifact into deployment data: ABI, name, and code with library addresses. */

import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { JsonAbi } from '../abi/json-abi.js';
import { readJsonAbi } from '../abi/read-json-abi.js';
import { type Artifact, ArtifactError } from '../artifacts/artifact.js';
import { readArtifact } from '../artifacts/read-artifact.js';
import { readTextUpTo } from '../platform/bounded-text.js';
import { memberOf } from '../primitives/outside-names.js';
import type { Abi } from './abi.js';
import { addressHexOf } from './codec.js';
import type { ContractArtifact, DeployOptions, KnownAbi } from './deployed-contract.js';

export interface Deployable {
  readonly name: string;
  readonly abi: Abi;
  /** Hex without a prefix. */
  readonly initCode: string;
}

const MAX_BYTES = 64 * 1024 * 1024;

type Given = Pick<DeployOptions, 'contract' | 'libraries'>;

/**
 * @param source a compiler's output, or its file
 * @throws ArtifactError if it is no artifact; TypeError if it has no code or a library is missing
 */
export async function readDeployable(
  source: ContractArtifact | string | URL,
  { contract, libraries }: Given,
): Promise<Deployable> {
  const artifact = isFile(source) ? fileArtifact(source, contract) : readArtifact(source, contract);
  return { name: artifact.name, abi: abiOf(artifact), initCode: initCodeOf(artifact, libraries ?? {}) };
}

/**
 * The ABI for a contract's calls and logs: an ABI itself, or an artifact or its file as in `readDeployable`. The
 * artifact needs neither name nor code.
 *
 * @throws ArtifactError if it is no artifact
 */
export async function readAbi(
  source: Abi | Pick<ContractArtifact, 'abi' | 'contractName'> | string | URL,
): Promise<KnownAbi> {
  if (isFile(source)) {
    const artifact = fileArtifact(source, undefined);
    return { name: artifact.name, abi: abiOf(artifact) };
  }
  if (Array.isArray(source)) return { name: '', abi: checkedAbi(source) };
  const { abi, contractName = '' } = (source ?? {}) as Pick<ContractArtifact, 'abi' | 'contractName'>;
  if (Array.isArray(abi)) return { name: contractName, abi: checkedAbi(abi) };
  const artifact = readArtifact(source);
  return { name: artifact.name, abi: abiOf(artifact) };
}

function isFile(source: unknown): source is string | URL {
  return typeof source === 'string' || source instanceof URL;
}

function abiOf({ abi }: Artifact): Abi {
  return withTypes(abi);
}

/** Old compilers omit the type of functions. */
function withTypes(abi: JsonAbi): Abi {
  if (abi.every(({ type }) => type !== undefined)) return abi as Abi;
  return abi.map(({ type = 'function', ...entry }) => ({ type, ...entry }));
}

/** @throws ArtifactError with the position of the error */
function checkedAbi(given: unknown): Abi {
  const read = readJsonAbi(given);
  if ('abi' in read) return withTypes(read.abi);
  const { path, message } = read.problem;
  throw new ArtifactError(`not a valid ABI: ${path.join('.')}: ${message}`);
}

/** @throws ArtifactError with the file name */
function fileArtifact(file: string | URL, contract: string | undefined): Artifact {
  try {
    const json: unknown = JSON.parse(readTextUpTo(file instanceof URL ? fileURLToPath(file) : file, MAX_BYTES));
    const name = path.basename(file instanceof URL ? file.pathname : file, '.json');
    return readArtifact(json, contract, name);
  } catch (error) {
    throw new ArtifactError(`${file}: ${(error as Error).message}`, { cause: error });
  }
}

function initCodeOf({ name, bytecode }: Artifact, libraries: NonNullable<DeployOptions['libraries']>): string {
  const contract = name === '' ? 'the contract' : name;
  if (bytecode.object === '') {
    throw new TypeError(`${contract} has no bytecode: it is an interface or an abstract contract`);
  }
  let code = bytecode.object;
  for (const { library, start, length } of bytecode.links) {
    const short = library.slice(library.lastIndexOf(':') + 1);
    const hex = addressHexOf(memberOf(libraries, library) ?? memberOf(libraries, short));
    if (hex === undefined) {
      throw new TypeError(
        `${contract} needs the library ${short}: deploy it first, then pass libraries: { ${short}: … }`,
      );
    }
    code = code.slice(0, 2 * start) + hex.slice(2) + code.slice(2 * (start + length));
  }
  return code;
}
