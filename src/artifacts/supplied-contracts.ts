/**
 * Contracts that a caller passes along with a request: plain data, found by the hash of their code. So the artifact
 * folders and the node can be on different machines.
 */

import type { JsonAbi } from '../abi/json-abi.js';
import { sha256 } from '../protocol/hashes.js';
import { CodePlaces } from './code-places.js';
import type { KnownContract, KnownContracts } from './known-contracts.js';
import { SourceMap } from './source-map.js';
import { SourceText } from './source-text.js';
import type { StorageLayout } from './storage-layout.js';

export interface SuppliedContract {
  /** sha256 of the executed code, hex. */
  readonly hash: string;
  /** Whether it is creation code. */
  readonly isCreation: boolean;
  readonly name: string;
  readonly abi: JsonAbi;
  readonly sourceMap?: string | undefined;
  /** Sources of the map, by number. */
  readonly files: readonly SuppliedFile[];
}

export interface SuppliedFile {
  readonly number: number;
  readonly path: string;
  /** Absent if the source is missing. */
  readonly text?: string | undefined;
}

export class SuppliedContracts implements KnownContracts {
  readonly #contracts: ReadonlyMap<string, SuppliedContract>;
  readonly #texts = new Map<string, SourceText>();

  /** @param others contracts that the caller did not pass */
  constructor(
    contracts: readonly SuppliedContract[],
    private readonly others: KnownContracts | undefined,
  ) {
    this.#contracts = new Map(contracts.map((contract) => [key(contract.hash, contract.isCreation), contract]));
  }

  byCode(code: Uint8Array): KnownContract | undefined {
    return this.#find(code, false) ?? this.others?.byCode(code);
  }

  byInitCode(code: Uint8Array): KnownContract | undefined {
    return this.#find(code, true) ?? this.others?.byInitCode(code);
  }

  placesOf(code: Uint8Array, isCreation: boolean): CodePlaces | undefined {
    const found = this.#find(code, isCreation);
    if (found?.sourceMap === undefined) return this.others?.placesOf(code, isCreation);
    const files = new Map(
      found.files.map(({ number, path, text }) => [
        number,
        { path, ...(text !== undefined && { text: this.#text(text) }) },
      ]),
    );
    return new CodePlaces(found.name, new SourceMap(found.sourceMap, code), (number) => files.get(number));
  }

  layoutOf(code: Uint8Array): StorageLayout | undefined {
    return this.others?.layoutOf(code);
  }

  /** One object for all contracts of a source, because Energy is summed by it. */
  #text(whole: string): SourceText {
    let text = this.#texts.get(whole);
    if (text === undefined) {
      text = new SourceText(Buffer.from(whole, 'utf8'));
      this.#texts.set(whole, text);
    }
    return text;
  }

  #find(code: Uint8Array, isCreation: boolean): SuppliedContract | undefined {
    return this.#contracts.get(key(sha256(code), isCreation));
  }
}

function key(hash: string, isCreation: boolean): string {
  return `${isCreation} ${hash}`;
}
