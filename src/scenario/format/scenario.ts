/** A parsed scenario. Everything that can be checked before the run is checked. */

import type { GroupExpectations, TransactionExpectations } from './expect-fields.js';
import type { ForkPart } from './fork-fields.js';
import type { NetworkPart } from './network-fields.js';
import type { AccountPart, ContractPart, TokenPart } from './party-fields.js';
import type { PlacedProblem, Problem } from './problems.js';

export interface Scenario {
  /** File name for problems. */
  readonly file: string;
  readonly about?: string;
  /** Source of keys and random values. */
  readonly seed: string;
  /**
   * From the first step; `--what-if` counts its costs as one-off. Absent: two days of three or more, one day of two.
   */
  readonly warmup?: number;
  readonly network: NetworkPart;
  /** Absent: the chain starts with a genesis block. */
  readonly fork?: ForkPart;
  readonly accounts: ReadonlyMap<string, AccountPart>;
  readonly tokens: ReadonlyMap<string, TokenPart>;
  readonly contracts: ReadonlyMap<string, ContractPart>;
  readonly steps: Steps;
  /** Kinds of all steps, inner steps included. */
  readonly kinds: ReadonlySet<string>;
  /** Expectation for all transactions together. */
  readonly expect?: GroupExpectations;
  /** Position of a problem that only the run shows. */
  readonly place: (problem: Problem) => PlacedProblem;
}

/** In order; steps of a recording are read from its text one by one. */
export interface Steps extends Iterable<StepPart> {
  readonly length: number;
}

export interface Expected {
  readonly given: unknown;
  readonly values?: TransactionExpectations | GroupExpectations;
}

/** A step of the file. */
export interface StepPart {
  readonly path: readonly (string | number)[];
  /** `steps[3]` */
  readonly place: string;
  /** Name of its kind. */
  readonly kind: string;
  readonly label?: string;
  readonly given: Readonly<Record<string, unknown>>;
  /** Its values, if they contain no expression; otherwise they are read each time the step runs. */
  readonly values?: Readonly<Record<string, unknown>>;
  /** Its expectation, with or without expressions; expressions are evaluated each time the step runs. */
  readonly expect?: Expected;
  /** Inner steps. */
  readonly steps: readonly StepPart[];
}
