/**
 * Attributes Energy to source lines and call paths of functions while an execution runs. The machine's frames do not
 * know functions: the jump marks of the source map show entries and exits.
 */

import type { CodePlaces, Place, Unplaced } from '../../artifacts/code-places.js';
import type { Declaration } from '../../artifacts/declarations.js';
import type { Jump } from '../../artifacts/source-map.js';
import type { SourceText } from '../../artifacts/source-text.js';
import type { Ledger } from '../../ledger/ledger.js';
import { bytesToHex } from '../../primitives/hex.js';
import type { Address } from '../../primitives/ids.js';
import type { EnergyObserver } from '../../tracing/frame-recorder.js';
import type { FrameKind } from '../../tracing/frames.js';
import type { TracedFrame } from '../../tvm/trace.js';

export interface Spent {
  energy: number;
  penalty: number;
}

/** Energy without a line, with the reason and the contract or file. */
export interface UnplacedEnergy extends Spent {
  readonly why: 'generated' | 'contract' | 'no-source' | 'no-artifact';
  readonly codeAddress: Address;
  /** The path of a missing source. */
  readonly path?: string;
}

/** A function on the call path, or a contract's frame. */
export interface Stop {
  readonly above: Stop | undefined;
  readonly is:
    | {
        readonly contract: Address;
        readonly selector: string;
        readonly isCreation: boolean;
        readonly isMapped: boolean;
      }
    | { readonly place: Place };
  readonly below: Map<string, Stop>;
}

/** A function call inside of a frame, or the frame's start. */
interface Activation {
  readonly caller: Activation | undefined;
  /** The caller's position, for charts. */
  readonly base: Stop;
  /** The latest position. */
  place: Place | undefined;
  /**
   * The origin of a jump into another function that is not a call: into code that the optimiser shares between
   * functions.
   */
  jumpedFrom: Place | undefined;
  /** The latest position in the entered function itself: modifiers and inlined code have other positions. */
  ownPlace: Place | undefined;
  /** The stop of the latest position; computed on demand. */
  here: Stop | undefined;
}

/** The result of a finished frame. */
export interface Track {
  readonly codeAddress: Address;
  readonly isMapped: boolean;
  /** The name of the contract in its artifact. */
  readonly contract: string | undefined;
  /** Innermost first: its positions at its end, and at its last failed call. */
  end: readonly Place[];
  atFailedCall: readonly Place[];
}

/** Lines of one file with their Energy, and the functions that they are in, in the order of their first step. */
export interface LinesOfFile {
  readonly path: string;
  readonly lines: Map<number, Spent>;
  readonly functions: Set<Declaration>;
}

export type FileLines = Map<SourceText, LinesOfFile>;

function fileIn(files: FileLines, source: SourceText, path: string): LinesOfFile {
  let file = files.get(source);
  if (file === undefined) {
    file = { path, lines: new Map(), functions: new Set() };
    files.set(source, file);
  }
  return file;
}

function spentOn({ lines }: LinesOfFile, line: number): Spent {
  let spent = lines.get(line);
  if (spent === undefined) {
    spent = { energy: 0, penalty: 0 };
    lines.set(line, spent);
  }
  return spent;
}

class RunningTrack implements Track {
  end: readonly Place[] = [];
  atFailedCall: readonly Place[] = [];
  /** The position of the whole contract, if no better one is known. */
  whole: Place | undefined;
  /** The place to which its Energy is attributed now. */
  spentAt: Place | Unplaced | typeof NO_ARTIFACT | undefined;
  spent: Spent = { energy: 0, penalty: 0 };
  readonly lines: FileLines = new Map();
  pc = 0;
  /** The kind of jump of the previous step; undefined if it was not a jump. */
  jump: Jump | undefined;

  constructor(
    readonly above: RunningTrack | undefined,
    readonly number: number,
    readonly codeAddress: Address,
    readonly places: CodePlaces | undefined,
    public activation: Activation,
  ) {}

  get isMapped(): boolean {
    return this.places !== undefined;
  }

  get contract(): string | undefined {
    return this.places?.contract;
  }

  lineAt({ source, path, line, within }: Place): Spent {
    const file = fileIn(this.lines, source, path);
    if (within !== undefined && within.kind !== 'contract') file.functions.add(within);
    return spentOn(file, line);
  }

  /** @param hasEnded whether it is at its end instead of at a call */
  sites(hasEnded = false): readonly Place[] {
    const sites: Place[] = [];
    for (let at: Activation | undefined = this.activation; at !== undefined; at = at.caller) {
      const { ownPlace } = at;
      const place = (hasEnded ? at.jumpedFrom : undefined) ?? at.place;
      if (place !== undefined) sites.push(place);
      if (ownPlace !== undefined && ownPlace.within !== place?.within) sites.push(ownPlace);
    }
    if (sites.length === 0) return this.whole === undefined ? [] : [this.whole];
    return sites.filter((site, i) => i === 0 || !isWrapper(site, sites[i - 1]));
  }
}

