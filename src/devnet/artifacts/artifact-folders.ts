/**
 * Contracts from folders of artifacts (`--artifacts`). The folders are read for the first contract without an ABI, and
 * searched again for each further unknown code: compilers may run while a devnet runs.
 */

import path from 'node:path';
import { type Artifact, ArtifactError } from '../../artifacts/artifact.js';
import { CodeIndex } from '../../artifacts/code-index.js';
import type { CodePlaces } from '../../artifacts/code-places.js';
import type { KnownContract, KnownContracts } from '../../artifacts/known-contracts.js';
import { readArtifacts } from '../../artifacts/read-artifact.js';
import type { StorageLayout } from '../../artifacts/storage-layout.js';
import type { SuppliedContract } from '../../artifacts/supplied-contracts.js';
import { jsonFiles, readText } from '../../platform/json-files.js';
import type { Log } from '../../platform/log.js';
import { sha256 } from '../../protocol/hashes.js';
import { SourceFolders } from './source-folders.js';

const MAX_FILES = 20_000;
const MAX_FILE_BYTES = 64 * 1024 * 1024;
/** Codes without an artifact: the folders are not searched again for them. */
const MAX_UNKNOWN = 10_000;

export class ArtifactFolders implements KnownContracts {
  readonly #deployed = new CodeIndex<Artifact>();
  readonly #creations = new CodeIndex<Artifact>();
  readonly #unknown = new Set<string>();
  /** The files that were read, by path and version. */
  readonly #read = new Set<string>();
  readonly #reported = new Set<string>();
  readonly #sources: SourceFolders;

  /** @param folders absolute, or relative to the working directory; a file's name is also valid */
  constructor(
    private readonly folders: readonly string[],
    private readonly log: Log | undefined,
  ) {
    this.#sources = new SourceFolders(folders);
  }

  byCode(code: Uint8Array): KnownContract | undefined {
    return this.#known(code, () => this.#deployed.find(code));
  }

  byInitCode(code: Uint8Array): KnownContract | undefined {
    return this.#known(code, () => this.#creations.findBeginning(code));
  }

  #known(code: Uint8Array, find: () => Artifact | undefined): KnownContract | undefined {
    const known = find();
    if (known !== undefined) return known;
    const hash = sha256(code);
    if (this.#unknown.has(hash)) return undefined;
    if (this.#unknown.size >= MAX_UNKNOWN) this.#unknown.clear();
    this.#unknown.add(hash);
    return this.#readNewFiles() ? find() : undefined;
  }

  placesOf(code: Uint8Array, isCreation: boolean): CodePlaces | undefined {
    return this.#sources.placesOf(code, isCreation);
  }

  layoutOf(code: Uint8Array): StorageLayout | undefined {
    return this.#sources.layoutOf(code);
  }

  /** The contract of a code, for a node elsewhere. */
  suppliedContract(code: Uint8Array, isCreation: boolean): SuppliedContract | undefined {
    const known = isCreation ? this.byInitCode(code) : this.byCode(code);
    if (known === undefined) return undefined;
    const { name, abi } = known;
    return { hash: sha256(code), isCreation, name, abi, ...this.#sources.suppliedSources(code, isCreation) };
  }

  /** @returns whether there were new files */
  #readNewFiles(): boolean {
    const before = this.#read.size;
    for (const folder of this.folders) this.#readFolder(folder);
    return this.#read.size > before;
  }

  #readFolder(folder: string): void {
    let found: ReturnType<typeof jsonFiles>;
    try {
      found = jsonFiles(folder, MAX_FILES, 'artifacts');
    } catch (error) {
      this.#tell(`artifacts of ${folder} cannot be read: ${(error as Error).message}`);
      return;
    }
    if (found.cutShort)
      this.#tell(`artifacts of ${folder}: there are more than ${MAX_FILES} files, the rest is skipped`);
    for (const { path: file, version, bytes } of found.files) {
      const key = `${file} ${version}`;
      if (this.#read.has(key)) continue;
      this.#read.add(key);
      this.#readFile(file, bytes);
    }
  }

  #readFile(file: string, bytes: number): void {
    if (bytes > MAX_FILE_BYTES) {
      this.#tell(`artifact ${file} is skipped: it is larger than ${MAX_FILE_BYTES / 1024 / 1024} MB`);
      return;
    }
    try {
      const text = readText(file);
      // Cheaper than parsing a file that is not an artifact.
      if (!text.includes('"abi"')) return;
      for (const artifact of readArtifacts(JSON.parse(text), path.basename(file, '.json'))) {
        this.#deployed.add(artifact.deployedBytecode, artifact);
        this.#creations.add(artifact.bytecode, artifact);
      }
    } catch (error) {
      if (!(error instanceof ArtifactError || error instanceof SyntaxError || 'code' in (error as object))) throw error;
      this.#tell(`artifact ${file} is skipped: ${(error as Error).message}`);
    }
  }

  #tell(sentence: string): void {
    if (this.#reported.has(sentence)) return;
    this.#reported.add(sentence);
    this.log?.warn(sentence);
  }
}
