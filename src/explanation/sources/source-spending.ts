/**
 * Where in the sources the Energy of an execution goes, while it runs: by line, and by the functions on the way there. A
 * frame of the machine knows no functions; they are told from the marks that a source map gives to jumps.
 */

import type { CodePlaces, Place, Unplaced } from '../../artifacts/code-places.js';
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

/** Energy without a line, by why it has none and of which contract or file. */
export interface UnplacedEnergy extends Spent {
  readonly why: 'generated' | 'contract' | 'no-source' | 'no-artifact';
  readonly codeAddress: Address;
  /** Of a source that is not at hand. */
  readonly path?: string;
}

/** A function on the way to what runs, or a contract's frame. */
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

/** A call of a function inside of a frame, and the frame's beginning. */
interface Activation {
  readonly caller: Activation | undefined;
  /** Where its caller stood, for charts. */
  readonly base: Stop;
  /** The latest. */
  place: Place | undefined;
  /** From where a jump that calls nothing led into another function: to code that an optimiser has the two share. */
  jumpedFrom: Place | undefined;
  /** The latest in the function that was entered: modifiers and what an optimiser has put in stand elsewhere. */
  ownPlace: Place | undefined;
  /** Of the latest place; undefined until asked for. */
  here: Stop | undefined;
}

/** What is known of a frame when it is over. */
export interface Track {
  readonly codeAddress: Address;
  readonly isMapped: boolean;
  /** The name of the contract by its artifact. */
  readonly contract: string | undefined;
  /** Innermost first: where it stood when it ended, and when its last call failed. */
  end: readonly Place[];
  atFailedCall: readonly Place[];
}

class RunningTrack implements Track {
  end: readonly Place[] = [];
  atFailedCall: readonly Place[] = [];
  /** The contract as a whole, where nothing better is known. */
  whole: Place | undefined;
  /** Where its Energy is counted now, and for which place. */
  spentAt: Place | Unplaced | typeof NO_ARTIFACT | undefined;
  spent: Spent = { energy: 0, penalty: 0 };
  pc = 0;
  /** What the step before did; undefined where it was no jump. */
  jump: Jump | undefined;

  constructor(
    readonly above: RunningTrack | undefined,
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

  /** @param hasEnded whether it stands where it ended, and not at a call */
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

/** What the compiler puts around a function, to decode its arguments. */
function isWrapper({ within, line, column, source }: Place, inner: Place | undefined): boolean {
  if (within === undefined || inner === undefined || inner.within !== within) return false;
  const start = source.positionAt(within.start);
  return start.line === line && start.column === column;
}

/** What the compiler made for no line (decoding, checks, code by way of Yul) is of the line that led there. */
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
/** A chart of so many parts is not read. */
const MAX_SAMPLES = 100_000;
const MAX_STOPS = 50_000;

export class SourceSpending implements EnergyObserver {
  readonly tracks: RunningTrack[] = [];
  readonly lines = new Map<SourceText, { readonly path: string; readonly lines: Map<number, Spent> }>();
  readonly unplaced = new Map<string, UnplacedEnergy>();
  /** In the order of time, until there are too many of them. */
  readonly samples: { readonly stop: Stop; energy: number }[] = [];
  readonly #later = new Map<Stop, { readonly stop: Stop; energy: number }>();
  readonly #tracks = new Map<TracedFrame, RunningTrack>();
  readonly #placesOf = new Map<string, CodePlaces | undefined>();
  #stops = 0;

  /**
   * @param by what a part of a chart is
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
    const track = new RunningTrack(above, codeAddress, places, activation);
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
    // A step that could not be paid for was not told of.
    if (frame.exception !== undefined && !frame.isActing && frame.pc < frame.code.length)
      this.#move(track, frame.pc, 0);
    if (!frame.failed) return;
    track.end = track.sites(true);
    if (track.above !== undefined) track.above.atFailedCall = track.above.sites();
  }

  /** Samples by time; of a long execution the sum for each stop. */
  get chart(): readonly { readonly stop: Stop; readonly energy: number }[] {
    return [...this.samples, ...this.#later.values()];
  }

  /** For what no step spends: the code that is stored, what an exception takes. */
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
    // What goes on from there is a function's own: a shared piece is the end of something.
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
    // Most steps are of the same line as the one before.
    if (place !== track.spentAt) {
      track.spentAt = place;
      track.spent = 'why' in place ? this.#unplaced(place, track.codeAddress) : this.#line(place);
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

  #line({ source, path, line }: Place): Spent {
    let file = this.lines.get(source);
    if (file === undefined) {
      file = { path, lines: new Map() };
      this.lines.set(source, file);
    }
    let spent = file.lines.get(line);
    if (spent === undefined) {
      spent = { energy: 0, penalty: 0 };
      file.lines.set(line, spent);
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

  /** What the compiler made for a function counts for the function. */
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

/** By the artifacts that are known; without any, nothing has a line. @param isDeployment whether it runs init code */
export function spendingOf({ config }: Ledger, isDeployment: boolean, by: 'function' | 'line'): SourceSpending {
  const { knownContracts } = config;
  return new SourceSpending((code, isCreation) => knownContracts?.placesOf(code, isCreation), by, isDeployment);
}

/** The first function that is met is the one that was entered. */
function isOwn({ within }: Place, own: Place | undefined): boolean {
  if (within === undefined || within.kind !== 'function') return false;
  return own === undefined || own.within === within;
}

function functionKey({ path, within }: Place): string {
  return `${path} ${within?.start}`;
}