/** Compiler-generated code around a function, which decodes its arguments. */
function isWrapper({ within, line, column, source }: Place, inner: Place | undefined): boolean {
  if (within === undefined || inner === undefined || inner.within !== within) return false;
  const start = source.positionAt(within.start);
  return start.line === line && start.column === column;
}

/** Compiler-generated code without a line (decoding, checks, code from Yul) counts for the line that led to it. */
function lineFor({ places, pc, activation }: RunningTrack): Place | Unplaced | typeof NO_ARTIFACT {
  const place = places?.at(pc) ?? NO_ARTIFACT;
  if (!('why' in place) || (place.why !== 'generated' && place.why !== 'contract')) return place;
  for (let at: Activation | undefined = activation; at !== undefined; at = at.caller)
    if (at.place !== undefined) return at.place;
  return place;
}

const NO_ARTIFACT = { why: 'no-artifact', path: undefined } as const;
const JUMP = 0x56;
const JUMPI = 0x57;
/** Limits of a readable chart. */
const MAX_SAMPLES = 100_000;
const MAX_STOPS = 50_000;

export class SourceSpending implements EnergyObserver {
  readonly tracks: RunningTrack[] = [];
  readonly unplaced = new Map<string, UnplacedEnergy>();
  /** In time order, up to the maximum. */
  readonly samples: { readonly stop: Stop; energy: number }[] = [];
  readonly #later = new Map<Stop, { readonly stop: Stop; energy: number }>();
  readonly #tracks = new Map<TracedFrame, RunningTrack>();
  readonly #placesOf = new Map<string, CodePlaces | undefined>();
  #stops = 0;

  /**
   * @param by the unit of the chart
   * @param isDeployment whether the transaction runs init code
   */
  constructor(
    private readonly placesOf: (code: Uint8Array, isCreation: boolean) => CodePlaces | undefined,
    private readonly by: 'function' | 'line',
    private readonly isDeployment: boolean,
  ) {}

  enter(frame: TracedFrame, kind: FrameKind, codeAddress: Address): void {
    const isCreation = kind === 'transaction' ? this.isDeployment : kind.startsWith('CREATE');
    const key = isCreation ? undefined : codeAddress;
    const places =
      key !== undefined && this.#placesOf.has(key) ? this.#placesOf.get(key) : this.placesOf(frame.code, isCreation);
    if (key !== undefined) this.#placesOf.set(key, places);
    const above = frame.parent && this.#tracks.get(frame.parent);
    const selector = isCreation ? '' : bytesToHex(frame.input.subarray(0, 4));
    const is = { contract: codeAddress, selector, isCreation, isMapped: places !== undefined };
    const base = this.#stop(above && this.#here(above.activation), `${codeAddress}.${selector}`, is);
    const activation = {
      caller: undefined,
      base,
      place: undefined,
      jumpedFrom: undefined,
      ownPlace: undefined,
      here: undefined,
    };
    const track = new RunningTrack(above, this.tracks.length, codeAddress, places, activation);
    this.#tracks.set(frame, track);
    this.tracks.push(track);
  }

  step(frame: TracedFrame, opcode: number, base: number, penalty: number): void {
    const track = this.#of(frame);
    this.#move(track, frame.pc, opcode);
    this.#spend(track, base + penalty, penalty);
  }

  further(frame: TracedFrame, energy: number): void {
    this.#spend(this.#of(frame), energy, 0);
  }

  exit(frame: TracedFrame): void {
    const track = this.#of(frame);
    // A step that could not be paid for was not reported.
    if (frame.exception !== undefined && !frame.isActing && frame.pc < frame.code.length)
      this.#move(track, frame.pc, 0);
    if (!frame.failed) return;
    track.end = track.sites(true);
    if (track.above !== undefined) track.above.atFailedCall = track.above.sites();
  }

  /** Of all frames. */
  get lines(): FileLines {
    const all: FileLines = new Map();
    for (const track of this.tracks)
      for (const [source, { path, lines }] of track.lines) {
        const file = fileIn(all, source, path);
        for (const [line, { energy, penalty }] of lines) {
          const sum = spentOn(file, line);
          sum.energy += energy;
          sum.penalty += penalty;
        }
      }
    return all;
  }

  /** The position to which the Energy of the frame's last step is attributed; undefined if it has no line. */
  placeNow(frame: TracedFrame): Place | undefined {
    const { spentAt } = this.#of(frame);
    return spentAt === undefined || 'why' in spentAt ? undefined : spentAt;
  }

  /** In execution order, parents before children. */
  numberOf(frame: TracedFrame): number {
    return this.#of(frame).number;
  }

