/** A compiled contract in one form, whichever tool wrote it (`read-artifact.ts`). */

import type { JsonAbi } from '../abi/json-abi.js';
import type { Hex } from '../primitives/hex.js';

export interface Artifact {
  /** `Token` */
  readonly name: string;
  /** The source file in the compiler's spelling: `contracts/Token.sol`. Empty if the tool omits it. */
  readonly sourceName: string;
  readonly abi: JsonAbi;
  /** Creation code without the constructor's arguments. Empty for interfaces and abstract contracts. */
  readonly bytecode: CompiledCode;
  /** Code on the chain after a deployment, except for addresses and values that the deployment inserts. */
  readonly deployedBytecode: CompiledCode;
  /** solc's `storageLayout` as it is (`storage-layout.ts` reads it); undefined if the tool omits it. */
  readonly storageLayout?: unknown;
}

export interface CompiledCode {
  /** Zeros at the addresses of libraries. */
  readonly object: Hex;
  /** Positions of library addresses; code with unlinked libraries cannot be deployed. */
  readonly links: readonly Link[];
  /** Positions of immutable values, which a deployment writes; undefined if the tool omits them. */
  readonly immutables: readonly Range[] | undefined;
  /** solc's, compressed: `75:100:0:-:0;;…`. */
  readonly sourceMap: string | undefined;
}

/** Byte offset in the code. */
export interface Range {
  readonly start: number;
  readonly length: number;
}

export interface Link extends Range {
  /**
   * `contracts/Math.sol:Math`; if the tool gives no name, the placeholder, `__$53aea86b7d70b31448b230b20ae141a537$__`.
   */
  readonly library: string;
}

/** Not an artifact, or not of the requested contract; the message is a sentence without a full stop. */
export class ArtifactError extends Error {
  override readonly name = 'ArtifactError';
}
