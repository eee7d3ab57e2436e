/** Init code from an artifact, with the addresses of its libraries in their places. */

import { addressHexOf } from './codec.js';
import type { ContractArtifact, DeployOptions, LinkReferences } from './deployed-contract.js';

/** Hex without a prefix. @throws TypeError for an artifact without code, and for libraries that are missing */
export function initCodeOf(artifact: ContractArtifact, libraries: DeployOptions['libraries'] = {}): string {
  const { bytecode = artifact.evm?.bytecode } = artifact;
  const [object, references] =
    typeof bytecode === 'object' ? [bytecode.object, bytecode.linkReferences] : [bytecode, artifact.linkReferences];
  const name = artifact.contractName ?? 'the artifact';
  if (object === undefined || object.replace(/^0x/, '') === '') {
    throw new TypeError(
      `${name} has no bytecode: it is an interface, an abstract contract, or no artifact of a compiler`,
    );
  }
  const code = linked(object.replace(/^0x/, ''), references ?? {}, libraries, name);
  const placeholder = /__.{36}__|_.{39}/.exec(code)?.[0];
  if (placeholder !== undefined) throw new TypeError(`${name} is not linked: ${placeholder} stands for a library`);
  return code;
}

function linked(
  code: string,
  references: LinkReferences,
  libraries: NonNullable<DeployOptions['libraries']>,
  contract: string,
): string {
  let result = code;
  for (const byName of Object.values(references)) {
    for (const [library, places] of Object.entries(byName)) {
      const hex = addressHexOf(libraries[library]);
      if (hex === undefined) {
        throw new TypeError(
          `${contract} needs the library ${library}: deploy it first, then libraries: { ${library} }`,
        );
      }
      for (const { start, length } of places) {
        result = result.slice(0, 2 * start) + hex.slice(2) + result.slice(2 * (start + length));
      }
    }
  }
  return result;
}
