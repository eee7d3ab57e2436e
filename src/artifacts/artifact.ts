/** What a compiler made of a contract, in one form, whichever tool wrote it down (`read-artifact.ts`). */

import type { JsonAbi } from '../abi/json-abi.js';
import type { Hex } from '../primitives/hex.js';

export interface Artifact {
  /** `Token` */
  readonly name: string;
  /** The file it was compiled from, as the compiler knew it: `contracts/Token.sol`. Empty where the tool does not say. */
  readonly sourceName: string;
  readonly abi: JsonAbi;
  /** What a deployment sends, before the constructor's arguments. Empty for interfaces and abstract contracts. */
  readonly bytecode: CompiledCode;
  /** What is on the chain after a deployment, but for the addresses and values that only a deployment knows. */
  readonly deployedBytecode: CompiledCode;
}

export interface CompiledCode {
  /** Zeros where the address of a library is to be. */
  readonly object: Hex;
  /** Where addresses of libraries are to be: what has any of these cannot be deployed as it is. */
  readonly links: readonly Link[];
  /** Where a deployment writes values of immutable variables; undefined where the tool does not say. */
  readonly immutables: readonly Range[] | undefined;
  /** solc's, compressed: `75:100:0:-:0;;…`. */
  readonly sourceMap: string | undefined;
}

/** In bytes from the beginning of the code. */
export interface Range {
  readonly start: number;
  readonly length: number;
}

export interface Link extends Range {
  /** `contracts/Math.sol:Math`; where the tool gives no name, the placeholder, `__$53aea86b7d70b31448b230b20ae141a537$__`. */
  readonly library: string;
}

/** What was read is no artifact, or not of the contract that was asked for; the message is a sentence without a full stop. */
export class ArtifactError extends Error {
  override readonly name = 'ArtifactError';
}
