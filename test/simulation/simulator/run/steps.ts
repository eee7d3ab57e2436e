/**
 * What the steps of a world have in common in both modes: their choices, made from seed and number alone, and how a world
 * ends.
 */

import { Choices } from '../../wild-messages.js';
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

/** Each step has choices of its own, so that it stays the same when others are left out. */
export function choicesOf(seed: number, step: number): Choices {
  let mixed = (seed ^ Math.imul(step + 1, 0x9e3779b1)) >>> 0;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b) >>> 0;
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35) >>> 0;
  return new Choices((mixed ^ (mixed >>> 16)) >>> 0);
}

export function weighted<Item extends { readonly weight: number }>(choices: Choices, items: readonly Item[]): Item {
  let left = choices.below(items.reduce((sum, { weight }) => sum + weight, 0));
  for (const item of items) {
    left -= item.weight;
    if (left < 0) return item;
  }
  throw new Error('nothing to choose from');
}

export function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

export function failureOf(error: unknown, at: Pick<Failure, 'seed' | 'step' | 'action'>): Failure {
  const known = error instanceof Error ? error : new Error(`thrown: ${JSON.stringify(error)}`);
  const { invariant = known.name, message, stack } = known as Error & { readonly invariant?: string };
  return { ...at, invariant, what: `${message}\n${stack}` };
}
