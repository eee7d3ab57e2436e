/** Differences by code and offset, with counts. Stored as offsets; the report looks up the lines. */

import type { KnownContracts } from '../../artifacts/known-contracts.js';
import type { Address } from '../../primitives/ids.js';
import { analysisOf } from '../../tvm/code-analysis.js';
import { differencesInCode } from './code-scan.js';
import type { RunningCode, Sightings } from './detector.js';
import type { DifferenceId } from './differences.js';

/** One code at any number of addresses: a test suite deploys the same one again and again. */
export interface SeenCode {
  readonly bytes: Uint8Array;
  readonly isCreation: boolean;
  /** Address where it was seen first. */
  readonly address: Address;
}

export interface SeenSite {
  readonly id: DifferenceId;
  readonly code: SeenCode;
  readonly pc: number;
  /** Offsets of the steps before. */
  readonly trail: readonly number[];
  /** Number of executions; 0: only found in the code. */
  times: number;
  /** The executions, by their numbers. */
  readonly transactions: number[];
  readonly calls: number[];
  /** Selectors of the methods that were called when it was met. */
  readonly selectors: Set<string>;
}

export class SeenDifferences {
  readonly sites = new Map<string, SeenSite>();
  readonly slotsOfDecimals = new Set<string>();
  readonly #codes = new Map<string, SeenCode>();
  #runs = 0;

  /** @param kind of the execution: `calls` leave nothing on the chain */
  run(kind: 'transactions' | 'calls'): SeenRun {
    return new SeenRun(this, kind, this.#runs++);
  }

  codeOf(bytes: Uint8Array, isCreation: boolean, address: Address): { readonly key: string; readonly code: SeenCode } {
    const key = `${isCreation ? 'creation' : 'runtime'} ${analysisOf(bytes).hash}`;
    let code = this.#codes.get(key);
    if (code === undefined) {
      code = { bytes, isCreation, address };
      this.#codes.set(key, code);
    }
    return { key, code };
  }

  /** The first address of a contract with the code of this one. */
  firstWith(bytes: Uint8Array, address: Address): Address {
    return this.codeOf(bytes, false, address).code.address;
  }

  /** Executed sites, and sites of the code that were not executed. */
  *all(): Iterable<SeenSite> {
    yield* this.sites.values();
    for (const [key, code] of this.#codes) {
      if (code.isCreation) continue;
      for (const [pc, id] of differencesInCode(code.bytes)) {
        if (this.sites.has(siteKey(id, key, pc))) continue;
        yield { id, code, pc, trail: [], times: 0, transactions: [], calls: [], selectors: new Set() };
      }
    }
  }
}

function siteKey(id: DifferenceId, code: string, pc: number): string {
  return `${id} ${code} ${pc}`;
}

/** One execution. Its sites are counted when it ends. */
class SeenRun implements Sightings {
  readonly #met = new Map<string, { readonly site: SeenSite; times: number; readonly selectors: Set<string> }>();

  constructor(
    private readonly all: SeenDifferences,
    private readonly kind: 'transactions' | 'calls',
    private readonly number: number,
  ) {}

  get slotsOfDecimals(): Set<string> {
    return this.all.slotsOfDecimals;
  }

  entered(code: RunningCode): void {
    this.all.codeOf(code.bytes, code.isCreation, code.address);
  }

  met(
    id: DifferenceId,
    { bytes, isCreation, address, selector }: RunningCode,
    pc: number,
    trail: () => readonly number[],
  ): void {
    const { key: codeKey, code } = this.all.codeOf(bytes, isCreation, address);
    const key = siteKey(id, codeKey, pc);
    let met = this.#met.get(key);
    if (met === undefined) {
      const site = this.all.sites.get(key) ?? {
        ...{ id, code, pc, trail: trail() },
        ...{ times: 0, transactions: [], calls: [], selectors: new Set<string>() },
      };
      met = { site, times: 0, selectors: new Set() };
      this.#met.set(key, met);
    }
    met.times++;
    met.selectors.add(selector);
  }

  stored(code: Uint8Array, address: Address): void {
    this.all.codeOf(code, false, address);
  }

  ended(): void {
    for (const [key, { site, times, selectors }] of this.#met) {
      site.times += times;
      site[this.kind].push(this.number);
      for (const selector of selectors) site.selectors.add(selector);
      this.all.sites.set(key, site);
    }
  }
}

/** Where a site stands in the sources. */
export interface SitePlace {
  readonly file: string;
  readonly line: number;
  readonly text: string;
  readonly function: string | undefined;
}

/** The line of a site; for code added by the compiler, the line of the last step before it that has one. */
export function placeOfSite({ code, pc, trail }: SeenSite, known: KnownContracts | undefined): SitePlace | undefined {
  const places = known?.placesOf(code.bytes, code.isCreation);
  if (places === undefined) return undefined;
  for (const at of [pc, ...trail.toReversed()]) {
    const place = places.at(at);
    if ('why' in place) continue;
    const { path, line, within, source } = place;
    const isFunction = within !== undefined && within.kind !== 'contract';
    return { file: path, line, text: source.lineText(line).trim(), function: isFunction ? within.name : undefined };
  }
  return undefined;
}
