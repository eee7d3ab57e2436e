/**
 * A world of either mode from its beginning to its end, step by step. What each step does follows from the seed and its
 * number alone.
 */

import { Choices } from '../../wild-messages.js';
import type { Digest } from '../digest/digest.js';
import type { Counts } from './world.js';

export interface Failure {
  readonly seed: number;
  readonly step: number;
  readonly action: string;
  readonly invariant: string;
  readonly what: string;
}

export interface Life {
  readonly digest: string;
  readonly failure: Failure | undefined;
  readonly counts: Counts;
  /** Simulated time: of the chain, of the machine. */
  readonly chainMs: number;
  readonly machineMs: number;
}

/** The part of a world that its steps need. */
interface SteppedWorld {
  choices: Choices;
  readonly digest: Digest;
  readonly counts: Counts;
  readonly isRunning: boolean;
  fault(name: string): void;
}

interface Row<Act> {
  readonly name: string;
  readonly weight: number;
  readonly act: Act;
}

/** What the modes do differently. */
export interface Mode<Act> {
  readonly users: readonly Row<Act>[];
  readonly faults: readonly Row<Act>[];
  /** How many of all steps are faults. */
  readonly faultChance: number;
  /** So many steps lie between two looks at everything. */
  readonly stepsToRest: number;
  begin(): Promise<void>;
  act(deed: Act): Promise<void>;
  /** The process has ended in a step. */
  startAgain(): Promise<void>;
  /** After a step. */
  check(): Promise<void>;
  /** Looks at everything, when nothing is under way. */
  rest(): Promise<void>;
  end(): Promise<void>;
}

/**
 * @param steps numbers of the steps to take, ascending: a shrunk history has some of them
 * @param begins called before the start, each step, and the look at everything after the last one
 * @returns what failed; undefined: everything held
 */
export async function takeSteps<Act>(
  world: SteppedWorld,
  mode: Mode<Act>,
  seed: number,
  steps: Iterable<number>,
  begins: (step: number, action: string) => void,
): Promise<Failure | undefined> {
  let at = -1;
  let action = 'start';
  begins(at, action);
  try {
    await mode.begin();
    await mode.rest();
    let since = 0;
    for (at of steps) {
      world.choices = choicesOf(seed, at);
      const isFault = world.choices.chance(mode.faultChance);
      const deed = weighted(world.choices, isFault ? mode.faults : mode.users);
      action = deed.name;
      begins(at, action);
      world.digest.add('step', `${at} ${action}`);
      count(world.counts.steps, action);
      if (isFault) world.fault(action);
      await mode.act(deed.act);
      if (world.isRunning) {
        await mode.check();
        if (++since < mode.stepsToRest) continue;
      } else await mode.startAgain();
      since = 0;
      await mode.rest();
    }
    action = 'end';
    begins(at, action);
    await mode.rest();
    await mode.end();
    return undefined;
  } catch (error) {
    return failureOf(error, { seed, step: at, action });
  }
}

/** Each step has choices of its own, so that it stays the same when others are left out. */
function choicesOf(seed: number, step: number): Choices {
  let mixed = (seed ^ Math.imul(step + 1, 0x9e3779b1)) >>> 0;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b) >>> 0;
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35) >>> 0;
  return new Choices((mixed ^ (mixed >>> 16)) >>> 0);
}

function weighted<Item extends { readonly weight: number }>(choices: Choices, items: readonly Item[]): Item {
  let left = choices.below(items.reduce((sum, { weight }) => sum + weight, 0));
  for (const item of items) {
    left -= item.weight;
    if (left < 0) return item;
  }
  throw new Error('nothing to choose from');
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

function failureOf(error: unknown, at: Pick<Failure, 'seed' | 'step' | 'action'>): Failure {
  const known = error instanceof Error ? error : new Error(`thrown: ${JSON.stringify(error)}`);
  const { invariant = known.name, message, stack } = known as Error & { readonly invariant?: string };
  return { ...at, invariant, what: `${message}\n${stack}` };
}
