/**
 * Sources, source maps and storage layouts from folders of artifacts, as Hardhat, Foundry, TronBox and solc write them.
 * The folders are read for the first request for source lines or variables, and searched again for each further unknown code.
 */

import path from 'node:path';
import { ArtifactError, type CompiledCode } from '../../artifacts/artifact.js';
import { CodeIndex } from '../../artifacts/code-index.js';
import { CodePlaces, type FileOfMap } from '../../artifacts/code-places.js';
import { readArtifacts } from '../../artifacts/read-artifact.js';
import { readSources, type SourceFacts } from '../../artifacts/read-sources.js';
import { SourceMap } from '../../artifacts/source-map.js';
import { SourceText } from '../../artifacts/source-text.js';
import { readStorageLayout, type StorageLayout } from '../../artifacts/storage-layout.js';
import type { SuppliedContract } from '../../artifacts/supplied-contracts.js';
import { type JsonFile, jsonFiles, readBytes, readText } from '../../platform/json-files.js';
import { keccak256, sha256 } from '../../protocol/hashes.js';

const MAX_FILES = 20_000;
const MAX_FILE_BYTES = 256 * 1024 * 1024;
/** Results of earlier lookups. */
const MAX_KNOWN = 10_000;
const MAX_SOURCE_BYTES = 4 * 1024 * 1024;

/** Sources are searched in a folder of artifacts and in its parents, up to the project's root. */
const FOLDERS_ABOVE = 3;

/**
 * `build/contracts` of TronBox and `artifacts/contracts` of Hardhat have no sources: the build info is next to them.
 */
const BUILDS_BESIDE = '../build-info';

interface Compiled {
  readonly name: string;
  readonly code: CompiledCode & { readonly sourceMap: string };
  readonly facts: SourceFacts;
}

export class SourceFolders {
  readonly #deployed = new CodeIndex<Compiled>();
  readonly #creations = new CodeIndex<Compiled>();
  /** Unread layouts of solc, by deployed code. */
  readonly #layouts = new CodeIndex<{ readonly name: string; readonly json: unknown }>();
  readonly #known = new Map<string, CodePlaces | undefined>();
  readonly #read = new Set<string>();
  /** From files with a single contract: all paths to which some file gives a number. */
  readonly #numbers = new Map<number, Set<string>>();
  readonly #contents = new Map<string, string>();
  /** From Hardhat 3, by the name of the build. */
  readonly #inputs = new Map<string, Pick<SourceFacts, 'contents' | 'names'>>();
  readonly #texts = new Map<string, SourceText>();

  constructor(private readonly folders: readonly string[]) {}

  placesOf(code: Uint8Array, isCreation: boolean): CodePlaces | undefined {
    const key = `${isCreation} ${sha256(code)}`;
    const known = this.#known.get(key);
    if (known !== undefined || (this.#known.has(key) && !this.#readNewFiles())) return known;
    const places = this.#find(code, isCreation) ?? (this.#readNewFiles() ? this.#find(code, isCreation) : undefined);
    if (this.#known.size >= MAX_KNOWN) this.#known.clear();
    this.#known.set(key, places);
    return places;
  }

  /** Hardhat has layouts in its build info only. */
  layoutOf(code: Uint8Array): StorageLayout | undefined {
    const found = this.#layouts.find(code) ?? (this.#readNewFiles() ? this.#layouts.find(code) : undefined);
    return found && readStorageLayout(found.name, found.json);
  }

  /** The result of {@link placesOf} as plain data. */
  suppliedSources(code: Uint8Array, isCreation: boolean): Pick<SuppliedContract, 'sourceMap' | 'files'> {
    if (this.placesOf(code, isCreation) === undefined) return { files: [] };
    const {
      code: { sourceMap },
      facts,
    } = this.#compiled(code, isCreation) as Compiled;
    const files = [...new SourceMap(sourceMap, code).files].flatMap((number): SuppliedContract['files'] => {
      const file = this.#fileOf(facts, number);
      return file === undefined ? [] : [{ number, path: file.path, text: file.text?.whole }];
    });
    return { sourceMap, files };
  }

  #compiled(code: Uint8Array, isCreation: boolean): Compiled | undefined {
    return isCreation ? this.#creations.findBeginning(code) : this.#deployed.find(code);
  }

  #find(code: Uint8Array, isCreation: boolean): CodePlaces | undefined {
    const found = this.#compiled(code, isCreation);
    if (found === undefined) return undefined;
    const files = new Map<number, FileOfMap | undefined>();
    return new CodePlaces(found.name, new SourceMap(found.code.sourceMap, code), (number) => {
      if (!files.has(number)) files.set(number, this.#fileOf(found.facts, number));
      return files.get(number);
    });
  }

  /** @returns whether there were new files */
  #readNewFiles(): boolean {
    const before = this.#read.size;
    for (const folder of this.folders)
      for (const file of [...filesIn(path.join(folder, BUILDS_BESIDE)), ...filesIn(folder)]) this.#readFile(file);
    return this.#read.size > before;
  }

  #readFile({ path: file, version, bytes }: JsonFile): void {
    const key = `${file} ${version}`;
    if (this.#read.has(key) || bytes > MAX_FILE_BYTES) return;
    this.#read.add(key);
    try {
      const text = readText(file);
      // Cheaper than parsing a file without sources.
      if (!/"(abi|sources|sourceList|source_id_to_path)"/.test(text)) return;
      const json: unknown = JSON.parse(text);
      const facts = readSources(json);
      this.#learn(facts);
      for (const artifact of readArtifacts(json, path.basename(file, '.json'))) {
        const { name, bytecode, deployedBytecode, storageLayout } = artifact;
        if (storageLayout !== undefined) this.#layouts.add(deployedBytecode, { name, json: storageLayout });
        this.#add(this.#creations, name, bytecode, facts);
        this.#add(this.#deployed, name, deployedBytecode, facts);
      }
    } catch (error) {
      // `ArtifactFolders` reports files that are invalid or not readable.
      if (!(error instanceof ArtifactError || error instanceof SyntaxError || 'code' in (error as object))) throw error;
    }
  }

  #learn({ numbers, whole, contents, names, build }: SourceFacts): void {
    for (const [source, text] of contents) this.#contents.set(source, text);
    if (build !== undefined && contents.size > 0) this.#inputs.set(build, { contents, names });
    if (whole) return;
    for (const [number, source] of numbers) {
      const paths = this.#numbers.get(number);
      if (paths === undefined) this.#numbers.set(number, new Set([source]));
      else paths.add(source);
    }
  }

