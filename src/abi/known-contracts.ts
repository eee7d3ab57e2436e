/** Contracts that are known by their code, for those whose ABI the chain does not have: a factory gives it none. */

import type { JsonAbi } from './json-abi.js';

export interface KnownContract {
  readonly name: string;
  readonly abi: JsonAbi;
}

export interface KnownContracts {
  /** @param code what runs: the code of a contract on the chain */
  byCode(code: Uint8Array): KnownContract | undefined;
}
