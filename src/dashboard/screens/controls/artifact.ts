/** The file of a compiled contract, as the usual tools write it. */

import { encodeAbiParameters } from 'viem';
import type { AbiEntry, AbiParameter } from '../../chain/answers.js';
import { inputValue } from '../contract/contract-abi.js';

export interface Artifact {
  readonly name: string;
  readonly abi: readonly AbiEntry[];
  /** Creation code: hex without 0x. */
  readonly bytecode: string;
}

interface FileForms {
  readonly contractName?: unknown;
  readonly abi?: unknown;
  /** Text in files of Hardhat and TronBox, an object in those of Foundry. */
  readonly bytecode?: string | { readonly object?: string };
  /** Of solc. */
  readonly evm?: { readonly bytecode?: { readonly object?: string } };
}

/** @throws Error that says what is missing */
export function readArtifact(text: string, fileName: string): Artifact {
  let file: FileForms | null;
  try {
    file = JSON.parse(text) as FileForms | null;
  } catch {
    throw new Error(`${fileName} is not JSON.`);
  }
  const code =
    typeof file?.bytecode === 'string' ? file.bytecode : (file?.bytecode?.object ?? file?.evm?.bytecode?.object);
  if (!Array.isArray(file?.abi) || typeof code !== 'string') {
    throw new Error(`${fileName} has no abi and bytecode: it is not the artifact of a contract.`);
  }
  const bytecode = code.replace(/^0x/, '');
  if (bytecode === '') throw new Error(`${fileName} has no code: it is an interface or an abstract contract.`);
  if (!/^[0-9a-f]+$/i.test(bytecode)) throw new Error(`${fileName} refers to a library that is not linked.`);
  const name = typeof file.contractName === 'string' ? file.contractName : fileName.replace(/\.json$/i, '');
  return { name, abi: file.abi as readonly AbiEntry[], bytecode };
}

export function constructorInputs({ abi }: Artifact): readonly Required<AbiParameter>[] {
  const inputs = abi.find(({ type }) => type === 'constructor')?.inputs ?? [];
  return inputs.map((input) => ({ ...input, name: input.name ?? '' }));
}

/** @returns hex without 0x @throws Error that names the argument */
export function constructorParameter(artifact: Artifact, texts: readonly string[]): string {
  const inputs = constructorInputs(artifact);
  return encodeAbiParameters(
    inputs,
    inputs.map((input, at) => inputValue(input, texts[at] ?? '', at)),
  ).slice(2);
}