  #add(index: CodeIndex<Compiled>, name: string, code: CompiledCode, facts: SourceFacts): void {
    const { sourceMap } = code;
    if (sourceMap !== undefined) index.add(code, { name, code: { ...code, sourceMap }, facts });
  }

  #fileOf(facts: SourceFacts, number: number): FileOfMap | undefined {
    const source = facts.numbers.get(number) ?? (facts.whole ? undefined : this.#pathOf(facts, number));
    if (source === undefined) return undefined;
    const text = this.#textOf(facts, source);
    const input = facts.build === undefined ? undefined : this.#inputs.get(facts.build);
    return { path: input?.names.get(source) ?? source, ...(text !== undefined && { text }) };
  }

  /**
   * Each build numbers its sources separately: among several candidates, only the source that the contract was compiled
   * with is right.
   */
  #pathOf({ hashes }: SourceFacts, number: number): string | undefined {
    const all = [...(this.#numbers.get(number) ?? [])];
    const candidates = hashes.size === 0 ? all : all.filter((source) => hashes.has(source));
    return candidates.length > 1 ? `one of ${candidates.join(', ')}` : candidates[0];
  }

  #textOf({ contents, hashes, build }: SourceFacts, source: string): SourceText | undefined {
    const given =
      contents.get(source) ?? (build === undefined ? undefined : this.#inputs.get(build)?.contents.get(source));
    if (given !== undefined) return this.#text(Buffer.from(given, 'utf8'));
    const elsewhere = this.#contents.get(source);
    const candidates = [
      ...(elsewhere === undefined ? [] : [Buffer.from(elsewhere, 'utf8')]),
      ...this.#placesOnDisk(source).flatMap((file) => readBytes(file, MAX_SOURCE_BYTES) ?? []),
    ];
    const hash = hashes.get(source);
    const found = candidates.find((bytes) => hash === undefined || keccak256(bytes) === hash);
    return found && this.#text(found);
  }

  #text(bytes: Uint8Array): SourceText {
    const key = sha256(bytes);
    let text = this.#texts.get(key);
    if (text === undefined) {
      text = new SourceText(bytes);
      this.#texts.set(key, text);
    }
    return text;
  }

  #placesOnDisk(source: string): readonly string[] {
    if (path.isAbsolute(source)) return [source];
    return this.folders.flatMap((folder) =>
      Array.from({ length: FOLDERS_ABOVE + 1 }, (_, above) => path.resolve(folder, '../'.repeat(above), source)),
    );
  }
}

function filesIn(folder: string): readonly JsonFile[] {
  try {
    return jsonFiles(folder, MAX_FILES, 'builds').files;
  } catch {
    return []; // The search for names reports it.
  }
}
