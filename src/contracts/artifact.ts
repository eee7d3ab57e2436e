/** From an artifact to what a deployment sends: its ABI, its name, and its code with the addresses of its libraries. */

import { readFile } from 'node:fs/promises';
import type { Artifact } from '../artifacts/artifact.js';
import { readArtifact } from '../artifacts/read-artifact.js';
import type { Abi } from './abi.js';
import { addressHexOf } from './codec.js';
import type { ContractArtifact, DeployOptions } from './deployed-contract.js';

export interface Deployable {
  readonly name: string;
  readonly abi: Abi;
  /** Hex without a prefix. */
  readonly initCode: string;
}

type Given = Pick<DeployOptions, 'contract' | 'libraries'>;

/**
 * @param source what a compiler wrote, or the file that it wrote it to
 * @throws ArtifactError for what is no artifact; TypeError for one without code, and for libraries that are missing
 */
export async function readDeployable(
  source: ContractArtifact | string,
  { contract, libraries }: Given,
): Promise<Deployable> {
  const json = typeof source === 'string' ? JSON.parse(await readFile(source, 'utf8')) : source;
  const artifact = readArtifact(withCode(json), contract);
  // The types of its entries are those of the artifact that came.
  const abi = (json.abi ?? artifact.abi.map(({ type = 'function', ...entry }) => ({ type, ...entry }))) as Abi;
  return { name: artifact.name, abi, initCode: initCodeOf(artifact, libraries ?? {}) };
}

/** One contract of solc's standard JSON output has its code a level further down than Foundry's artifact. */
function withCode(json: ContractArtifact): object {
  return json.evm === undefined || json.bytecode !== undefined ? json : { ...json, bytecode: json.evm.bytecode };
}

function initCodeOf({ name, bytecode }: Artifact, libraries: NonNullable<DeployOptions['libraries']>): string {
  const contract = name === '' ? 'the contract' : name;
  if (bytecode.object === '') {
    throw new TypeError(`${contract} has no bytecode: it is an interface or an abstract contract`);
  }
  let code = bytecode.object;
  for (const { library, start, length } of bytecode.links) {
    const short = library.slice(library.lastIndexOf(':') + 1);
    const hex = addressHexOf(libraries[library] ?? libraries[short]);
    if (hex === undefined) {
      throw new TypeError(`${contract} needs the library ${short}: deploy it first, then libraries: { ${short}: … }`);
    }
    code = code.slice(0, 2 * start) + hex.slice(2) + code.slice(2 * (start + length));
  }
  return code;
}
