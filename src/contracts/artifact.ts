/** From an artifact to what a deployment sends: its ABI, its name, and its code with the addresses of its libraries. */

import path from 'node:path';
import { fileURLToPath } from 'node:url';
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

const MOST_BYTES = 64 * 1024 * 1024;

type Given = Pick<DeployOptions, 'contract' | 'libraries'>;

/**
 * @param source what a compiler wrote, or the file that it wrote it to
 * @throws ArtifactError for what is no artifact; TypeError for one without code, and for libraries that are missing
 */
export async function readDeployable(
  source: ContractArtifact | string | URL,
  { contract, libraries }: Given,
): Promise<Deployable> {
  const { json, artifact } = isFile(source)
    ? await fileArtifact(source, contract)
    : { json: source, artifact: readArtifact(source, contract) };
  return { name: artifact.name, abi: abiOf(json, artifact), initCode: initCodeOf(artifact, libraries ?? {}) };
}

/**
 * What a contract's calls and logs are read by: an ABI itself, or an artifact or its file as `readDeployable` takes them.
 * An artifact without a name or code will do.
 *
 * @throws ArtifactError for what is no artifact
 */
export async function readAbi(
  source: Abi | Pick<ContractArtifact, 'abi' | 'contractName'> | string | URL,
): Promise<KnownAbi> {
  if (isFile(source)) {
    const { json, artifact } = await fileArtifact(source, undefined);
    return { name: artifact.name, abi: abiOf(json, artifact) };
  }
  if (Array.isArray(source)) return { name: '', abi: source as Abi };
  const { abi, contractName = '' } = (source ?? {}) as Pick<ContractArtifact, 'abi' | 'contractName'>;
  if (Array.isArray(abi)) return { name: contractName, abi };
  const artifact = readArtifact(source);
  return { name: artifact.name, abi: abiOf({}, artifact) };
}

function isFile(source: unknown): source is string | URL {
  return typeof source === 'string' || source instanceof URL;
}

/** The types of its entries are those of the artifact that came. */
function abiOf(json: { readonly abi?: Abi }, artifact: Artifact): Abi {
  return json.abi ?? (artifact.abi.map(({ type = 'function', ...entry }) => ({ type, ...entry })) as Abi);
}

/** @throws ArtifactError that names the file */
async function fileArtifact(file: string | URL, contract: string | undefined) {
  try {
    const json: ContractArtifact = JSON.parse(
      readTextUpTo(file instanceof URL ? fileURLToPath(file) : file, MOST_BYTES),
    );
    const name = path.basename(file instanceof URL ? file.pathname : file, '.json');
    return { json, artifact: readArtifact(json, contract, name) };
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
      throw new TypeError(`${contract} needs the library ${short}: deploy it first, then libraries: { ${short}: … }`);
    }
    code = code.slice(0, 2 * start) + hex.slice(2) + code.slice(2 * (start + length));
  }
  return code;
}
