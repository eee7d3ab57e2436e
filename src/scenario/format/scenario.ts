/** A scenario that has been read: its parts with their values, and its steps, each checked as far as it can be before it runs. */

import type { GroupExpectations, TransactionExpectations } from './expect-fields.js';
import type { ForkPart } from './fork-fields.js';
import type { NetworkPart } from './network-fields.js';
import type { AccountPart, ContractPart, TokenPart } from './party-fields.js';
import type { PlacedProblem, Problem } from './problems.js';

export interface Scenario {
  /** As problems name it. */
  readonly file: string;
  readonly about?: string;
  /** Keys and chance are made of it. */
  readonly seed: string;
  /** From the first step on: what `--what-if` takes for one-off costs. Absent: the first two days of three or more, the first of two. */
  readonly warmup?: number;
  readonly network: NetworkPart;
  /** Absent: the chain begins with a genesis block. */
  readonly fork?: ForkPart;
  readonly accounts: ReadonlyMap<string, AccountPart>;
  readonly tokens: ReadonlyMap<string, TokenPart>;
  readonly contracts: ReadonlyMap<string, ContractPart>;
  readonly steps: Steps;
  /** The kinds that its steps have, and those within them. */
  readonly kinds: ReadonlySet<string>;
  /** Of all transactions together. */
  readonly expect?: GroupExpectations;
  /** Where in the file something is that only shows when it runs. */
  readonly place: (problem: Problem) => PlacedProblem;
}

/** In their order; those of a recording are read from its text one by one. */
export interface Steps extends Iterable<StepPart> {
  readonly length: number;
}

export interface Expected {
  readonly given: unknown;
  readonly values?: TransactionExpectations | GroupExpectations;
}

/** A step as it stands in the file. */
export interface StepPart {
  readonly path: readonly (string | number)[];
  /** `steps[3]` */
  readonly place: string;
  /** Name of its kind. */
  readonly kind: string;
  readonly label?: string;
  readonly given: Readonly<Record<string, unknown>>;
  /** Its values where nothing in them has to be worked out; else they are read each time it runs. */
  readonly values?: Readonly<Record<string, unknown>>;
  /** What is expected of it; read each time it runs where something in it has to be worked out. */
  readonly expect?: Expected;
  /** Steps within. */
  readonly steps: readonly StepPart[];
}
