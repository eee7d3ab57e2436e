/**
 * Contracts known by their code: the ABI if the chain has none (of contracts that a factory created), and their
 * sources and storage layouts.
 */

import type { JsonAbi } from '../abi/json-abi.js';
import type { CodePlaces } from './code-places.js';
import type { StorageLayout } from './storage-layout.js';

export interface KnownContract {
  readonly name: string;
  readonly abi: JsonAbi;
}

export interface KnownContracts {
  /** @param code the deployed code */
  byCode(code: Uint8Array): KnownContract | undefined;
  /** @param code creation code with the constructor's arguments */
  byInitCode(code: Uint8Array): KnownContract | undefined;
  /**
   * Source positions of a code's instructions. Reads files on first use.
   *
   * @param isCreation whether it is creation code with the constructor's arguments
   */
  placesOf(code: Uint8Array, isCreation: boolean): CodePlaces | undefined;
  /** The storage layout of a deployed code. Reads files on first use. */
  layoutOf(code: Uint8Array): StorageLayout | undefined;
}