  /** Samples in time order; for a long execution, sums by stop. */
  get chart(): readonly { readonly stop: Stop; readonly energy: number }[] {
    return [...this.samples, ...this.#later.values()];
  }

  /** For Energy that no step uses: stored code, and Energy that an exception consumes. */
  baseOf(track: Track): Stop {
    let { activation } = track as RunningTrack;
    while (activation.caller !== undefined) activation = activation.caller;
    return activation.base;
  }

  #move(track: RunningTrack, pc: number, opcode: number): void {
    const { places } = track;
    track.pc = pc;
    if (places === undefined) return;
    if (track.jump === 'in') {
      const caller = track.activation;
      const { place } = caller;
      const fromWrapper = caller.caller === undefined && place !== undefined && isWrapper(place, place);
      const base = fromWrapper ? caller.base : this.#here(caller);
      track.activation = {
        caller,
        base,
        place: undefined,
        jumpedFrom: undefined,
        ownPlace: undefined,
        here: undefined,
      };
    } else if (track.jump === 'out' && track.activation.caller !== undefined) {
      track.activation = track.activation.caller;
    }
    const arrivedBy = track.jump;
    track.jump = opcode === JUMP ? places.jumpAt(pc) : undefined;
    const { activation } = track;
    // After a jump, code belongs to a function again: a shared piece ends with a jump.
    if (opcode === JUMP || opcode === JUMPI) activation.jumpedFrom = undefined;
    const place = places.at(pc);
    if ('why' in place) {
      if (place.why === 'contract') track.whole = place.place;
      return;
    }
    if (place === activation.place) return;
    if (arrivedBy === 'none' && activation.place !== undefined && place.within !== activation.place.within)
      activation.jumpedFrom = activation.place;
    activation.place = place;
    activation.here = undefined;
    if (isOwn(place, activation.ownPlace)) activation.ownPlace = place;
  }

  #spend(track: RunningTrack, energy: number, penalty: number): void {
    this.#sample(this.#here(track.activation), energy);
    const place = lineFor(track);
    // Most steps have the same line as the previous one.
    if (place !== track.spentAt) {
      track.spentAt = place;
      track.spent = 'why' in place ? this.#unplaced(place, track.codeAddress) : track.lineAt(place);
    }
    track.spent.energy += energy;
    track.spent.penalty += penalty;
  }

  #unplaced({ why, path }: Unplaced | typeof NO_ARTIFACT, codeAddress: Address): Spent {
    const key = path ?? `${why} ${codeAddress}`;
    let spent = this.unplaced.get(key);
    if (spent === undefined) {
      spent = { why, codeAddress, ...(path !== undefined && { path }), energy: 0, penalty: 0 };
      this.unplaced.set(key, spent);
    }
    return spent;
  }

  #sample(stop: Stop, energy: number): void {
    const last = this.samples.at(-1);
    if (this.samples.length < MAX_SAMPLES) {
      if (last?.stop === stop) last.energy += energy;
      else this.samples.push({ stop, energy });
      return;
    }
    const sum = this.#later.get(stop);
    if (sum !== undefined) sum.energy += energy;
    else this.#later.set(stop, { stop, energy });
  }

  /** Compiler-generated code of a function counts for the function. */
  #here(activation: Activation): Stop {
    activation.here ??= this.#stopOf(activation);
    return activation.here;
  }

  #stopOf({ base, place, ownPlace }: Activation): Stop {
    if (place === undefined) return base;
    if (this.by === 'line') return this.#stop(base, `${place.path}:${place.line}`, { place });
    const own = ownPlace === undefined ? base : this.#stop(base, functionKey(ownPlace), { place: ownPlace });
    if (place.within === ownPlace?.within || place.within === undefined || place.within.kind === 'contract') return own;
    return this.#stop(own, functionKey(place), { place });
  }

  #stop(above: Stop | undefined, key: string, is: Stop['is']): Stop {
    const known = above?.below.get(key);
    if (known !== undefined) return known;
    if (above !== undefined && this.#stops >= MAX_STOPS) return above;
    this.#stops++;
    const stop = { above, is, below: new Map() };
    above?.below.set(key, stop);
    return stop;
  }

  #of(frame: TracedFrame): RunningTrack {
    return this.#tracks.get(frame) as RunningTrack;
  }
}

/** With the known artifacts; without any, nothing has a line. @param isDeployment whether it runs init code */
export function spendingOf({ config }: Ledger, isDeployment: boolean, by: 'function' | 'line'): SourceSpending {
  const { knownContracts } = config;
  return new SourceSpending((code, isCreation) => knownContracts?.placesOf(code, isCreation), by, isDeployment);
}

/** The first function that is reached is the entered one. */
function isOwn({ within }: Place, own: Place | undefined): boolean {
  if (within === undefined || within.kind !== 'function') return false;
  return own === undefined || own.within === within;
}

function functionKey({ path, within }: Place): string {
  return `${path} ${within?.start}`;
}
