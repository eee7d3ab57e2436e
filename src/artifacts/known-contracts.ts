/**
 * Contracts that are known by their code. By name for those whose ABI the chain does not have (a factory gives it none),
 * and by their sources.
 */

import type { JsonAbi } from '../abi/json-abi.js';
import type { CodePlaces } from './code-places.js';

export interface KnownContract {
  readonly name: string;
  readonly abi: JsonAbi;
}

export interface KnownContracts {
  /** @param code what runs: the code of a contract on the chain */
  byCode(code: Uint8Array): KnownContract | undefined;
  /** @param code what a creation runs, constructor's arguments included */
  byInitCode(code: Uint8Array): KnownContract | undefined;
  /**
   * Where the instructions of a code come from. Reads files when first asked.
   *
   * @param isCreation whether it is what a deployment runs, constructor's arguments included
   */
  placesOf(code: Uint8Array, isCreation: boolean): CodePlaces | undefined;
}
